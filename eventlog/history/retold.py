"""A slot as it was decided again, compared with what is stored of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from eventlog.canonical import canonical_copy
from eventlog.errors import CommandMalformed
from eventlog.history.slots import Content, Fact, Step
from eventlog.playing import Draft


class Retold(msgspec.Struct, frozen=True, kw_only=True):
    """A step as it goes now: what is asked (perhaps with other answers), and the drafts it leads to.

    `unheard` are answers sent with the correction for it that led to nothing.
    """

    step: Step
    drafts: tuple[Draft, ...]
    replaced: bool = False
    unheard: tuple[msgspec.Raw, ...] = ()


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """A slot decided again: its steps as they go now, the table after it, the next roll's number.

    `dropped` are the actions of book-keeping and answers that no longer have a place in it.
    """

    steps: tuple[Retold, ...]
    state: Any
    next_roll: int
    dropped: tuple[int, ...] = ()

    def stands(self, content: Content) -> bool:
        """Whether it led to what is stored: the same facts, seen by the same people."""
        if self.dropped or len(self.steps) != len(content.steps):
            return False
        return all(
            not again.replaced and same(kept.facts, again.drafts)
            for kept, again in zip(content.steps, self.steps, strict=True)
        )


def same(facts: Sequence[Fact], drafts: Sequence[Draft]) -> bool:
    """Whether these drafts say what the stored facts say; removed words match any."""
    return first_difference(facts, drafts) is None


def first_difference(facts: Sequence[Fact], drafts: Sequence[Draft]) -> int | None:
    """The index of the first fact a draft does not match; `None` where all do."""
    for index, (fact, draft) in enumerate(zip_longest(facts, drafts)):
        if fact is None or draft is None:
            return index
        if fact.event is not None and (fact.event != draft.event or fact.audience != draft.audience):
            return index
    return None


def canonical(raw: bytes | msgspec.Raw) -> msgspec.Raw:
    """A command as the log keeps it. Raises `CommandMalformed` for what it cannot keep."""
    try:
        return msgspec.Raw(canonical_copy(bytes(raw)))
    except ValueError as error:
        raise CommandMalformed(f"This command cannot be recorded: {error}") from error
