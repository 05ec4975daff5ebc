"""What a store promises of removal: a session goes whole, and leaves its name and receipt."""

from __future__ import annotations

from eventlog.errors import SessionUnknown
from eventlog.store import Conflict, Removed, Store, Stored
from eventlog.testing.building import AT, Promise, followed, key, opened, refused, same, token


def a_removed_session_leaves_its_id_and_receipt(store: Store) -> None:
    """Everything else of it is gone, and nothing of its neighbours."""
    log = opened("log", 3, key=key("k"), checkpoint=b"tape", tokens=(token("zadie", "log"),))
    other = opened("other", 2)
    store.append([log, other])
    left = Removed(session="log", version=3, hash=log.events[-1].hash, removed_at=AT)
    same(store.removed("log"), None)
    same(store.remove("log", AT), left)
    same(store.removed("log"), left)
    with refused(SessionUnknown):
        store.head("log")
    with refused(SessionUnknown):
        store.envelopes("log")
    with refused(SessionUnknown):
        store.remove("log", AT)
    same((store.known_key("zadie", "k"), store.token(token("zadie").key_hash)), (None, None))
    same([(event.session, event.position) for event in store.stream()], [("other", 4), ("other", 5)])
    same([head.session for head in store.sessions().heads], ["other"])


def the_id_of_a_removed_session_is_never_used_again(store: Store) -> None:
    """Neither for a new session nor for going on with the old one."""
    log = opened("log", 3)
    store.append([log])
    store.remove("log", AT)
    same(store.append([log, followed(log)]), [Conflict(version=3)] * 2)


def a_position_is_never_used_again(store: Store) -> None:
    """A reader who has seen the removed events misses none of those that come after."""
    store.append([opened("other", 2), opened("log", 3)])
    store.remove("log", AT)
    same(store.append([opened("next")]), [Stored(position=6)])
    same([event.session for event in store.stream(5)], ["next"])


def a_cursor_outlives_the_session_it_points_to(store: Store) -> None:
    """Turning pages goes on where it was."""
    store.append([opened(f"s{number}") for number in range(4)])
    page = store.sessions(limit=2)
    store.remove("s2", AT)
    same([head.session for head in store.sessions(after=page.next).heads], ["s1", "s0"])


REMOVING: tuple[Promise, ...] = (
    a_removed_session_leaves_its_id_and_receipt,
    the_id_of_a_removed_session_is_never_used_again,
    a_position_is_never_used_again,
    a_cursor_outlives_the_session_it_points_to,
)
