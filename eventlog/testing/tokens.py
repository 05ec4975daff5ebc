"""What a store promises of tokens: found by hash, revoked for good."""

from __future__ import annotations

from msgspec.structs import replace

from eventlog.errors import SessionUnknown
from eventlog.store import Store
from eventlog.testing.building import Promise, opened, refused, same, token

FIRST, LATER = "2026-12-01T19:30:00.000000Z", "2026-12-01T19:45:00.000000Z"


def a_token_is_found_by_its_hash(store: Store) -> None:
    """Whole, whether it came with the session, afterwards, or belongs to the server."""
    gm = token("gm", "log", role="gm")
    player = token("Żądło", "log", characters=("zadie", "bull"))
    admin = token("admin")
    store.append([opened("log", tokens=(gm,))])
    store.add_token(player)
    store.add_token(admin)
    same([store.token(each.key_hash) for each in (gm, player, admin)], [gm, player, admin])
    same(store.token(bytes(32)), None)


def tokens_are_listed_oldest_first(store: Store) -> None:
    """Those of one session, or those of the server."""
    store.append([opened("log", tokens=(token("zoe", "log"), token("abe", "log"))), opened("other")])
    store.add_token(token("mia", "log"))
    store.add_token(token("admin"))
    same([held.name for held in store.tokens("log")], ["zoe", "abe", "mia"])
    same(store.tokens("other"), [])
    same(store.tokens(None), [token("admin")])


def a_token_of_no_session_there_is_is_refused(store: Store) -> None:
    """A way in leads somewhere."""
    with refused(SessionUnknown):
        store.add_token(token("zadie", "nowhere"))
    same(store.token(token("zadie").key_hash), None)


def a_revoked_token_stays_revoked(store: Store) -> None:
    """It is still found, with the moment it was revoked first."""
    held, other = token("zadie", "log"), token("rasheem", "log")
    store.append([opened("log", tokens=(held, other))])
    revoked = [
        store.revoke_token(name, at) for name, at in ((held.id, FIRST), (held.id, LATER), ("nobody", FIRST))
    ]
    same(revoked, [True, False, False])
    same(store.token(held.key_hash), replace(held, revoked_at=FIRST))
    same(store.tokens("log"), [replace(held, revoked_at=FIRST), other])


TOKENS: tuple[Promise, ...] = (
    a_token_is_found_by_its_hash,
    tokens_are_listed_oldest_first,
    a_token_of_no_session_there_is_is_refused,
    a_revoked_token_stays_revoked,
)
