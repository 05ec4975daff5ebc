"""Duels that break the contract, each in one way, each by one changed function or type."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec.structs import replace as changed
from tabletape_duel import RULESET, commands, decide, events, record, refusals, rules, showing, state

from rulesets.contract import Choice, Outcome, Question, Rules, Ruleset, RuleViolation, Tally
from rulesets.people import EVERYONE

RECORD, RULES = record.RECORD, rules.RULES


def with_record(**changes: Any) -> Ruleset[Any]:
    """The duel with another record half."""
    return replace(RULESET, record=replace(RECORD, **changes))


def with_rules(**changes: Any) -> Ruleset[Any]:
    """The duel with another rules half."""
    half: Rules[Any] = replace(RULES, **changes)
    return replace(RULESET, rules={1: lambda: half})


# --- declared wrongly ---------------------------------------------------------------------------------------


class Dagger_Lost(msgspec.Struct, frozen=True):  # noqa: N801 - the fault in question
    duellist: str


class Hesitated(msgspec.Struct):
    duellist: str


class Bled(msgspec.Struct, frozen=True):
    wounds: tuple[dict[str, float | None], ...]


class Healed(msgspec.Struct, frozen=True):
    schema_version: ClassVar[int] = 2
    amount: int


class Taunt(msgspec.Struct, frozen=True, tag_field="type", tag="taunt"):
    duellist: str


class AnotherBegin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="begin"):
    order: tuple[str, ...]


class Untagged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    duellist: str


class Unexplained(msgspec.Struct, frozen=True):
    bloody: bool = True


class WithoutDefault(msgspec.Struct, frozen=True):
    bloody: Annotated[bool, msgspec.Meta(description="Whether there is blood")]


# --- a record that cannot be trusted ------------------------------------------------------------------------


def evolve_in_place(table: state.State, event: Any) -> state.State:
    if isinstance(event, events.DaggerDrawn):
        table.duellists[event.duellist] = changed(table.duellists[event.duellist], dagger="drawn")
        return table
    return RECORD.evolve(table, event)


def evolve_anything(table: state.State, event: Any) -> state.State:
    return RECORD.evolve(table, event) if isinstance(event, RECORD.events) else table


class LooseAttack(msgspec.Struct, frozen=True, kw_only=True):
    anything: Any


def evolve_loosely(table: Any, event: Any) -> Any:
    return table if isinstance(event, LooseAttack) else RECORD.evolve(table, event)


def decide_loosely(table: Any, command: Any, dice: Any) -> Any:
    loose = [LooseAttack(anything=("a", "tuple"))] if isinstance(command, commands.Adjust) else []
    return [*loose, *RULES.decide(table, command, dice)]


LOOSE = replace(
    with_record(evolve=evolve_loosely, events=(*RECORD.events, LooseAttack)),
    rules=with_rules(decide=decide_loosely).rules,
)
LOOSE_AND_UNDECLARED = replace(with_record(evolve=evolve_loosely), rules=LOOSE.rules)


def tally_of_nothing(_table: Any, event: Any) -> Any:
    if isinstance(event, events.AttackMade):
        yield Tally(who=event.attacker, measure="luck", amount=1, expected=(1, 0))


# --- rules that forget the dice -----------------------------------------------------------------------------


def decide_with_a_vain_die(table: Any, command: Any, dice: Any) -> Any:
    happened = RULES.decide(table, command, dice)
    if isinstance(command, commands.EndTurn):
        dice.roll("nerves", [("nerves", 6)])
    return happened


def decide_twice_told(table: Any, command: Any, dice: Any) -> Any:
    happened = list(RULES.decide(table, command, dice))
    return [*happened, *(event for event in happened if isinstance(event, events.WoundDealt))]


def decide_with_second_thoughts(table: Any, command: Any, dice: Any) -> Any:
    happened = RULES.decide(table, command, dice)
    if isinstance(command, commands.Attack) and command.low:
        raise RuleViolation("no-low-blows", "Not in this house.")
    return happened


def decide_by_changing_the_table(table: state.State, command: Any, dice: Any) -> Any:
    if isinstance(command, commands.Reveal):
        old = table.duellists[command.duellist]
        table.duellists[command.duellist] = changed(old, skill=old.skill + 1)
    return RULES.decide(table, command, dice)


def refusals_of_a_hurry(table: Any, command: Any) -> Any:
    if isinstance(command, commands.Defend):
        return iter(()) if table.waiting.question else RULES.refusals(table, command)
    return RULES.refusals(table, command)


def refusals_that_let_all_be_overruled(table: Any, command: Any) -> Any:
    for refusal in RULES.refusals(table, command):
        yield RuleViolation(refusal.code, refusal.message, overrulable=True, **refusal.fields)


def odds_of_a_gambler(_table: Any, command: Any) -> Any:
    sure = Outcome(text="The blow lands", result={}, numerator=2, denominator=1)
    return (sure,) if isinstance(command, commands.Attack) else ()


# --- secrets told -------------------------------------------------------------------------------------------


def audience_of_all(_table: Any, _event: Any) -> Any:
    return EVERYONE


def audience_without_the_gm(table: Any, event: Any) -> Any:
    return ("character:bob",) if isinstance(event, events.DaggerConcealed) else RECORD.audience(table, event)


def audience_of_the_wind(table: Any, event: Any) -> Any:
    return ("gm", "bob") if isinstance(event, events.DaggerConcealed) else RECORD.audience(table, event)


def view_with_shadows(table: state.State, viewer: Any) -> Any:
    return changed(showing.view(table, viewer), order=tuple(table.duellists))


def describe_with_a_wink(table: state.State, happened: Any) -> str:
    named = ", ".join(who.name for who in table.duellists.values())
    return f"Before {named}: {RECORD.describe(table, happened)}"


def permits_with_a_hint(table: state.State, command: Any, viewer: Any) -> None:
    for who in refusals.named(command):
        if who in table.duellists and not showing.visible(table.duellists[who], viewer):
            raise RuleViolation("not-yet", "You cannot know of them yet.")
    RULES.permits(table, command, viewer)


# --- people left in the dark --------------------------------------------------------------------------------


def view_of_players_only(table: Any, viewer: Any) -> Any:
    return showing.view(table, viewer) if viewer.role in {"gm", "player"} else {}["observer"]


def describe_in_a_breath(table: Any, happened: Any) -> str:
    return "\n".join(RECORD.describe(table, (event,)) for event in happened)


def describe_only_the_end(table: Any, happened: Any) -> str:
    return RECORD.describe(table, happened[1:])


def questions_with_bad_options(table: Any) -> tuple[Question, ...]:
    return tuple(
        changed(each, options=tuple(changed(option, command={"type": "shrug"}) for option in each.options))
        for each in RECORD.questions(table)
    )


def questions_of_a_twin(table: Any) -> tuple[Question, ...]:
    return RECORD.questions(table) * 2


def answer_what_was_not_asked(table: Any, question: Question) -> Any:
    if question.kind == "defense":
        return commands.Rule(question=question.id, counts=True)
    return RULES.default_answer(table, question)


def answer_by_acting(_table: Any, _question: Question) -> Any:
    return commands.EndTurn()


def decide_to_ask_for_ever(table: Any, command: Any, dice: Any) -> Any:
    if isinstance(command, commands.PassBy):
        return [decide.question(table, "interpose", table.waiting.asks)]
    return RULES.decide(table, command, dice)


def choices_of_another_game(_table: Any, _viewer: Any) -> tuple[Choice, ...]:
    return (Choice(type="castle", text="Castle"),)


def choices_with_a_strange_field(table: Any, viewer: Any) -> tuple[Choice, ...]:
    return tuple(
        changed(each, fields=tuple(changed(one, name="whom") for one in each.fields))
        for each in RULES.choices(table, viewer)
    )


def choices_at_the_wrong_time(_table: Any, _viewer: Any) -> tuple[Choice, ...]:
    return (Choice(type="end_turn", text="End the turn"),)


RULES_2 = replace(RULES, number=2)
