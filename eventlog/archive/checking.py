"""Checking a copy from end to end, before anything of it is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

from eventlog.archive.admitting import Admitting
from eventlog.archive.as_headed import misheaded, opening_in
from eventlog.archive.header import Header
from eventlog.archive.preparing import CheckedCopy, as_fork, as_itself
from eventlog.archive.reading import CopiedLine, newer, read_archive, refused
from eventlog.codec import codec_for
from eventlog.core import CORE
from eventlog.envelope import Envelope
from eventlog.frames import HiddenFrame
from eventlog.verification import verify_envelopes
from rulesets.contract import Ruleset
from rulesets.installed import package_of, ruleset_named

AHEAD = timedelta(days=1)
"""How far the clock of whoever recorded a log may be ahead of this machine's."""


def checked_copy(lines: Iterable[bytes], fork: str | None = None) -> CheckedCopy:
    """Check a copy from end to end, without any store.

    With an id for a `fork` it becomes a session of its own that goes on from the copy's end. Raises
    `ImportRefused`, naming line and event, or `RulesetNotInstalled`.
    """
    header, copied = read_archive(lines)
    events = _complete(header, copied)
    opened = opening_in(events)
    ruleset = ruleset_named(header.ruleset if opened is None else opened.ruleset)
    _known_here(ruleset, events)
    _decided_here(ruleset, events)
    _past(events)
    fault = verify_envelopes(ruleset, header.session, events, walker=Admitting).first_fault
    if fault is not None:
        raise refused(
            fault.message,
            "invalid",
            line=fault.seq + 1,
            seq=fault.seq,
            action=fault.action,
            field=fault.field,
        )
    last = events[-1]
    if (header.version, header.head_hash) != (last.seq, last.hash.hex()):
        raise refused(
            f"the copy ends with event {last.seq}, and its header says {header.version} with another hash: "
            "a part of it is missing",
            "truncated",
            line=len(events) + 1,
            seq=last.seq,
        )
    fault = misheaded(header, events)
    if fault is not None:
        message = f"{fault.message[0].lower()}{fault.message[1:]}"
        raise refused(message, "header", line=fault.seq + 1, field=fault.field)
    if fork is not None:
        return as_fork(ruleset, header, events, fork)
    return as_itself(ruleset, header, events)


def _complete(header: Header, copied: Sequence[CopiedLine]) -> tuple[Envelope, ...]:
    events = tuple(event for event in copied if not isinstance(event, HiddenFrame))
    if header.copy != "complete" or len(events) < len(copied):
        raise refused(
            "this copy was made for somebody who may not see everything; only the GM's or the server "
            "keeper's copy is complete and can be taken in",
            "not-complete",
            line=1,
        )
    if not events:
        raise refused("there is no event after the header", "empty", line=1)
    return events


def _known_here(ruleset: Ruleset[Any], events: Sequence[Envelope]) -> None:
    """Refuse what a newer version wrote, by name and before it is taken for damage."""
    codec = codec_for(ruleset)
    for event in events:
        newest, slug = codec.newest(event.type), event.type.partition(".")[0]
        if slug not in (CORE, ruleset.slug) or (newest is not None and event.v <= newest):
            continue
        reads = "does not know that type" if newest is None else f"reads it up to version {newest}"
        raise newer(
            f"event {event.seq} is {event.type!r} version {event.v}, and this installation {reads}",
            "newer-event",
            package_of(slug),
            line=event.seq + 1,
            seq=event.seq,
            type=event.type,
            v=event.v,
        )


def _decided_here(ruleset: Ruleset[Any], events: Sequence[Envelope]) -> None:
    """Refuse a log played by rules that nobody has, or that this installation does not know yet.

    Those it has forgotten were checked when they were decided: such a log can be read for ever.
    """
    opened = opening_in(events)
    if opened is None:
        return
    if opened.rules < 1:
        message = f"event 1 names rules number {opened.rules}, and rules are numbered from 1"
        raise refused(message, "invalid", line=2, seq=1, field="data.rules")
    if ruleset.is_newer(opened.rules):
        raise newer(
            f"this log is played by rules number {opened.rules} of {ruleset.slug!r}, and this installation decides "
            f"up to number {ruleset.current}",
            "newer-rules",
            package_of(ruleset.slug),
            line=2,
            seq=1,
            rules=opened.rules,
        )


def _past(events: Sequence[Envelope]) -> None:
    """Refuse times that are yet to come: whatever is recorded next would bear them, since time never runs backwards.

    A clock set to the local time instead of UTC is forgiven. Hashes keep times, so that none can be put right.
    """
    latest = max(events, key=attrgetter("at"))
    if datetime.fromisoformat(latest.at) > datetime.now(UTC) + AHEAD:
        raise refused(
            f"event {latest.seq} was recorded at {latest.at}, more than a day after the time on this machine: one "
            "of the two clocks is wrong. Put this one right, or take the copy in when that time has passed",
            "future",
            line=latest.seq + 1,
            seq=latest.seq,
            at=latest.at,
        )
