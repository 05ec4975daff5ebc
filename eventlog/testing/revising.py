"""What a store promises corrections: what was written anew is found by its slot, and their tables are kept."""

from __future__ import annotations

from msgspec.structs import replace

from eventlog.logs import Checkpoint
from eventlog.store import Redaction, Retold, Store
from eventlog.testing.building import Promise, followed, opened, same, sealed


def _tables(*slots: int, version: int) -> tuple[Checkpoint, ...]:
    return tuple(Checkpoint(action=slot, version=version, tape=b"%d/%d" % (slot, version)) for slot in slots)


def what_was_written_anew_is_found_by_its_slot(store: Store) -> None:
    """In order, of the slots asked for alone, without their first revisions and without other sessions'."""
    first = opened("log", 2)
    anew = [
        sealed("log", previous=first.events[-1], slot=slot, revision=revision)[0]
        for slot, revision in ((0, 2), (1, 2), (0, 3))
    ]
    events = tuple(replace(event, seq=3 + place) for place, event in enumerate(anew))
    store.append([first, replace(followed(first), events=events), opened("other", 3)])
    found = store.revised("log", [0])
    same([(event.seq, event.slot, event.revision) for event in found], [(3, 0, 2), (5, 0, 3)])
    same([event.seq for event in store.revised("log", [1, 0])], [3, 4, 5])
    same(store.revised("log", []), [])
    same(store.revised("other", [0]), [])


def what_was_taken_is_found_without_what_was_written_anew(store: Store) -> None:
    """A correction has no place in the story, but what it writes has; an answer joins a slot in any revision."""
    first = opened("log", 2)
    parts = [(1, 1, 1), (2, None, 1), (2, 1, 2), (2, 1, 2), (3, 1, 2), (4, None, 1)]
    events = tuple(
        replace(
            sealed("log", previous=first.events[-1], slot=slot, revision=revision)[0],
            seq=3 + place,
            action=action,
        )
        for place, (action, slot, revision) in enumerate(parts)
    )
    store.append([first, replace(followed(first), events=events), opened("other", 3)])
    same([event.seq for event in store.taken("log", 1, 4)], [3, 4, 7, 8])
    same([event.seq for event in store.taken("log", 2, 2)], [4])
    same([event.seq for event in store.taken("log", 3, 3)], [7])
    same(store.taken("log", 9, 12), [])
    same(store.taken("log", 0, 0), store.actions("log", 0, 0))


def tables_of_a_corrected_history_give_way_to_later_ones(store: Store) -> None:
    """From the slot a correction begins at on; those before it stay, and each is found at or before a slot."""
    first = opened("log")
    second = followed(first, retold=Retold(first=0, tables=_tables(4, 9, version=2)))
    store.append([first, second])
    same(store.corrected_checkpoint("log", 3), None)
    same([store.corrected_checkpoint("log", slot) for slot in (4, 8, 99)], list(_tables(4, 4, 9, version=2)))
    store.append([followed(second, retold=Retold(first=5, tables=_tables(7, version=3)))])
    same(store.corrected_checkpoint("log", 6), _tables(4, version=2)[0])
    same(store.corrected_checkpoints("log"), [*_tables(4, version=2), *_tables(7, version=3)])
    same(store.corrected_checkpoint("log", 99), _tables(7, version=3)[0])


def tables_may_repeat_words_and_go_with_them(store: Store) -> None:
    """After a redaction no table of the corrected history is left to repeat what was removed."""
    first = opened("log", 2)
    second = followed(first, retold=Retold(first=0, tables=_tables(1, version=3)))
    store.append([first, second])
    store.append([followed(second, redaction=Redaction(seq=2, digest=b"d" * 32))])
    same(store.corrected_checkpoint("log", 99), None)


REVISING: tuple[Promise, ...] = (
    what_was_written_anew_is_found_by_its_slot,
    what_was_taken_is_found_without_what_was_written_anew,
    tables_of_a_corrected_history_give_way_to_later_ones,
    tables_may_repeat_words_and_go_with_them,
)
