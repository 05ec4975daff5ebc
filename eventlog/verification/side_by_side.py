"""A long log is walked by two processes at once, where the machine has the cores: one from the front, one from the end."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread
from typing import IO, TypeAlias

import msgspec

from eventlog.logs import Logs
from eventlog.verification.stretches import Stretch, walked
from eventlog.verification.walking import Walked

WORTH_A_PROCESS = 32
"""Stretches from which on it pays to start a process."""

AHEAD = 2
"""Stretches a process beside has at a time: it never waits for the next one while this process is busy walking."""

PATIENCE = 10.0
"""Seconds to wait for the last stretches of a process beside: they take a hundredth of one."""

Numbered: TypeAlias = tuple[int, Stretch]

_encode = msgspec.json.encode
_walked = msgspec.json.Decoder(Walked).decode


class SideBySide:
    """Stretches of a log, and what was found on each of them. Whoever has time takes from what is left."""

    def __init__(self, logs: Logs, stretches: Sequence[Stretch]) -> None:
        self._logs = logs
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
        while taken := _taken(self._left.pop):
            number, stretch = taken
            self._found[number] = walked(self._logs, stretch)

    def _walk_beside(self, command: Sequence[str]) -> None:
        with (
            suppress(OSError),
            Popen(  # noqa: S603 - the store says how, and nothing of it comes from outside
                command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            ) as process,
        ):
            self._process = process
            if process.stdin and process.stdout:
                self._hand_over(process.stdin, process.stdout)
            process.kill()

    def _hand_over(self, asked: IO[bytes], told: IO[bytes]) -> None:
        """Give away stretch after stretch and take what was found, until none are left or the other side fails."""
        given = deque[Numbered]()
        try:
            while True:
                while len(given) < AHEAD and (taken := _taken(self._left.popleft)):
                    given.append(taken)
                    asked.write(_encode(taken[1]) + b"\n")
                    asked.flush()
                if not given:
                    return
                self._found[given[0][0]] = _walked(told.readline())
                given.popleft()
        except (OSError, msgspec.MsgspecError):
            self._left.extend(given)


def _taken(take: Callable[[], Numbered]) -> Numbered | None:
    """One of the stretches that are left; `None` where the other side was quicker."""
    try:
        return take()
    except IndexError:
        return None


@contextmanager
def side_by_side(logs: Logs, stretches: Sequence[Stretch]) -> Iterator[SideBySide]:
    """Stretches that a process beside this one begins to walk at once, if there are many."""
    both, command = SideBySide(logs, stretches), logs.walking_process()
    if command is not None and len(stretches) >= WORTH_A_PROCESS and (os.cpu_count() or 1) > 1:
        both.begin(command)
    try:
        yield both
    finally:
        both.leave()
