"""Rule tests that read as a sentence: given what happened, when somebody does this, then that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import msgspec

from rulesets.contract import Command, Event, Rules, Ruleset, RuleViolation
from rulesets.deciding import DICE_CODES
from rulesets.dice import Roll
from rulesets.people import GM, Viewer
from rulesets.testing.comparing import events_differ, plain, subset_differs
from rulesets.testing.scripted_dice import ScriptedDice, Source
from rulesets.testing.steps import Step, heard


def given(
    ruleset: Ruleset[Any],
    *history: Command | Event | Step,
    parameters: msgspec.Struct | None = None,
    rules: int | None = None,
) -> Given:
    """A table with a past. Commands are decided and must be legal, events are folded as they are.

    `parameters` default to the recommended readings, `rules` to the current number. A command in the history
    that throws dice is written `step(command, dice=(3, 4))`. Rolls are numbered from 1 through the whole test.
    """
    chosen = ruleset.record.parameters() if parameters is None else parameters
    half = ruleset.rules[ruleset.current if rules is None else rules]()
    table = Given(ruleset=ruleset, rules=half, state=ruleset.record.start(chosen))
    for item in history:
        table = table.after(item)
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A table somebody is about to act on."""

    ruleset: Ruleset[Any]
    rules: Rules[Any]
    state: Any
    rolls: int = 0
    """The number of the last roll."""

    def after(self, item: Command | Event | Step) -> Given:
        """The table after one more fact or legal command."""
        if isinstance(item, Step):
            return self.when(
                item.command, item.dice or (), by=item.by, overrule=item.overrule, source=item.source
            ).accepted()
        if isinstance(item, self.rules.commands):
            return self.when(item).accepted()
        return self._fold((item,))

    def when(
        self,
        command: Command,
        dice: Iterable[int] = (),
        *,
        by: Viewer = GM,
        overrule: Collection[str] = (),
        source: Source = "server",
    ) -> When:
        """Issue a command with these faces, as this person; the answer is asserted with `then…`."""
        scripted = ScriptedDice(dice, source=source, first_number=self.rolls + 1)
        try:
            self.rules.permits(self.state, command, by)
            lawful = heard(self.ruleset.record, self.rules, self.state, command, scripted, overruled=overrule)
            scripted.refuse_leftovers()
        except RuleViolation as refusal:
            return When(command=command, table=self, dice=scripted, refusal=refusal)
        return When(
            command=command,
            table=self._fold(lawful.events),
            dice=scripted,
            events=lawful.events,
            codes=lawful.codes,
        )

    def view(self, viewer: Viewer = GM) -> Any:
        """The table as this person sees it, as plain objects and lists."""
        return plain(self.ruleset.record.view(self.state, viewer))

    def _fold(self, events: Iterable[Event]) -> Given:
        state, rolls = self.state, self.rolls
        for event in events:
            state = self.ruleset.record.evolve(state, event)
            roll = getattr(event, "roll", None)
            rolls = max(rolls, roll.number) if isinstance(roll, Roll) else rolls
        return replace(self, state=state, rolls=rolls)


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """What came of a command: its events and the table after them, or the refusal and the table as it was."""

    command: Command
    table: Given
    dice: ScriptedDice
    events: tuple[Event, ...] = ()
    codes: tuple[str, ...] = ()
    """Refusals passed over, when the game master overruled some."""
    refusal: RuleViolation | None = None

    @property
    def state(self) -> Any:
        """The state after the command."""
        return self.table.state

    def accepted(self) -> Given:
        """The table after the command, which must have been legal."""
        if self.refusal is not None:
            raise AssertionError(f"{type(self.command).__name__} was refused: {self.refusal}")
        return self.table

    def when(
        self,
        command: Command,
        dice: Iterable[int] = (),
        *,
        by: Viewer = GM,
        overrule: Collection[str] = (),
        source: Source = "server",
    ) -> When:
        """Go on from here with another command."""
        return self.accepted().when(command, dice, by=by, overrule=overrule, source=source)

    def then(self, *events: Event) -> Self:
        """These events and no others, in this order, with every written face thrown."""
        self.accepted()
        difference = events_differ(events, self.events)
        if difference:
            raise AssertionError(f"{type(self.command).__name__} leads to other events:\n{difference}")
        return self

    def then_nothing(self) -> Self:
        """Accepted, and nothing happens."""
        return self.then()

    def then_refused(self, code: str, *, overrulable: bool | None = None, **fields: Any) -> Self:
        """Refused with this code and at least these particulars, with no die thrown."""
        if self.refusal is None:
            happened = events_differ((), self.events) or "nothing happens"
            raise AssertionError(
                f"{type(self.command).__name__} should be refused ({code}), but:\n{happened}"
            )
        if self.refusal.code != code:
            raise AssertionError(f"Expected the refusal {code!r}, found: {self.refusal}")
        if overrulable is not None and self.refusal.overrulable is not overrulable:
            raise AssertionError(f"{code!r} is{'' if self.refusal.overrulable else ' not'} overrulable")
        if self.dice.rolls and code not in DICE_CODES:
            raise AssertionError(f"Refused ({code}), but dice had fallen: {self.dice.rolls}")
        _refuse_differences(f"the refusal {code!r}", fields, plain(self.refusal.fields))
        return self

    def then_state(self, **subset: Any) -> Self:
        """The game master then sees at least this."""
        return self.then_view(GM, subset)

    def then_view(self, viewer: Viewer, subset: Mapping[str, Any]) -> Self:
        """This person then sees at least this."""
        _refuse_differences(f"the view of {viewer.name or viewer.role}", subset, self.accepted().view(viewer))
        return self


def _refuse_differences(what: str, part: Mapping[str, Any], whole: Any) -> None:
    differences = "\n".join(subset_differs(plain(part), whole))
    if differences:
        raise AssertionError(f"In {what}:\n{differences}")
