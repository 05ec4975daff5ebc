"""Drafts to envelopes: numbers, time, salt and hash, ready to be stored."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from eventlog.chain import SALT_BYTES, digest, link
from eventlog.codec import codec_for
from eventlog.decision import Draft
from eventlog.envelope import By, Envelope
from eventlog.tape import Tape
from rulesets.installed import ruleset_named


def now(not_before: str = "") -> str:
    """The time as the log writes it, UTC to the microsecond; a clock set back does not turn the log back."""
    return max(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"), not_before)


def seal(
    tape: Tape[Any], drafts: Sequence[Draft], by: By, slot: int | None, action: int
) -> tuple[Envelope, ...]:
    """The envelopes that continue this tape's chain with these drafts."""
    codec, at, previous = codec_for(ruleset_named(tape.ruleset)), now(tape.at), tape.hash
    salts = secrets.token_bytes(SALT_BYTES * len(drafts))
    sealed = []
    for index, draft in enumerate(drafts):
        name, version, data = codec.write(draft.event)
        seq = tape.version + 1 + index
        envelope = Envelope(
            session=tape.session,
            seq=seq,
            action=action,
            slot=slot,
            revision=1,
            type=name,
            v=version,
            at=at,
            by=by,
            audience=draft.audience,
            data=data,
            salt=salts[index * SALT_BYTES : (index + 1) * SALT_BYTES],
            hash=b"",
        )
        previous = link(previous, seq, digest(envelope))
        sealed.append(msgspec.structs.replace(envelope, hash=previous))
    return tuple(sealed)
