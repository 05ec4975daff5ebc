"""The table after one more fact: bookkeeping, no rule and no dice."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from rulesets.errors import PoolBelowZero
from tabletape_duel import events as fact
from tabletape_duel.state import Blow, Duellist, State


def evolve(state: State, event: fact.DuelEvent) -> State:
    """The table after this event. Raises `PoolBelowZero` where the event does not fit."""
    return _struck(state, event) if isinstance(event, fact.BlowEvent) else _changed(state, event)


def _changed(state: State, event: fact.CourtyardEvent) -> State:  # noqa: PLR0911 - a case each
    match event:
        case fact.DuellistAdded():
            return _added(state, event)
        case fact.DuellistRevealed(duellist=who):
            return replace(_with(state, who, secret=False), order=(*state.order, who))
        case fact.DaggerConcealed(duellist=who):
            return _with(state, who, dagger="concealed")
        case fact.DaggerDrawn(duellist=who):
            return _with(state, who, dagger="drawn")
        case fact.DuelBegun(order=order):
            return replace(state, order=order, current=order[0], round=1)
        case fact.TurnEnded():
            rested = _with(state, event.next, attacked=False)
            return replace(rested, current=event.next, round=event.round)
        case fact.Adjusted(duellist=who):
            return _adjusted(state, state.duellists[who], event)
        case _:
            assert_never(event)


def _struck(state: State, event: fact.BlowEvent) -> State:  # noqa: PLR0911 - a case each
    match event:
        case fact.AttackMade(attacker=who):
            blow = Blow(attacker=who, target=event.target, at_table=event.roll.source == "table")
            tired = _with(_paid(state, who, event.paid), who, attacked=True)
            return replace(tired, blow=blow if event.landed else None, asked=0)
        case fact.QuestionAsked():
            return replace(state, waiting=event, asked=state.asked + 1)
        case fact.BlowRuled(counts=counts):
            return replace(state, waiting=None, blow=state.blow if counts else None)
        case fact.AllyPassed(ally=ally):
            return replace(state, waiting=_without(state.waiting, ally))
        case fact.AllyInterposed(ally=ally):
            assert state.blow is not None
            blow = replace(state.blow, target=ally)
            return replace(_paid(state, ally, event.paid), waiting=None, blow=blow)
        case fact.DefenseMade(defender=who):
            blow_left = None if event.stopped else state.blow
            return replace(_paid(state, who, event.paid), waiting=None, blow=blow_left)
        case fact.WoundDealt(target=who):
            hurt = _with(state, who, hp=_less(state.duellists[who].hp, event.amount), down=event.down)
            return replace(hurt, waiting=None, blow=None)
        case _:
            assert_never(event)


def _added(state: State, event: fact.DuellistAdded) -> State:
    new = Duellist(
        id=event.id,
        name=event.name,
        side=event.side,
        skill=event.skill,
        hp=event.hp,
        stamina=event.stamina,
        secret=event.secret,
    )
    order = state.order if event.secret else (*state.order, event.id)
    return replace(state, duellists={**state.duellists, event.id: new}, order=order)


def _adjusted(state: State, who: Duellist, event: fact.Adjusted) -> State:
    hp, stamina = _less(who.hp, -event.hp), _less(who.stamina, -event.stamina)
    return _with(state, who.id, hp=hp, stamina=stamina, down=event.down)


def _with(state: State, who: str, **changes: Any) -> State:
    changed = replace(state.duellists[who], **changes)
    return replace(state, duellists={**state.duellists, who: changed})


def _paid(state: State, who: str, amount: int) -> State:
    return _with(state, who, stamina=_less(state.duellists[who].stamina, amount))


def _less(pool: int, amount: int) -> int:
    if amount > pool:
        raise PoolBelowZero(f"{amount} cannot be taken from {pool}")
    return pool - amount


def _without(waiting: fact.QuestionAsked | None, ally: str) -> fact.QuestionAsked | None:
    assert waiting is not None
    asks = tuple(each for each in waiting.asks if each != ally)
    return replace(waiting, asks=asks) if asks else None
