"""The log of a server: one structured line for each request, made here and nowhere configured globally."""

from __future__ import annotations

import logging
import sys
from typing import Any, Literal

import msgspec
import structlog

from api.front_door import Log


def logger(form: Literal["json", "console", "off"]) -> Log | None:
    """What writes the lines: JSON for machines, words for people, or nothing."""
    if form == "off":
        return None
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    if form == "json":
        lines: Log = structlog.wrap_logger(
            structlog.BytesLogger(sys.stderr.buffer),
            processors=[stamp, structlog.processors.JSONRenderer(serializer=_json)],
            wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        )
        return lines
    words: Log = structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[stamp, _without_blanks, structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    return words


def _json(line: Any, **_: Any) -> bytes:
    return msgspec.json.encode(line)


def _without_blanks(_logger: Any, _method: str, line: Any) -> Any:
    return {name: value for name, value in line.items() if value is not None}
