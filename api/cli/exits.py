"""How a command ends: the exit codes, and which fault leads to which."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a script can tell from the exit code."""

    OK = 0
    FAILED = 1
    """An expectation of a scene does not hold, or a log is not whole."""
    USAGE = 2
    """The command line, or a scene file that is there, cannot be read."""
    NOT_FOUND = 3
    """There is no such session, action, file or ruleset."""
    REFUSED = 4
    """The rules, the log or the server said no; nothing was changed."""
    UNUSABLE = 5
    """The database is in use or cannot be used, or the port is taken."""
    UNREACHABLE = 6
    """The server at `--url` does not answer, or not as a Tabletape server does."""
    UNCHECKED = 7
    """A log is whole as far as it can be checked here, and its commands could not be decided again."""
    BROKEN = 70
    """A mistake in Tabletape itself."""
    INTERRUPTED = 130
    """Ctrl-C."""
    READER_GONE = 141
    """Whoever read the output stopped reading, such as `head`, or it was closed from the start."""


class Ended(Exception):
    """A command ends here, with one sentence for the person who gave it."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
