"""What can be done now, for forms and bots: who may, within which limits, and nothing that is refused."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from anima_prime.sessions import SEEDS, current_rules, few, session
from anima_prime.table import foe, marked, pc, player, running
from rulesets.anima_prime.commands import AddGoal, EndConflict, EndTurn, Maneuver
from rulesets.contract import Choice
from rulesets.people import GM, OBSERVER, Viewer
from rulesets.testing import Given, step

GATE = AddGoal(id="gate", name="Gate", difficulty=2)
ZADIE = player("zadie")


def table(**zadie: Any) -> Given:
    """Zadie and Mira against the demons."""
    return running(pc("zadie", **zadie), pc("mira"), foe("demons"), GATE)


def types(where: Given, viewer: Viewer, actor: str | None = None) -> set[str]:
    """The commands somebody could send, for one actor or for all."""
    found = current_rules().choices(where.state, viewer)
    return {choice.type for choice in found if actor is None or choice.actor == actor}


def choice(where: Given, kind: str, actor: str = "zadie") -> Choice:
    """The one choice of that kind."""
    found = current_rules().choices(where.state, GM)
    (only,) = [one for one in found if one.type == kind and one.actor == actor]
    return only


def test_a_player_acts_for_their_own_in_their_turn() -> None:
    """6.3: a maneuver with one to three dice; nothing for Mira or the demons."""
    where = table(action=2, strike=9)
    assert {"maneuver", "strike", "achieve"} <= types(where, ZADIE)
    assert not types(where, ZADIE, "mira") | types(where, ZADIE, "demons")
    dice = next(field for field in choice(where, "maneuver").fields if field.name == "action_dice")
    assert (dice.minimum, dice.maximum) == (1, 2)
    dice = next(field for field in choice(where, "strike").fields if field.name == "strike_dice")
    assert (dice.minimum, dice.maximum) == (1, 6)


def test_nothing_to_do_with_after_acting() -> None:
    """6.3: one action in a round; with a token a free strike, never a maneuver."""
    acted = step(Maneuver(actor="zadie", action_dice=1), (3, 3))
    assert not {"maneuver", "strike", "achieve"} & types(table(strike=3).after(acted), ZADIE)
    with_token = types(table(strike=3, awesome_tokens=1).after(acted), ZADIE)
    assert {"strike", "achieve"} <= with_token
    assert "maneuver" not in with_token


def test_nothing_to_do_in_the_others_turn() -> None:
    """6.3: one side after the other."""
    assert "maneuver" not in types(table().after(EndTurn()), ZADIE)
    assert "maneuver" in types(table().after(EndTurn()), GM, "demons")


def test_no_strike_without_strike_dice() -> None:
    """6.5: nor an achievement alone."""
    assert not {"strike", "achieve"} & types(table(), ZADIE)


def test_the_masters_own() -> None:
    """Set-up, rounds and rulings are offered to the GM alone."""
    own = {"end_turn", "end_round", "end_conflict", "add_character", "add_goal", "adjust", "rule"}
    assert own <= types(table(), GM)
    assert not own & types(table(), ZADIE)
    assert types(table(), OBSERVER) == set()


def test_answers_while_a_roll_waits() -> None:
    """The actor's player and the GM answer; the others wait, but may offer."""
    where = table(traits=marked("Sly")).after(step(Maneuver(actor="zadie", action_dice=1), (3, 1)))
    assert {"reroll", "settle"} <= types(where, ZADIE)
    assert {"reroll", "settle"} <= types(where, GM)
    mira = types(where, player("mira"))
    assert not {"reroll", "settle", "maneuver"} & mira
    assert "offer" in mira


def test_scenes_between_conflicts() -> None:
    """Benefits with something to gain, outside a running conflict."""
    assert "character_scene" not in types(table(wounds=1), ZADIE)
    where = table(wounds=1).after(EndConflict(outcome="agreement"))
    benefit = next(field for field in choice(where, "character_scene").fields if field.name == "benefit")
    assert set(benefit.options) == {"heal", "other"}


@few
@given(SEEDS)
def test_a_maneuver_on_offer_is_legal(seed: int) -> None:
    """Whatever happened, the least and the most a maneuver offers pass."""
    rules = current_rules()
    for move in session(seed, 60):
        for one in rules.choices(move.after, GM):
            if one.type == "maneuver":
                dice = next(field for field in one.fields if field.name == "action_dice")
                for number in {dice.minimum, dice.maximum}:
                    wish = Maneuver(actor=one.actor, action_dice=number)
                    assert not list(rules.refusals(move.after, wish))


@few
@given(SEEDS)
def test_what_is_done_was_on_offer(seed: int) -> None:
    """Every legal command of a random session was among the choices before it."""
    for move in session(seed, 60):
        kind = type(move.command).__struct_config__.tag
        offered = current_rules().choices(move.before, GM)
        actor = getattr(move.command, "actor", None)
        assert [one for one in offered if one.type == kind and actor in (None, one.actor)], kind
