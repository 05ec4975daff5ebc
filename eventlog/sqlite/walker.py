"""The process that walks stretches of a file's logs beside another: `python -m eventlog.sqlite.walker FILE`.

A stretch is a line of JSON on its input, what was found there a line on its output; it ends when its input does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import msgspec

from eventlog.sqlite.store import SqliteStore
from eventlog.verification.stretches import Stretch, walked

_stretch = msgspec.json.Decoder(Stretch).decode


def walk(store: SqliteStore, asked: BinaryIO, told: BinaryIO) -> None:
    """Walk stretch after stretch, until there are no more."""
    for line in asked:
        told.write(msgspec.json.encode(walked(store, _stretch(line))) + b"\n")
        told.flush()


if __name__ == "__main__":
    looked_at = SqliteStore.open(Path(sys.argv[1]), read_only=True)
    walk(looked_at, sys.stdin.buffer, sys.stdout.buffer)
    looked_at.close()
