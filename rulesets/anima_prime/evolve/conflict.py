"""The table after the facts of a conflict's course."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from rulesets.anima_prime.events import (
    CharacterEntered,
    CharacterReturned,
    CharacterSettled,
    CharacterWithdrew,
    ConflictEnded,
    ConflictEvent,
    ConflictStarted,
    FirstSideRolled,
    GoalLeftUnresolved,
    RoundEnded,
    ScenePlayed,
    TurnPassed,
)
from rulesets.anima_prime.evolve.pools import seat
from rulesets.anima_prime.sheet import Trait
from rulesets.anima_prime.state import Conflict, State


def after_course(state: State, event: ConflictEvent) -> State:  # noqa: C901, PLR0911 - a table of facts
    """The table after one more fact of the conflict's course."""
    match event:
        case TurnPassed(to=to):
            return replace(state, conflict=replace(state.conflict, turn=to))
        case RoundEnded():
            return _round_ended(state, event)
        case ConflictStarted():
            return _started(state, event)
        case FirstSideRolled(first=first):
            return replace(state, conflict=replace(state.conflict, first=first, turn=first))
        case CharacterEntered(character=who):
            entering = replace(state.characters[who], status="active", used=True, benefits=())
            return seat(state, entering)
        case CharacterReturned(character=who):
            return seat(state, replace(state.characters[who], status="active"))
        case CharacterWithdrew(character=who):
            return seat(state, replace(state.characters[who], status="withdrawn"))
        case ConflictEnded(outcome=outcome):
            conflict = replace(state.conflict, status="ended", turn=None, outcome=outcome)
            return replace(state, conflict=conflict, offers=(), announcements=())
        case GoalLeftUnresolved(goal=goal, status=status, text=text):
            left = replace(state.goals[goal], status=status, text=text or state.goals[goal].text)
            return replace(state, goals={**state.goals, goal: left})
        case CharacterSettled():
            return _settled(state, event)
        case ScenePlayed():
            return _scene_played(state, event)
        case _:
            assert_never(event)


def _round_ended(state: State, event: RoundEnded) -> State:
    """Everybody may act again, the side that began begins again, promises lapse."""
    conflict = state.conflict
    return replace(
        seat(state, *(replace(one, acted=False) for one in state.characters.values() if one.acted)),
        conflict=replace(
            conflict,
            round=conflict.round + 1,
            turn=conflict.first,
            group_competence=conflict.group_competence + event.raised,
            gift_given=False,
        ),
        offers=(),
        announcements=(),
    )


def _started(state: State, event: ConflictStarted) -> State:
    """A new conflict in round 1; those who take part enter one by one."""
    return replace(
        seat(state, *(replace(one, status="reserve", acted=False) for one in state.characters.values())),
        conflict=Conflict(
            number=event.number,
            title=event.title,
            status="running",
            round=1,
            turn=event.first,
            first=event.first,
            group_competence=event.group_competence,
        ),
        offers=(),
        announcements=(),
        settled=None,
    )


def _settled(state: State, event: CharacterSettled) -> State:
    one = state.characters[event.character]
    settled = replace(
        one,
        strike=one.strike - event.strike_lost,
        charge=one.charge - event.charge_lost,
        awesome_tokens=one.awesome_tokens - event.tokens_expired,
        conditions=tuple(condition for condition in one.conditions if condition.name not in event.conditions),
        defense_change=0,
        acted=False,
        status="reserve" if event.to_reserve else one.status,
    )
    return seat(state, settled)


def _scene_played(state: State, event: ScenePlayed) -> State:
    one = state.characters[event.character]
    played = replace(
        one,
        wounds=one.wounds - event.healed,
        action=one.action + event.filled,
        traits=tuple(
            Trait(name=trait.name, marked=True) if trait.name == event.trait else trait
            for trait in one.traits
        ),
        benefits=(*one.benefits, event.scene),
    )
    return seat(state, played)
