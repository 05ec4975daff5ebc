"""Files that are written: each appears under its name only when it is complete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.cli.exits import Ended, Exit


@contextmanager
def whole(file: str) -> Iterator[Path]:
    """Where to write what becomes FILE once it is complete. Ends the command where FILE is there already."""
    place = Path(file)
    if place.exists():
        raise Ended(f"{file} is there already: name another file, or remove it first", Exit.REFUSED)
    part = place.with_name(f".{place.name}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
