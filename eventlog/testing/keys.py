"""What a store promises of idempotency keys: a request sent twice is stored once."""

from __future__ import annotations

from msgspec.structs import replace

from eventlog.errors import SequenceBroken, SessionUnknown
from eventlog.store import Append, Conflict, Replayed, Store, Stored
from eventlog.testing.building import Promise, followed, key, opened, refused, same


def a_known_key_answers_what_it_led_to(store: Store) -> None:
    """Also when the version has moved on since: the key is looked up first. Nothing is stored again."""
    first = opened("log", 2)
    second = followed(first, 2, key=key("k"))
    store.append([first, second, followed(second)])
    replayed = Replayed(session="log", action=1, fingerprint=key("k").fingerprint)
    same(store.append([second]), [replayed])
    same(store.known_key("zadie", "k"), replayed)
    same(store.head("log").version, 5)


def a_key_of_the_same_call_is_known(store: Store) -> None:
    """Two copies of a request that wait together are stored once."""
    first = opened("log", 2, key=key("k"))
    replayed = Replayed(session="log", action=0, fingerprint=key("k").fingerprint)
    same(store.append([first, first]), [Stored(position=1), replayed])


def a_key_of_another_body_answers_with_the_first_fingerprint(store: Store) -> None:
    """So that the caller can tell the same request from another one under its key."""
    first = opened("log", key=key("k"))
    store.append([first])
    other = followed(first, key=key("k"))
    same(store.append([other]), [Replayed(session="log", action=0, fingerprint=key("k").fingerprint)])
    same(store.head("log").version, 1)


def a_key_belongs_to_its_scope(store: Store) -> None:
    """Two people may use the same key for different things."""
    first = opened("log", key=key("k", scope="zadie"))
    second = followed(first, key=key("k", scope="rasheem"))
    same(store.append([first, second]), [Stored(position=1), Stored(position=2)])
    same(store.known_key("nobody", "k"), None)


def only_what_is_stored_binds_a_key(store: Store) -> None:
    """After a conflict the same key may be used for the next try."""
    first = opened("log", 2)
    store.append([first])
    same(store.append([opened("log", key=key("k"))]), [Conflict(version=2)])
    same(store.known_key("zadie", "k"), None)
    same(store.append([followed(first, key=key("k"))]), [Stored(position=3)])


def a_key_is_kept_alone_with_where_its_session_stands(store: Store) -> None:
    """A request that had nothing left to do moves nothing on, takes no position, and never does anything later."""
    first = opened("log", 2)
    second = followed(first, 3)
    alone = Append(session="log", expected=2, events=(), key=key("k"))
    later = replace(alone, expected=5, key=key("later"))
    same(store.append([first, alone, alone, second, later]), [
        Stored(position=1), Stored(position=0), _alone("k", 0), Stored(position=3), Stored(position=0),
    ])  # fmt: skip
    same(store.append([followed(second, key=key("k"))]), [_alone("k", 0)])
    same([store.known_key("zadie", name) for name in ("k", "later")], [_alone("k", 0), _alone("later", 1)])
    same((store.head("log").version, store.head("log").action, len(store.stream())), (5, 1, 5))
    same(store.append([followed(second)]), [Stored(position=6)])


def a_key_alone_is_kept_on_one_version_of_a_session_that_is_there(store: Store) -> None:
    """Where the session went on meanwhile there may be something to do after all."""
    first = opened("log", 2)
    store.append([first])
    same(
        store.append([Append(session="log", expected=1, events=(), key=key("k"))]),
        [Conflict(version=2)],
    )
    for nowhere in (Append(session="nowhere", expected=0, events=(), key=key("k")), opened("new", events=())):
        with refused(SequenceBroken):
            store.append([replace(nowhere, key=key("k"))])
    with refused(SessionUnknown):
        store.head("new")
    same(store.known_key("zadie", "k"), None)


def _alone(name: str, action: int) -> Replayed:
    return Replayed(session="log", action=action, fingerprint=key(name).fingerprint, ignored=True)


KEYS: tuple[Promise, ...] = (
    a_known_key_answers_what_it_led_to,
    a_key_of_the_same_call_is_known,
    a_key_of_another_body_answers_with_the_first_fingerprint,
    a_key_belongs_to_its_scope,
    only_what_is_stored_binds_a_key,
    a_key_is_kept_alone_with_where_its_session_stands,
    a_key_alone_is_kept_on_one_version_of_a_session_that_is_there,
)
