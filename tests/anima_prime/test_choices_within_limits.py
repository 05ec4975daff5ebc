"""The numbers and names choices give: limits of the moment, promises of others, and only what one may see."""

from __future__ import annotations

import pytest
from hypothesis import given

from anima_prime.sessions import RECORD, SEEDS, current_rules, few, session
from anima_prime.table import faces, foe, marked, pc, player, running
from rulesets.anima_prime.commands import (
    AddGoal,
    Adjust,
    ApplyCondition,
    Changes,
    EndConflict,
    EndTurn,
    Maneuver,
    Offer,
    Settle,
)
from rulesets.anima_prime.sheet import Power
from rulesets.deciding import question_open
from rulesets.people import GM, OBSERVER, Viewer
from rulesets.testing import step

ZADIE, RASHEEM = player("zadie"), player("rasheem")
SMOKE = Power(id="smoke", kind="action", cost=2)
GATE = AddGoal(id="gate", name="Gate", difficulty=2)


def company(first="pcs", zadie=None, **readings):
    """Zadie and Rasheem, the bull and the demons, one nobody knows of, an open goal."""
    return running(
        pc("zadie", **{"strike": 4, "charge": 2, "powers": ("heroics", SMOKE), **(zadie or {})}),
        pc("rasheem", strike=3),
        foe("bull", "individual"),
        foe("demons"),
        foe("ghost", "individual", secret=True, strike=2, traits=marked("Cold")),
        GATE,
        first=first,
        **readings,
    )


def offered(table, viewer=ZADIE, actor="zadie"):
    """What this person can do for a character, by type: the fields by name."""
    return {
        choice.type: {field.name: field for field in choice.fields}
        for choice in table.rules.choices(table.state, viewer)
        if choice.actor == actor
    }


def limits(field):
    """Least and most of a number."""
    return (field.minimum, field.maximum)


def test_the_actions_of_a_turn() -> None:
    """6.3: maneuver, strike, achievement and action power, and what goes on beside them."""
    assert set(offered(company())) == {
        "maneuver",
        "strike",
        "achieve",
        "use_power",
        "withdraw",
        "announce",
        "offer",
    }


@pytest.mark.parametrize("action, most", [(6, 3), (3, 3), (2, 2), (1, 1)])
def test_action_dice_of_a_maneuver(action, most) -> None:
    """6.4: one to three, as far as they are there."""
    fields = offered(company(zadie={"action": action}))["maneuver"]
    assert limits(fields["action_dice"]) == (1, most)


def test_without_an_action_die_no_maneuver() -> None:
    """6.4: gifts do not help an empty Action Pool."""
    assert "maneuver" not in offered(company(zadie={"action": 0}))


@pytest.mark.parametrize("strike, powers, most", [(4, (), 4), (9, (), 6), (9, ("strike-boost",), 8)])
def test_strike_dice_of_a_strike(strike, powers, most) -> None:
    """6.5: one to six, as far as they are there; a passive power lets in two more."""
    fields = offered(company(zadie={"strike": strike, "powers": powers}))["strike"]
    assert limits(fields["strike_dice"]) == (1, most)


def test_targets_are_opponents_one_sees() -> None:
    """6.5: those in the conflict on the other side; the hidden one only for the GM."""
    assert offered(company())["strike"]["targets"].options == ("bull", "demons")
    assert offered(company(), GM)["strike"]["targets"].options == ("bull", "demons", "ghost")
    assert offered(company())["maneuver"]["target"].options == ("bull", "demons")


@pytest.mark.parametrize("tokens, acted, most", [(0, False, 1), (2, False, 2), (2, True, 1), (3, True, 2)])
def test_a_second_target_takes_tokens(tokens, acted, most) -> None:
    """6.4: two tokens, three when the strike is free as well."""
    table = company(zadie={"awesome_tokens": tokens})
    if acted:
        table = table.after(Adjust(character="zadie", changes=Changes(acted=True), reason="A test"))
    assert limits(offered(table)["strike"]["targets"]) == (1, most)


def test_tokens_buy_actions_after_the_own() -> None:
    """6.4: free strikes, achievements and action powers, never a maneuver; the flag is then a must."""
    spent = step(Maneuver(actor="zadie", action_dice=1), faces(2))
    assert not {"strike", "achieve", "use_power", "maneuver"} & set(offered(company().after(spent)))
    can = offered(company(zadie={"awesome_tokens": 1}).after(spent))
    assert "maneuver" not in can
    assert all(can[kind]["free"].required for kind in ("strike", "achieve", "use_power"))
    before = offered(company(zadie={"awesome_tokens": 1}))
    assert not before["strike"]["free"].required


