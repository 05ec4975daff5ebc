"""The audit: every die, ruling and setting by hand in its place, who corrected, and only what each may see."""

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from sitting import ADA, BEN, EVERYBODY, OBSERVER, Sitting, written

from projections.audit import Audit, Corrections, audit, ledger
from projections.ledger import LedgerLine
from projections.spreadsheet import LEDGER_COLUMNS, csv_line, ledger_csv
from rulesets.people import GM, Viewer


def lines(sitting: Sitting, viewer: Viewer = GM) -> list[LedgerLine]:
    return list(ledger(sitting.store, sitting.session, viewer))


def audited(sitting: Sitting, viewer: Viewer = GM, **page: int) -> Audit:
    return audit(sitting.store, sitting.session, viewer, **page)


def rows(sitting: Sitting, viewer: Viewer = GM) -> list[dict[str, str]]:
    text = b"".join(ledger_csv(ledger(sitting.store, sitting.session, viewer))).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- dice ---------------------------------------------------------------------------------------------------


def test_every_die_is_told_with_what_it_was_for_and_who_threw_it(duel: Sitting) -> None:
    """A saved log that loses what a roll was for, or the dice that did not count, is no record of it."""
    number = duel.blow()
    first, *_, last = lines(duel)
    assert [line.face for line in lines(duel)] == [3, 3, 3, 4]
    assert (first.roll, first.place, first.address, first.purpose) == (1, 1, "1.1", "attack")
    assert (first.who, first.origin, first.sides, first.source) == ("ada", "attack:ada", 6, "table")
    assert (first.action, first.slot, first.by.role, first.standing) == (number, number, "gm", True)
    assert (last.roll, last.purpose, last.action, last.slot) == (2, "damage", number + 2, number)


def test_dice_of_undone_rolls_stay_and_are_marked(duel: Sitting) -> None:
    number = duel.blow()
    duel.act("undo", target=number)
    assert [(line.face, line.standing) for line in lines(duel)] == [
        (3, False),
        (3, False),
        (3, False),
        (4, False),
    ]
    duel.act("redo", target=number)
    assert all(line.standing for line in lines(duel))


def test_a_die_that_a_correction_took_along_has_the_address_it_fell_at(duel: Sitting) -> None:
    number = duel.act("attack", attacker="ada", target="ben").tape.action
    duel.act("undo", target=number)
    duel.act("attack", attacker="ada", target="ben")
    found = lines(duel)
    assert (
        [line.address for line in found[:3]] == [line.address for line in found[3:]] == ["1.1", "1.2", "1.3"]
    )
    assert [line.standing for line in found] == [False] * 3 + [True] * 3
    assert [line.face for line in found[:3]] == [line.face for line in found[3:]]


def test_the_ledger_holds_what_may_be_seen(duel: Sitting) -> None:
    duel.act("roll", count=2, purpose="canary", by=ADA, request={"visible_to": "self+gm"})
    assert [len(lines(duel, viewer)) for viewer in (GM, ADA, BEN, OBSERVER)] == [2, 2, 0, 0]
    for name, viewer in EVERYBODY.items():
        assert ("canary" in written(audited(duel, viewer))) == (name in ("gm", "ada"))
        assert ("canary" in json.dumps(rows(duel, viewer))) == (name in ("gm", "ada"))


