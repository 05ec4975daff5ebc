"""Drafts to envelopes: numbers, time, salt and hash, ready to be stored."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from time import time_ns
from typing import Any

from eventlog.canonical import encode
from eventlog.chain import DOCUMENT, SALT_BYTES, link, slot_text
from eventlog.codec import codec_for
from eventlog.envelope import By, Envelope
from eventlog.playing import Draft
from eventlog.tape import Tape
from rulesets.installed import ruleset_named

SALTS_AT_ONCE = 512
"""How many salts are asked of the operating system in one call: a call for each action makes all others wait."""

_SALTS: deque[bytes] = deque()
if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_SALTS.clear)


def salt() -> bytes:
    """A salt from the operating system's randomness, given out once."""
    try:
        return _SALTS.popleft()
    except IndexError:
        drawn = os.urandom(SALT_BYTES * SALTS_AT_ONCE)
        _SALTS.extend(
            drawn[start : start + SALT_BYTES] for start in range(SALT_BYTES, len(drawn), SALT_BYTES)
        )
        return drawn[:SALT_BYTES]


def now(not_before: str = "") -> str:
    """The time as the log writes it, UTC to the microsecond; a clock set back does not turn the log back."""
    seconds, nanoseconds = divmod(time_ns(), 1_000_000_000)
    return max(f"{_to_the_second(seconds)}.{nanoseconds // 1000:06}Z", not_before)


@lru_cache(maxsize=2)
def _to_the_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def seal(tape: Tape[Any], drafts: Sequence[Draft], by: By, action: int) -> tuple[Envelope, ...]:
    """The envelopes that continue this tape's chain with these drafts."""
    codec, at, previous = codec_for(ruleset_named(tape.ruleset)), now(tape.at), tape.hash
    at_text, by_text = at.encode(), encode(by)
    sealed, session = [], tape.session
    for seq, draft in enumerate(drafts, tape.version + 1):
        name, version, data = codec.write(draft.event)
        text = DOCUMENT % (
            action,
            at_text,
            encode(draft.audience),
            by_text,
            data,
            draft.revision,
            slot_text(draft.slot),
            name.encode(),
            version,
        )
        salted = salt()
        previous = link(previous, seq, sha256(salted + text).digest())
        envelope = Envelope(
            session=session,
            seq=seq,
            action=action,
            slot=draft.slot,
            revision=draft.revision,
            type=name,
            v=version,
            at=at,
            by=by,
            audience=draft.audience,
            data=data,
            salt=salted,
            hash=previous,
        )
        sealed.append(envelope)
    return tuple(sealed)
