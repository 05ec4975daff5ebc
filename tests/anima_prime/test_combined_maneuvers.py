"""6.4 Combined maneuvers: one leads, several act, the leader earns."""

from __future__ import annotations

from anima_prime.table import fell, foe, marked, pc, running
from rulesets.anima_prime.commands import Adjust, Changes, HelpAsked, Keep, Maneuver, Reroll
from rulesets.anima_prime.events import (
    DiceReturned,
    DiceRolled,
    GiftGiven,
    HelpGiven,
    ManeuverDeclared,
    ManeuverEarned,
    ManeuverFailed,
)
from rulesets.testing import step


def competence_two(*people):
    """A running conflict at Group Competence 2."""
    return running(*people).after(
        Adjust(
            conflict=True, changes=Changes(group_competence=1), reason="The example is in its second round"
        )
    )


def test_the_worked_example() -> None:
    """6.4: 2 + 1 basic dice, 2 + 2 action dice, two gifts; six successes, five kept, a token for the leader."""
    table = competence_two(
        pc("zadie", strike=1, charge=1), pc("rasheem"), pc("mira"), pc("okoro"), foe("demons")
    )
    maneuver = Maneuver(
        actor="zadie",
        action_dice=2,
        helpers=(HelpAsked(character="rasheem", action_dice=2),),
        gifts=("mira", "okoro"),
    )
    rolled = table.when(maneuver, (3, 4, 1, 6, 5, 2, 6, 3, 2)).then(
        ManeuverDeclared(
            actor="zadie", action_dice=2, helpers=(HelpGiven(character="rasheem", action_dice=2),)
        ),
        GiftGiven(giver="mira", to="zadie"),
        GiftGiven(giver="okoro", to="zadie"),
        DiceRolled(
            actor="zadie",
            roll=fell(
                1,
                "maneuver",
                ("gc", 3),
                ("gc", 4),
                ("helper:rasheem", 1),
                ("action:zadie", 6),
                ("action:zadie", 5),
                ("action:rasheem", 2),
                ("action:rasheem", 6),
                ("gift:mira", 3),
                ("gift:okoro", 2),
            ),
            asks="keep",
        ),
    )
    rolled.when(Keep(strike=2, charge=3)).then_refused("keep-exceeds-roll")
    rolled.when(Keep(strike=3, charge=2)).then(
        ManeuverEarned(actor="zadie", strike=3, charge=2, tokens=1, discarded=1)
    ).then_state(
        characters={
            "zadie": {"action": 4, "strike": 4, "charge": 3, "awesome_tokens": 1, "acted": True},
            "rasheem": {"action": 4, "strike": 0, "charge": 0, "awesome_tokens": 0, "acted": True},
            "mira": {"action": 5, "acted": False},
            "okoro": {"action": 5, "acted": False},
        }
    )


def test_three_at_competence_two_throw_four_basic_dice() -> None:
    """6.4, the example without dice: 2 + 1 + 1 basic dice, and one action die of each: seven."""
    table = competence_two(pc("zadie"), pc("rasheem"), pc("mira"), foe("demons"))
    maneuver = Maneuver(
        actor="zadie",
        action_dice=1,
        helpers=(HelpAsked(character="rasheem", action_dice=1), HelpAsked(character="mira", action_dice=1)),
    )
    table.when(maneuver, (3,) * 6, source="table").then_refused("dice-count-mismatch")
    table.when(maneuver, (3, 3, 6, 1, 1, 2, 2), source="table").then_state(
        characters={"zadie": {"strike": 2, "charge": 1}, "rasheem": {"acted": True}, "mira": {"acted": True}}
    )


def test_total_failure_returns_each_die_to_its_pool() -> None:
    """6.4: the leader's, the helper's and the giver's dice each go home."""
    table = running(pc("zadie"), pc("rasheem"), pc("mira"), foe("demons"))
    maneuver = Maneuver(
        actor="zadie",
        action_dice=1,
        helpers=(HelpAsked(character="rasheem", action_dice=3),),
        gifts=("mira",),
    )
    when = table.when(maneuver, (1,) * 7)
    assert when.events[-4:] == (
        ManeuverFailed(actor="zadie", by_itself=True),
        DiceReturned(character="zadie", pool="action", dice=1),
        DiceReturned(character="rasheem", pool="action", dice=3),
        DiceReturned(character="mira", pool="action", dice=1),
    )
    when.then_state(
        characters={
            "zadie": {"action": 6, "acted": True},
            "rasheem": {"action": 6, "acted": True},
            "mira": {"action": 6, "acted": False},
        }
    )


def test_only_the_leader_rerolls() -> None:
    """6.4: a helper's marked trait does nothing; nothing is asked."""
    table = running(pc("zadie"), pc("rasheem", traits=marked("Old debts")), foe("demons"))
    maneuver = Maneuver(
        actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=1),)
    )
    table.when(maneuver, (3, 1, 1, 1)).then_state(open=[], characters={"zadie": {"strike": 1}})


def test_the_leader_rerolls_everybodys_dice() -> None:
    """6.4: all failed dice, whoever put them in."""
    table = running(pc("zadie", traits=marked("Sharpshooter")), pc("rasheem"), foe("demons"))
    maneuver = Maneuver(
        actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=1),)
    )
    table.when(maneuver, (3, 1, 1, 1)).when(Reroll(trait="Sharpshooter"), (4, 6, 2)).then_state(
        characters={"zadie": {"strike": 2, "charge": 1}, "rasheem": {"strike": 0, "action": 5}}
    )


def test_who_has_acted_cannot_help() -> None:
    """6.4: a combined maneuver takes every participant's action."""
    table = running(pc("zadie"), pc("rasheem"), foe("demons")).after(
        step(Maneuver(actor="rasheem", action_dice=1), (3, 3))
    )
    table.when(
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=1),))
    ).then_refused("helper-already-acted")


def test_who_helped_has_acted() -> None:
    """6.4: the helper's action is used."""
    table = running(pc("zadie"), pc("rasheem"), foe("demons")).after(
        step(
            Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=1),)),
            (3, 3, 3, 3),
        )
    )
    table.when(Maneuver(actor="rasheem", action_dice=1)).then_refused("already-acted")


def test_helpers_put_in_one_to_three_dice() -> None:
    """6.4: none is no help, four are too many."""
    table = running(pc("zadie"), pc("rasheem"), foe("demons"))
    for dice, code in ((0, "helper-no-dice"), (4, "too-many-action-dice")):
        table.when(
            Maneuver(
                actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=dice),)
            )
        ).then_refused(code)


def test_a_helper_with_an_empty_pool_cannot_take_part() -> None:
    """6.4: the die has to come from somewhere."""
    table = running(pc("zadie"), pc("rasheem", action=0), foe("demons"))
    table.when(
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="rasheem", action_dice=1),))
    ).then_refused("helper-no-dice", overrulable=False)


def test_nobody_helps_themselves_or_twice() -> None:
    """A participant is one participant."""
    table = running(pc("zadie"), pc("rasheem"), foe("demons"))
    one = HelpAsked(character="rasheem", action_dice=1)
    assert table.when(Maneuver(actor="zadie", action_dice=1, helpers=(one, one))).refusal
    self = HelpAsked(character="zadie", action_dice=1)
    assert table.when(Maneuver(actor="zadie", action_dice=1, helpers=(self,))).refusal


def test_the_other_side_does_not_help() -> None:
    """6.4: participants are of one side."""
    table = running(pc("zadie"), foe("demons"))
    assert table.when(
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="demons", action_dice=1),))
    ).refusal
