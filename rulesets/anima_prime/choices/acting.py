"""What a character can do now: actions within their limits, talk, and scenes between conflicts."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.costs import achievement_limit, strike_limit
from rulesets.anima_prime.parameters import Joins
from rulesets.anima_prime.powers import cost_of, powers_of
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import Character, State, active, bears, goals_of, seated
from rulesets.contract import Choice, Field

TEXT = Field(name="text", kind="text")
"""Words to go with an action."""


def deeds_of(state: State, one: Character) -> Iterator[Choice]:
    """6.3: the actions of somebody in the conflict, free ones included where tokens can pay."""
    ready = state.conflict.turn == one.side and not one.acted
    free = one.awesome_tokens >= state.parameters.token.costs.free
    if ready and one.action >= max(1, state.parameters.maneuver.action_dice.min):
        yield _maneuver(state, one)
    if ready or free:
        yield from _strike(state, one, ready=ready, free=free)
        yield from _achieve(state, one, ready=ready, free=free)
        yield from _use_power(state, one, ready=ready, free=free)
    yield _choice(one, "withdraw", "withdraws", TEXT)
    yield _choice(
        one, "announce", "announces an action", Field(name="kind", kind="text", required=True), TEXT
    )


def talk_of(state: State, one: Character) -> Iterator[Choice]:
    """Offers and tokens: also of those who have acted or are out."""
    others = tuple(other.id for other in seated(state) if other.side == one.side and other.id != one.id)
    if one.side == "pcs" and others and one.status != "reserve":
        yield _choice(one, "offer", "offers something to another's action", *_offer(one, others))
    if any(offer.giver == one.id for offer in state.offers):
        to = tuple(offer.to for offer in state.offers if offer.giver == one.id)
        yield _choice(one, "withdraw_offer", "takes an offer back", Field(name="to", kind="one", options=to))
    if one.awesome_tokens:
        tokens = Field(name="tokens", kind="number", required=True, minimum=1, maximum=one.awesome_tokens)
        yield _choice(one, "spend_token", "spends Awesome Tokens on something else", tokens, TEXT)


def scenes_of(one: Character) -> Iterator[Choice]:
    """The one benefit of a character scene, where there is something to gain."""
    unmarked = tuple(trait.name for trait in one.traits if not trait.marked)
    gains = ["heal"] * bool(one.wounds) + ["mark"] * bool(unmarked) + ["other"]
    gains += ["refill"] * (one.action_max is not None and one.action < one.action_max)
    benefit = Field(name="benefit", kind="one", required=True, options=tuple(gains))
    trait = Field(name="trait", kind="one", options=unmarked)
    yield _choice(
        one,
        "character_scene",
        "takes the benefit of a scene",
        benefit,
        trait,
        Field(name="scene", kind="text"),
        TEXT,
    )


def _choice(one: Character, kind: str, text: str, *fields: Field) -> Choice:
    return Choice(type=kind, text=f"{one.name} {text}", actor=one.id, by=(one.id, "gm"), fields=fields)


def _maneuver(state: State, one: Character) -> Choice:
    limits = state.parameters.maneuver.action_dice
    fields = [
        Field(
            name="action_dice",
            kind="number",
            required=True,
            minimum=limits.min,
            maximum=min(limits.max, one.action),
        ),
        _powers(state, one, "maneuver"),
        Field(name="target", kind="one", options=_opponents(state, one)),
    ]
    friends = [
        other for other in seated(state) if other.side == one.side and other.id != one.id and other.action
    ]
    if one.side == "pcs" or state.parameters.adversity.combine:
        helpers = tuple(other.id for other in friends if other.status == "active" and not other.acted)
        fields.append(Field(name="helpers", kind="many", options=helpers))
    if one.side == "pcs" or state.parameters.adversity.gifts:
        givers = tuple(other.id for other in friends if other.status != "reserve")
        fields.append(Field(name="gifts", kind="many", options=(*givers, "gm")))
    return _choice(one, "maneuver", "maneuvers", *fields, TEXT)


def _strike(state: State, one: Character, *, ready: bool, free: bool) -> Iterator[Choice]:
    targets, least = _opponents(state, one), state.parameters.strike.min_strike_dice
    if targets and one.strike >= max(1, least):
        dice = Field(
            name="strike_dice",
            kind="number",
            required=True,
            minimum=least,
            maximum=min(one.strike, strike_limit(state, one)),
        )
        many = Field(name="targets", kind="many", required=True, minimum=1, maximum=2, options=targets)
        yield _choice(
            one,
            "strike",
            "strikes",
            many,
            dice,
            _powers(state, one, "strike"),
            *_free(ready=ready, free=free),
            TEXT,
        )


def _achieve(state: State, one: Character, *, ready: bool, free: bool) -> Iterator[Choice]:
    goals = tuple(
        goal.id
        for goal in goals_of(state)
        if goal.status == "open" and goal.side in ("any", one.side) and one.id not in goal.achievers
    )
    helpers = sum(
        other.strike > 0 and not other.acted for other in active(state, one.side) if other.id != one.id
    )
    if goals and (one.strike or helpers):
        most = achievement_limit(state, one, 1 + helpers)
        dice = Field(name="strike_dice", kind="number", required=True, minimum=0, maximum=most)
        goal = Field(name="goal", kind="one", required=True, options=goals)
        yield _choice(
            one,
            "achieve",
            "tries for a goal",
            goal,
            dice,
            _powers(state, one, "achieve"),
            *_free(ready=ready, free=free),
            TEXT,
        )


def _use_power(state: State, one: Character, *, ready: bool, free: bool) -> Iterator[Choice]:
    dearer = sum(condition.power_cost for condition in bears(one))
    usable = tuple(
        power.id
        for power in powers_of(state.parameters, one)
        if power.kind == "action" and cost_of(dearer, power) <= one.charge
    )
    if usable:
        power = Field(name="power", kind="one", required=True, options=usable)
        everybody = tuple(other.id for other in seated(state) if other.status != "reserve")
        targets = Field(name="targets", kind="many", options=everybody)
        yield _choice(
            one, "use_power", "uses an action power", power, targets, *_free(ready=ready, free=free), TEXT
        )


def _free(*, ready: bool, free: bool) -> tuple[Field, ...]:
    """Whether the action may, or must, be paid with tokens."""
    return (Field(name="free", kind="flag", required=not ready),) if free else ()


def _powers(state: State, one: Character, joins: Joins) -> Field:
    dearer = sum(condition.power_cost for condition in bears(one))
    fitting = tuple(
        power.id
        for power in powers_of(state.parameters, one)
        if joins in power.joins and power.kind != "passive" and cost_of(dearer, power) <= one.charge
    )
    return Field(name="powers", kind="many", options=fitting)


def _opponents(state: State, one: Character) -> tuple[str, ...]:
    other: Side = "adversity" if one.side == "pcs" else "pcs"
    return tuple(opponent.id for opponent in active(state, other))


def _offer(one: Character, others: tuple[str, ...]) -> tuple[Field, ...]:
    return (
        Field(name="to", kind="one", required=True, options=(*others, "all")),
        Field(name="gift", kind="number", minimum=0, maximum=min(1, one.action)),
        Field(name="help_dice", kind="number", minimum=0, maximum=one.action),
        Field(name="strike_dice", kind="number", minimum=0, maximum=one.strike),
        Field(name="tokens", kind="number", minimum=0, maximum=one.awesome_tokens),
        TEXT,
    )
