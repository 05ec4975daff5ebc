"""Every fact an Anima Prime log can hold, by chapter of the game."""

from __future__ import annotations

from typing import TypeAlias, get_args

import msgspec

from rulesets.anima_prime.events.actions import (
    AchievementDeclared,
    AchievementResolved,
    CharacterDefeated,
    ChargePaid,
    DefenseChanged,
    DiceGained,
    DiceLost,
    DiceRerolled,
    DiceReturned,
    DiceRolled,
    GiftGiven,
    GoalAchieved,
    GoalUnlocked,
    HelpGiven,
    ManeuverDeclared,
    ManeuverEarned,
    ManeuverFailed,
    PowerUsed,
    RerollDeclined,
    StrikeDeclared,
    StrikeResolved,
    StrikeResult,
    TokensSpent,
    WoundsHealed,
    WoundsInflicted,
)
from rulesets.anima_prime.events.conflict import (
    CharacterEntered,
    CharacterReturned,
    CharacterSettled,
    CharacterWithdrew,
    ConflictEnded,
    ConflictStarted,
    FirstSideRolled,
    GoalLeftUnresolved,
    RoundEnded,
    ScenePlayed,
    TurnPassed,
)
from rulesets.anima_prime.events.setup import (
    CharacterAdded,
    CharacterEdited,
    CharacterRevealed,
    GoalAdded,
    GoalRevealed,
    GoalSet,
    ParameterSet,
)
from rulesets.anima_prime.events.table import (
    Announced,
    CharacterAdjusted,
    ConditionApplied,
    ConditionRemoved,
    ConflictAdjusted,
    HiddenNamed,
    OfferMade,
    OfferWithdrawn,
    QuestionRuled,
)

ActionEvent: TypeAlias = (
    DiceRolled
    | ManeuverDeclared
    | ManeuverEarned
    | GiftGiven
    | DiceReturned
    | StrikeDeclared
    | StrikeResolved
    | WoundsInflicted
    | ChargePaid
    | DiceRerolled
    | RerollDeclined
    | ManeuverFailed
    | TokensSpent
    | AchievementDeclared
    | AchievementResolved
    | CharacterDefeated
    | GoalAchieved
    | GoalUnlocked
    | DefenseChanged
    | PowerUsed
    | WoundsHealed
    | DiceGained
    | DiceLost
)
"""Facts of maneuvers, strikes, achievements and powers, the frequent ones first."""

ConflictEvent: TypeAlias = (
    TurnPassed
    | RoundEnded
    | ConflictStarted
    | FirstSideRolled
    | CharacterEntered
    | CharacterReturned
    | CharacterWithdrew
    | ConflictEnded
    | GoalLeftUnresolved
    | CharacterSettled
    | ScenePlayed
)
"""Facts of a conflict's course."""

TableEvent: TypeAlias = (
    OfferMade
    | OfferWithdrawn
    | Announced
    | ConditionApplied
    | ConditionRemoved
    | CharacterAdjusted
    | ConflictAdjusted
    | QuestionRuled
    | HiddenNamed
)
"""Facts of offers, conditions and the GM's hand."""

SetupEvent: TypeAlias = (
    CharacterAdded | CharacterEdited | CharacterRevealed | GoalAdded | GoalSet | GoalRevealed | ParameterSet
)
"""Facts of setting up."""

Event: TypeAlias = ActionEvent | ConflictEvent | TableEvent | SetupEvent
"""Any fact of Anima Prime."""

EVENTS: tuple[type[msgspec.Struct], ...] = get_args(Event)
"""All event types, for the recorder."""

__all__ = [
    "EVENTS",
    "AchievementDeclared",
    "AchievementResolved",
    "ActionEvent",
    "Announced",
    "CharacterAdded",
    "CharacterAdjusted",
    "CharacterDefeated",
    "CharacterEdited",
    "CharacterEntered",
    "CharacterReturned",
    "CharacterRevealed",
    "CharacterSettled",
    "CharacterWithdrew",
    "ChargePaid",
    "ConditionApplied",
    "ConditionRemoved",
    "ConflictAdjusted",
    "ConflictEnded",
    "ConflictEvent",
    "ConflictStarted",
    "DefenseChanged",
    "DiceGained",
    "DiceLost",
    "DiceRerolled",
    "DiceReturned",
    "DiceRolled",
    "Event",
    "FirstSideRolled",
    "GiftGiven",
    "GoalAchieved",
    "GoalAdded",
    "GoalLeftUnresolved",
    "GoalRevealed",
    "GoalSet",
    "GoalUnlocked",
    "HelpGiven",
    "HiddenNamed",
    "ManeuverDeclared",
    "ManeuverEarned",
    "ManeuverFailed",
    "OfferMade",
    "OfferWithdrawn",
    "ParameterSet",
    "PowerUsed",
    "QuestionRuled",
    "RerollDeclined",
    "RoundEnded",
    "ScenePlayed",
    "SetupEvent",
    "StrikeDeclared",
    "StrikeResolved",
    "StrikeResult",
    "TableEvent",
    "TokensSpent",
    "TurnPassed",
    "WoundsHealed",
    "WoundsInflicted",
]
