"""What a store promises of idempotency keys: a request sent twice is stored once."""

from __future__ import annotations

from eventlog.store import Conflict, Replayed, Store, Stored
from eventlog.testing.building import Promise, followed, key, opened, same


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


KEYS: tuple[Promise, ...] = (
    a_known_key_answers_what_it_led_to,
    a_key_of_the_same_call_is_known,
    a_key_of_another_body_answers_with_the_first_fingerprint,
    a_key_belongs_to_its_scope,
    only_what_is_stored_binds_a_key,
)
