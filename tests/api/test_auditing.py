"""The audit over HTTP: pages for programs, a table for spreadsheets, each as its reader may see it."""

import csv
import io
from typing import Any

import pytest
from serving import HIDDEN_ROLL, Table, problem


def sheet(table: Table, as_: str = "gm") -> list[dict[str, str]]:
    answer = table.ask("GET", "/audit", as_, params={"format": "csv"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; header=present"
    assert answer.headers["cache-control"].startswith("private")
    assert f"tabletape-{table.id}-dice.csv" in answer.headers["content-disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def rolled(table: Table, count: int, **body: Any) -> None:
    table.done({"type": "roll", "count": count, "purpose": "luck"}, **body)


def test_the_audit_has_every_die_and_what_the_gm_did_by_hand(table: Table) -> None:
    rolled(table, 3)
    table.done({"type": "adjust", "duellist": "ben", "hp": -1, "reason": "He slipped"})
    found = table.get("/audit", "watcher")
    assert [(die["roll"], die["place"], die["purpose"], die["standing"]) for die in found["dice"]] == [
        (1, place, "luck", True) for place in (1, 2, 3)
    ]
    (set_by_hand,) = found["by_hand"]
    assert (set_by_hand["type"], set_by_hand["data"]["reason"]) == ("duel.adjusted", "He slipped")
    assert (found["rulings"], found["corrections"], found["next"]) == ([], [], None)
    assert found["version"] == table.version


def test_pages_go_on_where_the_last_one_ended(table: Table) -> None:
    for _ in range(4):
        rolled(table, 2)
    first = table.get("/audit", params={"limit": 3})
    second = table.get("/audit", params={"limit": 3, "after": first["next"]})
    rest = table.get("/audit", params={"after": second["next"] or 0}) if second["next"] else {"dice": []}
    faces = [die["address"] for page in (first, second, rest) for die in page["dice"]]
    assert faces == [f"{roll}.{place}" for roll in range(1, 5) for place in (1, 2)]


def test_the_dice_as_a_table_are_those_of_the_pages(table: Table) -> None:
    rolled(table, 2, dice=[3, 4])
    rolled(table, 5)
    dice = table.get("/audit")["dice"]
    assert [(row["roll"], row["face"], row["source"]) for row in sheet(table)] == [
        (str(die["roll"]), str(die["face"]), die["source"]) for die in dice
    ]


def test_a_long_ledger_is_sent_in_parts(table: Table) -> None:
    for _ in range(6):
        rolled(table, 100)
    assert len(sheet(table)) == 600


@pytest.mark.parametrize("as_", ["mina", "watcher", "bot"])
def test_hidden_dice_are_in_neither(secret_table: Table, as_: str) -> None:
    assert HIDDEN_ROLL in str(sheet(secret_table))
    assert HIDDEN_ROLL in str(secret_table.get("/audit"))
    assert HIDDEN_ROLL not in str(sheet(secret_table, as_))
    assert HIDDEN_ROLL not in str(secret_table.get("/audit", as_))


@pytest.mark.parametrize("params", [{"limit": "0"}, {"limit": "1001"}, {"after": "-1"}, {"format": "xls"}])
def test_a_page_that_cannot_be_is_refused(table: Table, params: dict[str, str]) -> None:
    answer = table.ask("GET", "/audit", params=params)
    problem(answer, answer.status_code, answer.json()["code"])
    assert answer.status_code in (400, 422)


def test_statistics_compare_dice_with_fair_ones(table: Table) -> None:
    rolled(table, 2, dice=[6, 6])
    (luck,) = table.get("/statistics", "watcher")["luck"]
    assert (luck["dice"], luck["total"], luck["expected"], luck["chance"], luck["method"]) == (
        2,
        12,
        "7.0",
        "0.0556",
        "exact",
    )
