"""What a ruleset is: the one contract between a game's rules and the recorder.

A ruleset is a value, not a base class, and it has two halves. The *record half* (`Record`) reads every log
ever written: event types, `evolve`, and how to show the table. The *rules half* (`Rules`) is today's reading
of the rule book: commands, refusals and `decide`. The first never imports the second, so an old log can be
read long after the package that wrote it has forgotten how to play it.

What both halves handle stands beside this page: dice in `rulesets.dice`, people in `rulesets.people`, what they
write in `rulesets.writing`.
Everything here is pure: no clock, no chance, no input or output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from rulesets import writing
from rulesets.dice import Dice, by_origin
from rulesets.people import EVERYONE, Audience, Viewer

S = TypeVar("S", bound=msgspec.Struct)
"""A ruleset's state: the table. A frozen, msgspec-encodable struct."""

Event: TypeAlias = msgspec.Struct
"""One fact of a ruleset, past tense, frozen. Its type name is its class name in `kebab` case."""

Command: TypeAlias = msgspec.Struct
"""What somebody wants. A frozen struct tagged with its imperative `type`."""

Slug = writing.Slug
Name = writing.Name
Text = writing.Text

Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
"""How many of something: never negative, never absurd."""

Change = Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]
"""A signed amount, for corrections by hand."""

RESERVED_IDS = frozenset({"gm", "all", "everyone"})
"""Ids no character, goal or player may take, since they already mean somebody."""


def kebab(name: str) -> str:
    """An event's class name as its log spells it: `DiceRolled` is `dice-rolled`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


# --- refusals -----------------------------------------------------------------------------------------------


class RuleViolation(Exception):
    """An illegal command: refused whole, nothing drawn, nothing recorded.

    `code` is the stable kebab-case word of the rule; `message` says what to do, for the person at the table;
    `fields` are typed particulars (numbers, ids). `overrulable` says whether the GM may pass over it: codes
    that keep the books may not be.
    """

    def __init__(self, code: str, message: str, *, overrulable: bool = False, **fields: Any) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.overrulable = overrulable
        self.fields: dict[str, Any] = fields

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


# --- questions, choices, odds -------------------------------------------------------------------------------


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer somebody can pick: the command that gives it (as JSON, ready to send) and its words."""

    command: dict[str, Any]
    text: str


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action left open: who is asked (character ids or `gm`), what, and what answers it.

    What is asked of `gm` alone is a ruling, which the rules leave open; a session may have rulings answered
    by `default_answer` at once. A question about something hidden has the audience of that.
    """

    id: str
    kind: str
    asks: tuple[str, ...]
    text: str
    options: tuple[Option, ...] = ()
    default: dict[str, Any] | None = None
    blocking: bool = True
    audience: Audience = EVERYONE


class Field(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a form asks for one field of a command: a number within limits, or one or more of some ids."""

    name: str
    kind: Literal["number", "one", "many", "text", "flag"]
    required: bool = False
    minimum: int | None = None
    maximum: int | None = None
    options: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that can be done now: a command type, for whom, who may issue it, within which limits."""

    type: str
    text: str
    actor: str | None = None
    by: tuple[str, ...] = ("gm",)
    fields: tuple[Field, ...] = ()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can come of a command, with its exact chance as a fraction."""

    text: str
    result: dict[str, int]
    numerator: int
    denominator: int


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the story the table is: which conflict or fight, counted from 1, and which round of it."""

    conflict: int
    round: int


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Something counted for a character: `dice`, `successes`, `gifts`, `wounds-inflicted`, as the ruleset names them.

    `expected` is the exact expectation of a counted chance as (numerator, denominator).
    """

    who: str
    measure: str
    amount: int
    expected: tuple[int, int] | None = None


