"""What differs between two tables: as a JSON Patch for programs, and as lines for people."""

from __future__ import annotations

from typing import Any, Literal

import jsonpatch
import msgspec

from eventlog.canonical import encode
from projections.changes import changes
from projections.table import TableDocument


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a JSON Patch (RFC 6902): where in the state something is put, taken, or moved from."""

    op: Literal["add", "remove", "replace", "move"]
    path: str
    from_: str | msgspec.UnsetType = msgspec.field(name="from", default=msgspec.UNSET)
    value: Any = msgspec.UNSET


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How one table became another, as one person sees both.

    `from` and `to` are the numbers of the actions after which the tables are; `patch`, applied to the `state` of
    the first, gives the state of the second. `lines` say the same in words and in a fixed order.
    """

    from_: int = msgspec.field(name="from")
    to: int
    patch: tuple[Operation, ...]
    lines: tuple[str, ...]


def difference(before: TableDocument, after: TableDocument) -> Difference:
    """The difference between two tables that the same person sees: nothing they may not see is in either."""
    old, new = plain(before.state), plain(after.state)
    return Difference(
        from_=before.at, to=after.at, patch=patch_between(old, new), lines=tuple(changes(old, new))
    )


def plain(state: dict[str, Any]) -> dict[str, Any]:
    """The state as its reader gets it: lists where the ruleset has tuples."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return plain


def patch_between(old: dict[str, Any], new: dict[str, Any]) -> tuple[Operation, ...]:
    """The JSON Patch that turns one plain state into exactly another."""
    patch = jsonpatch.make_patch(old, new)
    if encode(patch.apply(old)) != encode(
        new
    ):  # it takes 1 for true, and so leaves one where the other belongs
        return (Operation(op="replace", path="", value=new),)
    return msgspec.convert(patch.patch, tuple[Operation, ...])
