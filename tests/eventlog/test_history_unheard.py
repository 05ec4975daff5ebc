"""An answer that a correction brings and nothing asks for is refused; old logs that hold some stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from caravans import Caravan
from dueling import Table

from eventlog.history import recording

SETTLE = {"type": "settle"}


@pytest.fixture
def caravan() -> Iterator[Caravan]:
    caravan = Caravan()
    yield caravan
    caravan.holds()
    caravan.close()


def maneuver(caravan: Caravan, *faces: int, answers: tuple[dict[str, Any], ...] = ()) -> int:
    """Zadie's maneuver with these dice; its number."""
    request = {"dice": faces, "answers": answers}
    recorded = caravan.act("maneuver", actor="zadie", action_dice=2, request=request)
    number: int = recorded.tape.action
    return number


def test_a_roll_is_amended_with_no_answers(table: Table) -> None:
    """As it is thrown with none."""
    table.duellists()
    rolled = table.act("roll", count=1, purpose="luck").tape.action
    answer = {"type": "defend", "question": "q1", "defense": "none"}
    table.refused("malformed-command", "roll", count=1, purpose="luck", request={"answers": [answer]})
    table.refused("malformed-command", "amend", target=rolled, answers=[answer])
    table.refused("malformed-command", "insert", before=rolled, answers=[answer], command=ROLL)


ROLL = {"type": "roll", "count": 1, "purpose": "luck"}


def test_what_opens_no_question_is_amended_with_no_answers(caravan: Caravan) -> None:
    maneuver(caravan, 3, 4, 6)
    ended = caravan.act("end_turn").tape.action
    refusal = caravan.refused("not-an-answer", "amend", target=ended, answers=[SETTLE])
    assert refusal.fields == {"type": "settle", "action": ended}
    caravan.refused(
        "not-an-answer", "insert", before=ended, command={"type": "end_turn"}, answers=[SETTLE], mode="rebase"
    )


def test_one_answer_more_than_is_asked_for_is_refused(caravan: Caravan) -> None:
    moved = maneuver(caravan, 1, 4, 6, answers=(SETTLE,))
    caravan.refused("no-such-question", "amend", target=moved, answers=[SETTLE, SETTLE])
    caravan.refused("nothing-to-amend", "amend", target=moved, answers=[SETTLE])


def test_an_answer_that_settles_what_settled_by_itself_is_refused(caravan: Caravan) -> None:
    moved = maneuver(caravan, 3, 4, 6)
    caravan.refused("not-an-answer", "amend", target=moved, answers=[SETTLE])


def test_an_answer_to_an_answer_that_asks_nothing_more_is_refused(caravan: Caravan) -> None:
    maneuver(caravan, 1, 4, 6)
    rerolled = caravan.act("reroll", trait="Bold", request={"dice": (3,)}).tape.action
    caravan.refused("not-an-answer", "amend", target=rerolled, answers=[SETTLE])


def test_a_log_that_holds_unheard_answers_verifies_and_is_corrected(
    caravan: Caravan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was taken once: it is proved as it was, other actions are corrected around it, and they are taken out."""
    moved = maneuver(caravan, 3, 4, 6)
    monkeypatch.setattr(recording, "sent_to_be_heard", lambda *_: None)
    caravan.act("amend", target=moved, answers=[SETTLE, SETTLE])
    monkeypatch.undo()
    caravan.holds()
    caravan.refused("nothing-to-amend", "amend", target=moved, answers=[SETTLE, SETTLE])
    caravan.refused("not-an-answer", "amend", target=moved, answers=[SETTLE])
    caravan.act("amend", target=moved, request={"dice": (3, 5, 6)})
    caravan.holds()
    caravan.act("amend", target=moved, answers=[])
    caravan.refused("nothing-to-amend", "amend", target=moved, answers=[])
