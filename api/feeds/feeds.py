"""The feeds of a server: all that are open, the channels they share, and what ends them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, Protocol, TypeAlias, TypeVar

from api.faults import ServerStopping, TooManyFeeds
from api.feeds.channel import Channel
from api.feeds.pages import Asking
from api.metrics import Metrics
from api.seats import Seat
from api.settings import ServerSettings
from eventlog.announcing import Announcer
from eventlog.errors import StoreUnusable
from eventlog.store import Store
from projections.cursors import Place

Ending: TypeAlias = Literal["left", "closed", "stopping", "revoked", "removed", "broken", "slow"]
"""Why a feed ended."""

A = TypeVar("A")
T = TypeVar("T")

LOOK_EVERY = 1.0
"""Seconds between two looks for what another process has stored."""

READERS = 3
"""Threads that read for feeds, fewer than the store has connections to read with: others find one free."""


class OpenFeed(Protocol):
    """A feed, as far as its house knows it."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        ...

    def end(self, ending: Ending) -> None:
        """End it."""
        ...


class Feeds:
    """All open feeds of one server. `start` it when the server starts and `aclose` it when it stops."""

    def __init__(
        self, store: Store, announcer: Announcer, settings: ServerSettings, metrics: Metrics
    ) -> None:
        self.store = store
        self.settings = settings
        self.metrics = metrics
        self._open = set[OpenFeed]()
        self._of_seat = Counter[tuple[str | None, str]]()
        self._channels = dict[object, Channel]()
        self._of_log = dict[str | None, set[Channel]]()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="feed")
        self._stop_listening = announcer.listen(self._heard)
        self._stopping = False
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look now and then for what others have stored."""
        self._looking = asyncio.get_running_loop().create_task(self._look())

    def stop(self) -> None:
        """Say goodbye to everybody, and let nobody in any more."""
        self._stopping = True
        for feed in tuple(self._open):
            feed.end("stopping")

    async def aclose(self) -> None:
        """Stop, and return when nobody reads any more."""
        self.stop()
        self._stop_listening()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        for channel in tuple(self._channels.values()):
            await channel.close()
        self._readers.shutdown()

    def revoked(self, session: str | None, invite: str) -> None:
        """The tokens of an invite stopped working: whoever reads with one is shown out."""
        for feed in tuple(self._open):
            if (feed.seat.session, feed.seat.invite) == (session, invite):
                feed.end("revoked")

    # --- coming and going -----------------------------------------------------------------------------------

    def admit(self, feed: OpenFeed) -> None:
        """Let a feed in. Raises `TooManyFeeds` or `ServerStopping`; those that are open stay as they are."""
        if self._stopping:
            raise ServerStopping
        most, key = self.settings.feeds_per_token, _seat_of(feed.seat)
        if self._of_seat[key] >= most:
            raise TooManyFeeds(most)
        self._of_seat[key] += 1
        self._open.add(feed)
        self.metrics.feeds_open.inc()

    def dismiss(self, feed: OpenFeed) -> None:
        """Let go of a feed."""
        if feed not in self._open:
            return
        self._open.remove(feed)
        key = _seat_of(feed.seat)
        self._of_seat[key] -= 1
        if not self._of_seat[key]:
            del self._of_seat[key]
        self.metrics.feeds_open.dec()

    def channel(self, asking: Asking, seat: Seat, end: Place) -> Channel:
        """The channel of everybody who hears the same; a new one follows the log from `end`. Leave it in the end."""
        key = asking.shared_by(seat.viewer)
        channel = self._channels.get(key)
        if channel is None:
            teller = asking.teller(self.store, seat.viewer)
            channel = Channel(teller, end, asking.form, self.settings.heartbeat, self.in_thread)
            self._channels[key] = channel
            self._of_log.setdefault(asking.session, set()).add(channel)
        channel.readers += 1
        return channel

    async def leave(self, channel: Channel) -> None:
        """One reader less; without any, the channel closes."""
        channel.readers -= 1
        if channel.readers:
            return
        self._channels = {key: each for key, each in self._channels.items() if each is not channel}
        for session, channels in tuple(self._of_log.items()):
            channels.discard(channel)
            if not channels:
                del self._of_log[session]
        await channel.close()

    async def in_thread(self, work: Callable[[A], T], asked: A) -> T:
        """Do something that waits for the disk."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work, asked)

    # --- hearing --------------------------------------------------------------------------------------------

    def _heard(self, session: str) -> None:
        for log in (session, None):
            for channel in self._of_log.get(log, ()):
                channel.stir()

    async def _look(self) -> None:
        position = 0
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not self._channels:
                continue
            try:
                last = await asyncio.to_thread(self.store.last)
            except StoreUnusable:  # whoever asks for something is told what is wrong
                continue
            if last is not None and last.position != position:
                position = last.position
                for channel in tuple(self._channels.values()):
                    channel.stir()


def _seat_of(seat: Seat) -> tuple[str | None, str]:
    return seat.session, seat.invite
