"""Dice of a hidden action that was undone fall again for nobody who could not see them."""

import json
from typing import Any

import pytest
from dueling import Table

from eventlog.requests import Recorded, Request
from rulesets.people import Viewer

ADA = Viewer(role="player", name="Ada's player", characters=("ada",))


def roll(table: Table, visible_to: str = "everyone", **request: Any) -> Recorded:
    return table.act("roll", count=6, sides=20, purpose="luck", request={"visible_to": visible_to, **request})


def thrown(recorded: Recorded) -> Any:
    """The dice as they are recorded, addresses and all."""
    return json.loads(recorded.events[-1].data or b"")["roll"]


def redraws(recorded: Recorded) -> Any:
    return json.loads(recorded.events[0].data or b"").get("redraws")


def test_a_public_roll_tells_nothing_of_a_hidden_one_that_was_undone(table: Table) -> None:
    hidden = roll(table, "gm")
    table.act("undo", target=hidden.tape.action)
    shown = roll(table)
    assert redraws(shown) is None
    assert thrown(shown)["number"] == thrown(hidden)["number"] + 1
    assert all("address" not in die or die["address"] is None for die in thrown(shown)["dice"])
    assert [die["face"] for die in thrown(shown)["dice"]] != [die["face"] for die in thrown(hidden)["dice"]]
    table.holds()


def test_for_the_same_eyes_the_hidden_dice_fall_again(table: Table) -> None:
    hidden = roll(table, "gm")
    table.act("undo", target=hidden.tape.action)
    roll(table)
    again = roll(table, "gm")
    assert redraws(again) == hidden.tape.action
    assert [die["face"] for die in thrown(again)["dice"]] == [die["face"] for die in thrown(hidden)["dice"]]
    table.holds()


@pytest.mark.parametrize(
    "before,after,same",
    [
        ("everyone", "gm", True),
        ("everyone", "self+gm", True),
        ("self+gm", "self+gm", True),
        ("self+gm", "everyone", False),
        ("self", "self+gm", False),
        ("gm", "self+gm", False),
        ("self+gm", "gm", True),
    ],
)
def test_dice_fall_again_for_no_more_people_than_could_see_them(
    table: Table, before: str, after: str, same: bool
) -> None:
    first = roll(table, before, issuer=ADA)
    if before == "self":  # the GM takes it back for who asks
        asked = table.act("ask_undo", target=first.tape.action, request={"issuer": ADA}).tape.action
        approval = {"type": "settle_undo_request", "request": asked, "verdict": "approve"}
        table.do(lambda: table.recorder.record(table.session, Request(command=json.dumps(approval).encode())))
    else:
        table.act("undo", target=first.tape.action)
    again = roll(table, after, issuer=ADA)
    assert redraws(again) == (first.tape.action if same else None)
    table.holds()


def test_the_earliest_that_may_be_seen_falls_first(table: Table) -> None:
    hidden, shown = roll(table, "gm"), roll(table)
    for each in (shown, hidden):
        table.act("undo", target=each.tape.action)
    assert redraws(roll(table)) == shown.tape.action
    assert redraws(roll(table, "gm")) == hidden.tape.action
    table.holds()
