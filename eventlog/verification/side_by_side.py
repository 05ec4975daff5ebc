"""A long log is walked by two processes at once, where the machine has the cores: one from the front, one from the end."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread

import msgspec

from eventlog.store import Store
from eventlog.verification.stretches import Stretch, walked
from eventlog.verification.walking import Walked

WORTH_A_PROCESS = 16
"""Stretches from which on it pays to start a process."""

PATIENCE = 10.0
"""Seconds to wait for the last stretch of a process beside: it takes a hundredth of one."""

_encode = msgspec.json.encode
_walked = msgspec.json.Decoder(Walked).decode


class SideBySide:
    """Stretches of a log, and what was found on each of them. Whoever has time takes from what is left."""

    def __init__(self, store: Store, stretches: Sequence[Stretch]) -> None:
        self._store = store
        self._left = deque(enumerate(stretches))
        self._found: dict[int, Walked] = {}
        self._beside: Thread | None = None
        self._process: Popen[bytes] | None = None

    def begin(self, command: Sequence[str]) -> None:
        """Let the process that a command starts walk from the front."""
        self._beside = Thread(target=self._walk_beside, args=(command,), daemon=True)
        self._beside.start()

    def finish(self) -> list[Walked]:
        """Walk here what is left, from the end; then what each stretch came to, in order."""
        self._walk_here()
        if self._beside is not None:
            self._beside.join(PATIENCE)
            if self._process is not None:
                self._process.kill()
            self._beside.join()
            self._walk_here()  # what a process had taken that died, or hangs
        return [self._found[number] for number in sorted(self._found)]

    def leave(self) -> None:
        """Walk no further."""
        self._left.clear()
        if self._process is not None:
            self._process.kill()  # it only reads: nobody need wait until it has packed up
        if self._beside is not None:
            self._beside.join()

    def _walk_here(self) -> None:
        while self._left:
            try:
                number, stretch = self._left.pop()
            except IndexError:  # the other side was quicker
                return
            self._found[number] = walked(self._store, stretch)

    def _walk_beside(self, command: Sequence[str]) -> None:
        with (
            suppress(OSError),
            Popen(  # noqa: S603 - the store says how, and nothing of it comes from outside
                command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            ) as process,
        ):
            self._process = process
            while process.stdin and process.stdout and self._left:
                try:
                    number, stretch = self._left.popleft()
                except IndexError:
                    break
                try:
                    process.stdin.write(_encode(stretch) + b"\n")
                    process.stdin.flush()
                    self._found[number] = _walked(process.stdout.readline())
                except (OSError, msgspec.MsgspecError):
                    self._left.append((number, stretch))
                    return
            process.kill()


@contextmanager
def side_by_side(store: Store, stretches: Sequence[Stretch]) -> Iterator[SideBySide]:
    """Stretches that a process beside this one begins to walk at once, if there are many."""
    both, command = SideBySide(store, stretches), store.walking_process()
    if command is not None and len(stretches) >= WORTH_A_PROCESS and (os.cpu_count() or 1) > 1:
        both.begin(command)
    try:
        yield both
    finally:
        both.leave()
