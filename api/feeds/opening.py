"""The opening of a feed: where its reader stands, where the log ends, and the frames that say so."""

from __future__ import annotations

from dataclasses import dataclass

from api.feeds.frames import SessionHead, StoreHead
from api.feeds.pages import Asking
from api.feeds.spelling import SPELLINGS
from eventlog.history.points import tape_at
from eventlog.store import Store
from projections.cursors import Place, WholeLog, place_of
from projections.feeds import table_at
from projections.table import state_document
from rulesets.errors import RulesetNotInstalled
from rulesets.people import Viewer


@dataclass(frozen=True, slots=True)
class Opening:
    """The first frames of a feed and the place they leave the reader at.

    `over` says that nothing will follow: the session is closed, and its end is where the reader stands.
    """

    place: Place
    frames: tuple[bytes, ...]
    over: bool


def opening(store: Store, asking: Asking, viewer: Viewer, after: str | None) -> Opening:
    """The opening for somebody who comes with a cursor, or with none, and then hears what happens from now on.

    Raises `CursorUnknown`, `SessionUnknown`, or `RulesetNotInstalled` where a table is asked for and the game
    is not here.
    """
    log, spell = asking.log(store), SPELLINGS[asking.form]
    end = log.end()
    place = end if after is None else place_of(log, after)
    frames: list[bytes] = []
    if asking.session is None:
        return Opening(place, (spell("head", place.cursor, _store_head(store, place)),), over=False)
    if asking.format == "state":
        place, table = table_at(store, asking.session, viewer, place)
        frames.append(spell("state", place.cursor, table))
    head = session_head(store, asking.session, viewer, place)
    frames.insert(0, spell("head", place.cursor, head))
    return Opening(place, tuple(frames), over=head.closed and head.version == place.number)


def session_head(store: Store, session: str, viewer: Viewer, place: Place) -> SessionHead:
    """Where a session stands, for somebody who goes on after a place."""
    head, state_hash = store.head(session), None
    try:
        tape = tape_at(store, session, head.action)
        state_hash = state_document(tape, viewer).state_hash
    except RulesetNotInstalled:
        pass  # its log can be followed, its table cannot be shown
    end = Place(head.version, head.hash)
    return SessionHead(
        session=session,
        after=place.cursor,
        head=end.cursor,
        version=end.number,
        action=head.action,
        head_hash=head.hash.hex(),
        closed=head.closed_at is not None,
        state_hash=state_hash,
    )


def _store_head(store: Store, place: Place) -> StoreHead:
    end = WholeLog(store).end()
    return StoreHead(
        after=place.cursor,
        head=end.cursor,
        position=end.number,
        head_hash=end.hash.hex() if end.number else None,
    )
