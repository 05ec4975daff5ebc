"""The three streams every process has, even where whoever started it closed some of them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR = range(3)


def fill_the_gaps() -> None:
    """Stand something in for each closed stream, so that no file we open takes its number.

    Reading finds nothing, complaints go nowhere; output meets the fault of a reader who stopped reading, which
    is what a closed output is (`tabletape timeline ID >&-`).
    """
    if not _is_open(STANDARD_INPUT):
        _put(os.open(os.devnull, os.O_RDONLY), STANDARD_INPUT)
    if not _is_open(STANDARD_OUTPUT):
        _put(_pipe_nobody_reads(), STANDARD_OUTPUT)
        sys.stdout = _text(STANDARD_OUTPUT)
    if not _is_open(STANDARD_ERROR):
        _put(os.open(os.devnull, os.O_WRONLY), STANDARD_ERROR)
        sys.stderr = _text(STANDARD_ERROR)


def stop_writing() -> None:
    """Let the interpreter flush its output into nothing when it ends."""
    with suppress(OSError, ValueError):
        _put(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _pipe_nobody_reads() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def _put(opened: int, number: int) -> None:
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def _text(number: int) -> TextIO:
    return open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
