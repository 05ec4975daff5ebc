"""Looking: the table, the timeline, the events, what was counted, whether the log is whole."""

from __future__ import annotations

from collections.abc import Sequence

from tabletape.client.call import Call, joined, path_of, reading
from tabletape.client.shapes.audit import Audit
from tabletape.client.shapes.checked import Statistics, Verification
from tabletape.client.shapes.corrections import Difference
from tabletape.client.shapes.events import EventPage
from tabletape.client.shapes.table import Choices, Table
from tabletape.client.shapes.timeline import Entry, Timeline


def state(session: str, *, at: int | None = None, corrected: bool | None = None) -> Call[Table]:
    """The table now, or after an action as it was known then; `corrected` as it is known now."""
    params = {"at": at, "corrected": corrected}
    return Call(method="GET", path=path_of(session, "state"), read=reading(Table), params=params)


def difference(
    session: str,
    since: int | None = None,
    *,
    to: int | None = None,
    corrected: bool | None = None,
    against: str | None = None,
) -> Call[Difference]:
    """What changed on the table between two actions, each the latest where it is left out.

    With `against`, `to` is an action of that fork of this session: how the table there differs from here.
    """
    params = {"from": since, "to": to, "corrected": corrected, "against": against}
    return Call(method="GET", path=path_of(session, "diff"), read=reading(Difference), params=params)


def choices(session: str) -> Call[Choices]:
    """What can be done now, with limits for a form."""
    return Call(method="GET", path=path_of(session, "choices"), read=reading(Choices))


def timeline(  # noqa: PLR0913 - each is one way to narrow the list
    session: str,
    *,
    after: int | None = None,
    before: int | None = None,
    limit: int | None = None,
    character: str | None = None,
    kind: str | None = None,
    round: int | None = None,  # noqa: A002 - the rule book's word
    undone: bool | None = None,
    text: str | None = None,
) -> Call[Timeline]:
    """A page of the readable lines, forwards from `after` or backwards from `before`."""
    params = {
        "after": after,
        "before": before,
        "limit": limit,
        "character": character,
        "kind": kind,
        "round": round,
        "undone": undone,
        "text": text,
    }
    return Call(method="GET", path=path_of(session, "actions"), read=reading(Timeline), params=params)


def action(session: str, number: int) -> Call[Entry]:
    """One line of the timeline."""
    return Call(method="GET", path=path_of(session, "actions", number), read=reading(Entry))


def events(
    session: str, *, after: str | None = None, limit: int | None = None, types: Sequence[str] = ()
) -> Call[EventPage]:
    """A page of the events after a cursor; `types` keeps only those of these types."""
    params = {"after": after, "limit": limit, "type": joined(types)}
    return Call(method="GET", path=path_of(session, "events"), read=reading(EventPage), params=params)


def statistics(session: str) -> Call[Statistics]:
    """Luck and deeds."""
    return Call(method="GET", path=path_of(session, "statistics"), read=reading(Statistics))


def audit(session: str, *, after: int | None = None, limit: int | None = None) -> Call[Audit]:
    """Every die with what it was thrown for, rulings, what was set by hand, and who corrected how often."""
    params = {"after": after, "limit": limit}
    return Call(method="GET", path=path_of(session, "audit"), read=reading(Audit), params=params)


def verification(session: str) -> Call[Verification]:
    """Whether the log is whole."""
    return Call(method="GET", path=path_of(session, "verification"), read=reading(Verification))
