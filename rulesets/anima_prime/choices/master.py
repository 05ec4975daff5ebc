"""What the GM can do now beyond acting for everybody: set up, move the conflict on, correct, rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from rulesets.anima_prime import conditions
from rulesets.anima_prime.sheet import Outcome
from rulesets.anima_prime.state import State, goals_of, seated
from rulesets.contract import Choice, Field

_TEXT = Field(name="text", kind="text")
_REASON = Field(name="reason", kind="text", required=True)


def course(state: State) -> Iterator[Choice]:
    """Starting, moving on and ending the conflict."""
    everybody = tuple(one.id for one in seated(state))
    if state.conflict.status != "running":
        first = Field(name="first", kind="one", required=True, options=("pcs", "adversity", "roll"))
        characters = Field(name="characters", kind="many", options=everybody)
        yield Choice(
            type="start_conflict",
            text="Start a conflict",
            fields=(first, Field(name="title", kind="text"), characters),
        )
    else:
        yield Choice(type="end_turn", text="End this side's turn")
        yield Choice(type="end_round", text="End the round")
        outcome = Field(name="outcome", kind="one", required=True, options=get_args(Outcome))
        yield Choice(type="end_conflict", text="End the conflict", fields=(outcome, _TEXT))
        waiting = tuple(
            one.id for one in seated(state) if one.status != "active" and one.wounds < one.max_wounds
        )
        if waiting:
            who = Field(name="character", kind="one", required=True, options=waiting)
            yield Choice(type="enter", text="Bring somebody into the conflict", fields=(who,))
    yield Choice(
        type="set_parameter", text="Agree on another reading", fields=(_text("name"), _text("value"), _REASON)
    )


def books(state: State) -> Iterator[Choice]:
    """Set-up, conditions, corrections and rulings: also while a roll waits."""
    everybody = tuple(one.id for one in seated(state))
    goals = tuple(goal.id for goal in goals_of(state))
    yield Choice(type="add_character", text="Add a character", fields=_new_character())
    yield Choice(
        type="add_goal", text="Add a goal", fields=(_text("id"), _text("name"), _number("difficulty", 1))
    )
    yield Choice(
        type="rule",
        text="Rule on something the rules leave open",
        fields=(_text("question"), _text("answer")),
    )
    if goals:
        status = Field(name="status", kind="one", options=("open", "achieved", "dropped", "unresolved"))
        yield Choice(type="set_goal", text="Change a goal", fields=(_one("goal", goals), status, _TEXT))
    if everybody:
        words = tuple(row.name for row in conditions.ROWS)
        yield Choice(
            type="apply_condition",
            text="Put a condition on somebody",
            fields=(
                _one("condition", words),
                Field(name="characters", kind="many", required=True, options=everybody),
            ),
        )
        yield Choice(
            type="adjust", text="Correct a number by hand", fields=(_one("character", everybody), _REASON)
        )
        yield Choice(type="edit_character", text="Change a sheet", fields=(_one("id", everybody),))
    yield from _bearing(state)
    yield from _hidden(state)
    yield from _offering(state)


def _bearing(state: State) -> Iterator[Choice]:
    bearing = tuple(one.id for one in seated(state) if one.conditions)
    if bearing:
        names = tuple(dict.fromkeys(borne.name for one in seated(state) for borne in one.conditions))
        characters = Field(name="characters", kind="many", required=True, options=bearing)
        yield Choice(
            type="remove_condition",
            text="Take a condition away",
            fields=(_one("condition", names), characters),
        )


def _hidden(state: State) -> Iterator[Choice]:
    people = tuple(one.id for one in seated(state) if one.secret)
    goals = tuple(goal.id for goal in goals_of(state) if goal.secret)
    if people:
        yield Choice(type="reveal", text="Reveal somebody hidden", fields=(_one("character", people),))
    if goals:
        yield Choice(type="reveal", text="Reveal a hidden goal", fields=(_one("goal", goals),))


def _offering(state: State) -> Iterator[Choice]:
    acting = tuple(one.id for one in seated(state) if one.side == "pcs" and one.status == "active")
    if state.conflict.status == "running" and acting:
        gift = Field(
            name="gift", kind="number", required=True, minimum=1, maximum=max(1, state.parameters.gift.gm_max)
        )
        giver = Field(name="giver", kind="one", required=True, options=("gm",))
        yield Choice(
            type="offer",
            text="Offer a gift die of the GM's",
            fields=(giver, _one("to", (*acting, "all")), gift, _TEXT),
        )


def _new_character() -> tuple[Field, ...]:
    return (
        _text("id"),
        Field(name="name", kind="text"),
        _one("side", ("pcs", "adversity")),
        _one("kind", ("pc", "individual", "squad", "swarm")),
        _number("action"),
        _number("defense"),
        _number("max_wounds", 1),
        Field(name="secret", kind="flag"),
    )


def _one(name: str, options: tuple[str, ...]) -> Field:
    return Field(name=name, kind="one", required=True, options=options)


def _text(name: str) -> Field:
    return Field(name=name, kind="text", required=True)


def _number(name: str, minimum: int = 0) -> Field:
    return Field(name=name, kind="number", required=True, minimum=minimum)