# --- the two halves -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Generic[S]):
    """The record half: reads every log ever written. It knows no rule, no table and no dice."""

    parameters: type[msgspec.Struct]
    """Readings and house rules, a frozen struct whose defaults are the recommended readings."""
    events: tuple[type[Event], ...]
    """Every event type ever written; a class may carry `schema_version: ClassVar[int]` (1 when absent)."""
    upcasters: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = field(
        default_factory=dict
    )
    """`(kebab-case name, old version)` to the one function that lifts its data to the next version."""
    state: type[S]
    start: Callable[[Any], S]
    """The table before anything happened, under these parameters."""
    evolve: Callable[[S, Any], S]
    """The table after one more fact. Bookkeeping only; raises where a pool would go below zero."""
    audience: Callable[[S, Any], Audience]
    """Who may see this event, given the table after it. An event that names a hidden thing is hidden.

    The first event of a command says what was declared: the record of the command gets its audience.
    """
    questions: Callable[[S], tuple[Question, ...]]
    """What is open now, for everybody; the recorder shows each person what they may see."""
    describe: Callable[[S, Sequence[Any]], str]
    """One readable line for the visible events of one action, given the table after it."""
    view: Callable[[S, Viewer], msgspec.Struct]
    """The table as this person may see it. What is hidden from them does not exist."""
    tally: Callable[[S, Any], Iterable[Tally]]
    """What an event adds to the statistics of the people at the table, given the table after it."""
    moment: Callable[[S], Moment | None] = field(default=lambda _: None)
    """Where in the story this table is; None outside any conflict. For grouping and searching the timeline."""
    name_dice: Callable[[S, Mapping[str, int]], str] = field(default=lambda _, origins: by_origin(origins))
    """Dice that are to be thrown, by origin and number, as a GM calls them: `1 competence die, 2 gifts from Mira`."""
    by_hand: tuple[type[Event], ...] = ()
    """Those of `events` with which the game master sets something by hand, past the rules. For the audit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Generic[S]):
    """The rules half: today's reading of the rule book, for one released `number`."""

    number: int
    commands: tuple[type[Command], ...]
    """Every command, answers included; msgspec structs with distinct snake_case tags in `type`."""
    answers: tuple[type[Command], ...]
    """Commands that answer an open question; they join the slot of the action that asked."""
    at_any_time: tuple[type[Command], ...]
    """Commands that pass while a question waits: offers and the GM's book-keeping."""
    permits: Callable[[S, Any, Viewer], None]
    """Who may ask this. Raises `RuleViolation`: `not-allowed`, or the error of an unknown id for a hidden one.

    Checked when a command is issued, never when history is decided again.
    """
    refusals: Callable[[S, Any], Iterator[RuleViolation]]
    """Every reason this command is illegal now, in the order a GM would check, before any die is thrown.

    A refusal that keeps the books ends the iteration; one the GM may overrule is followed by the next check,
    as if it had been passed over.
    """
    decide: Callable[[S, Any, Dice], Sequence[Any]]
    """What happens: all the rules. Called only when no refusal stands. May throw dice; returns events."""
    default_answer: Callable[[S, Question], Any]
    """The recommended answer to an open question, as a command."""
    choices: Callable[[S, Viewer], tuple[Choice, ...]]
    """What this person can do now, computed on what they may see."""
    odds: Callable[[S, Any], tuple[Outcome, ...]]
    """Exact chances of what a legal command leads to; empty where nothing is thrown."""
    explanations: Mapping[str, str] = field(default_factory=dict)
    """What each code of a refusal means and what to do about it, but for those of `rulesets.codes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset(Generic[S]):
    """A game: its slug and name, its record half, and the rules it can still decide, by number.

    `rules` maps each released number to a function that imports and returns that rules half, so that
    reading a log imports no rule.
    """

    slug: str
    name: str
    summary: str
    record: Record[S]
    rules: Mapping[int, Callable[[], Rules[S]]]

    @property
    def current(self) -> int:
        """The rules number a new session is opened with."""
        return max(self.rules)

    def is_newer(self, number: int) -> bool:
        """Whether a rules number was not released yet as far as this version knows. Those it forgot are lower."""
        return number > max(self.rules, default=number)
