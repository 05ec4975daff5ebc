"""What a character can do now: actions within their limits, talk, and scenes between conflicts."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.choices import forms
from rulesets.anima_prime.choices.company import Company
from rulesets.anima_prime.choices.forms import Pays
from rulesets.anima_prime.costs import achievement_limit, strike_limit
from rulesets.anima_prime.parameters import Joins
from rulesets.anima_prime.powers import cost_of, powers_of
from rulesets.anima_prime.state import Character, State, bears, goals_of
from rulesets.contract import Choice


def deeds_of(company: Company, one: Character) -> Iterator[Choice]:
    """6.3: the actions of somebody in the conflict, free ones included where their own tokens can pay.

    What others would put in is listed for whoever may name it: players find what was promised.
    """
    state = company.state
    ready = state.conflict.turn == one.side and not one.acted
    free = one.awesome_tokens >= state.parameters.token.costs.free
    if ready and one.action >= max(1, state.parameters.maneuver.action_dice.min):
        yield _maneuver_of(company, one)
    if ready or free:
        pays: Pays = "cannot" if not free else "may" if ready else "must"
        yield from _strike_of(company, one, pays)
        if state.goals:
            yield from _achieve_of(company, one, pays)
        if one.powers:
            yield from _use_power_of(company, one, pays)
    yield from forms.at_any_time(one.id, one.name)


def talk_of(company: Company, one: Character, *, waits: bool) -> Iterator[Choice]:
    """Offers, and tokens unless a roll waits: also of those who have acted or are out."""
    if one.side == "pcs" and one.status != "reserve":
        party = company.everybody("pcs")
        parts = _parts_of(company.state, one)
        if len(party) > 1 and any(parts):
            yield forms.offer(one.id, one.name, party, parts)
    offers = company.state.offers
    if offers and (promised := tuple([offer.to for offer in offers if offer.giver == one.id])):
        yield forms.withdraw_offer(one.id, one.name, promised)
    if one.awesome_tokens and not waits:
        yield forms.spend_token(one.id, one.name, one.awesome_tokens)


def scenes_of(one: Character) -> Iterator[Choice]:
    """The one benefit of a character scene, where there is something to gain."""
    unmarked = tuple(trait.name for trait in one.traits if not trait.marked)
    heals = one.wounds > 0 and not any(condition.no_healing for condition in one.conditions)
    gains = ["heal"] * heals + ["mark"] * bool(unmarked) + ["other"]
    gains += ["refill"] * (one.action_max is not None and one.action < one.action_max)
    yield forms.scene(one.id, one.name, tuple(gains), unmarked)


def _maneuver_of(company: Company, one: Character) -> Choice:
    limits = company.state.parameters.maneuver.action_dice
    party = company.party(one.side)
    return forms.maneuver(
        one.id,
        one.name,
        (limits.min, min(limits.max, one.action)),
        _powers_of(company.state, one, "maneuver"),
        company.opponents_of(one),
        company.lent_to(one, "help_dice", party.helping),
        company.lent_to(one, "gift", party.giving),
    )


def _strike_of(company: Company, one: Character, pays: Pays) -> Iterator[Choice]:
    state, targets = company.state, company.opponents_of(one)
    least, costs = state.parameters.strike.min_strike_dice, state.parameters.token.costs
    if targets and one.strike >= max(1, least):
        several = one.awesome_tokens >= (costs.both if pays == "must" else costs.double)
        dice = least, min(one.strike, strike_limit(state, one))
        powers = _powers_of(state, one, "strike")
        yield forms.strike(one.id, one.name, targets, 2 if several else 1, dice, powers, pays)


def _achieve_of(company: Company, one: Character, pays: Pays) -> Iterator[Choice]:
    """6.6: the number is that of all strike dice together; the options of its field say whose they can be."""
    state = company.state
    goals = tuple(
        [
            goal.id
            for goal in goals_of(state)
            if goal.status == "open" and goal.side in ("any", one.side) and one.id not in goal.achievers
        ]
    )
    if not goals:
        return
    joining = company.lent_to(one, "strike_dice", company.party(one.side).joining)
    joining = (one.id, *[who for who in joining if who != one.id])
    there = sum([state.characters[who].strike for who in joining])
    least = max(1, state.parameters.achievement.min_strike_dice)
    if there >= least:
        dice = least, min(there, achievement_limit(state, one, len(joining)))
        yield forms.achieve(one.id, one.name, goals, dice, joining, _powers_of(state, one, "achieve"), pays)


def _use_power_of(company: Company, one: Character, pays: Pays) -> Iterator[Choice]:
    dearer = sum(condition.power_cost for condition in bears(one))
    usable = tuple(
        power.id
        for power in powers_of(company.state.parameters, one)
        if power.kind == "action" and cost_of(dearer, power) <= one.charge
    )
    if usable:
        targets = tuple(other.id for other in company.people if other.status != "reserve")
        yield forms.use_power(one.id, one.name, usable, targets, pays)


def _powers_of(state: State, one: Character, joins: Joins) -> tuple[str, ...]:
    """The powers that can be paid and fit a kind of action."""
    if not one.powers:
        return ()
    dearer = sum(condition.power_cost for condition in bears(one))
    return tuple(
        power.id
        for power in powers_of(state.parameters, one)
        if joins in power.joins and power.kind != "passive" and cost_of(dearer, power) <= one.charge
    )


def _parts_of(state: State, one: Character) -> tuple[int, int, int, int]:
    """What they have to offer: gifts, help, strike dice, tokens; at least one part must be said."""
    return (
        min(state.parameters.gift.max_per_giver, one.action),
        0 if one.acted else min(state.parameters.maneuver.action_dice.max, one.action),
        0 if one.acted else one.strike,
        one.awesome_tokens,
    )
