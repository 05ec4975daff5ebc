"""How opponents act (recommended readings): own pools, own competence, no gifts, tokens or combining."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, fell, foe, marked, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    EndRound,
    HelpAsked,
    Maneuver,
    Reroll,
    StartConflict,
    Strike,
)
from rulesets.anima_prime.events import DiceRolled, ManeuverDeclared, ManeuverEarned
from rulesets.testing import given, step


def ambush(*more, first="adversity", **readings):
    """The demons go first."""
    return running(
        pc("zadie"),
        pc("mira"),
        foe("demons"),
        foe("bull", "individual", strike=6),
        *more,
        first=first,
        **readings,
    )


def test_two_basic_dice_unless_the_sheet_says_otherwise() -> None:
    """Competence 2 and 1 to 3 own action dice; what is earned is earned as for player characters."""
    ambush().when(Maneuver(actor="demons", action_dice=2), (3, 6, 1, 5)).then(
        ManeuverDeclared(actor="demons", action_dice=2),
        DiceRolled(
            actor="demons",
            roll=fell(
                1,
                "maneuver",
                ("competence:demons", 3),
                ("competence:demons", 6),
                ("action:demons", 1),
                ("action:demons", 5),
            ),
        ),
        ManeuverEarned(actor="demons", strike=2, charge=1, by_itself=True),
    ).then_state(characters={"demons": {"action": 6, "strike": 2, "charge": 1, "acted": True}})


def test_competence_on_the_sheet() -> None:
    """An opponent's own rating, 1 to 4."""
    lord = foe("lord", "individual", competence=4)
    ambush(lord).when(Maneuver(actor="lord", action_dice=1), (3,) * 5, source="table").accepted()
    ambush(lord).when(Maneuver(actor="lord", action_dice=1), (3,) * 3, source="table").then_refused(
        "dice-count-mismatch"
    )


def test_competence_of_all_opponents() -> None:
    """Parameter adversity.competence."""
    ambush(adversity={"competence": 3}).when(
        Maneuver(actor="demons", action_dice=1), (3,) * 4, source="table"
    ).accepted()


def test_group_competence_is_not_theirs() -> None:
    """6.4: the rating of the player characters; their gifts raise it, the opponents' maneuvers do not."""
    table = ambush().after(step(Maneuver(actor="demons", action_dice=3), faces(5))).after(EndRound())
    assert table.view()["conflict"]["group_competence"] == 1


def test_an_ally_uses_group_competence_unless_its_own_is_set() -> None:
    """An ally on the player characters' side."""
    wolf = {"side": "pcs", "kind": "individual", "id": "wolf"}
    table = running(pc("zadie"), foe("wolf", "individual", **wolf), foe("demons"))
    table.when(Maneuver(actor="wolf", action_dice=1), (3, 3), source="table").accepted()
    table = running(pc("zadie"), foe("wolf", "individual", **wolf, competence=3), foe("demons"))
    table.when(Maneuver(actor="wolf", action_dice=1), (3,) * 4, source="table").accepted()


def test_five_dice_are_no_token() -> None:
    """Switch adversity.tokens, off by default."""
    ambush().when(Maneuver(actor="demons", action_dice=3), faces(5)).then_state(
        characters={"demons": {"strike": 5, "awesome_tokens": 0}}
    )
    ambush(adversity={"tokens": True}).when(Maneuver(actor="demons", action_dice=3), faces(5)).then_state(
        characters={"demons": {"awesome_tokens": 1}}
    )


@pytest.mark.parametrize("giver", ["bull", "gm", "zadie"])
def test_nobody_gives_to_an_opponent(giver) -> None:
    """Switch adversity.gifts, off by default."""
    assert ambush().when(Maneuver(actor="demons", action_dice=1, gifts=(giver,))).refusal


def test_opponents_give_where_the_table_says_so() -> None:
    """Switches adversity.gifts and adversity.raises_competence: a gift, and only with the second it counts."""
    wish = step(Maneuver(actor="demons", action_dice=1, gifts=("bull",)), faces(4))
    for counts in (False, True):
        table = ambush(adversity={"gifts": True, "raises_competence": counts}).after(wish)
        assert table.view()["characters"]["bull"]["action"] == 7
        assert table.after(EndRound()).view()["conflict"]["group_competence"] == 1 + counts


def test_the_other_side_does_not_give_even_so() -> None:
    """6.4: gifts are for one's own side."""
    ambush(adversity={"gifts": True}).when(
        Maneuver(actor="demons", action_dice=1, gifts=("zadie",))
    ).then_refused("gift-other-side")


def test_opponents_do_not_combine() -> None:
    """Switch adversity.combine, off by default."""
    goal = AddGoal(id="gate", name="Gate", difficulty=2)
    wish = Maneuver(actor="demons", action_dice=1, helpers=(HelpAsked(character="bull", action_dice=1),))
    together = Achieve(actor="bull", goal="gate", strike_dice={"bull": 3, "demons": 1})
    table = ambush(foe("imps", strike=2), goal)
    assert table.when(wish).refusal
    assert table.when(together).refusal
    ambush(adversity={"combine": True}).when(wish, faces(5), source="table").then_state(
        characters={"demons": {"strike": 5}, "bull": {"acted": True, "action": 7}}
    )


def test_a_total_failure_returns_their_dice() -> None:
    """6.4 as for player characters."""
    ambush().when(Maneuver(actor="demons", action_dice=2), (1, 2, 1, 2)).then_state(
        characters={"demons": {"action": 8, "acted": True}}
    )


def test_opponents_strike_and_wound() -> None:
    """6.5: three successes against defense 2."""
    ambush().when(Strike(actor="bull", targets=("zadie",), strike_dice=6), faces(5, 1)).then_state(
        characters={"zadie": {"wounds": 2}, "bull": {"strike": 0}}
    )


def test_opponents_achieve() -> None:
    """7.1: both sides may try."""
    ambush(AddGoal(id="gate", name="Gate", difficulty=2)).when(
        Achieve(actor="bull", goal="gate", strike_dice={"bull": 3}), faces(3)
    ).then_state(goals={"gate": {"status": "achieved"}})


def test_each_opponent_acts_once() -> None:
    """6.3: one action for each, in any order."""
    table = ambush().after(step(Maneuver(actor="bull", action_dice=1), faces(3)))
    table.when(Maneuver(actor="bull", action_dice=1)).then_refused("already-acted")
    table.when(Maneuver(actor="demons", action_dice=1), faces(3)).accepted()
    table.when(Maneuver(actor="zadie", action_dice=1)).then_refused("not-your-turn")


def test_an_opponent_with_a_trait_may_reroll() -> None:
    """6.4: a mark is a mark."""
    table = ambush(foe("lord", "individual", traits=marked("Cruel")))
    table.when(Maneuver(actor="lord", action_dice=1), (3, 1, 1)).when(
        Reroll(trait="Cruel"), (6, 6)
    ).then_state(characters={"lord": {"strike": 1, "charge": 2}})


@pytest.mark.parametrize("kind", ["individual", "squad", "swarm"])
def test_three_types(kind) -> None:
    """6.1: each has its own pools and acts alike."""
    given(RULESET, pc("zadie"), foe("it", kind), StartConflict(first="adversity")).when(
        Maneuver(actor="it", action_dice=1), faces(3)
    ).then_state(characters={"it": {"kind": kind, "strike": 3, "action": 7}})
