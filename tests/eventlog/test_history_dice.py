"""The dice of a slot stay with it: none is thrown twice, none gets lost, and numbers never rewind."""

import json
from typing import Any

import pytest
from caravans import Caravan
from dueling import Table

from eventlog.codec import codec_for
from eventlog.requests import Recorded
from rulesets.dice import Roll
from rulesets.installed import ruleset_named
from rulesets.people import Viewer

NONE = {"type": "defend", "question": "q1", "defense": "none"}
DODGE = {"type": "defend", "question": "q1", "defense": "dodge"}
DAMAGE = {"type": "throw_damage", "question": "q2"}


def rolls(recorded: Recorded, game: str = "duel") -> list[Roll]:
    codec = codec_for(ruleset_named(game))
    found = (getattr(codec.event(each), "roll", None) for each in recorded.events)
    return [roll for roll in found if roll is not None]


def faces(recorded: Recorded) -> list[tuple[int, ...]]:
    return [tuple(die.face for die in roll.dice) for roll in rolls(recorded)]


def addresses(roll: Roll) -> list[str]:
    return [die.address or f"{roll.number}.{place}" for place, die in enumerate(roll.dice, 1)]


def strike(table: Table, *answers: dict[str, Any], **request: Any) -> Recorded:
    """Ada, who never misses, strikes at Ben: attack, and with `NONE` the damage."""
    return table.act("attack", attacker="ada", target="ben", request={"answers": answers, **request})


# --- again with the same dice -------------------------------------------------------------------------------


def test_after_an_undo_the_same_command_meets_the_same_dice(table: Table) -> None:
    """The default: the same throw again is the same throw (ArkhamHorror#2652)."""
    table.duellists(skill=18)
    first = strike(table, NONE)
    table.act("undo", target=4)
    again = strike(table, NONE)
    assert faces(again) == faces(first)
    assert [addresses(roll) for roll in rolls(again)] == [["1.1", "1.2", "1.3"], ["2.1"]]
    assert [roll.number for roll in rolls(again)] == [1, 2]
    assert json.loads(again.events[0].data or b"")["redraws"] == 4
    table.holds()


def test_undone_dice_are_handed_out_once(table: Table) -> None:
    table.duellists(skill=18)
    first = strike(table, NONE)
    table.act("undo", target=4)
    strike(table, NONE)
    table.act("end_turn")
    table.act("end_turn")
    third = strike(table, NONE)
    assert [roll.number for roll in rolls(third)] == [3, 4]
    assert "redraws" not in json.loads(third.events[0].data or b"")
    assert rolls(third) != rolls(first)


def test_another_command_does_not_meet_them(table: Table) -> None:
    table.duellists(skill=18)
    strike(table, NONE)
    table.act("undo", target=4)
    assert [roll.number for roll in rolls(table.act("roll", count=3, purpose="attack"))] == [3]
    assert rolls(strike(table, NONE))[0].number == 1


def test_another_actor_does_not_meet_them() -> None:
    """Zadie's undone dice are not Rasheem's, whoever sends the command; they wait for her (ArkhamHorror#2652)."""
    caravan = Caravan()
    first = caravan.act("maneuver", actor="zadie", action_dice=2)
    caravan.act("undo", target=5)
    other = caravan.act("maneuver", actor="rasheem", action_dice=2, no_reroll=True)
    again = caravan.act("maneuver", actor="zadie", action_dice=2)
    assert [roll.number for roll in rolls(other, "anima-prime")] == [2]
    assert rolls(again, "anima-prime") == rolls(first, "anima-prime")
    caravan.holds()
    caravan.close()


def test_what_it_needs_more_is_new_and_goes_to_the_lowest_free_place(table: Table) -> None:
    """One die was thrown; three are asked for: the first is that die, the others are new dice of the same roll."""
    table.duellists()
    first = table.act("roll", count=1, purpose="luck")
    table.act("undo", target=4)
    again = table.act("roll", count=3, purpose="luck")
    (roll,) = rolls(again)
    assert (roll.number, addresses(roll)) == (1, ["1.1", "1.2", "1.3"])
    assert roll.dice[0].face == rolls(first)[0].dice[0].face
    assert rolls(table.act("roll", count=1, purpose="luck"))[0].number == 2
    table.holds()


