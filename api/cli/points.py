"""The table at a point of the story, as it was known then or as it is known now."""

from __future__ import annotations

from typing import Any

import click

from eventlog.history.points import corrected_at, tape_at
from eventlog.store import Store
from eventlog.tape import Tape

corrected = click.option(
    "--corrected", is_flag=True, help="As it is known now, told from what stands, and not as known then."
)


def tape_of(store: Store, session: str, at: int | None, *, corrected: bool) -> Tape[Any]:
    """The tape after an action, after the last one when `None`. Raises `SessionUnknown`, `ActionUnknown`."""
    if corrected and at is not None:
        return corrected_at(store, tape_at(store, session), at)
    return tape_at(store, session, at)
