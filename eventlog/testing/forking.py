"""What a store promises of forks: one log to read, of which the beginning lies with another session, once."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from eventlog.chain import digest
from eventlog.envelope import Envelope, row_of
from eventlog.errors import SequenceBroken, SessionHasForks, SessionUnknown, WordsShared
from eventlog.logs import Checkpoint, Parent
from eventlog.store import Append, Conflict, Redaction, Replayed, Retold, Store, Stored
from eventlog.testing.building import (
    AT,
    Promise,
    followed,
    forked,
    key,
    opened,
    refused,
    same,
    sealed,
    stored_events,
    token,
)


def _three_sessions(store: Store) -> tuple[list[Append], list[Append], list[Append]]:
    """A log of the actions 0 to 3, a fork after action 1, and a fork of that after its action 3; all went on since.

    Each action has two events.
    """
    log = [opened("log", 2)]
    for _ in range(3):
        log.append(followed(log[-1], 2))
    fork = [forked("fork", log[1], 2)]
    fork.append(followed(fork[0], 2))
    deep = [forked("deep", fork[1], 2)]
    appends = [*log, *fork, *deep, followed(fork[-1], 2), followed(deep[-1], 2)]
    for append in appends:
        store.append([append])
    return log, [*log[:2], *fork, appends[-2]], [*log[:2], *fork, *deep, appends[-1]]


def _events(session: str, appends: Sequence[Append]) -> list[Envelope]:
    """The events of appends as they are read in the log of a session."""
    return [replace(event, session=session) for append in appends for event in append.events]


def a_fork_is_read_as_one_log(store: Store) -> None:
    """From the first event on, under its own id, whatever its parents did since: whole, in pages, in short."""
    for session, appends in zip(("log", "fork", "deep"), _three_sessions(store), strict=True):
        events = _events(session, appends)
        same(stored_events(store, session), events)
        same(list(store.rows(session)), list(map(row_of, events)))
        for after in range(len(events) + 1):
            for limit in (1, 3, 5):
                found = [event.seq for event in store.envelopes(session, after, limit)]
                same(found, [event.seq for event in events[after : after + limit]])
            same([row.seq for row in store.rows(session, after)], list(range(after + 1, len(events) + 1)))


def the_actions_of_a_fork_go_on_counting(store: Store) -> None:
    """Those before it are its parents' up to where it was forked, the others its own."""
    for session, appends in zip(("log", "fork", "deep"), _three_sessions(store), strict=True):
        events = _events(session, appends)
        last = events[-1].action
        for first in range(last + 2):
            for upto in range(first, last + 2):
                found = [replace(each, position=0) for each in store.actions(session, first, upto)]
                same(found, [event for event in events if first <= event.action <= upto])
            rows = [row.seq for row in store.rows(session, upto_action=first)]
            same(rows, [event.seq for event in events if event.action <= first])


def no_event_is_copied_for_a_fork(store: Store) -> None:
    """The stream has what is shared once, as the parent's; a fork adds its own events and nothing else."""
    log, fork, _ = _three_sessions(store)
    own = [(event.session, event.seq) for append in (*log, *fork[2:]) for event in append.events]
    found = [(event.session, event.seq) for event in store.stream() if event.session != "deep"]
    same(sorted(found), sorted(own))
    same([event.position for event in store.stream()], list(range(1, 19)))


def the_head_of_a_fork_names_its_parent_and_its_log(store: Store) -> None:
    """The log is that of the first session of all; the parent lists its forks, oldest first."""
    log, fork, deep = _three_sessions(store)
    heads = {session: store.head(session) for session in ("log", "fork", "deep")}
    same([head.log for head in heads.values()], ["log"] * 3)
    same(
        [head.parent for head in heads.values()],
        [
            None,
            Parent(session="log", at=1, version=4, kind="fork", held_by="log"),
            Parent(session="fork", at=3, version=8, kind="fork", held_by="fork"),
        ],
    )
    same([(head.version, head.action) for head in heads.values()], [(8, 3), (10, 4), (12, 5)])
    same([head.hash for head in heads.values()], [each[-1].events[-1].hash for each in (log, fork, deep)])
    store.append([forked("again", log[0])])
    same([head.session for head in store.forks("log")], ["fork", "again"])
    same([store.forks("fork"), store.forks("deep")], [[heads["deep"]], []])
    same([head.session for head in store.sessions().heads], ["again", "deep", "fork", "log"])