def test_fresh_dice_are_new_ones_where_the_table_wants_them(table: Table) -> None:
    """With `fresh` the undone dice stay readable and are never thrown again (ArkhamHorror#2652)."""
    table.duellists(skill=18)
    table.act("change_setting", name="redraw_after_undo", value="fresh")
    strike(table, NONE)
    table.act("undo", target=5)
    again = strike(table, NONE)
    assert [roll.number for roll in rolls(again)] == [3, 4]
    table.holds()


def test_the_setting_is_the_gms_and_its_change_is_recorded(table: Table) -> None:
    player = Viewer(role="player", name="mina", characters=("ada",))
    table.refused(
        "not-allowed",
        "change_setting",
        name="redraw_after_undo",
        value="fresh",
        request={"issuer": player},
    )
    changed = table.act("change_setting", name="redraw_after_undo", value="fresh")
    assert changed.events[-1].type == "core.setting-changed"


def test_dice_that_fell_again_are_not_to_be_had_twice(table: Table) -> None:
    table.duellists(skill=18)
    strike(table, NONE)
    table.act("undo", target=4)
    strike(table, NONE)
    refusal = table.refused("dice-taken", "redo", target=4)
    assert refusal.fields == {"action": 4, "by": 6}
    table.act("undo", target=6)
    table.act("redo", target=4)
    assert table.state == table.at(4)
    refusal = table.refused("dice-taken", "redo", target=6)
    assert refusal.fields == {"action": 6, "by": 4}
    table.holds()


def test_roll_numbers_never_rewind(table: Table) -> None:
    """Neither an undo nor a restart hands a number out again (terraforming-mars#2132)."""
    table.duellists()
    numbers = []
    for _ in range(4):
        numbers.append(rolls(table.act("roll", count=2, purpose=f"luck {len(numbers)}"))[0].number)
        table.act("undo")
        assert table.tape.next_roll == numbers[-1] + 1
    assert numbers == [1, 2, 3, 4]
    table.recorder.forget(table.session)
    assert rolls(table.act("roll", count=1, purpose="more"))[0].number == 5


def test_undone_rolls_stay_readable(table: Table) -> None:
    table.duellists(skill=18)
    first = strike(table, NONE)
    table.act("undo", target=4)
    kept = [event for event in table.log() if event.action == 4]
    assert [event.data for event in kept] == [event.data for event in first.events]


# --- decided again ------------------------------------------------------------------------------------------


def test_an_amended_action_takes_its_own_dice_by_purpose(table: Table) -> None:
    """Another defense throws new dice; the attack and, when it comes to it, the damage stay as they fell."""
    table.duellists(skill=18)
    first = strike(table, NONE)
    amended = table.act("amend", target=4, answers=[DODGE])
    now = {roll.purpose: roll for roll in rolls(amended)}
    before = {roll.purpose: roll for roll in rolls(first)}
    assert now["attack"] == before["attack"]
    assert now["dodge"].number == 3
    if "damage" in now:
        assert now["damage"] == before["damage"]
    back = {roll.purpose: roll for roll in rolls(table.act("amend", target=4, answers=[NONE]))}
    assert back == before
    assert table.tape.next_roll == 4
    table.holds()


def test_dice_of_every_revision_stay_with_the_slot(table: Table) -> None:
    """Back and forth between two defenses throws each only once."""
    table.duellists(skill=18)
    strike(table, NONE)
    first = rolls(table.act("amend", target=4, answers=[DODGE]))
    table.act("amend", target=4, answers=[NONE])
    assert rolls(table.act("amend", target=4, answers=[DODGE])) == first
    assert table.tape.next_roll == 4


