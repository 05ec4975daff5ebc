"""Every die of a session as a table for spreadsheets."""

import csv
from io import StringIO

import pytest
from sitting import ADA, BEN, Sitting

from projections.copies import copy_lines
from projections.dice_table import DieRow, dice_table, spreadsheet
from projections.spreadsheet import harmless
from rulesets.people import GM, OBSERVER, Viewer


def rows(sitting: Sitting, viewer: Viewer = GM) -> list[DieRow]:
    return list(dice_table(sitting.store, sitting.session, viewer))


def test_every_die_is_a_row_with_where_it_came_from_and_what_it_was_for(duel: Sitting) -> None:
    number = duel.blow()
    duel.act("roll", count=1, sides=20, purpose="the weather", request={"dice": (17,)})
    found = rows(duel)
    assert [(row.roll, row.place, row.fell_in, row.fell_at, row.face) for row in found] == [
        (1, 1, 1, 1, 3), (1, 2, 1, 2, 3), (1, 3, 1, 3, 3), (2, 1, 2, 1, 4), (3, 1, 3, 1, 17),
    ]  # fmt: skip
    damage, weather = found[3:]
    assert (damage.purpose, damage.origin, damage.who, damage.source, damage.sides) == (
        "damage", "damage:ada", "ada", "table", 6,
    )  # fmt: skip
    assert (damage.line, damage.type, damage.status) == (number, "attack", "standing")
    assert (weather.purpose, weather.sides, weather.type, weather.role) == ("the weather", 20, "roll", "gm")
    assert weather.at.startswith("20")


def test_a_die_thrown_in_an_answer_is_of_whoever_answered_and_of_the_line_it_answers(duel: Sitting) -> None:
    number = duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)}).tape.action
    duel.act("defend", question="q1", defense="dodge", by=BEN)
    dodge = next(row for row in rows(duel) if row.purpose != "attack")
    assert (dodge.line, dodge.type, dodge.name, dodge.source) == (number, "attack", "Ben's player", "server")


def test_a_roll_that_is_not_for_everybody_is_in_nobody_elses_table(duel: Sitting) -> None:
    duel.act("roll", count=2, purpose="luck", by=ADA, request={"visible_to": "self+gm"})
    assert [(row.role, row.name) for row in rows(duel)] == [("player", "Ada's player")] * 2
    assert rows(duel, OBSERVER) == []
    assert rows(duel, BEN) == []


def test_the_file_is_read_back_as_it_was_written(duel: Sitting) -> None:
    duel.act("roll", count=2, purpose='Łódź, "the storm"; 嵐', request={"dice": (2, 5)})
    written = b"".join(copy_lines(duel.store, duel.session, GM, "csv"))
    assert written.startswith(b"\xef\xbb\xbf")
    heading, *found = csv.reader(StringIO(written.decode("utf-8-sig"), newline=""))
    assert heading == list(DieRow._fields)
    assert found == [[str(cell) for cell in row] for row in rows(duel)]
    assert all(line.endswith(b"\r\n") for line in written.splitlines(keepends=True))


@pytest.mark.parametrize(
    "begin", ["=", "+", "-", "@", "\t=", "\uff1d", "\uff0b", "\uff0d", "\uff20", " =", "x;="]
)
def test_no_cell_is_taken_for_a_formula(begin: str) -> None:
    """Not as a cell of its own, nor where a spreadsheet cuts lines at semicolons or tabs."""
    cell = harmless(f"{begin}HYPERLINK(1)")
    for part in cell.replace("\t", ";").split(";"):
        assert part.lstrip()[:1] not in ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
    assert cell.replace("'", "") == f"{begin}HYPERLINK(1)"


@pytest.mark.parametrize("text", ["the weather", "action:zadie", "3 + 4", "a-b", "O'Neil", ""])
def test_other_words_stay_as_they_are(text: str) -> None:
    assert harmless(text) == text


def test_a_purpose_that_is_a_formula_is_harmless_in_the_file(duel: Sitting) -> None:
    duel.act("roll", count=1, purpose="=1+1", request={"dice": (2,)})
    _, line = spreadsheet(iter(rows(duel)))
    assert b'"\'=1+1"' in line


def test_a_session_without_dice_is_a_heading(sitting: Sitting) -> None:
    assert len(list(spreadsheet(iter(rows(sitting))))) == 1


# --- after corrections --------------------------------------------------------------------------------------


def test_the_dice_of_an_undone_line_stay_and_say_so(duel: Sitting) -> None:
    number = duel.act("roll", count=2, purpose="luck", request={"dice": (2, 5)}).tape.action
    duel.act("undo", target=number)
    assert [(row.face, row.line, row.status) for row in rows(duel)] == [
        (2, number, "undone"), (5, number, "undone"),
    ]  # fmt: skip


def test_dice_that_an_undone_line_shares_with_the_one_done_again_are_one_row_each(duel: Sitting) -> None:
    """The same dice fall again, and whoever counts faces counts them once."""
    number = duel.act("attack", attacker="ada", target="ben", by=ADA).tape.action
    thrown = [row.face for row in rows(duel)]
    duel.act("undo", target=number)
    again = duel.act("attack", attacker="ada", target="ben", by=ADA).tape.action
    found = rows(duel)
    assert [row.face for row in found] == thrown
    assert {(row.line, row.status, row.name) for row in found} == {(again, "standing", "Ada's player")}
    assert [(row.fell_in, row.fell_at) for row in found] == [(1, 1), (1, 2), (1, 3)]


def test_an_amended_line_keeps_the_faces_it_had_as_undone(duel: Sitting) -> None:
    number = duel.act("roll", count=2, purpose="luck", request={"dice": (2, 5)}).tape.action
    duel.act("amend", target=number, request={"dice": (3, 5)})
    standing = [row.face for row in rows(duel) if row.status == "standing"]
    gone = [row.face for row in rows(duel) if row.status == "undone"]
    assert (standing, gone) == ([3, 5], [2, 5])
    assert {row.line for row in rows(duel)} == {number}


def test_a_roll_made_while_a_question_waits_is_of_its_own_line(duel: Sitting) -> None:
    duel.act("attack", attacker="ada", target="ben", request={"dice": (3, 3, 3)})
    weather = duel.act("roll", count=1, purpose="the weather", request={"dice": (6,)}).tape.action
    last = rows(duel)[-1]
    assert (last.line, last.type, last.purpose) == (weather, "roll", "the weather")
