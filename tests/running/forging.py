"""Copies as somebody forges them: one thing changed to anything, and every hash made anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from random import Random
from typing import Any, TypeAlias

Line: TypeAlias = dict[str, Any]

ANYTHING: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 3, -1, 7, 2**53 - 1, 2**53, 10**30, 0.5, "", "x", "gm", "everyone", "ada", "\x00\n",
    "zzz", "9999-01-01T00:00:00.000000Z", "core.note-added", "core.action-undone", "1.1", "9.9", "x" * 3000, [], {},
    [None], [[]], {"x": 1}, {"type": "roll"}, {"type": "undo"}, {"role": "gm"}, [1], ["gm"], [{}],
)  # fmt: skip


def lines_of(copy: bytes) -> list[Line]:
    """The header and the events of an exported log."""
    return [json.loads(line) for line in copy.splitlines()]


def forged(random: Random, lines: list[Line]) -> list[Line]:
    """The copy with one or two things in it changed at random."""
    lines = deepcopy(lines)
    for _ in range(random.choice((1, 1, 1, 2))):
        event = random.randrange(1, len(lines))
        holder, at = random.choice(list(_places(lines[event])))
        if random.random() < 0.1:
            del holder[at]
        else:
            holder[at] = deepcopy(random.choice((*ANYTHING, *_values(random.choice(lines[1:])))))
    return lines


def chained_anew(lines: list[Line], session: str = "") -> bytes:
    """The copy, under another id where one is given, and its chain made anew."""
    header, *events = deepcopy(lines)
    header["session"] = session or header["session"]
    previous = sha256(header.get("log", header["session"]).encode()).digest()
    for seq, event in enumerate(events, 1):
        event["session"] = header["session"]
        digest = _digest(event)
        previous = sha256(previous + seq.to_bytes(8, "big") + digest).digest()
        event["hash"] = previous.hex()
    header["head_hash"] = previous.hex()
    return b"\n".join(json.dumps(line).encode() for line in (header, *events))


def _digest(event: Line) -> bytes:
    if "digest" in event:
        return bytes.fromhex(event["digest"])
    hashed = ("action", "at", "audience", "by", "data", "revision", "slot", "type", "v")
    document = json.dumps(
        {name: event.get(name) for name in hashed}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return sha256(bytes.fromhex(event["salt"]) + document.encode()).digest()


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in an event that can be changed, as what holds it and where."""
    found = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for at, value in list(found):
        if at not in ("session", "hash", "salt", "digest"):
            yield holder, at
        if isinstance(value, dict | list):
            yield from _places(value)


def _values(event: Line) -> list[Any]:
    return [holder[at] for holder, at in _places(event)]
