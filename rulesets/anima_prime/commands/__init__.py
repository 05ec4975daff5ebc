"""Everything somebody at an Anima Prime table can ask for."""

from __future__ import annotations

from typing import TypeAlias

from rulesets.anima_prime.commands.actions import (
    Achieve,
    HelpAsked,
    Keep,
    Maneuver,
    Reroll,
    Settle,
    SpendToken,
    Strike,
    UsePower,
)
from rulesets.anima_prime.commands.conflict import (
    CharacterScene,
    EndConflict,
    EndRound,
    EndToken,
    EndTurn,
    Enter,
    GoalRuling,
    StartConflict,
    StartingCondition,
    Withdraw,
)
from rulesets.anima_prime.commands.setup import (
    AddCharacter,
    AddGoal,
    EditCharacter,
    Reveal,
    SetGoal,
    SetParameter,
)
from rulesets.anima_prime.commands.table import (
    Adjust,
    Announce,
    ApplyCondition,
    Changes,
    Offer,
    RemoveCondition,
    Rule,
    WithdrawOffer,
)

Action: TypeAlias = Maneuver | Strike | Achieve | UsePower | SpendToken
"""What somebody does in a conflict."""

Answer: TypeAlias = Reroll | Keep | Settle
"""What answers the question of an open roll."""

Course: TypeAlias = StartConflict | Enter | Withdraw | EndTurn | EndRound | EndConflict | CharacterScene
"""What moves a conflict on."""

Talk: TypeAlias = Offer | WithdrawOffer | Announce | ApplyCondition | RemoveCondition | Adjust | Rule
"""Offers, conditions and the GM's hand."""

Setup: TypeAlias = AddCharacter | EditCharacter | Reveal | AddGoal | SetGoal | SetParameter
"""What the GM lays on the table."""

Command: TypeAlias = Action | Answer | Course | Talk | Setup
"""Any command of Anima Prime."""

__all__ = [
    "Achieve",
    "Action",
    "AddCharacter",
    "AddGoal",
    "Adjust",
    "Announce",
    "Answer",
    "ApplyCondition",
    "Changes",
    "CharacterScene",
    "Command",
    "Course",
    "EditCharacter",
    "EndConflict",
    "EndRound",
    "EndToken",
    "EndTurn",
    "Enter",
    "GoalRuling",
    "HelpAsked",
    "Keep",
    "Maneuver",
    "Offer",
    "RemoveCondition",
    "Reroll",
    "Reveal",
    "Rule",
    "SetGoal",
    "SetParameter",
    "Settle",
    "Setup",
    "SpendToken",
    "StartConflict",
    "StartingCondition",
    "Strike",
    "Talk",
    "UsePower",
    "Withdraw",
    "WithdrawOffer",
]
