"""Copies of logs written by hand from docs/dice.md and docs/http.md, without a line of the server's code.

Every face is from the `openssl` command line: the seeds below under the labels `caravan` and `hedge`.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Said = dict[str, Any]

SEED_A, PROMISE_A = "ab" * 32, "9a2db2e23f1504cd056606553ac049c5e718e8f9ce9233876df1a7a1821af885"
SEED_B, PROMISE_B = (
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
)
SEED_C, PROMISE_C = "c0ffee00" * 8, "1f94eb635fe8b4b9f1f6110b84d7f9ea9a8d030082e2a9e2def9a8bae4adb556"


def event(kind: str, said: Said, *, action: int, slot: int | None = None, revision: int = 1) -> Said:
    """One event, not yet in a chain."""
    return {
        "session": "caravan", "action": action, "slot": slot, "revision": revision, "type": kind, "v": 1,
        "at": f"2026-11-30T20:00:{action:02}.000000Z", "by": {"role": "gm", "name": "gm"},
        "audience": ["everyone"], "data": said,
    }  # fmt: skip


def die(face: int, sides: int = 6, address: str | None = None) -> Said:
    """One die; six sides go without saying, as does the address where it lies where it fell."""
    said: Said = {"face": face, "origin": "séance"}
    return {**said, **({"sides": sides} if sides != 6 else {}), **({"address": address} if address else {})}


def roll(number: int, *dice: Said, source: str | None = None) -> Said:
    """What an event of a game says that carries a roll."""
    return {
        "roll": {"number": number, "purpose": "x", "dice": dice, **({"source": source} if source else {})}
    }


def opened() -> Said:
    """The opening of the session `caravan`, which promises seed A."""
    said = {
        "title": "The fight for the “caravan”",
        "dice_commitment": PROMISE_A,
        "parameters": {},
        "rules": 1,
    }
    return event("core.session-opened", said, action=0)


def thrown(
    action: int,
    number: int,
    *dice: Said,
    source: str | None = None,
    revision: int = 1,
    slot: int | None = None,
) -> list[Said]:
    """An action that throws one roll."""
    slot = slot or action
    asked = {"command": {"type": "maneuver"}, **({} if source is None else {"source": source})}
    taken = event("core.action-taken", asked, action=action, slot=slot)
    return [
        taken,
        event("game.dice-rolled", roll(number, *dice, source=source), action=action, slot=slot, revision=revision),
    ]  # fmt: skip


def closed(action: int, seed: str = SEED_A) -> list[Said]:
    """The close, which shows a seed."""
    taken = event("core.action-taken", {"command": {"type": "close"}}, action=action)
    return [taken, event("core.session-closed", {"seed": seed}, action=action)]


def evening() -> list[Said]:
    """Three rolls of seed A, one typed in at the table between them, and the close. Fifteen dice in all."""
    return [
        opened(),
        *thrown(1, 1, die(3), die(2), die(2), die(1)),
        *thrown(2, 2, die(1), die(4)),
        *thrown(3, 3, die(4, 20)),
        *thrown(4, 4, die(6), die(6), source="table"),
        *closed(5),
    ]


def forked(at: int, first_roll: int, **said: Any) -> Said:
    """A fork `hedge` of `caravan`, which promises seed B."""
    said = {
        "parent": "caravan", "at": at, "version": 3, "kind": "fork", "title": "What if", "session": "hedge",
        "dice_commitment": PROMISE_B, "first_roll": first_roll, **said,
    }  # fmt: skip
    return {**event("core.session-forked", said, action=at + 1), "session": "hedge"}


def spelled(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained(events: Sequence[Said], root: str = "caravan") -> list[Said]:
    """The events with number, salt and hash. What is `hidden` keeps its digest alone; `gone` words too."""
    previous, made = hashlib.sha256(root.encode()).digest(), []
    for seq, each in enumerate(events, 1):
        said = {key: value for key, value in each.items() if key not in ("hidden", "gone", "session")}
        salt = hashlib.md5(b"%d" % seq, usedforsecurity=False).digest()
        digest = hashlib.sha256(salt + spelled(said)).digest()
        previous = hashlib.sha256(previous + seq.to_bytes(8, "big") + digest).digest()
        hashed = {"seq": seq, "hash": previous.hex()}
        if each.get("hidden"):
            made.append({**hashed, "digest": digest.hex()})
        elif each.get("gone"):
            made.append({**each, **hashed, "data": None, "digest": digest.hex(), "redacted": True})
        else:
            made.append({**each, **hashed, "salt": salt.hex()})
    return made


def header(events: Sequence[Said], session: str = "caravan", **said: Any) -> Said:
    """The first line of a copy."""
    hidden = any("type" not in each for each in events)
    return {
        "tabletape": 1, "session": session, "ruleset": "game", "rules": 1, "title": "t",
        "version": len(events), "head_hash": events[-1]["hash"] if events else "0" * 64,
        "copy": "redacted" if hidden else "complete", "exported_for": {"role": "gm", "name": "gm"}, **said,
    }  # fmt: skip


def write(path: Path, first: Said, events: Sequence[Said]) -> Path:
    """A copy as a file."""
    path.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in (first, *events)))
    return path
