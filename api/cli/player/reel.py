"""Where the frames of a replay come from: a database, a server, or an exported file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from api.cli import options
from api.cli.database import looking_at
from api.cli.exits import Ended, Exit
from api.cli.eyes import viewer_in_story, viewer_named
from eventlog.archive import read_archive
from eventlog.envelope import Envelope
from eventlog.history.copied import CopiedLog
from projections.replay import ReplayFrame, replay
from tabletape.client import Client
from tabletape.client import ReplayFrame as Told


class Which(msgspec.Struct, frozen=True, kw_only=True):
    """Which actions are told, and how: `corrected` is the history as it stands."""

    first: int
    last: int | None
    corrected: bool


class Reel(msgspec.Struct, frozen=True, kw_only=True):
    """A session's title and its frames, one after the other."""

    title: str
    frames: Iterator[ReplayFrame]


@contextmanager
def from_database(db: str, session: str, who: str, which: Which) -> Iterator[Reel]:
    """The frames of a session in a database, made as they are asked for."""
    with looking_at(db) as store:
        viewer, title = viewer_named(store, session, who), store.head(session).title
        frames = replay(store, session, viewer, first=which.first, last=which.last, corrected=which.corrected)
        yield Reel(title=title, frames=frames)


@contextmanager
def from_file(path: str, who: str, which: Which) -> Iterator[Reel]:
    """The frames of an exported session, without any database. Ends the command for a copy that is not complete."""
    with Path(path).open("rb") as lines:
        header, events = read_archive(lines)
    whole = [event for event in events if isinstance(event, Envelope)]
    if len(whole) < len(events):
        raise Ended(
            f"{path} was made for somebody who may not see everything, and the table cannot be told from a part of "
            "its log: replay the game master's copy",
            Exit.REFUSED,
        )
    log = CopiedLog(header.session, whole)
    viewer = viewer_in_story(log, header.session, who)
    frames = replay(
        log, header.session, viewer, first=which.first, last=which.last, corrected=which.corrected
    )
    yield Reel(title=header.title, frames=frames)


@contextmanager
def from_server(url: str, session: str, token: str | None, which: Which) -> Iterator[Reel]:
    """The frames of a session at a server, as the token's owner may see them, made as they are asked for."""
    with Client(url, token, patience=options.AT_A_PROMPT) as client:
        title = client.session(session).title
        told = client.replay(session, first=which.first, last=which.last, corrected=which.corrected)
        yield Reel(title=title, frames=map(_as_here, told))


def _as_here(frame: Told) -> ReplayFrame:
    """A frame of the client as one of this installation."""
    return msgspec.convert(msgspec.to_builtins(frame), ReplayFrame)
