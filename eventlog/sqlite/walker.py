"""The process that walks stretches of a file's logs beside another: `python -m eventlog.sqlite.walker FILE`.

A stretch is a line of JSON on its input, what was found there a line on its output; it ends when its input does.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import BinaryIO

import msgspec

from eventlog.sqlite.logs import SqliteLogs
from eventlog.verification.stretches import Stretch, walked

_stretch = msgspec.json.Decoder(Stretch).decode


def walk(logs: SqliteLogs, asked: BinaryIO, told: BinaryIO) -> None:
    """Walk stretch after stretch, until there are no more."""
    for line in asked:
        told.write(msgspec.json.encode(walked(logs, _stretch(line))) + b"\n")
        told.flush()


def main(path: str) -> None:
    """Walk where others ask, beside whoever writes the file."""
    logs = SqliteLogs.looking_on(Path(path))
    gc.freeze()
    walk(logs, sys.stdin.buffer, sys.stdout.buffer)
    logs.close()


if __name__ == "__main__":
    main(sys.argv[1])
