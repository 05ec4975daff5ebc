"""The text of a scene file: read from the disk as TOML, of which a scene uses what JSON knows too."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.scenes.errors import SceneError

Place = tuple[str | int, ...]
"""The keys, and numbers in lists from 0, that lead to a value."""


def text_of(path: Path | str) -> str:
    """The words of a file. Raises `SceneError`, naming the line that is no text."""
    try:
        found = Path(path).read_bytes()
    except OSError as error:
        raise SceneError(f"the file cannot be read: {error.strerror or error}", path=str(path)) from error
    try:
        return found.decode("utf-8")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        raise SceneError(
            "the file cannot be read: it is not UTF-8 text here", path=str(path), line=line
        ) from error


def table_of(text: str, path: str) -> dict[str, Any]:
    """The table of a TOML text. Raises `SceneError`."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SceneError("lists and tables lie too deep in each other for a scene", path=path) from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise SceneError(f"this is not TOML: {error}", path=path, line=line) from error


def foreign(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where values are that TOML knows and a scene does not: dates, times, and numbers that are none."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from foreign(each, (*place, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from foreign(each, (*place, number))
    elif not _is_plain(value):
        yield place


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))
