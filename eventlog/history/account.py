"""The account of a correction while it is told: what it touched so far, and what it writes anew."""

from __future__ import annotations

from collections.abc import Mapping

from eventlog.corrections import Change
from eventlog.history.deeds import stock_name
from eventlog.history.errors import TooMuchTouched
from eventlog.history.retold import Again
from eventlog.history.slots import Content
from eventlog.history.touching import Proposal, Revised, Touching

MOST_REVISED = 1000
"""Slots one correction may write anew; beyond it, a fork is the better way."""


CONFLICTING = ("changes", "falls", "open")
"""What a strict correction would have to do to actions that nobody named."""


class Account:
    """What a correction made of the slots it came by, each with its content as it was or as it came back."""

    def __init__(self, proposals: Mapping[int, Proposal]) -> None:
        self._proposals = proposals
        self._touchings: dict[int, Touching] = {}
        self.contents: dict[int, Content] = {}
        self.revised: list[Revised] = []

    def touch(self, told: Touching, content: Content | None) -> None:
        """Something becomes of a slot."""
        self._touchings[told.action] = told
        if content is not None:
            self.contents[told.action] = content

    def write(self, slot: int, revision: int, again: Again) -> None:
        """A slot is written anew. Raises `TooMuchTouched`."""
        self.revised.append(Revised(slot=slot, revision=revision, again=again))
        if len(self.revised) > MOST_REVISED:
            raise TooMuchTouched(
                f"This would write more than {MOST_REVISED} later actions anew. Fork the session at that point "
                "instead, and go on from there",
                limit=MOST_REVISED,
            )

    @property
    def conflicting(self) -> list[Touching]:
        """What a strict correction is refused for, with what may follow from it; empty where nothing is touched."""
        touched = [told for slot, told in self._touchings.items() if self._is_conflict(slot, told)]
        return touched if any(told.outcome != "open" for told in touched) else []

    def _is_conflict(self, slot: int, told: Touching) -> bool:
        """What somebody takes back may come out otherwise than it was, but take nobody's answer along."""
        proposal = self._proposals.get(slot)
        if proposal is not None and proposal.outcome == "redone" and told.dropped:
            return True
        return told.outcome in CONFLICTING and not (proposal and proposal.asked)

    def touchings(self, *, asked: bool) -> tuple[Touching, ...]:
        """What became of the slots that somebody asked for, or of the others."""
        named = {slot for slot, proposal in self._proposals.items() if proposal.asked}
        return tuple(told for slot, told in self._touchings.items() if (slot in named) == asked)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The same as it is recorded; what is open yet is left out."""
        told = (*self.touchings(asked=True), *self.touchings(asked=False))
        return tuple(self._change(each) for each in told if each.outcome != "open")

    def _change(self, told: Touching) -> Change:
        proposal, content = self._proposals.get(told.action), self.contents.get(told.action)
        assert told.outcome != "open"  # noqa: S101 - these are left out
        emptied = told.after is None and told.before is not None
        return Change(
            slot=told.action,
            outcome=told.outcome,
            before=told.before,
            after=told.after,
            code=told.code,
            step=proposal.step if proposal else None,
            stock=stock_name(content) if emptied and content else None,
        )
