"""What a store promises its readers: the log in order, by number, by action, by position; heads and tapes."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from eventlog.envelope import Row
from eventlog.errors import SessionUnknown
from eventlog.logs import Checkpoint, Head
from eventlog.store import Append, Store
from eventlog.testing.building import AT, Promise, followed, opened, refused, same, sealed


def _three_actions() -> list[Append]:
    """Actions 0, 1 and 2 with the events 1-2, 3-5 and 6."""
    first = opened("log", 2)
    second = followed(first, 3)
    return [first, second, followed(second, 1)]


def the_head_tells_where_a_session_stands(store: Store) -> None:
    """After every append: version, last action, last hash, and when it was opened, changed and closed."""
    first = opened("log", 2, title="The caravan")
    later = "2026-12-01T20:00:00.000001Z"
    last = sealed("log", 2, previous=first.events[-1], at=later)
    store.append([first])
    head = Head(
        session="log",
        log="log",
        ruleset="trial",
        rules=1,
        title="The caravan",
        version=2,
        action=0,
        hash=first.events[-1].hash,
        opened_at=AT,
        changed_at=AT,
    )
    same(store.head("log"), head)
    store.append([followed(first, events=last, closes=True)])
    closed = replace(head, version=4, action=1, hash=last[-1].hash, changed_at=later, closed_at=later)
    same(store.head("log"), closed)


def the_seed_is_kept(store: Store) -> None:
    """Each session has the seed it was opened with."""
    first, other = opened("log"), opened("other")
    store.append([first, other])
    same(
        [store.seed("log"), store.seed("other")],
        [each.opening and each.opening.seed for each in (first, other)],
    )


def rows_are_the_events_in_short(store: Store) -> None:
    """All, those after a version, those up to an action: always in order."""
    appends = _three_actions()
    store.append([*appends, opened("other", 4)])
    events = [event for append in appends for event in append.events]
    shortened = [Row(**{name: getattr(event, name) for name in Row.__struct_fields__}) for event in events]
    same(list(store.rows("log")), shortened)
    same(list(store.rows("log", 4)), shortened[4:])
    same(list(store.rows("log", after=1, upto_action=1)), shortened[1:5])
    same(list(store.rows("log", upto_action=0)), shortened[:2])
    same([list(store.rows("log", 6)), list(store.rows("log", 3, 0))], [[], []])


def long_logs_are_read_whole(store: Store) -> None:
    """However many events there are, none is left out or read twice."""
    log = opened("log", 2345)
    store.append([log])
    same([row.hash for row in store.rows("log")], [event.hash for event in log.events])
    same([row.seq for row in store.rows("log", 1200)], list(range(1201, 2346)))


def rows_are_those_of_the_moment_they_were_asked_for(store: Store) -> None:
    """Reading slowly while others append shows whole actions only."""
    log = opened("log", 1200)
    store.append([log])
    reading = store.rows("log")
    next(reading)
    store.append([followed(log, 3)])
    same([row.seq for row in reading], list(range(2, 1201)))


def envelopes_are_paged(store: Store) -> None:
    """After a number, so many."""
    store.append([opened("other"), *_three_actions()])
    same([event.seq for event in store.envelopes("log", 2)], [3, 4, 5, 6])
    same([event.seq for event in store.envelopes("log", 1, 3)], [2, 3, 4])
    same([event.seq for event in store.envelopes("log", 6)], [])


def actions_are_found_by_number(store: Store) -> None:
    """One action or several in a row, with all their events."""
    store.append(_three_actions())
    same([event.seq for event in store.actions("log", 1, 1)], [3, 4, 5])
    same([event.seq for event in store.actions("log", 0, 1)], [1, 2, 3, 4, 5])
    same(store.actions("log", 1, 2), store.envelopes("log", 2))
    same(store.actions("log", 3, 9), [])


def the_stream_is_paged_by_position(store: Store) -> None:
    """A reader who goes on from the last position misses nothing and sees nothing twice."""
    store.append([opened("log", 3), opened("other", 4)])
    same([event.position for event in store.stream(0, 5)], [1, 2, 3, 4, 5])
    same([(event.session, event.seq) for event in store.stream(5, 5)], [("other", 3), ("other", 4)])
    same(store.stream(7), [])


def the_last_event_is_known(store: Store) -> None:
    """Whoever wants to hear of what is new begins there."""
    same(store.last(), None)
    store.append([opened("log", 3), opened("other", 4)])
    same([store.last()], store.stream(6))


def the_latest_checkpoint_at_or_before_an_action_is_found(store: Store) -> None:
    """A tape is never later than the point asked for."""
    first, second, third = _three_actions()
    store.append([first, replace(second, checkpoint=b"\x00one"), replace(third, checkpoint=b"two")])
    one, two = Checkpoint(action=1, version=5, tape=b"\x00one"), Checkpoint(action=2, version=6, tape=b"two")
    same([store.checkpoint("log", action) for action in (0, 1, 2, 99)], [None, one, two, two])
    for action, kept, seqs in ((0, None, [1, 2]), (1, one, []), (2, two, []), (99, two, [])):
        found, rows = store.since_checkpoint("log", action)
        same((found, [row.seq for row in rows]), (kept, seqs))


def what_came_since_a_checkpoint_is_read_up_to_an_action(store: Store) -> None:
    """However much that is."""
    first = replace(opened("log", 2), checkpoint=b"zero")
    item, many = first, []
    for _ in range(700):
        item = followed(item)
        many.append(item)
    store.append([first, *many])
    kept = Checkpoint(action=0, version=2, tape=b"zero")
    for action in (1, 350, 700):
        found, rows = store.since_checkpoint("log", action)
        same((found, [row.seq for row in rows]), (kept, list(range(3, action + 3))))


def many_checkpoints_come_with_many_actions(store: Store) -> None:
    """An append of several actions at once brings the tapes in between; each is found as if it came alone."""
    first, second, third = _three_actions()
    events = (*first.events, *second.events, *third.events)
    between = (
        Checkpoint(action=0, version=2, tape=b"zero"),
        Checkpoint(action=1, version=5, tape=b"one"),
    )
    store.append([replace(first, events=events, checkpoints=between, checkpoint=b"two")])
    last = Checkpoint(action=2, version=6, tape=b"two")
    same([store.checkpoint("log", action) for action in (0, 1, 2, 3)], [*between, last, last])
    same(store.checkpoints("log", 0, 9), [*between, last])
    same(store.checkpoints("log", 1, 1), [between[1]])
    same(store.checkpoints("log", 3, 9), [])


def notes_are_found_by_what_they_speak_of(store: Store) -> None:
    """Those without a place in the story whose `about` lies in a range; removed words say nothing."""
    first = opened("log")
    store.append([first, opened("other")])
    place, speaks = first, list[Append]()
    for about, slot in ((0, None), (2, None), (2, 3), (None, None), (7, None)):
        data = b'{"text":"x"}' if about is None else b'{"about":%d,"text":"x"}' % about
        last = place.events[-1]
        place = followed(place, events=sealed("log", previous=last, slot=slot, data=data))
        speaks.append(place)
    store.append(speaks)
    notes = [each.events[0] for each in speaks]

    def found(first_action: int, last_action: int) -> list[int]:
        return [event.seq for event in store.notes_about("log", first_action, last_action)]

    same(
        [found(0, 7), found(1, 2), found(3, 6)],
        [[notes[0].seq, notes[1].seq, notes[4].seq], [notes[1].seq], []],
    )
    same(replace(store.notes_about("log", 2, 2)[0], position=0), notes[1])
    same(store.notes_about("other", 0, 9), [])


def sessions_are_listed_newest_first(store: Store) -> None:
    """Page by page; a session opened while somebody turns pages moves nothing."""
    names = [f"s{number}" for number in range(5)]
    store.append([opened(name) for name in names])
    first = store.sessions(limit=2)
    same([head.session for head in first.heads], ["s4", "s3"])
    store.append([opened("s5")])
    second = store.sessions(after=first.next, limit=2)
    third = store.sessions(after=second.next, limit=2)
    same([head.session for head in (*second.heads, *third.heads)], ["s2", "s1", "s0"])
    same(third.next, None)
    same(second.heads[0], store.head("s2"))


def a_search_finds_words_in_title_or_id(store: Store) -> None:
    """In any case and writing, every word of it, and no character means anything special."""
    titles = {
        "a1": "The Caravan, first round",
        "a2": "Über 100% Ölkrise",
        "a3": "snake_case",
        "b4": "snakeXcase",
    }
    store.append([opened(name, title=title) for name, title in titles.items()])

    def found(search: str) -> list[str]:
        return [head.session for head in store.sessions(search=search).heads]

    same(found("caravan"), ["a1"])
    same(found("ROUND the"), ["a1"])
    same([found("über"), found("ÖLK"), found("0%"), found("%")], [["a2"]] * 4)
    same([found("snake_case"), found("_"), found("e\\_c")], [["a3"], ["a3"], []])
    same([found("A"), found("B4"), found("zzz")], [["b4", "a3", "a2", "a1"], ["b4"], []])
    same([head.session for head in store.sessions(search="a", limit=1).heads], ["b4"])


def an_unknown_session_is_named_as_such(store: Store) -> None:
    """By every method that reads one."""
    store.append([opened("log")])
    reads: tuple[Callable[[], object], ...] = (
        lambda: store.head("nowhere"),
        lambda: store.forks("nowhere"),
        lambda: store.seed("nowhere"),
        lambda: list(store.rows("nowhere")),
        lambda: store.envelopes("nowhere"),
        lambda: store.actions("nowhere", 0, 1),
        lambda: store.notes_about("nowhere", 0, 1),
        lambda: store.checkpoint("nowhere", 1),
        lambda: store.tokens("nowhere"),
        lambda: store.remove("nowhere", AT),
    )
    for read in reads:
        with refused(SessionUnknown):
            read()


def a_store_is_ready(store: Store) -> None:
    """An untroubled store takes appends, and asking changes nothing."""
    store.append([opened("log")])
    before = (store.stream(), store.sessions())
    store.ready()
    same((store.stream(), store.sessions()), before)


READING: tuple[Promise, ...] = (
    the_head_tells_where_a_session_stands,
    the_seed_is_kept,
    rows_are_the_events_in_short,
    long_logs_are_read_whole,
    rows_are_those_of_the_moment_they_were_asked_for,
    envelopes_are_paged,
    actions_are_found_by_number,
    the_stream_is_paged_by_position,
    the_last_event_is_known,
    the_latest_checkpoint_at_or_before_an_action_is_found,
    what_came_since_a_checkpoint_is_read_up_to_an_action,
    many_checkpoints_come_with_many_actions,
    notes_are_found_by_what_they_speak_of,
    sessions_are_listed_newest_first,
    a_search_finds_words_in_title_or_id,
    an_unknown_session_is_named_as_such,
    a_store_is_ready,
)
