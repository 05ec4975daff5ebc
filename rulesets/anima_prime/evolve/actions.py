"""The table after the facts of maneuvers, strikes, achievements and powers."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from rulesets.anima_prime.events import (
    AchievementDeclared,
    AchievementResolved,
    ActionEvent,
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
    ManeuverDeclared,
    ManeuverEarned,
    ManeuverFailed,
    PowerUsed,
    RerollDeclined,
    StrikeDeclared,
    StrikeResolved,
    TokensSpent,
    WoundsHealed,
    WoundsInflicted,
)
from rulesets.anima_prime.evolve import rolling
from rulesets.anima_prime.evolve.pools import move, seat, used_up
from rulesets.anima_prime.sheet import GoalStatus
from rulesets.anima_prime.state import State


def after_action(state: State, event: ActionEvent) -> State:  # noqa: C901, PLR0911, PLR0912 - a table of facts, frequent ones first
    """The table after one more fact of an action."""
    match event:
        case DiceRolled():
            return rolling.dice_rolled(state, event)
        case ManeuverDeclared():
            return rolling.maneuver_declared(state, event)
        case ManeuverEarned():
            return _earned(rolling.roll_closed(state, by_itself=event.by_itself), event)
        case GiftGiven():
            return rolling.gift_given(state, event)
        case (
            DiceReturned(character=who, pool=pool, dice=dice)
            | DiceGained(character=who, pool=pool, dice=dice)
        ):
            return move(state, who, pool, dice)
        case StrikeDeclared():
            return rolling.strike_declared(state, event)
        case StrikeResolved() | ManeuverFailed():
            return rolling.roll_closed(state, by_itself=event.by_itself)
        case WoundsInflicted(character=who, wounds=wounds):
            return move(state, who, "wounds", wounds)
        case ChargePaid(character=who, charge=charge):
            return move(state, who, "charge", -charge)
        case DiceRerolled():
            return rolling.dice_rerolled(state, event)
        case RerollDeclined():
            return rolling.reroll_declined(state, event)
        case TokensSpent():
            return _tokens_spent(state, event)
        case AchievementDeclared():
            return rolling.achievement_declared(state, event)
        case AchievementResolved():
            return _achievement_resolved(rolling.roll_closed(state, by_itself=event.by_itself), event)
        case CharacterDefeated(character=who):
            return seat(state, replace(state.characters[who], status="defeated"))
        case GoalAchieved(goal=goal):
            return _goal(state, goal, "achieved")
        case GoalUnlocked(goal=goal):
            return _goal(state, goal, "open")
        case DefenseChanged(character=who, change=change):
            character = state.characters[who]
            return seat(state, replace(character, defense_change=character.defense_change + change))
        case PowerUsed():
            return rolling.power_used(state, event)
        case WoundsHealed(character=who, wounds=wounds):
            return move(state, who, "wounds", -wounds)
        case DiceLost(character=who, pool=pool, dice=dice):
            return move(state, who, pool, -dice)
        case _:
            assert_never(event)


def _earned(state: State, event: ManeuverEarned) -> State:
    actor = state.characters[event.actor]
    return seat(
        state,
        replace(
            actor,
            strike=actor.strike + event.strike,
            charge=actor.charge + event.charge,
            awesome_tokens=actor.awesome_tokens + event.tokens,
        ),
    )


def _tokens_spent(state: State, event: TokensSpent) -> State:
    state = move(state, event.character, "awesome_tokens", -event.tokens)
    if event.beneficiary is None or not state.offers:
        return state
    return replace(
        state, offers=used_up(state.offers, event.beneficiary, ((event.character, "tokens", event.tokens),))
    )


def _achievement_resolved(state: State, event: AchievementResolved) -> State:
    if not event.achieved:
        return state
    goal = state.goals[event.goal]
    goal = replace(
        goal, achieved_by=goal.achieved_by or event.actor, achievers=(*goal.achievers, event.actor)
    )
    return replace(state, goals={**state.goals, goal.id: goal})


def _goal(state: State, goal: str, status: GoalStatus) -> State:
    return replace(state, goals={**state.goals, goal: replace(state.goals[goal], status=status)})