def test_in_the_other_sides_turn() -> None:
    """6.3: nobody acts but by tokens; talk goes on."""
    assert set(offered(company("adversity"))) == {"withdraw", "announce", "offer"}


def test_open_goals_and_whose_dice() -> None:
    """6.6: eight strike dice, two more for each helper; players count on what was promised."""
    fields = offered(company(zadie={"strike": 12}))["achieve"]
    assert fields["goal"].options == ("gate",)
    assert limits(fields["strike_dice"]) == (1, 8)
    assert fields["strike_dice"].options == ("zadie",)
    promised = company(zadie={"strike": 12}).after(Offer(giver="rasheem", to="zadie", strike_dice=3))
    fields = offered(promised)["achieve"]
    assert limits(fields["strike_dice"]) == (1, 10)
    assert fields["strike_dice"].options == ("zadie", "rasheem")
    assert limits(offered(company(), GM)["achieve"]["strike_dice"]) == (1, 7)


def test_goals_that_cannot_be_tried() -> None:
    """7.1 to 7.5: locked, hidden, of the other side, achieved."""
    table = company()
    for goal in (
        AddGoal(id="well", name="Well", difficulty=1, after="gate"),
        AddGoal(id="plot", name="Plot", difficulty=1, secret=True),
        AddGoal(id="escape", name="Escape", difficulty=1, side="adversity"),
    ):
        table = table.after(goal)
    assert offered(table)["achieve"]["goal"].options == ("gate",)
    assert offered(table, GM)["achieve"]["goal"].options == ("gate", "plot")


def test_what_others_promised() -> None:
    """6.4: players find the gifts and the help that were offered to them, the GM all that could be given."""
    assert not {"gifts", "helpers"} & set(offered(company())["maneuver"])
    to_her = company().after(Offer(giver="rasheem", to="zadie", gift=True))
    assert offered(to_her)["maneuver"]["gifts"].options == ("rasheem",)
    assert "helpers" not in offered(to_her)["maneuver"]
    to_all = company().after(Offer(giver="gm", to="all", gift=True))
    assert offered(to_all)["maneuver"]["gifts"].options == ("gm",)
    whole = offered(company(), GM)["maneuver"]
    assert whole["gifts"].options == ("rasheem", "gm")
    assert whole["helpers"].options == ("rasheem",)
    aloud = offered(company(consent="table"))["maneuver"]
    assert aloud["gifts"].options == ("rasheem", "gm")


def test_one_person_with_two_characters() -> None:
    """Both act, and lend to each other freely."""
    both = Viewer(role="player", name="sam", characters=("zadie", "rasheem"))
    assert offered(company(), both)["maneuver"]["helpers"].options == ("rasheem",)
    assert offered(company(), both, "rasheem")["maneuver"]["helpers"].options == ("zadie",)


def test_givers_have_a_die_to_give() -> None:
    """6.4: whoever has acted may still give; whoever has no action die may not."""
    tired = step(Maneuver(actor="rasheem", action_dice=1), faces(2))
    assert offered(company(consent="table").after(tired))["maneuver"]["gifts"].options == ("rasheem", "gm")
    assert "helpers" not in offered(company(consent="table").after(tired))["maneuver"]
    empty = Adjust(character="rasheem", changes=Changes(action=-6), reason="A test")
    assert offered(company(consent="table").after(empty))["maneuver"]["gifts"].options == ("gm",)


def test_opponents_get_nothing() -> None:
    """6.1: no gifts and no help unless the readings say so."""
    fields = offered(company("adversity"), GM, "bull")["maneuver"]
    assert not {"gifts", "helpers"} & set(fields)
    freely = company("adversity", adversity={"gifts": True, "combine": True})
    fields = offered(freely, GM, "bull")["maneuver"]
    assert fields["gifts"].options == ("demons", "ghost", "gm")
    assert fields["helpers"].options == ("demons", "ghost")


def test_powers_that_fit_and_can_be_paid() -> None:
    """6.3: Heroics joins achievements, for two charge dice; being Hexed makes it three."""
    can = offered(company())
    assert can["achieve"]["powers"].options == ("heroics",)
    assert can["maneuver"]["powers"].options == ()
    assert can["use_power"]["power"].options == ("smoke",)
    hexed = offered(company().after(ApplyCondition(character="zadie", condition="Hexed")))
    assert hexed["achieve"]["powers"].options == ()
    assert "use_power" not in hexed


def test_what_there_is_to_offer() -> None:
    """Only what is there, and help only from those who can still help."""
    fields = offered(company(), RASHEEM, "rasheem")["offer"]
    assert fields["to"].options == ("zadie", "all")
    assert limits(fields["gift"]) == (1, 1)
    assert limits(fields["help_dice"]) == (1, 3)
    assert limits(fields["strike_dice"]) == (1, 3)
    assert "tokens" not in fields
    tired = company().after(step(Maneuver(actor="rasheem", action_dice=1), faces(2)))
    assert set(offered(tired, RASHEEM, "rasheem")["offer"]) == {"to", "gift", "text"}


