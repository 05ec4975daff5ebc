"""The table as somebody may see it, with the numbers people read: defense as it stands, pools of each side."""

from __future__ import annotations

from rulesets.anima_prime.hidden import seen
from rulesets.anima_prime.questions import questions
from rulesets.anima_prime.reckoning import (
    achieves,
    circles_marked,
    comes_back,
    defense_against,
    earned_by,
    gain_of,
    must_keep,
    successes_against,
    wounds_of,
)
from rulesets.anima_prime.state import (
    Character,
    Conflict,
    Goal,
    OpenRoll,
    State,
    active,
    competence_of,
    defense_of,
    goals_of,
    seated,
)
from rulesets.anima_prime.view.shapes import (
    CharacterView,
    ConflictView,
    GoalView,
    IfSettled,
    OpenRollView,
    Pools,
    Successes,
    Table,
)
from rulesets.people import Viewer

__all__ = ["Table", "view"]


def view(state: State, viewer: Viewer) -> Table:
    """The table as this person may see it; what is hidden from them does not exist."""
    shown = seen(state, viewer)
    roll = shown.open_roll
    return Table(
        conflict=_conflict(shown, shown.conflict),
        characters={one.id: _character(shown, one) for one in seated(shown)},
        goals={goal.id: _goal(goal) for goal in goals_of(shown)},
        offers=shown.offers,
        announcements=shown.announcements,
        open=questions(shown),
        open_roll=None if roll is None else _roll(shown, roll),
        parameters=shown.parameters,
    )


def _conflict(state: State, conflict: Conflict) -> ConflictView:
    return ConflictView(
        number=conflict.number,
        title=conflict.title,
        status=conflict.status,
        round=conflict.round,
        turn=conflict.turn,
        first=conflict.first,
        group_competence=conflict.group_competence,
        gift_given=conflict.gift_given,
        outcome=conflict.outcome,
        pools={"pcs": _pools(active(state, "pcs")), "adversity": _pools(active(state, "adversity"))},
    )


def _pools(side: tuple[Character, ...]) -> Pools:
    return Pools(
        action=sum(one.action for one in side),
        strike=sum(one.strike for one in side),
        charge=sum(one.charge for one in side),
        awesome_tokens=sum(one.awesome_tokens for one in side),
    )


def _character(state: State, one: Character) -> CharacterView:
    return CharacterView(
        name=one.name,
        side=one.side,
        kind=one.kind,
        action=one.action,
        action_max=one.action_max,
        strike=one.strike,
        charge=one.charge,
        charge_max=one.charge_max,
        defense=defense_of(state, one),
        base_defense=one.defense,
        wounds=one.wounds,
        max_wounds=one.max_wounds,
        status=one.status,
        acted=one.acted,
        awesome_tokens=one.awesome_tokens,
        competence=competence_of(state, one),
        traits=one.traits,
        powers=one.powers,
        conditions=one.conditions,
        player=one.player,
        secret=one.secret,
    )


def _goal(goal: Goal) -> GoalView:
    return GoalView(
        name=goal.name,
        difficulty=goal.difficulty,
        status=goal.status,
        achieved_by=goal.achieved_by,
        achievers=goal.achievers,
        effects=goal.effects,
        participation=goal.participation,
        scope=goal.scope,
        side=goal.side,
        after=goal.after,
        text=goal.text,
        secret=goal.secret,
    )


def _roll(state: State, roll: OpenRoll) -> OpenRollView:
    earned = earned_by(state.parameters, roll.dice)
    return OpenRollView(
        kind=roll.kind,
        actor=roll.actor,
        dice=roll.dice,
        successes=Successes(strike=earned.strike, charge=earned.charge),
        may_reroll=roll.asks == "reroll",
        must_keep=must_keep(state.parameters, roll),
        earn_limit=roll.earn_limit,
        targets=roll.targets,
        goal=roll.goal,
        if_settled=_if_settled(state, roll),
    )


def _if_settled(state: State, roll: OpenRoll) -> IfSettled:
    returns = tuple(one for one in comes_back(state, roll) if one.dice)
    if roll.kind == "maneuver":
        gain = gain_of(state, roll)
        return IfSettled(strike=gain.strike, charge=gain.charge, token=gain.token, returns=returns)
    if roll.kind == "achieve":
        return IfSettled(achieved=achieves(state, roll), returns=returns)
    return IfSettled(
        wounds={target: _wounds(state, roll, target) for target in roll.targets}, returns=returns
    )


def _wounds(state: State, roll: OpenRoll, target: str) -> int:
    struck = state.characters[target]
    successes = successes_against(state.parameters, roll, target)
    defense = defense_against(state, state.characters[roll.actor], struck)
    return circles_marked(struck, wounds_of(state.parameters, successes, defense))
