"""The salted hash chain: what makes a changed, removed, swapped or cut-off event show.

`digest = SHA-256(salt ‖ canonical header and data)` and `hash = SHA-256(previous hash ‖ seq ‖ digest)`, with
`seq` as eight big-endian bytes, beginning at SHA-256(log id). A reader who may not see an event gets its
digest alone, which the salt keeps from being guessed.
"""

from __future__ import annotations

from hashlib import sha256

from eventlog.canonical import encode
from eventlog.envelope import Envelope

SALT_BYTES = 16


def genesis(log: str) -> bytes:
    """The hash before the first event of a log."""
    return sha256(log.encode()).digest()


def document(envelope: Envelope) -> bytes:
    """What is hashed of an event: its header and data as one canonical JSON object."""
    return DOCUMENT % (
        envelope.action,
        envelope.at.encode(),
        encode(envelope.audience),
        encode(envelope.by),
        envelope.data or b"null",
        envelope.revision,
        slot_text(envelope.slot),
        envelope.type.encode(),
        envelope.v,
    )


DOCUMENT = (
    b'{"action":%d,"at":"%b","audience":%b,"by":%b,"data":%b,"revision":%d,"slot":%b,"type":"%b","v":%d}'
)
"""The document of an event, to be filled in. By hand, since its keys never change and are sorted already."""


def slot_text(slot: int | None) -> bytes:
    """A slot as the document spells it."""
    return b"null" if slot is None else b"%d" % slot


def digest(envelope: Envelope) -> bytes:
    """The salted digest of an event, or the kept one where its words were removed."""
    if envelope.salt is None or envelope.data is None:
        return envelope.digest or b""
    return sha256(envelope.salt + document(envelope)).digest()


def link(previous: bytes, seq: int, digested: bytes) -> bytes:
    """The hash of an event from the hash before it, its number and its digest."""
    return sha256(previous + seq.to_bytes(8, "big") + digested).digest()