def test_the_ledger_is_read_some_at_a_time(duel: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("eventlog.logs.EVENTS_AT_ONCE", 4)
    kept = duel.store.envelopes

    def counting(session: str, after: int = 0, limit: int | None = None) -> Any:
        assert limit is not None
        assert limit <= 4
        asked.append(after)
        return kept(session, after, limit)

    monkeypatch.setattr(duel.store, "envelopes", counting)
    for _ in range(5):
        duel.act("roll", count=1, purpose="x")
    first = ledger(duel.store, duel.session, GM)
    next(first)
    read = len(asked)
    assert len(list(first)) == 4
    assert len(asked) > read


# --- rulings, settings by hand, corrections -----------------------------------------------------------------


def test_rulings_name_what_was_passed_over_and_why(duel: Sitting) -> None:
    asked = {"overrule": ("not-your-turn",), "text": "He was first", "dice": (6, 6, 6)}
    number = duel.act("attack", attacker="ben", target="ada", request=asked).tape.action
    (ruling,) = audited(duel).rulings
    assert (ruling.action, ruling.codes, ruling.by.role, ruling.standing) == (
        number,
        ("not-your-turn",),
        "gm",
        True,
    )
    assert ruling.reason == "He was first"
    duel.act("undo", target=number)
    assert [each.standing for each in audited(duel).rulings] == [False]


def test_what_the_gm_set_by_hand_is_told_in_words_and_as_it_is(duel: Sitting) -> None:
    duel.act("adjust", duellist="ben", hp=-3, reason="He stumbled")
    (found,) = audited(duel, OBSERVER).by_hand
    assert found.type == "duel.adjusted"
    assert found.line == "Ben is set right: hp -3, stamina +0.0"
    assert json.loads(bytes(found.data))["reason"] == "He stumbled"


@pytest.fixture
def conflict() -> Iterator[Sitting]:
    """A conflict of Anima Prime, about to begin."""
    with closing(Sitting("anima-prime")) as sitting:
        yield sitting


def test_each_setting_by_hand_of_anima_prime_is_found(conflict: Sitting) -> None:

    numbers = {"action": 6, "defense": 2, "max_wounds": 3}
    conflict.act("add_character", id="zadie", side="pcs", kind="pc", **numbers)
    conflict.act("add_character", id="bull", side="adversity", kind="individual", **numbers)
    conflict.act("add_goal", id="hide", name="The hide", difficulty=3)
    conflict.act("start_conflict", first="pcs")
    conflict.act("edit_character", id="zadie", set={"defense": 3})
    conflict.act("adjust", character="zadie", changes={"wounds": 1}, reason="the fire")
    conflict.act("adjust", goal="hide", changes={"difficulty": 4}, reason="it rains")
    conflict.act("adjust", conflict=True, changes={"group_competence": 1}, reason="they know each other")
    conflict.act("set_parameter", name="strike.wounds", value="single", reason="agreed")
    conflict.act("rule", question="Does fire spread?", answer="Yes")
    found = audited(conflict).by_hand
    assert [each.type.partition(".")[2] for each in found] == [
        "character-edited", "character-adjusted", "goal-set", "conflict-adjusted", "parameter-set", "question-ruled",
    ]  # fmt: skip
    assert all(each.line for each in found)


def test_corrections_are_counted_by_person_and_kind(duel: Sitting) -> None:
    number = duel.act("end_turn").tape.action
    for _ in range(2):
        duel.act("undo", target=number)
        duel.act("redo", target=number)
    duel.act("insert", before=number, command={"type": "adjust", "duellist": "ben", "hp": -1, "reason": "x"})
    duel.act("amend", target=number, command={"type": "roll", "count": 1, "purpose": "x"}, mode="cascade")
    mine = duel.act("end_turn", by=ADA).tape.action
    duel.act("undo", target=mine, by=ADA)
    gm, ada = audited(duel).corrections
    assert (gm.by.role, gm.undone, gm.redone, gm.inserted, gm.amended) == ("gm", 2, 2, 1, 1)
    assert ada == Corrections(by=ada.by, undone=1)
    assert ada.by.name == ADA.name


def test_a_correction_of_hidden_and_open_actions_counts_once(duel: Sitting) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    duel.act("end_turn")
    duel.act("undo", target=4, through=True)
    assert [each.undone for each in audited(duel).corrections] == [1]


# --- pages --------------------------------------------------------------------------------------------------


def test_pages_follow_on_without_a_gap_and_nothing_twice(duel: Sitting) -> None:
    for number in range(12):
        duel.act("roll", count=1 + number % 3, purpose="x")
        duel.act("adjust", duellist="ben", hp=0, reason="x")
    whole, pages, after = audited(duel, limit=1000), list[Audit](), 0
    while True:
        page = audited(duel, after=after, limit=5)
        pages.append(page)
        if page.next is None:
            break
        after = page.next
    assert whole.next is None
    assert [line for page in pages for line in page.dice] == list(whole.dice)
    assert [each for page in pages for each in page.by_hand] == list(whole.by_hand)
    assert all(5 <= len(page.dice) + len(page.by_hand) <= 7 for page in pages[:-1])
    assert all(one.next is not None and other.next != one.next for one, other in pairwise(pages))


def test_an_empty_session_has_an_empty_audit(sitting: Sitting) -> None:
    found = audited(sitting)
    assert (found.dice, found.rulings, found.by_hand, found.corrections, found.next) == ((), (), (), (), None)


# --- spreadsheets -------------------------------------------------------------------------------------------


def test_the_ledger_as_a_spreadsheet_says_what_the_ledger_says(duel: Sitting) -> None:
    duel.blow()
    found = rows(duel)
    assert tuple(found[0]) == LEDGER_COLUMNS
    assert [(row["roll"], row["place"], row["face"], row["who"], row["purpose"]) for row in found] == [
        (str(line.roll), str(line.place), str(line.face), line.who, line.purpose) for line in lines(duel)
    ]
    assert found[0]["status"] == "standing"


def test_an_empty_ledger_is_its_headings(sitting: Sitting) -> None:
    assert rows(sitting) == []
    assert (
        b"".join(ledger_csv(())).decode("utf-8-sig")
        == ",".join(f'"{each}"' for each in LEDGER_COLUMNS) + "\r\n"
    )


@pytest.mark.parametrize("before", ["", " ", "\t", "\r", "\n", "a;", "a\n ", "a\t"])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}"])
def test_no_cell_is_a_formula(before: str, sign: str) -> None:
    """Nor is a part of one that a spreadsheet might cut off."""
    ((cell, number),) = csv.reader(
        io.StringIO(csv_line([f"{before}{sign}cmd|' /C calc'!A0", -3]).decode(), newline="")
    )
    assert number == "-3"
    for part in re.split("[;\t\r\n]", cell):
        assert not part.strip().startswith(sign)
    assert cell.replace("'", "") == f"{before}{sign}cmd| /C calc!A0"


@pytest.mark.parametrize("first", ["\t", "\r", "\tx", "\rx"])
def test_no_cell_begins_with_a_blank_that_hides_a_formula(first: str) -> None:
    assert csv_line([first]).startswith(b"\"'")


def test_a_purpose_that_is_a_formula_is_harmless_in_the_spreadsheet(duel: Sitting) -> None:
    duel.act("roll", count=1, purpose='=HYPERLINK("http://x","y")')
    assert [row["purpose"] for row in rows(duel)] == ['\'=HYPERLINK("http://x","y")']


@pytest.mark.parametrize("text", ["a,b", 'say "no"', "one\r\ntwo", "séance “x”", "'quoted", "a=b", "a -3"])
def test_cells_are_quoted_so_that_they_read_back(text: str) -> None:
    assert list(csv.reader(io.StringIO(csv_line([text, -3]).decode(), newline=""))) == [[text, "-3"]]
