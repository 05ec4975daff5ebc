"""Seats given out under a name: at the table of a session (its invites), or to a tool at the server as a whole."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256

from api.desk import Desk
from api.faults import NameTaken
from api.headers import check_key
from api.seats import Seat
from api.tokens import Issued, draw
from eventlog.errors import KeyReused
from eventlog.recorder import new_id
from eventlog.store import Token
from rulesets.contract import RESERVED_IDS, RuleViolation


def standing(desk: Desk, session: str | None, invite: str) -> list[Token]:
    """All tokens an invite ever had, the last of them still good; none where there is no such invite, or no longer."""
    tokens = desk.tokens.all_of(session, invite)
    return tokens if tokens and not tokens[-1].revoked_at else []


def given(desk: Desk, seat: Seat, scope: str, key: str | None) -> tuple[Issued, bool]:
    """The token of a seat, and whether this request key gave it out before: then it is replaced by another.

    Raises `NameTaken`, `KeyReused`, or `RuleViolation` for a name that means somebody.
    """
    before = _given_before(desk, seat, scope, key) if key is not None else []
    if before:
        return desk.tokens.replace(before), True
    issued = draw(new_id() if key is None else _invite_for(scope, key), seat)
    _check_name(desk, seat)
    desk.tokens.add(issued)
    return issued, False


def _check_name(desk: Desk, seat: Seat) -> None:
    check_not_reserved(seat.name)
    if any(token.name.casefold() == seat.name.casefold() for token in desk.tokens.standing(seat.session)):
        raise NameTaken(f"Somebody sits here as {seat.name!r} already; choose another name", name=seat.name)


def check_not_reserved(name: str) -> None:
    """Raise `RuleViolation` where a name already means somebody."""
    if name.casefold() in RESERVED_IDS:
        raise RuleViolation("reserved-id", f"{name!r} already means somebody; choose another name")


def _given_before(desk: Desk, seat: Seat, scope: str, key: str) -> list[Token]:
    """The tokens this key issued before. Raises `KeyReused` where it came with another body."""
    check_key(key)
    tokens = desk.tokens.all_of(seat.session, _invite_for(scope, key))
    same = tokens and (tokens[0].role, tokens[0].name, tokens[0].characters) == (
        seat.role,
        seat.name,
        seat.characters,
    )
    if (tokens and not same) or desk.store.known_key(scope, key):
        raise KeyReused("This Idempotency-Key came with another request before; use a new key for a new one")
    return tokens


def _invite_for(scope: str, key: str) -> str:
    """The id of the invite a request key makes: a repeat finds it, also after a restart."""
    return b32encode(sha256(f"{scope}\n{key}".encode()).digest()[:10]).decode().lower()
