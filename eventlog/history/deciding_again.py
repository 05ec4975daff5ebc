"""One slot decided again: its commands on another table, with its own dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeAlias

import msgspec

from eventlog.canonical import encode
from eventlog.commands import read_command
from eventlog.core import RulingMade, ThrowDice
from eventlog.core_rules import throw_dice
from eventlog.corrections import Otherwise
from eventlog.dice import Named, TableDice
from eventlog.history.as_it_went import as_it_went
from eventlog.history.errors import DiceNeeded
from eventlog.history.retold import Again, Retold, canonical
from eventlog.history.slots import Content, Step
from eventlog.history.stock import Asking, Stock
from eventlog.history.stock_dice import DiceOpen, Draw, StockDice, draw_nothing
from eventlog.playing import MOST_RULINGS, Draft, Played, play_out, recommended
from rulesets.contract import Command, Rules, Ruleset, RuleViolation

Hand: TypeAlias = StockDice | TableDice


class Decider:
    """Decides the slots of one session again, one after the other, numbering new rolls on.

    `rules` are asked for only when there is something to decide; `drew` tells that new dice were drawn.
    """

    def __init__(
        self,
        ruleset: Ruleset[Any],
        rules: Callable[[], Rules[Any]],
        draw: Draw,
        *,
        next_roll: int,
        first_roll: int,
    ) -> None:
        self.ruleset = ruleset
        self._rules = rules
        self.next_roll = next_roll
        self._draw = draw
        self._drawing: Draw = self._drawn
        self.drew = False
        self._first_roll = first_roll

    @property
    def rules(self) -> Rules[Any]:
        """The rules the session is decided by. Raises `RulesNotDecided` where they are forgotten."""
        return self._rules()

    def again(  # noqa: PLR0913 - a slot, its table and dice, and what was sent for it
        self,
        state: Any,
        content: Content,
        stock: Stock,
        *,
        last: bool,
        others: Sequence[Otherwise] = (),
        meant: int | None = None,
        answered: bool = False,
        typed: Sequence[int] | None = None,
        draws: bool = True,
    ) -> Again:
        """The slot on this table. Raises the `RuleViolation` of its own command where that is illegal now.

        `last` slots may leave a question open; any other takes the recommended answers. `others` are answers
        and faces sent for this slot's actions. The step of action `meant` was sent with the correction
        (`answered`: with its answers), and `typed` are faces that stand for all that it threw.
        Unless it `draws`, `DiceOpen` is raised where a die is wanted that was never thrown.
        """
        self._drawing = self._drawn if draws else draw_nothing
        steps: list[Retold] = []
        dropped: list[int] = []
        hands: list[Hand] = []
        for index, step in enumerate(content.steps):
            other = next((each for each in others if each.action == step.action), None)
            faces, sent = (typed, answered) if step.action == meant else (None, False)
            hand = self._dice(stock, step, other, faces, partial(self.ruleset.record.name_dice, state))
            with _naming(step):
                try:
                    retold, state = self._step(state, step, hand, other, answered=sent)
                except RuleViolation:
                    if index == 0 or step.action == meant:
                        raise
                    found = self._replaced(state, step, hand)
                    if found is None:
                        dropped.append(step.action)
                        continue
                    retold, state = found
            steps.append(retold)
            hands.append(hand)
        if not last:
            state = self._close(state, steps, hands)
        for hand in hands:
            hand.finish()
        return Again(steps=tuple(steps), state=state, next_roll=self.next_roll, dropped=tuple(dropped))

    def as_it_went(self, state: Any, content: Content, *, last: bool) -> Any:
        """The table after the slot where all goes exactly as it went then; `None` where anything does not."""
        return as_it_went(self.ruleset, self.rules, self.read, state, content, last=last)

    def goes_as_it_went(self, state: Any, content: Content, stock: Stock, *, last: bool) -> bool:
        """Whether all goes as it went then when nothing new is thrown or sent for it; nothing is numbered on."""
        if self.as_it_went(state, content, last=last) is not None:
            return True
        roll = self.next_roll
        try:
            return self.again(state, content, stock, last=last, draws=False).stands(content)
        except (RuleViolation, DiceOpen, DiceNeeded):
            return False
        finally:
            self.next_roll = roll

    def _drawn(self, roll: int, index: int, sides: int) -> int:
        self.drew = True
        return self._draw(roll, index, sides)

    # --- steps ------------------------------------------------------------------------------------------------

    def _step(
        self, state: Any, step: Step, dice: Hand, other: Otherwise | None = None, *, answered: bool = False
    ) -> tuple[Retold, Any]:
        if other is not None and other.answers is not None:
            step = msgspec.structs.replace(step, answers=tuple(map(canonical, other.answers)))
        command = self.read(step.command)
        strict = answered or (other is not None and other.answers is not None)
        if isinstance(command, ThrowDice):
            thrown = throw_dice(command, step.by, dice)
            drafts = (Draft(event=thrown, audience=step.audience),)
            retold = Retold(step=step, drafts=drafts, unheard=step.answers if strict else ())
        else:
            retold, state = self._play(state, step, command, dice, strict=strict)
        self.next_roll = dice.next_roll
        return retold, state

    def _dice(
        self, stock: Stock, step: Step, other: Otherwise | None, typed: Sequence[int] | None, named: Named
    ) -> Hand:
        if typed is not None:
            return TableDice(typed, self.next_roll, named)
        faces = other.dice if other is not None and other.dice is not None else ()
        asking = Asking(step.action, step.audience)
        return StockDice(
            stock, asking, step.source, self.next_roll, self._first_roll, self._drawing, faces, named
        )

    def _play(
        self, state: Any, step: Step, command: Command, dice: Hand, *, strict: bool
    ) -> tuple[Retold, Any]:
        """The command and its answers; answers that no longer fit give way to the recommended ones."""
        commands, replaced = [command, *map(self.read, step.answers)], False
        played = self._played(state, commands[:1], step, dice)
        drafts, passed_over, answers = list(played.drafts), list(played.passed_over), list[msgspec.Raw]()
        unheard: list[msgspec.Raw] = []
        for raw, answer in zip(step.answers, commands[1:], strict=True):
            try:
                played = self._played(played.state, [answer], step, dice)
                answers.append(raw)
            except RuleViolation:
                if strict:
                    raise
                replaced = True
                instead = recommended(self.ruleset, self.rules, played.state)
                if instead is None:
                    continue
                played = self._played(played.state, [instead], step, dice)
                answers.append(canonical(encode(instead)))
            drafts += played.drafts
            passed_over += played.passed_over
            if strict and not played.drafts:
                unheard.append(raw)
        if step.rulings:
            rest = play_out(self.ruleset, self.rules, played.state, (), dice, rulings=True)
            played = msgspec.structs.replace(rest, passed_over=())
            drafts += rest.drafts
        ruled = tuple(dict.fromkeys(passed_over))
        if ruled:
            ruling = RulingMade(codes=ruled, reason=step.reason)
            drafts.insert(0, Draft(event=ruling, audience=drafts[0].audience))
        now = msgspec.structs.replace(step, answers=tuple(answers)) if replaced else step
        retold = Retold(step=now, drafts=tuple(drafts), replaced=replaced, unheard=tuple(unheard))
        return retold, played.state

    def _played(self, state: Any, commands: Iterable[Command], step: Step, dice: Hand) -> Played:
        return play_out(self.ruleset, self.rules, state, commands, dice, overrule=step.overrule)

    def _replaced(self, state: Any, step: Step, dice: Hand) -> tuple[Retold, Any] | None:
        """The recommended answer in place of one that no longer fits; `None` where nothing is asked any more."""
        if not isinstance(self.read(step.command), self.rules.answers):
            return None
        instead = recommended(self.ruleset, self.rules, state)
        if instead is None:
            return None
        step = msgspec.structs.replace(step, command=canonical(encode(instead)), answers=(), overrule=())
        retold, state = self._step(state, step, dice)
        return msgspec.structs.replace(retold, replaced=True), state

    def _close(self, state: Any, steps: list[Retold], hands: Sequence[Hand]) -> Any:
        """Give the recommended answers to whatever the slot would leave open.

        They go to the last command of the game, with its dice: a roll of the recorder's own takes no answers.
        """
        at = next((i for i in reversed(range(len(steps))) if not self._is_roll(steps[i].step)), 0)
        dice = hands[at]
        for _ in range(MOST_RULINGS):
            instead = recommended(self.ruleset, self.rules, state)
            if instead is None:
                return state
            asked, dice.next_roll = steps[at], self.next_roll
            with _naming(asked.step):
                played = self._played(state, [instead], asked.step, dice)
            self.next_roll, state = dice.next_roll, played.state
            answers = (*asked.step.answers, canonical(encode(instead)))
            steps[at] = msgspec.structs.replace(
                asked,
                step=msgspec.structs.replace(asked.step, answers=answers),
                drafts=(*asked.drafts, *played.drafts),
                replaced=True,
            )
        return state

    def _is_roll(self, step: Step) -> bool:
        return isinstance(self.read(step.command), ThrowDice)

    def read(self, raw: msgspec.Raw) -> Command:
        """A stored command."""
        return read_command(self.ruleset.slug, self.rules.number, bytes(raw))


@contextmanager
def _naming(step: Step) -> Iterator[None]:
    """Dice that are missing are asked for by the action they are for."""
    try:
        yield
    except DiceNeeded as needed:
        needed.fields["action"] = step.action
        raise
