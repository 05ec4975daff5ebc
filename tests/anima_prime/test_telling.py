"""What the timeline says: the exact line of every typical action, also when only part of it may be seen."""

from __future__ import annotations

import pytest

from anima_prime.caravan import RECORD, caravan
from anima_prime.table import fell
from rulesets.anima_prime import events as fact
from rulesets.anima_prime.sheet import Condition
from rulesets.contract import Event

GIFTED = fell(1, "maneuver", ("gc", 4), ("action:zadie", 6), ("action:zadie", 1), ("gift:rasheem", 2))


def told(*facts: Event) -> str:
    """The line of one action that consists of these facts, all of them visible."""
    return RECORD.describe(caravan(*facts), facts)


MANEUVER = (
    fact.ManeuverDeclared(actor="zadie", action_dice=2),
    fact.GiftGiven(giver="rasheem", to="zadie"),
    fact.DiceRolled(actor="zadie", roll=GIFTED),
    fact.ManeuverEarned(actor="zadie", strike=1, charge=1),
)
LAST_BLOW = (
    fact.StrikeDeclared(actor="zadie", targets=("bull",), strike_dice=5, text="Between\nthe horns"),
    fact.DiceRolled(
        actor="zadie", roll=fell(1, "strike", *(("strike:zadie", face) for face in (3, 4, 5, 6, 1)))
    ),
    fact.StrikeResolved(
        actor="zadie", results=(fact.StrikeResult(target="bull", successes=4, defense=3, wounds=1),)
    ),
    fact.WoundsInflicted(character="bull", wounds=1),
    fact.CharacterDefeated(character="bull"),
)


def test_a_maneuver_with_a_gift() -> None:
    """Who, how many dice from where, the faces, and what they brought (6.4)."""
    assert told(*MANEUVER) == (
        "Zadie maneuvers with 4 dice (1 competence, 2 action, 1 gift from Rasheem): 4 6 1 2, "
        "gains 1 strike and 1 charge"
    )


def test_the_blow_that_fells_the_bull() -> None:
    """Successes against the defense, the new number of wounds, and the words of the player on one line (6.5)."""
    assert told(*LAST_BLOW) == (
        "Zadie strikes at Bull with 5 dice (5 strike): 3 4 5 6 1, hits Bull (4 against 3); "
        "Bull wounds 2 -> 3 of 3, is defeated - “Between the horns”"
    )


@pytest.mark.parametrize(
    "facts, line",
    [
        (LAST_BLOW[3:4], "Bull wounds 2 -> 3 of 3"),
        (LAST_BLOW[4:], "Bull is defeated"),
        (LAST_BLOW[2:3], "Zadie hits Bull (4 against 3)"),
        (MANEUVER[1:2], "Rasheem gives 1 gift die to Zadie"),
        (
            MANEUVER[2:3],
            "Zadie rolls 4 dice (1 competence, 2 action, 1 gift from Rasheem): 4 6 1 2",
        ),
        (MANEUVER[3:], "Zadie gains 1 strike and 1 charge"),
    ],
)
def test_a_consequence_whose_cause_is_hidden(facts: tuple[Event, ...], line: str) -> None:
    """A part of an action is a sentence of its own."""
    assert told(*facts) == line


TOTAL_FAILURE = (
    fact.ManeuverDeclared(actor="zadie", action_dice=1),
    fact.DiceRolled(actor="zadie", roll=fell(1, "maneuver", ("gc", 1), ("action:zadie", 2))),
    fact.ManeuverFailed(actor="zadie"),
    fact.DiceReturned(character="zadie", pool="action", dice=1),
)
TOGETHER = (
    fact.ManeuverDeclared(
        actor="zadie", action_dice=1, helpers=(fact.HelpGiven(character="rasheem", action_dice=2),)
    ),
    fact.GiftGiven(giver="gm", to="zadie"),
    fact.DiceRolled(
        actor="zadie",
        roll=fell(
            1,
            "maneuver",
            ("gc", 3),
            ("helper:rasheem", 3),
            ("action:zadie", 4),
            ("action:rasheem", 5),
            ("action:rasheem", 6),
            ("gm", 2),
        ),
    ),
    fact.ManeuverEarned(actor="zadie", strike=4, charge=1, tokens=1),
)
MISSED_GOAL = (
    fact.AchievementDeclared(actor="zadie", goal="hide", strike_dice={"zadie": 2, "rasheem": 1}),
    fact.DiceRolled(
        actor="zadie",
        roll=fell(1, "achieve", ("strike:zadie", 3), ("strike:zadie", 1), ("strike:rasheem", 6)),
    ),
    fact.AchievementResolved(actor="zadie", goal="hide", successes=2, difficulty=5),
    fact.DiceReturned(character="zadie", pool="strike", dice=2),
    fact.DiceReturned(character="rasheem", pool="strike", dice=1),
)
END = (
    fact.ConflictEnded(outcome="victory"),
    fact.GoalLeftUnresolved(goal="hide"),
    fact.CharacterSettled(character="zadie", strike_lost=6, charge_lost=2, tokens_expired=2),
)