def test_the_answers_to_an_open_roll() -> None:
    """6.4: her own player and the GM reroll or settle; nobody else is told of either, and nobody acts."""
    table = company(zadie={"traits": (*marked("Bold"),)}).after(
        step(Maneuver(actor="zadie", action_dice=1), (3, 1))
    )
    for viewer in (ZADIE, GM):
        can = offered(table, viewer)
        assert can["reroll"]["trait"].options == ("Bold",)
        assert "settle" in can
        assert "maneuver" not in can
    assert not {"reroll", "settle"} & set(offered(table, RASHEEM))
    assert set(offered(table, RASHEEM, "rasheem")) == {"offer"}


def test_which_dice_to_keep() -> None:
    """6.4: of four strike and three charge dice five are kept, two to four of them strike dice."""
    table = company(zadie={"competence": 5}).after(
        step(Maneuver(actor="zadie", action_dice=2), (3, 3, 4, 5, 6, 6, 6))
    )
    fields = offered(table)["keep"]
    assert (limits(fields["strike"]), limits(fields["charge"])) == ((2, 4), (1, 3))
    assert "settle" not in offered(table)


def test_a_roll_nobody_knows_of() -> None:
    """The hidden one's roll: the GM answers it, the players only find that they have to wait."""
    table = company("adversity").after(step(Maneuver(actor="ghost", action_dice=1), (3, 1, 1)))
    assert "settle" in offered(table, GM, "ghost")
    mine = table.rules.choices(table.state, ZADIE)
    assert {choice.type for choice in mine} == {"offer"}
    assert {choice.actor for choice in mine} == {"zadie"}


def test_the_course_is_the_masters() -> None:
    """Turns, rounds, ends, corrections: in the GM's choices, and in nobody else's."""
    table = company()
    masters = {choice.type for choice in table.rules.choices(table.state, GM) if choice.by == ("gm",)}
    assert {"end_turn", "end_round", "end_conflict", "adjust", "rule", "apply_condition", "reveal"} <= masters
    mine = {choice.type for choice in table.rules.choices(table.state, ZADIE)}
    assert masters & mine == {"offer"}, "the GM has a gift die to offer, and so have they"
    ended = table.after(EndConflict(outcome="agreement"))
    assert "start_conflict" in {choice.type for choice in ended.rules.choices(ended.state, GM)}
    assert set(offered(ended)) == {"character_scene"}


def test_a_scene_gives_what_can_be_gained() -> None:
    """Between conflicts: heal with a wound, fill a pool that is not full, mark what is not marked."""
    whole = company(zadie={"traits": marked("Bold")}).after(EndConflict(outcome="victory"))
    assert offered(whole)["character_scene"]["benefit"].options == ("other",)
    hurt = company(zadie={"wounds": 1, "action_max": 9}).after(EndConflict(outcome="victory"))
    assert offered(hurt)["character_scene"]["benefit"].options == ("heal", "other", "refill")


@pytest.mark.parametrize("viewer", [OBSERVER, Viewer(role="tool"), Viewer(role="admin"), player("nobody")])
def test_onlookers_can_do_nothing(viewer) -> None:
    """Neither before a conflict nor in it."""
    for table in (company(), company().after(EndTurn())):
        assert table.rules.choices(table.state, viewer) == ()


def test_the_recommended_answers() -> None:
    """6.4: a roll stands as it fell; of too many dice the charge dice are kept first."""
    rules = current_rules()
    table = company(zadie={"competence": 5, "traits": marked("Bold")}).after(
        step(Maneuver(actor="zadie", action_dice=2), (3, 3, 4, 5, 6, 6, 1))
    )
    first = RECORD.questions(table.state)[0]
    assert rules.default_answer(table.state, first) == Settle()
    table = table.after(Settle())
    keep = rules.default_answer(table.state, RECORD.questions(table.state)[0])
    assert (keep.strike, keep.charge) == (3, 2)


@few
@given(SEEDS)
def test_nothing_is_offered_that_has_to_wait(seed) -> None:
    """While a roll waits everybody is told only of what passes then."""
    rules = current_rules()
    kinds = {kind.__struct_config__.tag: kind for kind in rules.commands}
    for move in session(seed, 40):
        questions = RECORD.questions(move.after)
        for viewer in (GM, player("zadie")) if questions else ():
            for choice in rules.choices(move.after, viewer):
                heard = (*rules.answers, *rules.at_any_time)
                assert issubclass(kinds[choice.type], heard), choice
        assert not questions or question_open(rules, EndTurn(), questions)