def a_fork_of_a_fork_may_begin_before_it(store: Store) -> None:
    """It shares with the first session alone then, and not what the second one did."""
    log, _, _ = _three_sessions(store)
    early = forked("early", replace(log[0], session="fork"), 2)
    same(store.append([early]), [Stored(position=19)])
    same(stored_events(store, "early"), _events("early", [log[0], early]))
    same(store.actions("early", 1, 9), store.envelopes("early", 2))


def a_fork_begins_where_an_action_ended(store: Store) -> None:
    """Neither within one, nor after one that is not there, nor from a session that is not there."""
    log, _, _ = _three_sessions(store)
    torn = replace(log[1], events=log[1].events[:1])
    ahead = followed(log[-1])
    for begun in (
        torn,
        ahead,
        replace(log[1], events=sealed("log", 2, previous=log[1].events[-1], action=9)),
    ):
        with refused(SequenceBroken):
            store.append([forked("wrong", begun)])
    with refused(SessionUnknown):
        store.append([forked("wrong", opened("nowhere"))])
    with refused(SequenceBroken):
        store.append([replace(forked("wrong", log[1]), events=sealed("wrong"))])
    with refused(SessionUnknown):
        store.head("wrong")


def a_fork_opens_a_session_that_is_not_there(store: Store) -> None:
    """An id that is taken is a conflict, and a key that was used is answered with what it led to."""
    log, fork, _ = _three_sessions(store)
    same(
        store.append([forked("fork", log[1]), forked("log", fork[-1])]),
        [Conflict(version=10), Conflict(version=8)],
    )
    keyed = forked("keyed", log[1], key=key("k"), tokens=(token("gm", "keyed"),))
    replayed = Replayed(session="keyed", action=2, fingerprint=key("k").fingerprint)
    same(store.append([keyed])[0], Stored(position=19))
    same(store.append([forked("other", log[1], key=key("k"))]), [replayed])
    same([held.session for held in store.tokens("keyed")], ["keyed"])
    same(store.tokens("log"), [])


def tapes_are_shared_up_to_the_fork(store: Store) -> None:
    """The parent's later ones, and what it knows of its history today, are none of the fork's."""
    first = opened("log", 2, checkpoint=b"0")
    second = followed(first, 2, checkpoint=b"1")
    third = followed(second, 2, checkpoint=b"2")
    kept = Retold(first=0, tables=(Checkpoint(action=1, version=6, tape=b"corrected"),))
    fork = forked("fork", second)
    store.append([first, second, replace(third, retold=kept)])
    store.append([fork])
    zero, one = Checkpoint(action=0, version=2, tape=b"0"), Checkpoint(action=1, version=4, tape=b"1")
    same([store.checkpoint("fork", action) for action in (0, 1, 2, 9)], [zero, one, one, one])
    same(store.corrected_checkpoint("fork", 9), None)
    own = Retold(first=0, tables=(Checkpoint(action=1, version=6, tape=b"its own"),))
    store.append([followed(fork, checkpoint=b"3", retold=own)])
    same(store.checkpoint("fork", 9), Checkpoint(action=3, version=6, tape=b"3"))
    same(store.checkpoint("fork", 2), one)
    same([store.corrected_checkpoint(each, 9) for each in ("fork", "log")], [own.tables[0], kept.tables[0]])


def revisions_and_notes_of_a_parent_end_at_the_fork(store: Store) -> None:
    """What was written anew or noted there afterwards is none of the fork's; its own is none of the parent's."""
    first = opened("log", 2)
    second = replace(
        followed(first),
        events=(
            *sealed("log", previous=first.events[-1], slot=0, revision=2),
            *sealed("log", previous=first.events[-1], slot=None, data=b'{"about":0}'),
        ),
    )
    second = replace(second, events=_chained(first, second.events))
    store.append([first, second])
    for session, before in (("log", second), ("fork", forked("fork", second))):
        if session == "fork":
            store.append([before])
        last = before.events[-1]
        noted = sealed(session, previous=last, slot=None, data=b'{"about":0}')
        anew = sealed(session, previous=noted[0], action=noted[0].action, slot=0, revision=3)
        store.append([replace(followed(before), events=(*noted, *anew))])
    same([(event.seq, event.revision) for event in store.revised("log", [0])], [(3, 2), (6, 3)])
    same([(event.seq, event.revision) for event in store.revised("fork", [0])], [(3, 2), (7, 3)])
    same([event.seq for event in store.notes_about("log", 0, 9)], [4, 5])
    same([event.seq for event in store.notes_about("fork", 0, 9)], [4, 6])


