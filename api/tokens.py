"""Tokens: who holds which seat, kept as hashes, checked in constant time.

A seat survives its tokens: the token `ab12` and its successors `ab12.2`, `ab12.3` … are one invite, of which
at most one token is good. A request key belongs to the seat, so that it works across a rotation.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Iterable
from hashlib import sha256

import msgspec

from api.seats import Seat
from eventlog.recorder import new_id
from eventlog.sealing import now
from eventlog.store import Store, Token
from rulesets.people import Role

SECRET_BYTES = 32
MOST_REMEMBERED = 4096
"""Verified tokens kept in memory; when there are more, all are looked up again."""
REMEMBERED_FOR = 1.0
"""Seconds a verified token is taken as good without another look: so long it may work after another process took it away."""


NOBODY: tuple[None, float] = None, 0.0


class Issued(msgspec.Struct, frozen=True, kw_only=True):
    """A new token and its secret, which is shown once and never kept."""

    token: Token
    secret: str


def draw(token_id: str, seat: Seat) -> Issued:
    """A new token for a seat, not kept anywhere yet."""
    secret = "tt_" + secrets.token_urlsafe(SECRET_BYTES)
    token = Token(
        id=token_id,
        session=seat.session,
        role=seat.role,
        name=seat.name,
        characters=seat.characters,
        key_hash=_hash(secret.encode()),
        created_at=now(),
    )
    return Issued(token=token, secret=secret)


def invite_of(token_id: str) -> str:
    """The invite a token belongs to."""
    return token_id.partition(".")[0]


def nobody_listens(session: str | None, invite: str) -> None:
    """For whoever changes tokens where no feed is open."""


class Tokens:
    """Gives out, checks, replaces and revokes the tokens of one store.

    Its methods wait for the store on the event loop itself: a token looked up while it is revoked elsewhere
    could be remembered as good for ever.
    """

    def __init__(
        self, store: Store, admin_key: str, revoked: Callable[[str | None, str], None] = nobody_listens
    ) -> None:
        self._store = store
        self._revoked = revoked
        """Told the session and the invite of every token that stops working."""
        self._admin = _hash(admin_key.encode()) if admin_key else None
        self._known: dict[bytes, tuple[Seat, float]] = {}
        """Whose a token is, by its hash, and when that was looked up."""
        self.writing = asyncio.Lock()
        """Held while tokens are looked through and changed, so that two requests do not do it at once."""

    def seat(self, secret: bytes) -> Seat | None:
        """Whose secret this is; `None` when it is nobody's, or no longer."""
        hashed = _hash(secret)
        seat, looked_up = self._known.get(hashed, NOBODY)
        if seat is not None and time.monotonic() - looked_up < REMEMBERED_FOR:
            return seat
        if self._admin is not None and hmac.compare_digest(hashed, self._admin):
            return Seat(session=None, role="admin", name="admin", invite="admin")
        token = self._store.token(hashed)
        if token is None or token.revoked_at or not hmac.compare_digest(hashed, token.key_hash):
            self._known.pop(hashed, None)
            return None
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        seat = seat_of(token)
        self._known[hashed] = seat, time.monotonic()
        return seat

    def add(self, issued: Issued) -> None:
        """Keep a token that was drawn."""
        self._store.add_token(issued.token)

    def standing(self, session: str | None) -> list[Token]:
        """The tokens of a session, or of the server, that are good, oldest first."""
        return [token for token in self._store.tokens(session) if not token.revoked_at]

    def all_of(self, session: str | None, invite: str) -> list[Token]:
        """Every token an invite ever had, oldest first."""
        return [token for token in self._store.tokens(session) if invite_of(token.id) == invite]

    def issue(self, session: str | None, role: Role, name: str) -> Issued:
        """A new token for somebody's seat; the one they had stops working at once. Raises `SessionUnknown`."""
        for token in self._store.tokens(session):
            if (token.role, token.name) == (role, name):
                return self.replace(self.all_of(session, invite_of(token.id)))
        issued = draw(new_id(), Seat(session=session, role=role, name=name, invite=""))
        self.add(issued)
        return issued

    def replace(self, tokens: list[Token]) -> Issued:
        """Revoke what is left of an invite's tokens and issue its next one."""
        self.revoke(tokens)
        last = tokens[-1]
        issued = draw(f"{invite_of(last.id)}.{len(tokens) + 1}", seat_of(last))
        self.add(issued)
        return issued

    def revoke(self, tokens: Iterable[Token]) -> bool:
        """Revoke tokens; whether any of them was still good. They stop working at once."""
        revoked = False
        for token in tokens:
            self._known.pop(token.key_hash, None)
            revoked |= self._store.revoke_token(token.id, now())
            self._revoked(token.session, invite_of(token.id))
        return revoked

    def forget(self, session: str) -> None:
        """Let go of the remembered tokens of a session that was removed."""
        self._known = {key: known for key, known in self._known.items() if known[0].session != session}


def issue_gm_token(store: Store, session: str) -> str:
    """A new token for the game master of a session in a database no server has open. Raises `SessionUnknown`."""
    return Tokens(store, "").issue(session, "gm", "gm").secret


def issue_tool_token(store: Store, name: str) -> str:
    """A new token for a tool that reads every session of a database no server has open; it replaces its older one."""
    return Tokens(store, "").issue(None, "tool", name).secret


def seat_of(token: Token) -> Seat:
    """The seat a token gives."""
    return Seat(
        session=token.session,
        role=token.role,
        name=token.name,
        characters=token.characters,
        invite=invite_of(token.id),
    )


def _hash(secret: bytes) -> bytes:
    return sha256(secret).digest()
