"""What a character can do now: actions within their limits, talk, and scenes between conflicts."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.choices.lending import givers_to, helpers_of, joiners_of
from rulesets.anima_prime.costs import achievement_limit, strike_limit
from rulesets.anima_prime.parameters import Joins
from rulesets.anima_prime.powers import cost_of, powers_of
from rulesets.anima_prime.sheet import Side
from rulesets.anima_prime.state import Character, State, active, bears, goals_of, seated
from rulesets.contract import Choice, Field, Viewer

TEXT = Field(name="text", kind="text")
"""Words to go with an action."""

_SAID = Field(name="text", kind="text", required=True)


def deeds_of(state: State, one: Character, viewer: Viewer) -> Iterator[Choice]:
    """6.3: the actions of somebody in the conflict, free ones included where their own tokens can pay.

    What others would put in is listed for whoever may name it: players find what was promised.
    """
    ready = state.conflict.turn == one.side and not one.acted
    free = one.awesome_tokens >= state.parameters.token.costs.free
    if ready and one.action >= max(1, state.parameters.maneuver.action_dice.min):
        yield _maneuver(state, one, viewer)
    if ready or free:
        yield from _strike(state, one, ready=ready, free=free)
        yield from _achieve(state, one, viewer, ready=ready, free=free)
        yield from _use_power(state, one, ready=ready, free=free)
    yield _choice(one, "withdraw", "withdraws", TEXT)
    yield _choice(
        one, "announce", "announces an action", Field(name="kind", kind="text", required=True), TEXT
    )


def talk_of(state: State, one: Character) -> Iterator[Choice]:
    """Offers and tokens: also of those who have acted or are out."""
    others = tuple(other.id for other in seated(state) if other.side == one.side and other.id != one.id)
    parts = _offer(state, one)
    if one.side == "pcs" and others and one.status != "reserve" and parts:
        to = Field(name="to", kind="one", required=True, options=(*others, "all"))
        yield _choice(one, "offer", "offers something to another's action", to, *parts, TEXT)
    if any(offer.giver == one.id for offer in state.offers):
        promised = tuple(offer.to for offer in state.offers if offer.giver == one.id)
        to = Field(name="to", kind="one", options=promised)
        yield _choice(one, "withdraw_offer", "takes an offer back", to)
    if one.awesome_tokens:
        tokens = Field(name="tokens", kind="number", required=True, minimum=1, maximum=one.awesome_tokens)
        yield _choice(one, "spend_token", "spends Awesome Tokens on something else", tokens, _SAID)


def scenes_of(one: Character) -> Iterator[Choice]:
    """The one benefit of a character scene, where there is something to gain."""
    unmarked = tuple(trait.name for trait in one.traits if not trait.marked)
    heals = one.wounds > 0 and not any(condition.no_healing for condition in one.conditions)
    gains = ["heal"] * heals + ["mark"] * bool(unmarked) + ["other"]
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


def _maneuver(state: State, one: Character, viewer: Viewer) -> Choice:
    limits = state.parameters.maneuver.action_dice
    dice = Field(
        name="action_dice",
        kind="number",
        required=True,
        minimum=limits.min,
        maximum=min(limits.max, one.action),
    )
    fields = [
        dice,
        _powers(state, one, "maneuver"),
        Field(name="target", kind="one", options=_opponents(state, one)),
    ]
    for name, who in (("helpers", helpers_of(state, one, viewer)), ("gifts", givers_to(state, one, viewer))):
        if who:
            fields.append(Field(name=name, kind="many", options=who))
    return _choice(one, "maneuver", "maneuvers", *fields, TEXT)


def _strike(state: State, one: Character, *, ready: bool, free: bool) -> Iterator[Choice]:
    targets, least = _opponents(state, one), state.parameters.strike.min_strike_dice
    costs = state.parameters.token.costs
    most = 2 if one.awesome_tokens >= (costs.double if ready else costs.both) else 1
    if targets and one.strike >= max(1, least):
        dice = Field(
            name="strike_dice",
            kind="number",
            required=True,
            minimum=least,
            maximum=min(one.strike, strike_limit(state, one)),
        )
        many = Field(name="targets", kind="many", required=True, minimum=1, maximum=most, options=targets)
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


def _achieve(state: State, one: Character, viewer: Viewer, *, ready: bool, free: bool) -> Iterator[Choice]:
    """6.6: the number is that of all strike dice together; the options of its field say whose they can be."""
    goals = tuple(
        goal.id
        for goal in goals_of(state)
        if goal.status == "open" and goal.side in ("any", one.side) and one.id not in goal.achievers
    )
    joining = (one.id, *joiners_of(state, one, viewer))
    there = sum(state.characters[who].strike for who in joining)
    least = max(1, state.parameters.achievement.min_strike_dice)
    if goals and there >= least:
        most = min(there, achievement_limit(state, one, len(joining)))
        dice = Field(
            name="strike_dice", kind="number", required=True, minimum=least, maximum=most, options=joining
        )
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


def _offer(state: State, one: Character) -> tuple[Field, ...]:
    """What they have to offer; at least one part must be said."""
    parts = {
        "gift": min(state.parameters.gift.max_per_giver, one.action),
        "help_dice": 0 if one.acted else min(state.parameters.maneuver.action_dice.max, one.action),
        "strike_dice": 0 if one.acted else one.strike,
        "tokens": one.awesome_tokens,
    }
    return tuple(
        Field(name=name, kind="number", minimum=1, maximum=most) for name, most in parts.items() if most
    )
