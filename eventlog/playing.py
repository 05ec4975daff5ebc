"""Commands played out on a table: the rules heard, the events they lead to, who may see each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from eventlog.audience import visible
from eventlog.commands import tag_of
from eventlog.core import RulingMade
from eventlog.errors import CommandMalformed, NotAnAnswer
from rulesets.contract import Command, Event, Rules, Ruleset, RuleViolation
from rulesets.deciding import lawful_events, question_open
from rulesets.dice import Dice
from rulesets.errors import RulesetBroken
from rulesets.people import GM_ONLY, Audience, Viewer

MOST_RULINGS = 100
"""Default rulings one action may take; more would be a ruleset that asks for ever."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event that was decided and is not stored yet: its audience, and its place in the story if it has one."""

    event: Event
    audience: Audience
    slot: int | None = None
    revision: int = 1


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What commands came to: drafts in order, the table after them, and the refusals passed over."""

    drafts: tuple[Draft, ...]
    state: Any
    passed_over: tuple[str, ...]


def play_out(  # noqa: PLR0913 - a table, what is done there, and under which liberties
    ruleset: Ruleset[Any],
    rules: Rules[Any],
    state: Any,
    commands: Iterable[Command],
    dice: Dice,
    *,
    overrule: Collection[str] = (),
    issuer: Viewer | None = None,
    rulings: bool = False,
) -> Played:
    """Decide commands one after the other on a table; without an issuer nobody's permission is asked.

    With `rulings` what is then left to the GM is answered by the recommended reading. Raises the
    `RuleViolation` of the first command that is refused, and `CommandMalformed` where one is none of the game.
    """
    drafts: list[Draft] = []
    passed_over: dict[str, None] = {}
    for command in commands:
        if type(command) not in rules.commands:
            raise CommandMalformed(
                "Notes, rolls, settings and corrections answer no question of the game: send them by themselves"
            )
        if issuer is not None:
            rules.permits(state, command, issuer)
        lawful = lawful_events(rules, state, command, dice, overrule)
        if lawful.passed_over:
            passed_over.update(dict.fromkeys(lawful.codes))
        state = _play(ruleset, state, lawful.events, drafts)
    if rulings:
        state = _default_rulings(ruleset, rules, state, dice, drafts)
    return Played(drafts=tuple(drafts), state=state, passed_over=tuple(passed_over))


def _play(ruleset: Ruleset[Any], state: Any, found: tuple[Event, ...], events: list[Draft]) -> Any:
    evolve, audience = ruleset.record.evolve, ruleset.record.audience
    for event in found:
        state = evolve(state, event)
        events.append(Draft(event=event, audience=audience(state, event)))
    return state


def _default_rulings(
    ruleset: Ruleset[Any], rules: Rules[Any], state: Any, dice: Dice, events: list[Draft]
) -> Any:
    for _ in range(MOST_RULINGS):
        question = next((each for each in ruleset.record.questions(state) if each.asks == GM_ONLY), None)
        if question is None:
            return state
        ruling = RulingMade(question=question.id, reason="recommended reading")
        events.append(Draft(event=ruling, audience=question.audience))
        lawful = lawful_events(rules, state, rules.default_answer(state, question), dice)
        state = _play(ruleset, state, lawful.events, events)
    raise RulesetBroken(
        f"The ruleset {ruleset.slug!r} asked for more than {MOST_RULINGS} rulings in one action"
    )


def recommended(ruleset: Ruleset[Any], rules: Rules[Any], state: Any) -> Command | None:
    """The recommended answer to the first question that waits; `None` where none does."""
    for question in ruleset.record.questions(state):
        if question.blocking:
            answer: Command = rules.default_answer(state, question)
            return answer
    return None


def only_answers(rules: Rules[Any], commands: Iterable[Command]) -> None:
    """Refuse what is sent as an answer and answers nothing. Raises `NotAnAnswer`.

    Whether an answer fits what is asked is for the game to say. A log that was taken before holds what it holds.
    """
    other = next((each for each in commands if not isinstance(each, rules.answers)), None)
    if other is not None:
        kinds = ", ".join(tag_of(kind) for kind in rules.answers) or "nothing in this game"
        raise NotAnAnswer(
            f"{tag_of(type(other))} answers no question: send it as an action of its own. What answers is {kinds}",
            type=tag_of(type(other)),
        )


def await_answers(
    ruleset: Ruleset[Any], rules: Rules[Any], state: Any, command: Command, issuer: Viewer
) -> None:
    """Refuse what cannot pass while a question waits, naming who is awaited. Raises `RuleViolation`."""
    questions = ruleset.record.questions(state)
    if not questions:
        return
    violation = question_open(rules, command, visible(issuer, questions))
    if violation is None and question_open(rules, command, questions):
        violation = RuleViolation("question-open", "The GM has something to settle first", asks=["gm"])
    if violation is not None:
        raise violation
