"""What a store promises that outlives its process: opened again, it is what it was."""

from __future__ import annotations

from collections.abc import Callable

from eventlog.hooks import DeadLetter, Message, Secret, Step
from eventlog.logs import Checkpoint
from eventlog.store import Conflict, Redaction, Replayed, Store, Stored
from eventlog.testing.building import AT, Opener, followed, key, opened, same, token
from eventlog.testing.hooks import SOON, attempt, hook


def a_store_opened_again_is_what_it_was(opens: Opener) -> None:
    """Events, heads, seeds, keys, tapes, tokens and tombstones are all there."""
    first = opened("log", 3, key=key("k"), tokens=(token("zadie", "log"),))
    second = followed(first, 2, redaction=Redaction(seq=2, digest=bytes(32)), checkpoint=b"tape")
    store = opens()
    store.append([first, second, opened("mistake", 2)])
    store.revoke_token(token("zadie").id, AT)
    left = store.remove("mistake", AT)
    before = _everything(store)
    store.close()

    store = opens()
    same(_everything(store), before)
    same(store.checkpoint("log", 1), Checkpoint(action=1, version=5, tape=b"tape"))
    same(store.removed("mistake"), left)
    same(store.append([first]), [Replayed(session="log", action=0, fingerprint=key("k").fingerprint)])
    same(store.append([opened("mistake")]), [Conflict(version=2)])
    store.close()


def a_store_opened_again_goes_on_where_it_was(opens: Opener) -> None:
    """Numbers and positions follow, also after the last session was removed."""
    store = opens()
    log = opened("log", 2)
    store.append([log, opened("mistake", 3)])
    store.remove("mistake", AT)
    store.close()

    store = opens()
    same(store.append([followed(log)]), [Stored(position=6)])
    same([event.seq for event in store.envelopes("log")], [1, 2, 3])
    store.close()


def a_store_opened_again_goes_on_telling_where_it_was(opens: Opener) -> None:
    """Hooks, cursors, letters and messages are there."""
    store = opens()
    store.append([opened("log", 3)])
    store.hooks.add(hook("zoe", "log", secrets=(Secret(value="whsec_bmV3"),)), 0)
    (lease,) = store.hooks.lease("worker", AT, SOON, 9)
    letter = DeadLetter(id="msg-1", session="log", seq=1, at=AT, tries=8, status=None, error="timeout")
    made = Message(action=0, slot=None, message="1001")
    sent = attempt(lease, "dead", status=None, error="timeout")
    store.hooks.record(lease, Step(seq=1, until=None, dead=letter, remembered=made, attempt=sent))
    before = _told(store)
    store.close()

    store = opens()
    same(_told(store), before)
    same([each.seq for each in store.hooks.lease("worker", AT, SOON, 9)], [1])
    store.close()


def _told(store: Store) -> object:
    hooks, name = store.hooks, "id-zoe"
    return (
        hooks.hook(name),
        hooks.standings(name),
        hooks.attempts(name),
        hooks.dead_letters(name),
        hooks.message(name, "log", 0),
    )


def _everything(store: Store) -> object:
    return (
        store.stream(),
        store.sessions(),
        list(store.rows("log")),
        store.seed("log"),
        store.tokens("log"),
        store.known_key("zadie", "k"),
    )


LASTING_PROMISES: tuple[Callable[[Opener], None], ...] = (
    a_store_opened_again_is_what_it_was,
    a_store_opened_again_goes_on_where_it_was,
    a_store_opened_again_goes_on_telling_where_it_was,
)
