"""What a correction asks of slots and what becomes of them: proposals, touchings, the whole as it was told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from eventlog.corrections import Change, Outcome
from eventlog.errors import NotAllowed
from eventlog.history.errors import HistoryConflict, NotTouched
from eventlog.history.retold import Again
from eventlog.history.slots import Content


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """What a slot shall hold from now on (`None` = nothing), and whether somebody asked for that.

    `asked` is false for what merely comes back with a redone target, `kept` true for a content as it stood
    before. `dice_of` is the content whose dice it takes first. `meant` is the action whose step was sent with the
    correction: it is never replaced by what is recommended, nor are its answers where they were sent too
    (`answered`); `typed` are faces for it. `step` is the one that alone is taken out of the slot. `drops` are
    actions that answered the slot as it stands and have no place in what it shall hold.
    """

    content: Content | None
    outcome: Outcome
    asked: bool = True
    kept: bool = False
    dice_of: Content | None = None
    meant: int | None = None
    answered: bool = False
    typed: tuple[int, ...] | None = None
    step: int | None = None
    drops: tuple[int, ...] = ()


class Touching(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a correction makes of one action: the revision before and after it, and why.

    `outcome` is `open` for everything after dice that are wanted and were never thrown. `code` and
    `message` are the refusal of what falls. `dropped` are answers or book-keeping that lost their place,
    `replaced` tells that recommended answers stand in for some, `dice` are the faces of a roll for `purpose`, with
    `None` for those to be thrown.
    """

    action: int
    outcome: Outcome | Literal["open"]
    before: int | None = None
    after: int | None = None
    code: str | None = None
    message: str = ""
    dropped: tuple[int, ...] = ()
    replaced: bool = False
    purpose: str | None = None
    dice: tuple[int | None, ...] = ()


class Revised(msgspec.Struct, frozen=True, kw_only=True):
    """A slot's new revision as it is to be written."""

    slot: int
    revision: int
    again: Again


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A correction told through: what it does to which slot, and the table at the end (`None` while dice are open).

    `last` is the last slot that is filled then, `None` where none of those told is. `tables` are those after
    some slots on the way, to start from later. `contents` are the touched slots' as they were, or as they came back.
    `heeded` are the actions for which something was sent that had a part in what came of them.
    """

    targets: tuple[Touching, ...]
    consequences: tuple[Touching, ...]
    changes: tuple[Change, ...]
    revised: tuple[Revised, ...]
    state: Any
    next_roll: int
    last: int | None
    tables: tuple[tuple[int, Any], ...]
    contents: dict[int, Content]
    heeded: frozenset[int] = frozenset()


def conflict(touched: Sequence[Touching], revised: Iterable[Revised]) -> HistoryConflict:
    """The refusal of a strict correction, with what it would touch and how that would be written."""
    open_ = sum(told.outcome == "open" for told in touched)
    after = f"what becomes of {_counted(open_)} after it depends on dice that would be thrown"
    sure = f"this touches {_counted(len(touched) - open_)} more"
    said = [sure] if not open_ else [after] if open_ == len(touched) else [sure, after]
    refusal = HistoryConflict(
        f"{', and '.join(said).capitalize()}; nothing was changed. Send it again with mode "
        "`rebase` to take them along, or `cascade` to undo them too",
        touched=list(touched),
    )
    refusal.revised = tuple(revised)
    return refusal


def left_to_the_gm(asking: bool) -> NotAllowed:  # noqa: FBT001 - whether players may ask
    """The refusal of a player's correction for what they may not know of: it does not say that there is anything."""
    ask = "; ask the GM for it (an undo request)" if asking else ""
    return NotAllowed(f"Only the GM can take this back now{ask}", needs="gm")


def not_touched(actions: Iterable[int]) -> NotTouched:
    """The refusal of what was sent for actions that are not decided again."""
    numbers = sorted(actions)
    named = ", ".join(map(str, numbers))
    return NotTouched(
        f"`with` speaks of action{'s' if len(numbers) > 1 else ''} {named}, which this correction does not decide "
        "again: not touched, or undone by it. A look ahead (`dry_run`) without that lists what is touched",
        actions=numbers,
    )


def _counted(actions: int) -> str:
    return "one action" if actions == 1 else f"{actions} actions"
