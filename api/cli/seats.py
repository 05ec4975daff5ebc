"""Seats at a table whose database is at hand, without a server between."""

from __future__ import annotations

from eventlog.store import Store
from rulesets.people import Role


def issue_gm_token(store: Store, session: str) -> str:
    """A new token for the game master of a session, the only one that is good. Raises `SessionUnknown`."""
    return issue_token(store, session, "gm", "gm")


def issue_token(store: Store, session: str, role: Role, name: str) -> str:
    """A new token for somebody's seat; the one they had stops working at once. Raises `SessionUnknown`."""
    from api.seats import Seat
    from api.tokens import Tokens, draw, invite_of
    from eventlog.recorder import new_id

    tokens, issued_before = Tokens(store, ""), store.tokens(session)
    invite = next(
        (invite_of(each.id) for each in issued_before if (each.role, each.name) == (role, name)), None
    )
    if invite is not None:
        return tokens.replace(tokens.all_of(session, invite)).secret
    issued = draw(new_id(), Seat(session=session, role=role, name=name, invite=""))
    tokens.add(issued)
    return issued.secret
