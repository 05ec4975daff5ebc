"""How the duel is shown: to whom, in which words, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from rulesets.contract import Moment, Option, Question, Tally
from rulesets.people import EVERYONE, Audience, Viewer
from tabletape_duel import events as fact
from tabletape_duel.state import Duellist, State


def audience(state: State, event: fact.DuelEvent) -> Audience:
    """A duellist in wait and a dagger up a sleeve are known to their player and the game master."""
    match event:
        case fact.DaggerConcealed(duellist=who):
            return ("gm", f"character:{who}")
        case fact.DuellistAdded(id=who) | fact.Adjusted(duellist=who) if state.duellists[who].secret:
            return ("gm", f"character:{who}")
        case _:
            return EVERYONE


class DuellistView(msgspec.Struct, frozen=True, kw_only=True):
    """A duellist as somebody sees them, with stamina in points: 2.5 is five half points."""

    name: str
    side: str
    skill: int
    hp: int
    stamina: float
    dagger: str
    down: bool


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The duel as somebody sees it."""

    duellists: dict[str, DuellistView]
    order: tuple[str, ...]
    current: str | None
    round: int


def visible(who: Duellist, viewer: Viewer) -> bool:
    """Whether this person knows of that duellist."""
    return not who.secret or viewer.plays(who.id)


def view(state: State, viewer: Viewer) -> View:
    """The table without those in wait, and without the daggers of others."""
    return View(
        duellists={who.id: _shown(who, viewer) for who in state.duellists.values() if visible(who, viewer)},
        order=state.order,
        current=state.current,
        round=state.round,
    )


def _shown(who: Duellist, viewer: Viewer) -> DuellistView:
    unseen = who.dagger == "concealed" and not viewer.plays(who.id)
    return DuellistView(
        name=who.name,
        side=who.side,
        skill=who.skill,
        hp=who.hp,
        stamina=who.stamina / 2,
        dagger="none" if unseen else who.dagger,
        down=who.down,
    )


def questions(state: State) -> tuple[Question, ...]:
    """The one question a blow in the air waits for."""
    if state.waiting is None or state.blow is None:
        return ()
    target, attacker = (state.duellists[who].name for who in (state.blow.target, state.blow.attacker))
    asked = state.waiting
    match asked.kind:
        case "low-blow":
            text = f"{attacker} aims below the belt. Does it count?"
            options = [
                ({"type": "rule", "counts": yes}, "It counts" if yes else "Foul") for yes in (True, False)
            ]
        case "interpose":
            text = f"Does anybody step between {attacker} and {target}?"
            kinds = (("interpose", "steps between"), ("pass_by", "lets it come"))
            options = [
                ({"type": kind, "ally": ally}, f"{state.duellists[ally].name} {words}")
                for ally in asked.asks
                for kind, words in kinds
            ]
        case "defense":
            text = f"How does {target} meet the blow of {attacker}?"
            options = [({"type": "defend", "defense": each}, each.capitalize()) for each in asked.defenses]
        case "damage":
            text = f"Throw the damage of {attacker} against {target}."
            options = [({"type": "throw_damage"}, "Throw")]
    answers = tuple(
        Option(command={**command, "question": asked.question}, text=words) for command, words in options
    )
    return (Question(id=asked.question, kind=asked.kind, asks=asked.asks, text=text, options=answers),)


def moment(state: State) -> Moment | None:
    """The round, once the duel has begun; a session holds one duel."""
    return None if state.current is None else Moment(conflict=1, round=state.round)


def describe(state: State, events: Sequence[fact.DuelEvent]) -> str:
    """What the visible events of one action say, in one line."""
    return "; ".join(_told(state, event) for event in events)


def _told(state: State, event: fact.DuelEvent) -> str:
    return _blow_told(state, event) if isinstance(event, fact.BlowEvent) else _change_told(state, event)


def _change_told(state: State, event: fact.CourtyardEvent) -> str:  # noqa: PLR0911 - a case each
    name = _names(state)
    match event:
        case fact.DuellistAdded(id=who):
            return f"{name(who)} enters"
        case fact.DuellistRevealed(duellist=who):
            return f"{name(who)} steps out of hiding"
        case fact.DaggerConcealed(duellist=who):
            return f"{name(who)} hides a dagger"
        case fact.DaggerDrawn(duellist=who):
            return f"{name(who)} draws a hidden dagger"
        case fact.DuelBegun(order=order):
            return f"The duel begins: {', '.join(map(name, order))}"
        case fact.TurnEnded(next=who):
            return f"Round {event.round}: the turn is {name(who)}'s"
        case fact.Adjusted(duellist=who):
            return f"{name(who)} is set right: hp {event.hp:+}, stamina {event.stamina / 2:+}"


def _blow_told(state: State, event: fact.BlowEvent) -> str:  # noqa: PLR0911 - a case each
    name = _names(state)
    match event:
        case fact.AttackMade(attacker=who, landed=landed, roll=roll):
            faces = " ".join(str(die.face) for die in roll.dice)
            return f"{name(who)} attacks {name(event.target)}: {faces}, {'lands' if landed else 'misses'}"
        case fact.QuestionAsked(kind=kind):
            return f"{kind.replace('-', ' ')}?"
        case fact.BlowRuled(counts=counts):
            return f"the low blow {'counts' if counts else 'is a foul'}"
        case fact.AllyPassed(ally=ally):
            return f"{name(ally)} lets it come"
        case fact.AllyInterposed(ally=ally):
            return f"{name(ally)} steps between"
        case fact.DefenseMade(defender=who, defense=defense, stopped=stopped):
            tries = {"parry": "parries", "dodge": "dodges", "none": "takes the blow"}[defense]
            return f"{name(who)} {tries}{'' if stopped or defense == 'none' else ' in vain'}"
        case fact.WoundDealt(target=who, amount=amount, down=down):
            return f"{name(who)} loses {amount}{' and goes down' if down else ''}"


def _names(state: State) -> Callable[[str], str]:
    return lambda who: state.duellists[who].name


def tally(state: State, event: fact.DuelEvent) -> Iterable[Tally]:
    """Blows and wounds, for the statistics."""
    match event:
        case fact.AttackMade(attacker=who, landed=landed):
            yield Tally(who=who, measure="attacks", amount=1)
            yield Tally(who=who, measure="blows-landed", amount=int(landed))
        case fact.WoundDealt(target=who, amount=amount):
            yield Tally(who=who, measure="hp-lost", amount=amount)
        case _:
            return
