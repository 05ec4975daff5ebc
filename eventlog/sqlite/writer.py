"""The process that writes a file for a server: `python -m eventlog.sqlite.writer FILE`, batches on its input.

It ends when its input does, and never before: a signal meant to stop the server reaches it by way of the server.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from eventlog.gathering import stored
from eventlog.sqlite.apart import LENGTH_BYTES, batch_of, framed, reply_to
from eventlog.sqlite.store import SqliteStore


def write(store: SqliteStore, batches: BinaryIO, replies: BinaryIO) -> None:
    """Store batch after batch, and reply to each, until there are no more; one that breaks off is nothing."""
    while True:
        length = int.from_bytes(batches.read(LENGTH_BYTES), "big")
        body = batches.read(length)
        if not body or len(body) < length:
            return
        replies.write(framed([reply_to(outcome) for outcome in stored(store, batch_of(body))]))
        replies.flush()


def main(path: str) -> None:
    """Write the file whose lock the server holds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    store = SqliteStore.beside(Path(path))
    gc.freeze()
    try:
        write(store, sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:  # the server is gone; what it asked for is stored
        os._exit(0)  # before Python complains that nobody reads its last words
    else:
        store.close()


if __name__ == "__main__":
    main(sys.argv[1])
