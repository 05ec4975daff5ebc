"""What somebody can do now, by whom and within which limits, computed on what they may see."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.anima_prime.choices.acting import deeds_of, scenes_of, talk_of
from rulesets.anima_prime.choices.company import Company
from rulesets.anima_prime.choices.master import books, course
from rulesets.anima_prime.hidden import seen
from rulesets.anima_prime.questions import legal_keeps
from rulesets.anima_prime.reckoning import must_keep
from rulesets.anima_prime.state import OpenRoll, State
from rulesets.contract import Choice, Field
from rulesets.people import Viewer


def choices(state: State, viewer: Viewer) -> tuple[Choice, ...]:
    """Everything this person could send now. While a roll waits: its answers, offers and the GM's books."""
    if viewer.role not in ("gm", "player"):
        return ()
    return tuple(_choices(state, seen(state, viewer), viewer))


def _choices(state: State, shown: State, viewer: Viewer) -> list[Choice]:
    """A roll that waits blocks everybody, also those who may not know whose it is."""
    found: list[Choice] = []
    running = shown.conflict.status == "running"
    waits = state.open_roll is not None and state.open_roll.asks is not None
    if shown.open_roll is not None and viewer.plays(shown.open_roll.actor):
        found += _answers(shown, shown.open_roll)
    company = Company(shown, viewer)
    for one in company.played:
        if running:
            found += talk_of(company, one, waits=waits)
        if running and not waits and one.status == "active":
            found += deeds_of(company, one)
        if not running and one.side == "pcs":
            found += scenes_of(one)
    if viewer.role == "gm":
        found += books(company)
        if not waits:
            found += course(company)
    return found


def _answers(state: State, roll: OpenRoll) -> Iterator[Choice]:
    actor = state.characters[roll.actor]
    by = (actor.id, "gm")
    marked = tuple(trait.name for trait in actor.traits if trait.marked)
    if roll.asks == "reroll":
        if marked:
            trait = Field(name="trait", kind="one", required=True, options=marked)
            text = f"{actor.name} unmarks a trait and rerolls the failed dice"
            yield Choice(
                type="reroll",
                text=text,
                actor=actor.id,
                by=by,
                fields=(trait, Field(name="text", kind="text")),
            )
        yield Choice(type="settle", text=f"{actor.name} lets the roll stand", actor=actor.id, by=by)
    if must_keep(state.parameters, roll):
        keeps = legal_keeps(state, roll)
        fields = (
            _between("strike", [keep.strike for keep in keeps]),
            _between("charge", [keep.charge for keep in keeps]),
        )
        text = f"{actor.name} keeps {roll.earn_limit} of the dice earned"
        yield Choice(type="keep", text=text, actor=actor.id, by=by, fields=fields)


def _between(name: str, numbers: list[int]) -> Field:
    return Field(name=name, kind="number", required=True, minimum=min(numbers), maximum=max(numbers))
