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

_ACTING: dict[type[Any], str] = {
    **dict.fromkeys((Maneuver, Strike, Achieve, UsePower, Announce), "actor"),
    **dict.fromkeys((Offer, WithdrawOffer), "giver"),
    **dict.fromkeys((CharacterScene, Withdraw), "character"),
    SpendToken: "payer",
}
"""The field that names whose player, or the GM, may ask this. Answers belong to whoever is asked."""

NOBODY = frozenset({"gm", "all"})
"""Words that stand where a character could, and name none."""

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
    who = _acts_for(state, shown, command)
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
    known = shown.characters
    for who in [getattr(command, field) for field in _NAMING[type(command)]]:
        if who is not None and who not in known and who not in NOBODY:
            raise unknown_character(who)
    for who in _others_in(command):
        if who not in known:
            raise unknown_character(who)
    if isinstance(command, Achieve) and command.goal not in shown.goals:
        raise unknown_goal(command.goal)


def _others_in(command: PlayersOwn) -> tuple[str, ...]:
    """Who else takes part, in the order it is read; the GM may give and be promised to, never pay tokens."""
    if isinstance(command, Maneuver):
        return (
            *[one.character for one in command.helpers],
            *[giver for giver in command.gifts if giver not in NOBODY],
        )
    if isinstance(command, Strike | UsePower):
        return (*[target for target in command.targets if target not in NOBODY], *payers(command))
    if isinstance(command, Achieve):
        return (*[who for who in command.strike_dice if who not in NOBODY], *payers(command))
    return ()


def _acts_for(state: State, shown: State, command: PlayersOwn) -> str:
    """Whose player, or the GM, may issue a command."""
    field = _ACTING.get(type(command))
    return _asked(state, shown) if field is None else str(getattr(command, field))


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
        case Maneuver(gifts=(), helpers=()):
            return []
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
