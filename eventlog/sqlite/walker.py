"""The process that walks stretches of a file's logs beside another: `python -m eventlog.sqlite.walker FILE`.

A stretch is a line of JSON on its input, what was found there a line on its output; it ends when its input does.
"""

from __future__ import annotations

import gc
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


def main(path: str) -> None:
    """Walk where others ask, beside whoever writes the file."""
    store = SqliteStore.open(Path(path), read_only=True)
    gc.freeze()
    walk(store, sys.stdin.buffer, sys.stdout.buffer)
    store.close()


if __name__ == "__main__":
    main(sys.argv[1])