def _chained(before: Append, events: Sequence[Envelope]) -> tuple[Envelope, ...]:
    seq = before.events[-1].seq
    return tuple(replace(event, seq=seq + place) for place, event in enumerate(events, 1))


def a_session_that_others_share_is_not_removed(store: Store) -> None:
    """First the forks go, then what they were forked from. A fork leaves its own tombstone, and its parent whole."""
    log, fork, _ = _three_sessions(store)
    for session in ("log", "fork"):
        with refused(SessionHasForks):
            store.remove(session, AT)
    same(store.remove("deep", AT).version, 12)
    same(store.forks("fork"), [])
    same(store.remove("fork", AT).hash, fork[-1].events[-1].hash)
    same(stored_events(store, "log"), _events("log", log))
    same([event.session for event in store.stream()], ["log"] * 8)
    same(store.append([forked("fork", log[1])]), [Conflict(version=10)])
    same(store.remove("log", AT).version, 8)
    same(store.stream(), [])


def shared_words_are_removed_where_they_belong(store: Store) -> None:
    """A fork cannot remove them; their session can, and they are gone from its forks and from their tapes."""
    first = opened("log", 3)
    fork, early = forked("fork", first, checkpoint=b"with the words"), forked("early", first)
    store.append([first])
    store.append([fork, early])
    marked = digest(first.events[1])
    with refused(WordsShared):
        store.append([followed(fork, redaction=Redaction(seq=2, digest=marked))])
    same(store.head("fork").version, 4)
    store.append([followed(first, redaction=Redaction(seq=2, digest=marked))])
    gone = replace(first.events[1], data=None, salt=None, digest=marked)
    for session in ("log", "fork", "early"):
        same(stored_events(store, session)[1], replace(gone, session=session))
    same(store.checkpoint("fork", 9), None)
    own = digest(fork.events[0])
    store.append([followed(fork, redaction=Redaction(seq=4, digest=own))])
    same([event.data is None for event in store.envelopes("fork")], [False, True, False, True, False])
    same([event.data is None for event in store.envelopes("log")], [False, True, False, False])


def a_log_that_was_taken_in_whole_holds_its_own_events(store: Store) -> None:
    """It names a parent, which may be here or not, and shares nothing with it."""
    first = opened("log", 2)
    events = _events("copy", [first, forked("copy", first, 2)])
    copy = forked("copy", first, held=False, events=tuple(events))
    same(store.append([copy]), [Stored(position=1)])
    same(stored_events(store, "copy"), events)
    parent = Parent(session="log", at=0, version=2, kind="fork", held_by=None)
    same((store.head("copy").parent, store.head("copy").log), (parent, "log"))
    store.append([first])
    same([head.session for head in store.forks("log")], ["copy"])
    store.append([followed(copy, redaction=Redaction(seq=2, digest=bytes(32)))])
    same([event.data is None for event in store.envelopes("log")], [False, False])
    same(store.remove("log", AT).version, 2)
    same(store.head("copy").version, 5)


FORKING: tuple[Promise, ...] = (
    a_fork_is_read_as_one_log,
    the_actions_of_a_fork_go_on_counting,
    no_event_is_copied_for_a_fork,
    the_head_of_a_fork_names_its_parent_and_its_log,
    a_fork_of_a_fork_may_begin_before_it,
    a_fork_begins_where_an_action_ended,
    a_fork_opens_a_session_that_is_not_there,
    tapes_are_shared_up_to_the_fork,
    revisions_and_notes_of_a_parent_end_at_the_fork,
    a_session_that_others_share_is_not_removed,
    shared_words_are_removed_where_they_belong,
    a_log_that_was_taken_in_whole_holds_its_own_events,
)
