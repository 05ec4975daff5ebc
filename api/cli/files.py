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
    if not place.parent.is_dir():
        raise Ended(f"{file} cannot be written: there is no folder {place.parent}", Exit.NOT_FOUND)
    part = place.with_name(f".{place.name}.part")
    try:
        part.unlink(missing_ok=True)
        yield part
        part.replace(place)
    except OSError as error:
        if error.filename not in (None, str(part)):
            raise
        raise Ended(f"{file} cannot be written: {error.strerror}", Exit.UNUSABLE) from error
    finally:
        part.unlink(missing_ok=True)
