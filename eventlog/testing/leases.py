"""What a store promises of a webhook's cursors: one worker at a time, in order, nothing left out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from eventlog.hooks import AT_ONCE, DeadLetter, Lease, Message, Standing, Step
from eventlog.store import Store
from eventlog.testing.building import AT, Promise, followed, forked, opened, same
from eventlog.testing.hooks import LATER, SOON, attempt, hook

BEFORE = "2026-12-01T19:00:00.000000Z"


def leased(store: Store, now: str = AT, until: str = SOON, owner: str = "worker") -> list[Lease]:
    """What one worker gets."""
    return store.hooks.lease(owner, now, until, 99)


def a_hook_is_told_what_comes_after_it(store: Store) -> None:
    """From now on, or from the place it asks for."""
    log = opened("log", 3)
    store.append([log])
    store.hooks.add(hook("now", "log"))
    store.hooks.add(hook("all", "log"), 0)
    store.hooks.add(hook("some", "log"), 2)
    same({(each.hook.id, each.seq) for each in leased(store)}, {("id-all", 0), ("id-some", 2)})
    store.append([followed(log)])
    same([(each.hook.id, each.session, each.seq) for each in leased(store)], [("id-now", "log", 3)])


def a_hook_for_all_sessions_is_told_of_later_ones_too(store: Store) -> None:
    """Of those that are there, from now on; of those that come, all that happens there since it was made."""
    log = opened("old", 3)
    store.append([log])
    store.hooks.add(hook("all", created_at=AT))
    same(leased(store), [])
    later = opened("new")
    store.append([later, followed(log)])
    same({(each.session, each.seq) for each in leased(store)}, {("old", 3), ("new", 0)})


def what_happened_before_a_hook_for_all_was_made_is_not_told(store: Store) -> None:
    """Such as an old log that is taken in later; what is added to it is told."""
    store.hooks.add(hook("all", created_at=SOON))
    old = opened("taken in", 4)
    store.append([old])
    same(leased(store, LATER), [])
    more = followed(old)
    store.append([replace(more, events=tuple(replace(each, at=LATER) for each in more.events))])
    same([each.seq for each in leased(store, LATER)], [4])


def a_fork_is_told_of_from_its_own_first_event(store: Store) -> None:
    """To a hook for all sessions; one of its parent hears nothing of it, and what is shared is not told again."""
    log = opened("log", 3)
    store.append([log])
    store.hooks.add(hook("all", created_at=AT))
    store.hooks.add(hook("parent", "log"))
    fork = forked("fork", log)
    store.append([fork])
    store.append([followed(fork)])
    same({(each.hook.id, each.session, each.seq) for each in leased(store)}, {("id-all", "fork", 3)})
    store.append([followed(log)])
    found = {(each.hook.id, each.session, each.seq) for each in leased(store)}
    same(found, {("id-all", "log", 3), ("id-parent", "log", 3)})


def a_cursor_is_leased_to_one_worker(store: Store) -> None:
    """Until its time is over; then another may have it, and the first has lost it."""
    store.append([opened("log", 2)])
    store.hooks.add(hook("zoe", "log"), 0)
    (first,) = leased(store, AT, SOON, "first")
    same(leased(store, AT, SOON, "second"), [])
    (second,) = leased(store, SOON, LATER, "second")
    same((second.owner, second.seq), ("second", 0))
    same(store.hooks.record(first, Step(seq=1, until=LATER, attempt=attempt(first))), None)
    same(store.hooks.standings("id-zoe"), [Standing(session="log", seq=0, version=2)])
    same(len(store.hooks.attempts("id-zoe")), 1)


def many_workers_at_once_get_each_cursor_once(store: Store) -> None:
    """However they meet."""
    store.append([opened(f"s{number}") for number in range(20)])
    for number in range(20):
        store.hooks.add(hook(f"h{number}", f"s{number}"), 0)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda name: store.hooks.lease(f"w{name}", AT, SOON, 3), range(8))
        leases = [each for some in found for each in some]
    leases += leased(store)
    same(sorted(each.session for each in leases), sorted(f"s{number}" for number in range(20)))


def a_lease_goes_on_with_every_step(store: Store) -> None:
    """It is kept as long as was asked, the cursor moves, and letting go lets others have the rest."""
    store.append([opened("log", 3)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    kept = store.hooks.record(lease, Step(seq=1, until=LATER, attempt=attempt(lease)))
    same(kept, replace(lease, seq=1, until=LATER))
    same(leased(store, SOON), [])
    same(store.hooks.record(lease, Step(seq=2, until=None)), None)
    same([each.seq for each in leased(store, AT, SOON, "other")], [2])


def what_failed_is_tried_again_when_it_is_time(store: Store) -> None:
    """With the number of tries it had; a change of the hook makes it at once."""
    store.append([opened("log", 3)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    failed = Step(seq=0, tries=3, next_at=SOON, until=None, attempt=attempt(lease, "failed"))
    store.hooks.record(lease, failed)
    same(leased(store), [])
    (again,) = leased(store, SOON, LATER)
    same((again.seq, again.tries), (0, 3))
    store.hooks.record(again, replace(failed, next_at=LATER))
    store.hooks.change("id-zoe", lambda now: replace(now, name="Zoe's"))
    same([each.tries for each in leased(store, SOON, LATER)], [0])


def a_receiver_that_asked_to_wait_is_left_alone(store: Store) -> None:
    """By all sessions of the hook, and the longest wait counts."""
    store.append([opened("a"), opened("b")])
    store.hooks.add(hook("all", created_at=BEFORE))
    logs = [opened("c", 2), opened("d", 2)]
    store.append(logs)
    first, second = leased(store)
    store.hooks.record(first, Step(seq=0, held_until=SOON, until=None))
    store.hooks.record(second, Step(seq=0, held_until=AT, until=None))
    same(leased(store), [])
    held = store.hooks.hook("id-all")
    same(held and held.held_until, SOON)
    same(len(leased(store, SOON, LATER)), 2)


def a_paused_hook_waits_and_loses_nothing(store: Store) -> None:
    """Whoever was at work stops after the message under way, which counts."""
    store.append([opened("log", 4)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    store.hooks.change("id-zoe", lambda now: replace(now, paused="asked"))
    same(store.hooks.record(lease, Step(seq=1, until=SOON, attempt=attempt(lease))), None)
    same(leased(store, SOON), [])
    store.hooks.change("id-zoe", lambda now: replace(now, paused=None))
    same([each.seq for each in leased(store)], [1])


def a_receiver_that_is_gone_pauses_its_hook(store: Store) -> None:
    """Nothing more is tried until somebody looks."""
    store.append([opened("log", 4)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    gone = Step(seq=0, tries=1, until=SOON, attempt=attempt(lease, "gone", status=410), pause="gone")
    same(store.hooks.record(lease, gone), None)
    found = store.hooks.hook("id-zoe")
    same(found and (found.paused, found.revision), ("gone", 2))
    same(leased(store, LATER), [])


def a_hook_is_not_sent_too_much_at_once(store: Store) -> None:
    """Many sessions of one hook wait for each other, those of others do not."""
    logs = [opened(f"s{number}") for number in range(20)]
    store.hooks.add(hook("many", created_at=BEFORE))
    store.hooks.add(hook("one", format="discord", created_at=BEFORE))
    store.append(logs)
    leases = leased(store)
    counts = {name: [each.hook.id for each in leases].count(name) for name in ("id-many", "id-one")}
    same(counts, {"id-many": AT_ONCE["standard"], "id-one": AT_ONCE["discord"]})


def a_cursor_set_back_is_told_again(store: Store) -> None:
    """From the place it was set to, and whoever was at work has lost it."""
    store.append([opened("log", 4)])
    store.hooks.add(hook("zoe", "log"))
    store.hooks.rewind("id-zoe", "log", 1)
    (lease,) = leased(store)
    same(lease.seq, 1)
    store.hooks.rewind("id-zoe", "log", 3)
    same(store.hooks.record(lease, Step(seq=2, until=SOON, attempt=attempt(lease))), None)
    same([each.seq for each in leased(store)], [3])


def what_was_given_up_is_kept_until_it_is_delivered(store: Store) -> None:
    """Once for each place of the log, oldest first."""
    store.append([opened("log", 4)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    letters = [
        DeadLetter(id=f"msg-{seq}", session="log", seq=seq, at=AT, tries=8, status=500, error="status 500")
        for seq in (1, 2)
    ]
    for letter in letters:
        store.hooks.record(lease, Step(seq=letter.seq, until=SOON, dead=letter))
    same([letter for _, letter in store.hooks.dead_letters("id-zoe")], letters)
    numbers = [number for number, _ in store.hooks.dead_letters("id-zoe", limit=1)]
    same([letter for _, letter in store.hooks.dead_letters("id-zoe", numbers[0])], letters[1:])
    store.hooks.record(lease, Step(seq=1, until=None, attempt=attempt(lease)))
    same([letter for _, letter in store.hooks.dead_letters("id-zoe")], letters[1:])


def messages_are_remembered_to_be_edited(store: Store) -> None:
    """For each action; forgotten when they are not there any more, all of them at another address."""
    store.append([opened("log", 4)])
    store.hooks.add(hook("zoe", "log"), 0)
    (lease,) = leased(store)
    made = Message(action=0, slot=None, message="1001")
    edited = Message(action=0, slot=None, message="1009")
    others = [Message(action=action, slot=2, message=f"200{action}") for action in (3, 2)]
    for each in (made, edited, *others):
        store.hooks.record(lease, Step(seq=1, until=SOON, remembered=each))
    same([store.hooks.message("id-zoe", "log", action) for action in (0, 1)], [edited, None])
    same(store.hooks.messages("id-zoe", "log", {1, 2}), others[::-1])
    same(store.hooks.messages("id-zoe", "log", ()), [])
    store.hooks.record(lease, Step(seq=1, until=None, forgotten=2))
    same([store.hooks.message("id-zoe", "log", action) for action in (2, 3)], [None, others[0]])
    store.hooks.change("id-zoe", lambda now: replace(now, url="https://other.example"))
    same(store.hooks.messages("id-zoe", "log", {2}), [])


LEASES: tuple[Promise, ...] = (
    a_hook_is_told_what_comes_after_it,
    a_hook_for_all_sessions_is_told_of_later_ones_too,
    what_happened_before_a_hook_for_all_was_made_is_not_told,
    a_fork_is_told_of_from_its_own_first_event,
    a_cursor_is_leased_to_one_worker,
    many_workers_at_once_get_each_cursor_once,
    a_lease_goes_on_with_every_step,
    what_failed_is_tried_again_when_it_is_time,
    a_receiver_that_asked_to_wait_is_left_alone,
    a_paused_hook_waits_and_loses_nothing,
    a_receiver_that_is_gone_pauses_its_hook,
    a_hook_is_not_sent_too_much_at_once,
    a_cursor_set_back_is_told_again,
    what_was_given_up_is_kept_until_it_is_delivered,
    messages_are_remembered_to_be_edited,
)