@pytest.mark.parametrize(
    "facts, line",
    [
        (
            TOTAL_FAILURE,
            "Zadie maneuvers with 2 dice (1 competence, 1 action): 1 2, fails totally, gets 1 action die back",
        ),
        (
            TOGETHER,
            (
                "Zadie maneuvers with 6 dice (1 competence, 1 for Rasheem's help, 1 action, 2 action from Rasheem, "
                "1 gift from the GM): 3 3 4 5 6 2, gains 4 strike, 1 charge and 1 Awesome Token"
            ),
        ),
        (
            MISSED_GOAL,
            (
                "Zadie tries for Overcome the armored hide with 3 dice (2 strike, 1 strike from Rasheem): 3 1 6, "
                "fails: 2 successes against 5, gets 2 strike dice back; Rasheem gets 1 strike die back"
            ),
        ),
        (
            (fact.GoalAchieved(goal="hide"), fact.DefenseChanged(character="bull", change=-1)),
            "The goal Overcome the armored hide is achieved; Bull defense -1 (now 2) - “The plates crack”",
        ),
        (
            (fact.DefenseChanged(character="bull", change=2),),
            "Bull defense +2 (now 5)",
        ),
        (
            (
                fact.PowerUsed(actor="zadie", power="blaze", targets=("bull",)),
                fact.ChargePaid(character="zadie", source="blaze", charge=2),
            ),
            "Zadie uses Blaze of noon on Bull, pays 2 charge for Blaze of noon",
        ),
        (
            (fact.TokensSpent(character="zadie", tokens=1, use="free", beneficiary="rasheem"),),
            "Zadie spends 1 Awesome Token for Rasheem for a free action",
        ),
        ((fact.RoundEnded(round=1, raised=1),), "Round 1 ends, Group Competence 1 -> 2"),
        ((fact.RoundEnded(round=1),), "Round 1 ends"),
        (
            END,
            (
                "The caravan ends in victory; the goal Overcome the armored hide stays unresolved; "
                "Zadie loses 6 strike dice, 2 charge dice and 2 Awesome Tokens"
            ),
        ),
        ((fact.WoundsHealed(character="bull", wounds=1),), "Bull wounds 2 -> 1 of 3"),
        (
            (fact.CharacterAdjusted(character="zadie", action=-1, wounds=1, reason="We\nforgot"),),
            "Zadie action 6 -> 5 and wounds 0 -> 1 of 3 - “We forgot”",
        ),
        ((fact.CharacterAdjusted(character="zadie", reason="Full"),), "Zadie stays as it was - “Full”"),
        (
            (fact.ConflictAdjusted(group_competence=1, turn="pcs"),),
            "The conflict: Group Competence 1 -> 2 and it is the turn of the player characters",
        ),
        (
            (fact.OfferMade(giver="rasheem", to="zadie", gift=1, help_dice=2),),
            "Rasheem offers Zadie 1 gift die and help with 2 action dice",
        ),
        (
            (fact.ConditionApplied(character="bull", condition=Condition(name="Blinded", dice=-1)),),
            "Bull is Blinded",
        ),
    ],
)
def test_typical_actions(facts: tuple[Event, ...], line: str) -> None:
    """Words say more where something grew and less where it shrank, and name the new number."""
    assert told(*facts) == line


def test_a_reroll_names_its_trait() -> None:
    """The failed dice and their new faces (6.4)."""
    rolled = fact.DiceRolled(actor="zadie", roll=GIFTED, asks="reroll")
    again = fact.DiceRerolled(
        actor="zadie",
        trait="Sharpshooter",
        places=(2, 3),
        roll=fell(2, "reroll", ("action:zadie", 5), ("gift:rasheem", 1)),
    )
    facts = (again, fact.ManeuverEarned(actor="zadie", strike=2, charge=1))
    line = RECORD.describe(caravan(*MANEUVER[:2], rolled, *facts), facts)
    assert line == "Zadie unmarks Sharpshooter and rerolls 2 dice: 5 1, gains 2 strike and 1 charge"


@pytest.mark.parametrize(
    "event, line",
    [
        (fact.WoundsInflicted(character="stranger", wounds=1), "Stranger wounds +1"),
        (fact.WoundsHealed(character="stranger", wounds=1), "Stranger wounds -1"),
        (fact.DiceLost(character="stranger", pool="action", dice=2), "Stranger loses 2 action dice"),
        (fact.GoalAchieved(goal="treasure"), "The goal treasure is achieved"),
        (fact.GoalSet(goal="treasure", status="dropped"), "The goal treasure is set to dropped"),
        (
            fact.PowerUsed(actor="stranger", power="heroics", targets=("bull",)),
            "Stranger uses Heroics on Bull",
        ),
        (fact.HiddenNamed(ids=("stranger",)), "Something happens out of sight"),
    ],
)
def test_ids_nobody_knows_stand_for_themselves(event: Event, line: str) -> None:
    """A line is read where the table no longer, or not yet, knows whom it is about."""
    assert RECORD.describe(caravan(), (event,)) == line
