"""6.4 Maneuvers, 6.5 Strikes, 6.6 Achievements, and the answers to what their rolls leave open."""

from __future__ import annotations

from rulesets.anima_prime.commands import Achieve, Keep, Maneuver, Reroll, SpendToken, Strike
from rulesets.anima_prime.costs import earn_limit, named_powers
from rulesets.anima_prime.decide.rolling import left_open_or_settled, paid, thrown
from rulesets.anima_prime.decide.settling import settled
from rulesets.anima_prime.events import (
    AchievementDeclared,
    DiceRerolled,
    Event,
    GiftGiven,
    HelpGiven,
    ManeuverDeclared,
    RerollDeclined,
    StrikeDeclared,
    TokensSpent,
)
from rulesets.anima_prime.reckoning import Earned, failed_places, must_keep
from rulesets.anima_prime.state import State
from rulesets.dice import Dice


def maneuver(state: State, command: Maneuver, dice: Dice) -> list[Event]:
    """6.4: declare, take gifts, pay, throw; what was thrown settles at once unless somebody must decide."""
    declared = ManeuverDeclared(
        actor=command.actor,
        action_dice=command.action_dice,
        helpers=tuple(
            [HelpGiven(character=one.character, action_dice=one.action_dice) for one in command.helpers]
        ),
        bonus=command.bonus,
        powers=named_powers(command),
        target=command.target,
        text=command.text,
        no_reroll=command.no_reroll,
    )
    return thrown(
        state,
        command,
        [declared, *_gifts(state, command), *paid(state, command)],
        dice,
        earn_limit(state, command),
    )


def _gifts(state: State, command: Maneuver) -> list[Event]:
    """6.4: gifts to opponents raise nothing unless the readings say so."""
    counts = state.characters[command.actor].side == "pcs" or state.parameters.adversity.raises_competence
    return [
        GiftGiven(giver=giver, to=command.actor, dice=command.gifts.count(giver), counts=counts)
        for giver in dict.fromkeys(command.gifts)
    ]


def strike(state: State, command: Strike, dice: Dice) -> list[Event]:
    """6.5: declare, pay, throw; successes are held against each target's defense."""
    declared = StrikeDeclared(
        actor=command.actor,
        targets=command.targets,
        strike_dice=command.strike_dice,
        bonus=command.bonus,
        powers=named_powers(command),
        text=command.text,
        free=command.free,
        spends_action=spends_action(state, free=command.free),
        no_reroll=command.no_reroll,
    )
    return thrown(state, command, [declared, *paid(state, command)], dice)


def achieve(state: State, command: Achieve, dice: Dice) -> list[Event]:
    """6.6: declare with everybody's strike dice, pay, throw; successes are held against the difficulty."""
    declared = AchievementDeclared(
        actor=command.actor,
        goal=command.goal,
        strike_dice=command.strike_dice,
        bonus=command.bonus,
        powers=named_powers(command),
        power_dice=command.power_dice,
        text=command.text,
        free=command.free,
        spends_action=spends_action(state, free=command.free),
        helpers_spend_action=not (command.free and state.parameters.token.free_covers_helpers),
        no_reroll=command.no_reroll,
    )
    return thrown(state, command, [declared, *paid(state, command)], dice)


def spends_action(state: State, *, free: bool) -> bool:
    """6.4: a free action leaves the action of the round, unless the table reads it otherwise."""
    return not (free and state.parameters.token.free_keeps_action)


def reroll(state: State, command: Reroll, dice: Dice) -> list[Event]:
    """6.4: unmark the trait, throw all failed dice again; the new faces stand."""
    roll = state.open_roll
    if roll is None:
        return []
    places = failed_places(state.parameters, roll)
    again = dice.roll("reroll", [(roll.dice[place].origin, 6) for place in places])
    rerolled = DiceRerolled(
        actor=roll.actor, trait=command.trait, places=places, roll=again, text=command.text
    )
    return left_open_or_settled(state, [rerolled])


def keep(state: State, command: Keep) -> list[Event]:
    """6.4: these dice are kept, the rest goes to the supply; keeping says that the roll stays as it fell."""
    return settled(state, Earned(command.strike, command.charge))


def settle(state: State) -> list[Event]:
    """6.4: the roll stays as it fell; nothing happens when it settled by itself."""
    roll = state.open_roll
    if roll is not None and must_keep(state.parameters, roll):
        return [RerollDeclined(actor=roll.actor)]
    return settled(state)


def spend_token(command: SpendToken) -> list[Event]:
    """6.4: tokens for something told in words."""
    return [
        TokensSpent(
            character=command.payer, tokens=command.tokens, beneficiary=command.beneficiary, text=command.text
        )
    ]
