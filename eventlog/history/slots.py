"""Slots as they are read from the log: the steps of a revision, and what each led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from eventlog.codec import codec_for, core_type
from eventlog.core import ActionTaken, NoteAdded, RulingMade
from eventlog.corrections import ActionRevised
from eventlog.envelope import By, Envelope
from eventlog.errors import HistoryDoesNotFold
from rulesets.contract import Event, Ruleset
from rulesets.dice import Roll
from rulesets.people import Audience

TAKEN, REVISED, NOTE = core_type(ActionTaken), core_type(ActionRevised), core_type(NoteAdded)


class Fact(msgspec.Struct, frozen=True):
    """One thing a step led to and who may see it; `event` is `None` where its words were removed."""

    event: Event | None
    audience: Audience
    seq: int


class Thrown(msgspec.Struct, frozen=True):
    """A roll, the action it fell for, and who saw it fall."""

    roll: Roll
    action: int
    audience: Audience


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One command in a slot, with the answers that came along: the action itself, an answer, book-keeping.

    `action` is the number it was taken as. `rulings` tells that what the rules left open was answered by the
    recommended reading at once, `reason` are the words the GM gave when passing over a rule.
    """

    action: int
    by: By
    command: msgspec.Raw
    answers: tuple[msgspec.Raw, ...]
    source: Literal["server", "table"]
    overrule: tuple[str, ...]
    rulings: bool
    audience: Audience
    facts: tuple[Fact, ...]
    reason: str = ""


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """A revision of a slot: its steps in order."""

    slot: int
    revision: int
    steps: tuple[Step, ...]

    @property
    def facts(self) -> Iterator[Fact]:
        """Everything the slot led to, in order."""
        return (fact for step in self.steps for fact in step.facts)

    @property
    def audience(self) -> Audience:
        """Whoever may see anything of it."""
        return everybody_of([step.audience for step in self.steps] + [fact.audience for fact in self.facts])


def everybody_of(audiences: Iterable[Audience]) -> Audience:
    """Whoever belongs to one of the audiences."""
    names = dict.fromkeys(name for audience in audiences for name in audience)
    return ("everyone",) if "everyone" in names else tuple(names)


def contents(ruleset: Ruleset[Any], envelopes: Iterable[Envelope]) -> dict[tuple[int, int], Content]:
    """The revisions of slots that these events make up, by slot and revision; what has no slot is left out."""
    groups: dict[tuple[int, int], list[Envelope]] = {}
    for envelope in envelopes:
        if envelope.slot is not None:
            groups.setdefault((envelope.slot, envelope.revision), []).append(envelope)
    return {
        (slot, revision): Content(slot=slot, revision=revision, steps=tuple(_steps(ruleset, group)))
        for (slot, revision), group in groups.items()
    }


def _steps(ruleset: Ruleset[Any], envelopes: Sequence[Envelope]) -> Iterator[Step]:
    start = 0
    for index in range(1, len(envelopes) + 1):
        if index == len(envelopes) or envelopes[index].type in (TAKEN, REVISED):
            yield step_of(ruleset, envelopes[start:index])
            start = index


def step_of(ruleset: Ruleset[Any], envelopes: Sequence[Envelope]) -> Step:
    """One step from its events, which begin with what was asked. Free words are no part of it.

    Raises `HistoryDoesNotFold` where they begin with something else.
    """
    codec, first = codec_for(ruleset), envelopes[0]
    begun = codec.event(first)
    if isinstance(begun, ActionTaken):
        action, by = first.action, first.by
    elif isinstance(begun, ActionRevised):
        action, by = begun.action, begun.by
    else:
        raise HistoryDoesNotFold(
            f"Event {first.seq} begins no action, and stands where one begins", seq=first.seq
        )
    facts: list[Fact] = []
    rulings: list[RulingMade] = []
    for envelope in envelopes[1:]:
        event = codec.event(envelope)
        if isinstance(event, RulingMade):
            rulings.append(event)
        if not is_words(envelope, event):
            facts.append(Fact(event, envelope.audience, envelope.seq))
    return Step(
        action=action,
        by=by,
        command=begun.command,
        answers=begun.answers,
        source=begun.source or "server",
        overrule=begun.overrule,
        rulings=begun.rulings == "default" or any(ruling.question for ruling in rulings),
        audience=first.audience,
        facts=tuple(facts),
        reason=next((ruling.reason for ruling in rulings if ruling.codes), ""),
    )


def rolls_in_facts(facts: Iterable[Fact]) -> list[Roll]:
    """The rolls these facts carry, in order."""
    return [roll for fact in facts if isinstance(roll := getattr(fact.event, "roll", None), Roll)]


def thrown_for(content: Content) -> list[Thrown]:
    """The rolls a revision of a slot holds, in order."""
    return [
        Thrown(roll, step.action, fact.audience)
        for step in content.steps
        for fact in step.facts
        if isinstance(roll := getattr(fact.event, "roll", None), Roll)
    ]


def is_words(envelope: Envelope, event: Event | None) -> bool:
    """Whether this is nobody's decision: words sent along with an action, or what is left of them."""
    if event is None:
        return envelope.type == NOTE
    return isinstance(event, NoteAdded)


def rolls_in(ruleset: Ruleset[Any], envelopes: Iterable[Envelope]) -> list[Roll]:
    """The rolls these events carry, in order."""
    codec = codec_for(ruleset)
    found = (getattr(codec.event(each), "roll", None) for each in envelopes if may_roll(each))
    return [roll for roll in found if isinstance(roll, Roll)]


def thrown_in(ruleset: Ruleset[Any], envelopes: Iterable[Envelope]) -> list[Thrown]:
    """The same, each with the action it fell for: a revision of a slot names those of its steps."""
    codec, found, action = codec_for(ruleset), list[Thrown](), 0
    for each in envelopes:
        begun = codec.event(each) if each.type == REVISED else None
        if each.type in (TAKEN, REVISED):
            action = begun.action if isinstance(begun, ActionRevised) else each.action
        elif may_roll(each) and isinstance(roll := getattr(codec.event(each), "roll", None), Roll):
            found.append(Thrown(roll, action, each.audience))
    return found


def may_roll(envelope: Envelope) -> bool:
    """Whether the event may carry a roll, told without reading it."""
    return envelope.data is not None and b'"roll":' in envelope.data and envelope.type != TAKEN