def test_another_attacker_takes_left_over_dice_of_the_same_purpose(table: Table) -> None:
    table.duellists(skill=18)
    table.act("add_duellist", id="cid", side="red", skill=18)
    first = strike(table, NONE)
    command = {"type": "attack", "attacker": "cid", "target": "ben"}
    amended = table.act("amend", target=5, command=command, overrule=["not-your-turn"])
    assert [roll.number for roll in rolls(amended)] == [roll.number for roll in rolls(first)]
    assert faces(amended) == faces(first)
    assert {die.origin for die in rolls(amended)[0].dice} == {"attack:cid"}
    table.holds()


# --- dice of the table --------------------------------------------------------------------------------------


def test_other_faces_for_typed_dice_are_a_new_roll(table: Table) -> None:
    """A mistyped die is amended; what was typed before stays readable under its own number."""
    table.duellists()
    strike(table, NONE, DAMAGE, dice=(2, 3, 4, 4))
    amended = table.act("amend", target=4, request={"dice": (2, 3, 4, 6)})
    assert [(roll.number, roll.source) for roll in rolls(amended)] == [(3, "table"), (4, "table")]
    assert faces(amended) == [(2, 3, 4), (6,)]
    assert table.state.duellists["ben"].hp == 4
    assert table.tape.next_roll == 5
    table.holds()


def test_typed_faces_do_not_replace_what_the_server_threw(table: Table) -> None:
    table.duellists(skill=18)
    strike(table, NONE)
    refusal = table.refused("dice-were-thrown", "amend", target=4, request={"dice": (1, 1, 1, 6)})
    assert refusal.fields == {"action": 4}
    assert "leave `dice` out" in str(refusal)


def test_a_changed_action_that_lacks_typed_dice_says_which_and_takes_them_with_the_request(
    table: Table,
) -> None:
    """A die more to its damage was never thrown: whoever corrects is asked for it."""
    table.duellists()
    table.act("roll", count=1, purpose="luck", request={"dice": (5,)})
    wanted = {"type": "roll", "count": 3, "purpose": "luck"}
    refusal = table.refused("dice-needed", "amend", target=4, command=wanted)
    assert refusal.fields == {
        "purpose": "luck",
        "origins": ["gm", "gm"],
        "dice": [5, None, None],
        "wanted": 2,
        "given": 0,
        "action": 4,
    }
    more = [{"action": 4, "dice": [2, 6]}]
    amended = table.act("amend", target=4, command=wanted, **{"with": more})
    assert faces(amended) == [(5, 2, 6)]
    table.holds()


@pytest.mark.parametrize(
    "given, code",
    [((2,), "dice-needed"), ((2, 6, 6), "dice-count-mismatch"), ((2, 7), "face-out-of-range")],
)
def test_faces_that_do_not_fit_are_refused(table: Table, given: tuple[int, ...], code: str) -> None:
    table.duellists()
    table.act("roll", count=1, purpose="luck", request={"dice": (5,)})
    wanted = {"type": "roll", "count": 3, "purpose": "luck"}
    table.refused(code, "amend", target=4, command=wanted, **{"with": [{"action": 4, "dice": list(given)}]})


def test_a_later_action_that_lacks_typed_dice_is_told_by_its_purpose(table: Table) -> None:
    """The parry was thrown at the table; without Ben's tiredness he may choose, and the default parries again."""
    table.duellists(stamina=6)
    table.act("adjust", duellist="ada", hp=-1, reason="nothing of importance")
    strike(
        table, {"type": "defend", "question": "q1", "defense": "parry"}, DAMAGE, dice=(2, 3, 4, 6, 6, 6, 1)
    )
    told = table.foreseen("undo", target=4)
    assert told.consequences == ()
    dodge = {"action": 5, "answers": [DODGE, DAMAGE], "dice": [6, 6, 6]}
    table.refused("dice-needed", "amend", target=5, answers=[DODGE, DAMAGE])
    amended = table.act("amend", target=5, answers=[DODGE, DAMAGE], **{"with": [dodge]})
    assert faces(amended) == [(2, 3, 4), (6, 6, 6), (1,)]
    table.holds()


