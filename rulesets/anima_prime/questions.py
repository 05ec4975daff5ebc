"""What a roll leaves open: whether to reroll, and which dice to keep (6.4).

The actor is asked, whoever plays them: for opponents that is the GM.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesets.anima_prime.hidden import audience
from rulesets.anima_prime.reckoning import Earned, earned_by, failed_places, must_keep, recommended_keep
from rulesets.anima_prime.state import OpenRoll, State
from rulesets.contract import Option, Question

SETTLE: dict[str, Any] = {"type": "settle"}
"""The answer that takes a roll as it fell."""


def questions(state: State) -> tuple[Question, ...]:
    """The question of the open roll, if it waits for one; that of a hidden roll is as hidden."""
    roll = state.open_roll
    if roll is None or roll.asks is None:
        return ()
    question = _reroll(state, roll) if roll.asks == "reroll" else _keep(state, roll)
    return (replace(question, audience=audience(state, roll)),)


def legal_keeps(state: State, roll: OpenRoll) -> tuple[Earned, ...]:
    """6.4: every way to keep exactly as many dice as the limit allows, most strike dice first."""
    earned, limit = earned_by(state.parameters, roll.dice), roll.earn_limit
    most = min(earned.strike, limit)
    return tuple(
        Earned(strike, limit - strike) for strike in range(most, -1, -1) if limit - strike <= earned.charge
    )


def _reroll(state: State, roll: OpenRoll) -> Question:
    actor = state.characters[roll.actor]
    failed = len(failed_places(state.parameters, roll))
    marked = tuple(trait.name for trait in actor.traits if trait.marked)
    after = " and then choose which dice to keep" if must_keep(state.parameters, roll) else ""
    dice = "1 failed die" if failed == 1 else f"{failed} failed dice"
    return Question(
        id=f"reroll-{roll.number}-{roll.rerolls}",
        kind="reroll",
        asks=(actor.id,),
        text=f"{actor.name}: unmark a trait to reroll {dice}, or let the roll stand{after}?",
        options=(
            *(
                Option(command={"type": "reroll", "trait": name}, text=f"Reroll {dice} with {name}")
                for name in marked
            ),
            Option(command=SETTLE, text="Let the roll stand"),
        ),
        default=SETTLE,
    )


def _keep(state: State, roll: OpenRoll) -> Question:
    actor = state.characters[roll.actor]
    earned = earned_by(state.parameters, roll.dice)
    best = recommended_keep(earned, roll.earn_limit)
    return Question(
        id=f"keep-{roll.number}-{roll.rerolls}",
        kind="keep",
        asks=(actor.id,),
        text=f"{actor.name} earned {earned.strike} strike and {earned.charge} charge: which {roll.earn_limit} to keep?",
        options=tuple(
            Option(command=_kept(keep), text=f"Keep {keep.strike} strike and {keep.charge} charge")
            for keep in legal_keeps(state, roll)
        ),
        default=_kept(best),
    )


def _kept(keep: Earned) -> dict[str, Any]:
    return {"type": "keep", "strike": keep.strike, "charge": keep.charge}
