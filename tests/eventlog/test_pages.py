"""A log read a page at a time: every event once, up to where it was asked for, however long the pages are."""

import asyncio

import pytest

from eventlog.archive import export_lines
from eventlog.logs import pages
from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Request
from eventlog.sqlite.store import SqliteStore
from eventlog.verification import verify
from projections.ledger import visible_events
from rulesets.people import GM

NOTES = 7


@pytest.fixture
def session(store: SqliteStore) -> str:
    """A session of fifteen events: its opening, and seven notes of two events each."""

    async def evening() -> str:
        recorder = Recorder(store)
        session = (await recorder.open(OpenRequest(ruleset="duel", title="t"))).tape.session
        for number in range(NOTES):
            note = f'{{"type": "note", "text": "{number}"}}'.encode()
            await recorder.record(session, Request(command=note))
        await recorder.aclose()
        return session

    return asyncio.run(evening())


@pytest.fixture
def store() -> SqliteStore:
    return SqliteStore.open(":memory:")


@pytest.mark.parametrize("length", [1, 4, 5, 15, 16])
@pytest.mark.parametrize("upto", [0, 1, 4, 11, 15])
def test_pages_hold_every_event_once_and_none_beyond(
    store: SqliteStore, session: str, length: int, upto: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eventlog.logs.EVENTS_AT_ONCE", length)
    found = list(pages(store, session, upto))
    assert [event.seq for page in found for event in page] == list(range(1, upto + 1))
    assert [len(page) for page in found[:-1]] == [length] * (len(found) - 1)


@pytest.mark.parametrize("length", [1, 4, 16])
def test_whoever_reads_a_log_in_pages_reads_all_of_it(
    store: SqliteStore, session: str, length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eventlog.logs.EVENTS_AT_ONCE", length)
    version = store.head(session).version
    assert version == 1 + 2 * NOTES
    assert verify(store, session).checked.events == version
    assert len(list(export_lines(store, session, GM))) == 1 + version
    assert len(list(visible_events(store, session, GM, upto=version))) == version