def test_a_table_roll_undone_is_not_drawn_again_by_the_server(table: Table) -> None:
    """Faces of the table are nobody's stock: whoever throws again throws."""
    table.duellists()
    table.act("roll", count=2, purpose="luck", request={"dice": (5, 5)})
    table.act("undo", target=4)
    again = table.act("roll", count=2, purpose="luck")
    (roll,) = rolls(again)
    assert (roll.number, roll.source) == (2, "server")
    table.holds()


def test_dice_that_are_wanted_are_called_as_the_game_calls_them() -> None:
    """A game master reads of competence, gifts and action dice, and not of their origins in the log."""
    caravan = Caravan()
    maneuver: dict[str, Any] = {"actor": "zadie", "action_dice": 2, "gifts": ["rasheem", "gm"]}
    order = "1 competence die, 2 action dice of Zadie, 1 gift from Rasheem, 1 gift from the GM"
    few = caravan.refused("dice-count-mismatch", "maneuver", request={"dice": (4,)}, **maneuver)
    assert few.message == f"The maneuver throws 5 dice, in this order: {order}; 1 was typed in"
    wrong = caravan.refused("face-out-of-range", "maneuver", request={"dice": (4, 6, 1, 7, 1)}, **maneuver)
    assert wrong.message == "A die with 6 sides cannot show 7: 1 gift from Rasheem"

    caravan.throw("maneuver", 4, 6, actor="zadie", action_dice=1)
    more = {"type": "maneuver", "actor": "zadie", "action_dice": 3, "gifts": ["rasheem"]}
    needed = caravan.refused("dice-needed", "amend", target=5, command=more)
    assert needed.message.endswith("for 2 action dice of Zadie, 1 gift from Rasheem")
    assert needed.fields["origins"] == ["action:zadie", "action:zadie", "gift:rasheem"]
    few = caravan.refused("dice-count-mismatch", "amend", target=5, request={"dice": (4,)}, command=more)
    assert "3 action dice of Zadie" in few.message
    caravan.throw("end_turn")
    strike = {"actor": "bull", "targets": ["zadie"], "strike_dice": 1}
    caravan.act("adjust", character="bull", changes={"strike": 1}, reason="it waited")
    assert (
        "1 strike die of Bull"
        in caravan.refused("dice-count-mismatch", "strike", request={"dice": ()}, **strike).message
    )
    caravan.close()


# --- dice that not everybody saw ----------------------------------------------------------------------------------


BEN = Viewer(role="player", name="noel", characters=("ben",))


def test_a_private_roll_gives_no_dice_to_an_action_that_others_see(table: Table) -> None:
    table.duellists(skill=18)
    strike(table)
    private = table.act(
        "roll", count=3, sides=6, purpose="parry", request={"visible_to": "self", "issuer": BEN}
    )
    table.act("defend", question="q1", defense="none", request={"issuer": BEN})
    parry = {"type": "defend", "question": "q1", "defense": "parry"}
    amended = table.act("amend", target=4, answers=[parry], mode="rebase")
    shared, kept = (
        [each for each in rolls(amended) if each.purpose == "parry" and each.dice[0].origin == origin]
        for origin in ("parry:ben", "player:noel")
    )
    assert [each.number for each in shared] == [4]  # one of its own, and no die of the private roll
    assert not any(die.address for die in shared[0].dice)
    assert kept == rolls(private)
    table.holds()


def test_a_private_roll_keeps_its_dice_when_it_is_shown_to_all(table: Table) -> None:
    """Its own dice stay its own, whoever sees it afterwards."""
    table.duellists()
    private = table.act("roll", count=2, purpose="luck", request={"visible_to": "gm", "issuer": BEN})
    amended = table.act("amend", target=4, command={"type": "roll", "count": 3, "purpose": "luck"})
    assert faces(amended)[0][:2] == faces(private)[0]
    table.holds()
