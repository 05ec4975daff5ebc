"""What the GM can do now beyond acting for everybody: set up, move the conflict on, correct, rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from rulesets.anima_prime import conditions
from rulesets.anima_prime.choices.company import Company
from rulesets.anima_prime.choices.forms import TEXT, Ids, remembered
from rulesets.anima_prime.sheet import Outcome
from rulesets.anima_prime.state import goals_of
from rulesets.contract import Choice, Field


def _one(name: str, options: Ids, *, required: bool = True) -> Field:
    return Field(name=name, kind="one", required=required, options=options)


def _many(name: str, options: Ids, *, required: bool = True) -> Field:
    return Field(name=name, kind="many", required=required, options=options)


def _text(name: str) -> Field:
    return Field(name=name, kind="text", required=True)


def _number(name: str, minimum: int = 0) -> Field:
    return Field(name=name, kind="number", required=True, minimum=minimum)


# --- what never changes -------------------------------------------------------------------------------------

_REASON = _text("reason")
_SET_PARAMETER = Choice(
    type="set_parameter", text="Agree on another reading", fields=(_text("name"), _text("value"), _REASON)
)
_MOVING_ON = (
    Choice(type="end_turn", text="End this side's turn"),
    Choice(type="end_round", text="End the round"),
    Choice(type="end_conflict", text="End the conflict", fields=(_one("outcome", get_args(Outcome)), TEXT)),
)
_SETTING_UP = (
    Choice(
        type="add_character",
        text="Add a character",
        fields=(
            _text("id"),
            Field(name="name", kind="text"),
            _one("side", ("pcs", "adversity")),
            _one("kind", ("pc", "individual", "squad", "swarm")),
            _number("action"),
            _number("defense"),
            _number("max_wounds", 1),
            Field(name="secret", kind="flag"),
        ),
    ),
    Choice(type="add_goal", text="Add a goal", fields=(_text("id"), _text("name"), _number("difficulty", 1))),
    Choice(
        type="rule",
        text="Rule on something the rules leave open",
        fields=(_text("question"), _text("answer")),
    ),
)

# --- what depends on who is there ---------------------------------------------------------------------------


def course(company: Company) -> Iterator[Choice]:
    """Starting, moving on and ending the conflict."""
    if company.state.conflict.status != "running":
        yield _start(tuple([one.id for one in company.people]))
    else:
        yield from _MOVING_ON
        waiting = tuple(
            [one.id for one in company.people if one.status != "active" and one.wounds < one.max_wounds]
        )
        if waiting:
            yield _enter(waiting)
    yield _SET_PARAMETER


def books(company: Company) -> Iterator[Choice]:
    """Set-up, conditions, corrections and rulings: also while a roll waits."""
    yield from _SETTING_UP
    if company.state.goals:
        yield _set_goal(tuple([goal.id for goal in goals_of(company.state)]))
    if company.people:
        yield from _of_everybody(tuple([one.id for one in company.people]))
    yield from _bearing(company)
    yield from _hidden(company)
    yield from _offering(company)


def _bearing(company: Company) -> Iterator[Choice]:
    bearing = tuple([one.id for one in company.people if one.conditions])
    if bearing:
        names = dict.fromkeys(borne.name for one in company.people for borne in one.conditions)
        yield Choice(
            type="remove_condition",
            text="Take a condition away",
            fields=(_one("condition", tuple(names)), _many("characters", bearing)),
        )


def _hidden(company: Company) -> Iterator[Choice]:
    people = tuple([one.id for one in company.people if one.secret])
    if people:
        yield Choice(type="reveal", text="Reveal somebody hidden", fields=(_one("character", people),))
    if not company.state.goals:
        return
    if goals := tuple([goal.id for goal in goals_of(company.state) if goal.secret]):
        yield Choice(type="reveal", text="Reveal a hidden goal", fields=(_one("goal", goals),))


def _offering(company: Company) -> Iterator[Choice]:
    if company.state.conflict.status == "running" and (acting := company.active("pcs")):
        yield _gift(acting, max(1, company.state.parameters.gift.gm_max))


@remembered
def _start(everybody: Ids) -> Choice:
    first = _one("first", ("pcs", "adversity", "roll"))
    title = Field(name="title", kind="text")
    characters = _many("characters", everybody, required=False)
    return Choice(type="start_conflict", text="Start a conflict", fields=(first, title, characters))


@remembered
def _enter(waiting: Ids) -> Choice:
    return Choice(type="enter", text="Bring somebody into the conflict", fields=(_one("character", waiting),))


@remembered
def _set_goal(goals: Ids) -> Choice:
    status = _one("status", ("open", "achieved", "dropped", "unresolved"), required=False)
    return Choice(type="set_goal", text="Change a goal", fields=(_one("goal", goals), status, TEXT))


@remembered
def _of_everybody(everybody: Ids) -> tuple[Choice, ...]:
    """A condition, a correction, another sheet: for anybody there is."""
    words = tuple(row.name for row in conditions.ROWS)
    return (
        Choice(
            type="apply_condition",
            text="Put a condition on somebody",
            fields=(_one("condition", words), _many("characters", everybody)),
        ),
        Choice(
            type="adjust", text="Correct a number by hand", fields=(_one("character", everybody), _REASON)
        ),
        Choice(type="edit_character", text="Change a sheet", fields=(_one("id", everybody),)),
    )


@remembered
def _gift(acting: Ids, most: int) -> Choice:
    gift = Field(name="gift", kind="number", required=True, minimum=1, maximum=most)
    return Choice(
        type="offer",
        text="Offer a gift die of the GM's",
        fields=(_one("giver", ("gm",)), _one("to", (*acting, "all")), gift, TEXT),
    )
