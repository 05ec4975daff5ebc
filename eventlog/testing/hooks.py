"""What a store promises of webhooks: kept whole, changed in place, gone with their session."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from eventlog.errors import SessionUnknown
from eventlog.hooks import Attempt, Hook, Lease, Secret, Standing, Step
from eventlog.store import Store
from eventlog.testing.building import AT, Promise, followed, opened, refused, same
from rulesets.people import OBSERVER, Viewer

SOON, LATER = "2026-12-01T19:30:00.000000Z", "2026-12-01T19:45:00.000000Z"


def hook(who: str, session: str | None = None, /, **fields: Any) -> Hook:
    """A webhook of that id. `fields` are the hook's."""
    held = Hook(
        id=f"id-{who}", session=session, url=f"https://{who}.example/in", viewer=OBSERVER, created_at=AT
    )
    return replace(held, **fields)


def attempt(lease: Lease, outcome: Any = "delivered", **fields: Any) -> Attempt:
    """An attempt to send the next event of a lease."""
    tried = Attempt(
        id=f"msg-{lease.seq + 1}",
        session=lease.session,
        seq=lease.seq + 1,
        attempt=lease.tries + 1,
        at=AT,
        duration_ms=12,
        status=200 if outcome == "delivered" else 500,
        outcome=outcome,
    )
    return replace(tried, **fields)


def a_hook_is_kept_whole(store: Store) -> None:
    """Of a session or of all, with everything it was made with."""
    whole = hook(
        "Żądło",
        "log",
        name="The channel",
        format="discord",
        types=("core.note-added", "trial.stone-laid"),
        viewer=Viewer(role="player", name="mina", characters=("zadie", "bull")),
        secrets=(Secret(value="whsec_bmV3"), Secret(value="whsec_b2xk", until=LATER)),
        asked=b"\x00\x01",
    )
    plain = hook("all")
    store.append([opened("log")])
    store.hooks.add(whole)
    store.hooks.add(plain)
    same([store.hooks.hook(each.id) for each in (whole, plain)], [whole, plain])
    same(store.hooks.hook("id-nobody"), None)


def hooks_are_listed_oldest_first(store: Store) -> None:
    """Those of one session, or those for all."""
    store.append([opened("log"), opened("other")])
    for each in (hook("zoe", "log"), hook("all"), hook("abe", "log")):
        store.hooks.add(each)
    same([each.id for each in store.hooks.hooks("log")], ["id-zoe", "id-abe"])
    same(store.hooks.hooks("other"), [])
    same([each.id for each in store.hooks.hooks(None)], ["id-all"])


def a_hook_of_no_session_there_is_is_refused(store: Store) -> None:
    """It would never be told anything."""
    with refused(SessionUnknown):
        store.hooks.add(hook("zoe", "nowhere"))
    same(store.hooks.hook("id-zoe"), None)


def a_changed_hook_is_another_revision(store: Store) -> None:
    """What may change is changed; whom it is for and when it was made are not."""
    store.append([opened("log")])
    made = hook("zoe", "log")
    store.hooks.add(made)
    changes: dict[str, Any] = {
        "name": "Zoe's",
        "url": "https://other.example/",
        "types": ("core.note-added",),
        "secrets": (Secret(value="whsec_bmV3"),),
        "paused": "asked",
    }
    changed = store.hooks.change(made.id, lambda now: replace(now, **changes))
    same(changed, replace(made, **changes, revision=2))
    same(store.hooks.hook(made.id), changed)
    same(store.hooks.change("id-nobody", lambda now: now), None)


def a_dropped_hook_leaves_nothing(store: Store) -> None:
    """No cursor, no log, and whoever was at work is told to stop."""
    store.append([opened("log", 2)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = store.hooks.lease("worker", AT, SOON, 9)
    same([store.hooks.drop(name) for name in ("id-zoe", "id-zoe")], [True, False])
    same(store.hooks.record(lease, Step(seq=1, until=LATER, attempt=attempt(lease))), None)
    same(_everything(store, "id-zoe"), (None, [], [], []))


def a_removed_session_takes_its_hooks_along(store: Store) -> None:
    """One for all sessions stays, and remembers nothing of it."""
    log = opened("mistake", 2)
    store.append([log, opened("log")])
    store.hooks.add(hook("zoe", "mistake"), 0)
    store.hooks.add(hook("all"))
    store.append([followed(log)])
    leases = store.hooks.lease("worker", AT, SOON, 9)
    same({(lease.hook.id, lease.session) for lease in leases}, {("id-zoe", "mistake"), ("id-all", "mistake")})
    kept = [store.hooks.record(each, Step(seq=1, until=SOON, attempt=attempt(each))) for each in leases]
    same(len([lease for lease in kept if lease is not None]), 2)
    store.remove("mistake", AT)
    same(
        [store.hooks.record(each, Step(seq=2, until=SOON, attempt=attempt(each))) for each in leases],
        [None, None],
    )
    same(_everything(store, "id-zoe"), (None, [], [], []))
    same(_everything(store, "id-all")[1:], ([Standing(session="log", seq=1, version=1)], [], []))
    same(store.hooks.lease("worker", LATER, LATER, 9), [])


def attempts_are_listed_newest_first(store: Store) -> None:
    """A page at a time, trial messages among them."""
    store.append([opened("log")])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = store.hooks.lease("worker", AT, SOON, 9)
    tries = [attempt(lease, "failed", error="timeout", status=None), attempt(lease)]
    store.hooks.record(lease, Step(seq=0, tries=1, until=SOON, attempt=tries[0]))
    store.hooks.record(lease, Step(seq=1, until=None, attempt=tries[1]))
    trial = attempt(lease, session=None, seq=None)
    store.hooks.note("id-zoe", trial)
    store.hooks.note("id-nobody", trial)
    first = store.hooks.attempts("id-zoe", None, 2)
    same([each.attempt for each in first], [trial, tries[1]])
    rest = store.hooks.attempts("id-zoe", first[-1].number, 2)
    same([each.attempt for each in rest], tries[:1])


def _everything(store: Store, name: str) -> tuple[Any, ...]:
    hooks = store.hooks
    return hooks.hook(name), hooks.standings(name), hooks.attempts(name), hooks.dead_letters(name)


HOOKS: tuple[Promise, ...] = (
    a_hook_is_kept_whole,
    hooks_are_listed_oldest_first,
    a_hook_of_no_session_there_is_is_refused,
    a_changed_hook_is_another_revision,
    a_dropped_hook_leaves_nothing,
    a_removed_session_takes_its_hooks_along,
    attempts_are_listed_newest_first,
)
