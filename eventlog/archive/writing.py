"""A log as lines of JSON, for whoever asks: complete for the GM, what they may see for everybody else."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from eventlog.archive.header import COMPLETE_FOR, FORMAT, Header
from eventlog.audience import visible
from eventlog.envelope import By, Envelope
from eventlog.frames import hidden, shown
from eventlog.logs import Head, pages
from eventlog.store import Store
from rulesets.people import Viewer


def export_lines(store: Store, session: str, viewer: Viewer) -> Iterator[bytes]:
    """The log up to now as JSON lines, each with its line end: a header, then one event a line.

    It needs no ruleset. Raises `SessionUnknown` before the first line.
    """
    head = store.head(session)
    return _lines(store, head, viewer)


def _lines(store: Store, head: Head, viewer: Viewer) -> Iterator[bytes]:
    yield _line(_header(head, viewer))
    for events in pages(store, head.session, head.version):
        yield from _events(events, viewer)


def _events(events: list[Envelope], viewer: Viewer) -> Iterator[bytes]:
    complete = viewer.role in COMPLETE_FOR
    seen = {event.seq for event in (events if complete else visible(viewer, events))}
    for event in events:
        yield _line(shown(event, placed=False) if event.seq in seen else hidden(event))


def _header(head: Head, viewer: Viewer) -> Header:
    return Header(
        tabletape=FORMAT,
        session=head.session,
        log=None if head.log == head.session else head.log,
        ruleset=head.ruleset,
        rules=head.rules,
        title=head.title,
        version=head.version,
        head_hash=head.hash.hex(),
        copy="complete" if viewer.role in COMPLETE_FOR else "redacted",
        exported_for=By.viewer(viewer),
    )


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"
