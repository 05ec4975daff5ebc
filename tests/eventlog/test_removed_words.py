"""Words that were removed are written nowhere again, whoever kept them in memory: above all not by a fork."""

from __future__ import annotations

import asyncio

import pytest
from dueling import Table, wanted
from test_forks import fork, sit_at

from eventlog.history.recent import LONG
from eventlog.requests import Recorded
from eventlog.tape import wrap

WORD = "Thomas"
CHANGED = {"target": 2, "mode": "rebase"}
WEAKER = {"type": "add_duellist", "id": "ben", "side": "blue", "skill": 3}
"""Another Ben: the correction decides everything after action 2 again, the ruling with it."""


@pytest.fixture
def ruling(table: Table) -> int:
    """The event of a ruling whose reason holds the word, with a long session after it; the table's fork goes on."""
    table.duellists(skill=18)
    asked = {"overrule": ("not-your-turn",), "text": f"{WORD} had to go", "answers": (NO_DEFENSE,)}
    told = table.act("attack", attacker="ben", target="ada", request=asked)
    for _ in range(2 * LONG):
        table.act("end_turn")
    return next(event.seq for event in told.events if event.type == "core.ruling-made")


NO_DEFENSE = {"type": "defend", "question": "q1", "defense": "none"}


def said(recorded: Recorded) -> bytes:
    return b"".join(event.data or b"" for event in recorded.events)


def anywhere(table: Table, session: str) -> bool:
    """Whether the word is in the session's log, its checkpoints, or its tables as corrected."""
    kept = [each.tape for each in table.store.checkpoints(session, 0, 10_000)]
    kept += [each.tape for each in table.store.corrected_checkpoints(session)]
    events = [event.data or b"" for event in table.store.envelopes(session)]
    return any(WORD.encode() in each for each in (*events, *kept))


def test_a_fork_that_looked_ahead_does_not_write_words_again_that_its_parent_removed(
    table: Table, ruling: int
) -> None:
    parent = table.session
    fork(table, parent)
    child = table.session
    table.act("end_turn")
    assert table.foreseen("amend", command=WEAKER, **CHANGED).consequences
    sit_at(table, parent)
    table.act("redact", seq=ruling)
    tape = sit_at(table, child)
    assert WORD.encode() not in wrap(tape)
    corrected = table.act("amend", command=WEAKER, **CHANGED)
    assert any(event.type == "core.ruling-made" for event in corrected.events)
    assert not anywhere(table, child)
    assert not anywhere(table, parent)
    table.holds()


def test_tables_a_fork_kept_as_corrected_hold_no_word_its_parent_removed(table: Table, ruling: int) -> None:
    parent = table.session
    fork(table, parent)
    child = table.session
    table.act("undo", target=10, mode="rebase")
    assert table.store.corrected_checkpoints(child)
    sit_at(table, parent)
    table.act("redact", seq=ruling)
    assert not anywhere(table, child)
    sit_at(table, child)
    assert WORD.encode() not in said(table.act("amend", command=WEAKER, **CHANGED))
    table.holds()


def test_words_on_their_way_out_of_the_parent_are_not_written_again_meanwhile(
    table: Table, ruling: int
) -> None:
    """The fork's correction comes while the removal waits for the disk."""
    parent = table.session
    fork(table, parent)
    child = table.session
    table.act("end_turn")

    async def both() -> Recorded:
        record = table.recorder.record
        removal = asyncio.create_task(record(parent, wanted("redact", {"seq": ruling})))
        await asyncio.sleep(0)
        correction = await record(child, wanted("amend", {"command": WEAKER, **CHANGED}))
        await removal
        return correction

    assert WORD.encode() not in said(table.do(both))
    assert not anywhere(table, child)


def test_whoever_stops_waiting_for_a_removal_stops_nothing_of_it(table: Table, ruling: int) -> None:
    parent = table.session
    fork(table, parent)
    child = table.session
    table.act("end_turn")
    table.foreseen("amend", command=WEAKER, **CHANGED)

    async def left() -> None:
        removal = asyncio.create_task(table.recorder.record(parent, wanted("redact", {"seq": ruling})))
        await asyncio.sleep(0)
        removal.cancel()
        with pytest.raises(asyncio.CancelledError):
            await removal

    table.do(left)
    assert WORD.encode() not in said(table.act("amend", command=WEAKER, **CHANGED))
    assert not anywhere(table, child)
