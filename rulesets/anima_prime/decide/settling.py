"""What a roll brings when it is taken as it lies: dice earned, wounds, a goal, or dice that come back (6.4 to 6.6)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.decide.achieving import achieved
from rulesets.anima_prime.events import (
    AchievementResolved,
    CharacterDefeated,
    DiceReturned,
    Event,
    ManeuverEarned,
    ManeuverFailed,
    StrikeResolved,
    StrikeResult,
    WoundsInflicted,
)
from rulesets.anima_prime.reckoning import (
    Earned,
    achieves,
    circles_marked,
    comes_back,
    defense_against,
    earned_by,
    gain_of,
    successes_against,
    successes_among,
    wounds_of,
)
from rulesets.anima_prime.state import Character, OpenRoll, State


def settled(state: State, keep: Earned | None = None, *, by_itself: bool = False) -> list[Event]:
    """The facts that end the open roll. `keep` says which dice of a maneuver are kept."""
    roll = state.open_roll
    if roll is None:
        return []
    match roll.kind:
        case "maneuver":
            events = _maneuver(state, roll, keep, by_itself=by_itself)
        case "strike":
            events = _strike(state, roll, by_itself=by_itself)
        case "achieve":
            events = _achievement(state, roll, by_itself=by_itself)
    back = (
        DiceReturned(character=one.character, pool=one.pool, dice=one.dice)
        for one in comes_back(state, roll)
        if one.dice
    )
    return [*events, *back]


def wounded(one: Character, wounds: int) -> Iterator[Event]:
    """Wound circles marked, and defeat with the last one (6.3)."""
    if wounds:
        yield WoundsInflicted(character=one.id, wounds=wounds)
    if wounds and one.wounds + wounds >= one.max_wounds and one.status == "active":
        yield CharacterDefeated(character=one.id)


def _maneuver(state: State, roll: OpenRoll, keep: Earned | None, *, by_itself: bool) -> list[Event]:
    """6.4: strike and charge dice up to the limit, and a token for five; or a total failure."""
    earned = earned_by(state.parameters, roll.dice)
    if not earned.total:
        return [ManeuverFailed(actor=roll.actor, by_itself=by_itself)]
    gain = gain_of(state, roll, keep, earned)
    return [
        ManeuverEarned(
            actor=roll.actor,
            strike=gain.strike,
            charge=gain.charge,
            tokens=int(gain.token),
            discarded=earned.total - gain.strike - gain.charge,
            by_itself=by_itself,
        )
    ]


def _strike(state: State, roll: OpenRoll, *, by_itself: bool) -> list[Event]:
    """6.5: each target on its own; the wounds a target has no circle for are noted as surplus."""
    results = tuple(_against(state, roll, target) for target in roll.targets)
    harm = [event for result in results for event in wounded(state.characters[result.target], result.wounds)]
    return [StrikeResolved(actor=roll.actor, results=results, by_itself=by_itself), *harm]


def _against(state: State, roll: OpenRoll, target: str) -> StrikeResult:
    struck = state.characters[target]
    successes = successes_against(state.parameters, roll, target)
    defense = defense_against(state, state.characters[roll.actor], struck)
    wounds = wounds_of(state.parameters, successes, defense)
    marked = circles_marked(struck, wounds)
    return StrikeResult(
        target=target, successes=successes, defense=defense, wounds=marked, surplus=wounds - marked
    )


def _achievement(state: State, roll: OpenRoll, *, by_itself: bool) -> list[Event]:
    """6.6: with enough successes the goal is achieved at once."""
    goal = state.goals[roll.goal or ""]
    success = achieves(state, roll)
    resolved = AchievementResolved(
        actor=roll.actor,
        goal=goal.id,
        successes=successes_among(state.parameters, roll.dice),
        difficulty=goal.difficulty,
        achieved=success,
        by_itself=by_itself,
    )
    return [resolved, *(achieved(state, goal, roll.actor) if success else ())]
