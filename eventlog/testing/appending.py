"""What a store promises of appends: whole, in order, without a gap, and against one version only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from eventlog.canonical import LARGEST_INTEGER
from eventlog.chain import digest
from eventlog.envelope import By
from eventlog.errors import NothingToRedact, SequenceBroken, SessionUnknown
from eventlog.store import Append, Conflict, Outcome, Redaction, Store, Stored
from eventlog.testing.building import (
    Promise,
    followed,
    key,
    opened,
    refused,
    same,
    sealed,
    stored_events,
    token,
)


def events_come_back_as_they_were_stored(store: Store) -> None:
    """Every part of an envelope is kept, whatever writing it is in."""
    events = sealed(
        "log",
        2,
        slot=None,
        revision=3,
        v=2,
        by=By(role="player", name="Żądło 🎲 'or' \"--"),
        audience=("gm", "player:Żądło 🎲", "character:bull"),
        data='{"text":"日本語 é \\u0000 \\n %_ 🜂","n":[null,true,{}]}'.encode(),
    )
    same(store.append([opened("log", events=events)]), [Stored(position=1)])
    same(store.envelopes("log"), [replace(event, position=place) for place, event in enumerate(events, 1)])


def the_largest_integers_are_kept(store: Store) -> None:
    """Numbers up to 2⁵³ - 1 come back exactly, in the words and in the envelope."""
    most = LARGEST_INTEGER
    events = sealed(
        "log", 1, action=most, slot=most, revision=most, v=most, data=b'{"n":[%d,-%d]}' % (most, most)
    )
    store.append([opened("log", events=events)])
    same(stored_events(store, "log"), list(events))
    same([row.data for row in store.rows("log")], [events[0].data])
    same(store.head("log").action, most)


def positions_count_over_all_sessions_without_a_gap(store: Store) -> None:
    """Whatever is refused in between leaves no hole, and positions follow the order of commits."""
    first, other = opened("first", 3), opened("other", 2)
    same(store.append([first, other]), [Stored(position=1), Stored(position=4)])
    same(store.append([first]), [Conflict(version=3)])
    same(store.append([followed(other), followed(first, 2)]), [Stored(position=6), Stored(position=7)])
    found = [(event.position, event.session, event.seq) for event in store.stream()]
    wanted = [("first", 1), ("first", 2), ("first", 3), ("other", 1), ("other", 2), ("other", 3)]
    wanted += [("first", 4), ("first", 5)]
    same(found, [(place, *event) for place, event in enumerate(wanted, 1)])


def nothing_is_stored_by_half(store: Store) -> None:
    """Where an item cannot be stored, neither it nor the others of the call leave anything behind."""
    gap = opened("gap", 3, key=key("k"))
    gap = replace(
        gap, events=(gap.events[0], gap.events[2]), tokens=(token("zadie", "gap"),), checkpoint=b"t"
    )
    with refused(SequenceBroken):
        store.append([opened("good", 2), gap])
    with refused(SessionUnknown):
        store.head("good")
    with refused(SessionUnknown):
        store.head("gap")
    same(
        (store.known_key("zadie", "k"), store.token(token("zadie").key_hash), store.stream()),
        (None, None, []),
    )
    same(store.append([opened("good", 2)]), [Stored(position=1)])


def an_append_holds_an_event_at_least(store: Store) -> None:
    """There is no empty action; without events there is a key to keep, or nothing."""
    with refused(SequenceBroken):
        store.append([opened("log", events=())])


def a_session_begins_with_an_opening(store: Store) -> None:
    """Events of a session that was never opened belong to no ruleset."""
    with refused(SequenceBroken):
        store.append([Append(session="log", expected=0, events=sealed("log"))])


def another_version_is_a_conflict(store: Store) -> None:
    """Events decided on another version are not stored; the answer names the version there is."""
    first = opened("log", 2)
    second = followed(first, 2)
    store.append([first, second])
    behind, ahead = followed(first, 1), followed(followed(second), 1)
    same(store.append([behind, ahead, opened("log")]), [Conflict(version=4)] * 3)
    same(store.append([followed(opened("nowhere"))]), [Conflict(version=0)])
    same(stored_events(store, "log"), [*first.events, *second.events])


def a_conflict_harms_no_other_item(store: Store) -> None:
    """The rest of the call is stored."""
    log = opened("log")
    store.append([log])
    outcomes = store.append([log, opened("other"), followed(log)])
    same(outcomes, [Conflict(version=1), Stored(position=2), Stored(position=3)])


def two_items_of_one_session_are_taken_in_order(store: Store) -> None:
    """The second one of a call stands on the first; one that does not is a conflict."""
    first = opened("log", 2)
    second = followed(first)
    rival = followed(first, 3)
    outcomes = store.append([first, second, rival, followed(second, 2)])
    same(outcomes, [Stored(position=1), Stored(position=3), Conflict(version=3), Stored(position=4)])
    same([event.seq for event in store.envelopes("log")], [1, 2, 3, 4, 5])


def of_many_at_the_same_moment_one_is_stored(store: Store) -> None:
    """Threads that decided on the same version cannot both have it."""
    first = opened("log")
    store.append([first])
    rivals = [followed(first, 2) for _ in range(8)]

    def try_one(rival: Append) -> Outcome:
        return store.append([rival])[0]

    with ThreadPoolExecutor(len(rivals)) as threads:
        outcomes = list(threads.map(try_one, rivals))
    same(sorted(map(repr, outcomes)), sorted(map(repr, [Stored(position=2), *[Conflict(version=3)] * 7])))
    winner = outcomes.index(Stored(position=2))
    same(stored_events(store, "log"), [*first.events, *rivals[winner].events])


def redaction_takes_the_words_and_nothing_else(store: Store) -> None:
    """Data and salt go, the digest stands for them, once; tapes that may repeat the words go too."""
    first = opened("log", 3, checkpoint=b"with the words")
    second = followed(first, checkpoint=b"with the words")
    marked = digest(first.events[1])
    third = followed(second, redaction=Redaction(seq=2, digest=marked))
    store.append([first, second, third])
    gone = replace(first.events[1], data=None, salt=None, digest=marked)
    rest = [*second.events, *third.events]
    same(stored_events(store, "log"), [first.events[0], gone, first.events[2], *rest])
    same([row.data for row in store.rows("log")][1], None)
    same(store.checkpoint("log", 9), None)
    with refused(NothingToRedact):
        store.append([followed(third, redaction=Redaction(seq=2, digest=marked))])
    same(store.head("log").version, 5)


APPENDING: tuple[Promise, ...] = (
    events_come_back_as_they_were_stored,
    the_largest_integers_are_kept,
    positions_count_over_all_sessions_without_a_gap,
    nothing_is_stored_by_half,
    an_append_holds_an_event_at_least,
    a_session_begins_with_an_opening,
    another_version_is_a_conflict,
    a_conflict_harms_no_other_item,
    two_items_of_one_session_are_taken_in_order,
    of_many_at_the_same_moment_one_is_stored,
    redaction_takes_the_words_and_nothing_else,
)
