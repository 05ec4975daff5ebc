"""What somebody may try without looking whether it is legal."""

from __future__ import annotations

from random import Random

from rulesets.anima_prime.commands import (
    Achieve,
    Adjust,
    ApplyCondition,
    Changes,
    CharacterScene,
    EndRound,
    EndTurn,
    Enter,
    HelpAsked,
    Keep,
    Maneuver,
    Offer,
    RemoveCondition,
    Reroll,
    Settle,
    SpendToken,
    StartConflict,
    Strike,
    UsePower,
    Withdraw,
)
from rulesets.anima_prime.state import State
from rulesets.contract import Command


def anything(random: Random, state: State) -> Command:
    """Any command with any ids and numbers."""
    ids = [*state.characters, "nobody", "gm"]
    one, other = random.choice(ids), random.choice(ids)
    few = random.randint(0, 9)
    goal = random.choice([*state.goals, "nothing"])
    return random.choice(
        (
            Maneuver(actor=one, action_dice=few, gifts=(other,)),
            Maneuver(actor=one, action_dice=1, helpers=(HelpAsked(character=other, action_dice=few),)),
            Strike(actor=one, targets=(other,), strike_dice=few, free=random.random() < 0.5),
            Strike(actor=one, targets=(other, random.choice(ids)), strike_dice=1, power="blaze"),
            Achieve(actor=one, goal=goal, strike_dice={one: few, other: 1}, power="heroics"),
            UsePower(actor=one, power=random.choice(("smoke", "heroics", "nonsense")), targets=(other,)),
            SpendToken(payer=one, tokens=1 + few, text="For luck"),
            Keep(strike=few, charge=5),
            Reroll(trait=random.choice(("Bold", "Nobody's"))),
            Settle(),
            Enter(character=one),
            Withdraw(character=one),
            EndTurn(),
            EndRound(),
            StartConflict(first="roll"),
            CharacterScene(character=one, benefit=random.choice(("heal", "refill"))),
            Adjust(
                character=one,
                changes=Changes(strike=few - 5, wounds=random.randint(-2, 2)),
                reason="Oops",
            ),
            ApplyCondition(character=one, condition="Blinded"),
            RemoveCondition(character=one, condition="Blinded"),
            Offer(giver=one, to=other, gift=True, help_dice=few),
        )
    )
