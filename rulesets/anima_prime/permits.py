"""Who may ask what: players for their own characters, the GM for everybody; and nobody for what they cannot know."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard, get_args

from rulesets.anima_prime.commands import (
    Achieve,
    Announce,
    CharacterScene,
    Command,
    Keep,
    Maneuver,
    Offer,
    Reroll,
    Settle,
    SpendToken,
    Strike,
    UsePower,
    Withdraw,
    WithdrawOffer,
)
from rulesets.anima_prime.costs import Payable, payers, strike_dice, token_cost, token_shares
from rulesets.anima_prime.describe.words import begun, name_of
from rulesets.anima_prime.hidden import seen
from rulesets.anima_prime.known import unknown_character, unknown_goal
from rulesets.anima_prime.refusals.answers import no_such_question
from rulesets.anima_prime.state import State
from rulesets.contract import RuleViolation
from rulesets.people import Viewer

PlayersOwn: TypeAlias = (
    Maneuver
    | Strike
    | Achieve
    | UsePower
    | SpendToken
    | Withdraw
    | CharacterScene
    | Offer
    | WithdrawOffer
    | Announce
    | Reroll
    | Keep
    | Settle
)
"""What players may ask for their own characters; all else is the GM's."""

_NAMING: dict[type[Any], tuple[str, ...]] = {
    kind: tuple(
        field
        for field in ("actor", "character", "payer", "giver", "to", "beneficiary", "target")
        if field in kind.__struct_fields__
    )
    for kind in get_args(PlayersOwn)
}
"""The fields in which each of these commands names one character, in the order they are read."""

Part: TypeAlias = Literal["gift", "help_dice", "strike_dice", "tokens"]
"""What somebody else can give to an action."""


class Loan(NamedTuple):
    """What an action takes from somebody else: who gives it for whose action, what, and how much of it."""

    giver: str
    to: str
    part: Part
    amount: int = 1


def permits(state: State, command: Command, viewer: Viewer) -> None:
    """Raise `RuleViolation` where this person may not ask this: `not-allowed`, `not-offered`, or an unknown id."""
    if viewer.role == "gm":
        return
    if viewer.role != "player" or not _may_ask(command):
        raise RuleViolation("not-allowed", "Only the GM can do this", needs="gm")
    shown = seen(state, viewer)
    _know_everybody(shown, command)
    for who in _acts_for(state, shown, command):
        if not viewer.plays(who):
            raise RuleViolation(
                "not-allowed",
                f"Only the player of {name_of(shown, who)} or the GM can do this",
                needs=f"player of {who}",
            )
    _borrowed(state, command, viewer)


def _may_ask(command: Command) -> TypeGuard[PlayersOwn]:
    return type(command) in _NAMING


def _know_everybody(shown: State, command: PlayersOwn) -> None:
    """What is hidden from somebody is as unknown to them as what is not there."""
    for who in _characters_in(command):
        if who not in shown.characters:
            raise unknown_character(who)
    if isinstance(command, Achieve) and command.goal not in shown.goals:
        raise unknown_goal(command.goal)


def _characters_in(command: PlayersOwn) -> tuple[str, ...]:
    """Every character a command names, in the order it is read; the GM may give and be promised to, never pay tokens."""
    named: list[Any] = [getattr(command, field) for field in _NAMING[type(command)]]
    paying: tuple[str, ...] = ()
    if isinstance(command, Maneuver):
        named += [*[one.character for one in command.helpers], *command.gifts]
    elif isinstance(command, Strike | Achieve | UsePower):
        named += command.strike_dice if isinstance(command, Achieve) else command.targets
        paying = payers(command)
    return (*[who for who in named if who is not None and who not in ("gm", "all")], *paying)


def _acts_for(state: State, shown: State, command: PlayersOwn) -> tuple[str, ...]:
    """Whose player, or the GM, may issue a command."""
    match command:
        case (
            Maneuver(actor=who)
            | Strike(actor=who)
            | Achieve(actor=who)
            | UsePower(actor=who)
            | Announce(actor=who)
        ):
            return (who,)
        case Offer(giver=who) | WithdrawOffer(giver=who):
            return (who,)
        case SpendToken(payer=who) | CharacterScene(character=who) | Withdraw(character=who):
            return (who,)
        case Reroll() | Keep() | Settle():
            return (_asked(state, shown),)


def _asked(state: State, shown: State) -> str:
    """Whom an answer belongs to; a roll somebody may not know of is no roll to them."""
    roll = shown.settled if state.open_roll is None else shown.open_roll
    if roll is None:
        raise no_such_question()
    return roll.actor


def _borrowed(state: State, command: PlayersOwn, viewer: Viewer) -> None:
    """What others give must have been offered, unless the table agrees on it by word of mouth."""
    if isinstance(command, Achieve) and command.power_dice is not None:
        raise RuleViolation("not-allowed", "Only the GM says how many dice another power gives", needs="gm")
    for loan in _taken(state, command):
        if not lends(state, viewer, loan):
            raise RuleViolation(
                "not-offered",
                f"{begun(name_of(state, loan.giver))} has not offered this; ask them to, or let the GM record it",
                giver=loan.giver,
                part=loan.part,
                amount=loan.amount,
            )


def lends(state: State, viewer: Viewer, loan: Loan) -> bool:
    """Whether somebody may name what another gives: their own, what was promised, or agreed on by word of mouth."""
    if viewer.plays(loan.giver) or state.parameters.consent == "table":
        return True
    return any(
        offer.giver == loan.giver
        and offer.to in (loan.to, "all")
        and getattr(offer, loan.part) >= max(1, loan.amount)
        for offer in state.offers
    )


def _taken(state: State, command: PlayersOwn) -> list[Loan]:
    """What an action takes from others than its actor."""
    match command:
        case Maneuver(actor=actor, gifts=gifts, helpers=helpers):
            return [
                *(Loan(one.character, actor, "help_dice", one.action_dice) for one in helpers),
                *(Loan(giver, actor, "gift", gifts.count(giver)) for giver in dict.fromkeys(gifts)),
            ]
        case Achieve(actor=actor):
            lent = [Loan(who, actor, "strike_dice", dice) for who, dice in strike_dice(command)[1:]]
            return lent + _tokens(state, command)
        case Strike() | UsePower():
            return _tokens(state, command)
        case _:
            return []


def _tokens(state: State, command: Payable) -> list[Loan]:
    """Shares as they would be paid; a single payer must have offered all of it."""
    named = payers(command)
    shares = ((named[0], token_cost(state, command)),) if len(named) == 1 else token_shares(state, command)
    return [
        Loan(who, command.actor, "tokens", tokens)
        for who, tokens in shares
        if who != command.actor and tokens
    ]
