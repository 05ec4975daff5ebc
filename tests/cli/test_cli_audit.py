"""`tabletape audit`: a table for eyes, lines for a pipe, JSON for programs, CSV for spreadsheets."""

import csv
import io
import json

import pytest


@pytest.fixture
def dice(tabletape, evening):
    """What the ledger has as JSON."""
    return json.loads(tabletape("audit", evening, "--json").out)["dice"]


def test_every_die_is_a_line_in_a_pipe(tabletape, evening, dice):
    rows = [line.split("\t") for line in tabletape("audit", evening).out.splitlines()]
    found = [row for row in rows if row[0] == "die"]
    assert dice
    assert [(row[1], row[2]) for row in found] == [
        (f"{die['roll']}.{die['place']}", str(die["face"])) for die in dice
    ]


def test_the_table_for_spreadsheets_is_what_the_ledger_has(tabletape, evening, dice):
    out = tabletape("audit", evening, "--csv").out
    rows = list(csv.DictReader(io.StringIO(out.removeprefix("\ufeff"), newline="")))
    assert [(row["roll"], row["face"], row["who"]) for row in rows] == [
        (str(die["roll"]), str(die["face"]), die["who"]) for die in dice
    ]


def test_two_forms_at_once_are_refused(tabletape, evening):
    assert tabletape("audit", evening, "--csv", "--json").code == 2


def test_an_unknown_session_is_told(tabletape, evening):
    found = tabletape("audit", "nowhere")
    assert (found.code, found.out) == (3, "")


SCENE = """
ruleset = "duel"
title = "A long evening"

[[step]]
type = "add_duellist"
id = "ada"
side = "red"
skill = 12

[[step]]
type = "roll"
count = 2
purpose = "who waits behind the arras"
visible_to = "gm"

[[step]]
type = "roll"
count = 1
sides = 20
purpose = "the weather"
dice = [17]

[[step]]
type = "adjust"
duellist = "ada"
hp = -1
reason = "The stairs"
"""


@pytest.fixture
def long_evening(tabletape, folder):
    """The id of a session with a hidden roll, a typed one, and something set by hand."""
    (folder / "scene.toml").write_text(SCENE)
    assert tabletape("play", "scene.toml", "--db", "tabletape.db").code == 0
    return tabletape("sessions").out.split("\t")[0]


def test_each_line_in_a_pipe_says_what_it_is(tabletape, long_evening):
    rows = [line.split("\t") for line in tabletape("audit", long_evening).out.splitlines()]
    assert [row[0] for row in rows] == ["die", "die", "die", "by-hand"]
    assert rows[2][1:] == ["2.1", "17", "20", "gm", "the weather", "The GM", "3", "typed in"]
    assert rows[3][1:] == ["4", "The GM", "Ada is set right: hp -1, stamina +0.0", ""]


def test_what_is_hidden_is_hidden_here_too(tabletape, long_evening):
    for form in ((), ("--csv",), ("--json",)):
        assert "arras" in tabletape("audit", long_evening, *form).out
        assert "arras" not in tabletape("audit", long_evening, "--as", "observer", *form).out
        assert "the weather" in tabletape("audit", long_evening, "--as", "observer", *form).out
