"""Lines as Discord is told them: an entry of the timeline, and who corrected it last."""

from __future__ import annotations

import msgspec

from api.webhooks.discord.touching import CORRECTIONS, correction_of
from eventlog.audience import visible
from eventlog.store import Store
from projections.entries import Entry
from projections.telling import name_of
from projections.timeline import timeline_entry
from rulesets.people import Viewer

WORDS = {
    "undone": "undone",
    "falls": "undone",
    "redone": "restored",
    "amended": "amended",
    "inserted": "inserted",
    "changes": "changed",
}
"""What was done to a line, by the outcome of the correction for its slot."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, the title of its session, and what its readers are told of the last correction to it."""

    entry: Entry
    title: str
    changed: str = ""


def line_of(store: Store, session: str, viewer: Viewer, number: int) -> Line:
    """The line an action is told in: its own, or that of the action it answers. Raises `ActionUnknown`."""
    entry = timeline_entry(store, session, viewer, number)
    if entry.continues is not None:
        entry = timeline_entry(store, session, viewer, entry.continues)
    title = store.head(session).title
    return Line(entry=entry, title=title, changed=_changed(store, session, viewer, entry))


def _changed(store: Store, session: str, viewer: Viewer, entry: Entry) -> str:
    """Who did what to it last, as far as this person may know."""
    put_in = (entry.number,) if "inserted" in entry.marks else ()  # a forgotten action is its own correction
    if not (corrections := entry.changed_by or put_in):
        return ""
    number = corrections[-1]
    for event in visible(viewer, store.actions(session, number, number)):
        if event.type in CORRECTIONS:
            correction = correction_of(event)
            for change in (*correction.targets, *correction.consequences):
                if change.slot == entry.slot and entry.slot is not None:
                    return f"{WORDS[change.outcome]} by {name_of(event.by)}"
            if entry.slot is None:
                return f"taken back by {name_of(event.by)}"
    return "undone" if entry.status == "undone" else ""
