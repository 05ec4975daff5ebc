"""Dice of a hidden action that was undone fall again for nobody who could not see them."""

import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from dueling import Table

from eventlog.audience import covers
from eventlog.errors import EventLogError
from eventlog.history.slots import Thrown, thrown_in
from eventlog.history.stock import address_of
from eventlog.requests import Recorded, Request
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

ADA = Viewer(role="player", name="Ada's player", characters=("ada",))


def roll(table: Table, visible_to: str = "everyone", **request: Any) -> Recorded:
    return table.act("roll", count=6, sides=20, purpose="luck", request={"visible_to": visible_to, **request})


def thrown(recorded: Recorded) -> Any:
    """The dice as they are recorded, addresses and all."""
    return json.loads(recorded.events[-1].data or b"")["roll"]


def taken_back_for_ada(table: Table, action: int) -> None:
    """The GM takes back for her player what the GM cannot see."""
    asked = table.act("ask_undo", target=action, request={"issuer": ADA}).tape.action
    approval = {"type": "settle_undo_request", "request": asked, "verdict": "approve"}
    table.do(lambda: table.recorder.record(table.session, Request(command=json.dumps(approval).encode())))


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
    if before == "self":
        taken_back_for_ada(table, first.tape.action)
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


def test_dice_that_fell_besides_the_redrawn_ones_are_not_published_with_them(table: Table) -> None:
    """A hidden roll throws an undone one again and more; the undone one, restored, wants more dice too."""
    shown = table.act("roll", count=1, sides=20, purpose="luck", request={"issuer": ADA})
    table.act("undo", target=shown.tape.action)
    hidden = roll(table, "self", issuer=ADA)
    assert redraws(hidden) == shown.tape.action
    taken_back_for_ada(table, hidden.tape.action)
    table.act("redo", target=shown.tape.action)
    wider = {"type": "roll", "count": 6, "sides": 20, "purpose": "luck"}
    amended = table.act("amend", target=shown.tape.action, command=wider)
    first, *others = thrown(amended)["dice"]
    assert first == thrown(shown)["dice"][0] == thrown(hidden)["dice"][0]
    assert [die["address"] for die in others] == [f"1.{index}" for index in range(7, 12)]
    assert [die["face"] for die in others] != [die["face"] for die in thrown(hidden)["dice"][1:]]
    table.holds()


def rolls_by_chance(table: Table, chance: Random) -> None:
    """Luck is tried before many eyes and before few, undone, redone and amended."""
    slots: list[int] = []
    for _ in range(16):
        luck = {"type": "roll", "count": chance.randint(1, 4), "sides": 20, "purpose": "luck"}
        filled = [slot for slot in slots if table.tape.history.revision(slot)]
        emptied = [slot for slot in slots if slot not in filled]
        if not slots or chance.random() < 0.3:
            eyes = {"visible_to": chance.choice(["everyone", "gm"])}
            slots.append(table.act(**luck, request=eyes).tape.action)
        elif emptied and chance.random() < 0.4:
            with suppress(EventLogError):  # their dice may lie elsewhere
                table.act("redo", target=chance.choice(emptied))
        elif filled and chance.random() < 0.6:
            table.act("undo", target=chance.choice(filled))
        elif filled:
            with suppress(EventLogError):  # it may be the same roll
                table.act("amend", target=chance.choice(filled), command=luck)


@pytest.mark.parametrize("seed", range(20, 60))
def test_no_die_is_handed_to_an_action_that_more_people_see(table: Table, seed: int) -> None:
    """Only the action it fell for shows a die to others than those who saw it fall."""
    rolls_by_chance(table, Random(seed))
    fell: dict[tuple[int, int], Thrown] = {}
    for each in thrown_in(ruleset_named("duel"), table.log()):
        for place in range(1, len(each.roll.dice) + 1):
            first = fell.setdefault(address_of(each.roll, place), each)
            assert each.action == first.action or covers(first.audience, each.audience)
    table.holds()
