"""One open feed: an answer that goes on until somebody ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Self

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from api.answers import UNKEPT
from api.feeds.channel import Channel
from api.feeds.feeds import Ending, Feeds
from api.feeds.frames import Bye, Closed
from api.feeds.opening import Opening, opening
from api.feeds.pages import Asking, Page, heartbeat
from api.feeds.spelling import MEDIA_TYPES, RETRY, SPELLINGS
from api.problems import place as place_of_fault
from api.seats import Seat
from eventlog.errors import SessionUnknown
from projections.cursors import START

CUT = "tabletape.cut"
"""The extension of our own connections whose `now` hangs up at once, whatever still waits to be sent."""


class Feed(Response[bytes]):
    """The answer to one reader: its opening frames, then page after page from there on.

    Each page has to be taken within the server's `patience`. Whoever does not take it is cut off, and comes
    back to where they were with the last cursor they got.
    """

    def __init__(self, feeds: Feeds, asking: Asking, seat: Seat, seated: Callable[[], bool]) -> None:
        self.seat = seat
        self._seated = seated
        self._feeds = feeds
        self._asking = asking
        self._place = START
        self._opening: tuple[bytes, ...] = ()
        self._frames = 0
        self._ending: Ending | None = None
        self._waiter: asyncio.Future[Page | None] | None = None
        self._sending = False
        self._cut: Callable[[], None] | None = None

    @classmethod
    async def begin(
        cls, feeds: Feeds, asking: Asking, seat: Seat, seated: Callable[[], bool], after: str | None
    ) -> Self | None:
        """Let a reader in and look up where they stand; `None` for who has a closed session to its end already.

        `seated` says whether the token they came with is still good: another process may have taken it away.
        Raises `TooManyFeeds`, `ServerStopping`, `CursorUnknown`, `SessionUnknown` or `RulesetNotInstalled`.
        """

        def look_up(asked: Asking) -> Opening:
            return opening(feeds.store, asked, seat.viewer, after)

        feed = cls(feeds, asking, seat, seated)
        feeds.admit(feed)  # first, so that a token revoked meanwhile ends it
        try:
            begun = await feeds.in_thread(look_up, asking)
        except BaseException:
            feeds.dismiss(feed)
            raise
        if begun.over and after is not None:
            feeds.dismiss(feed)
            return None
        feed._place, feed._opening = begun.place, begun.frames
        if begun.over:
            feed.end("closed")
        return feed

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """Itself: it is one."""
        return self  # type: ignore[return-value]  # all litestar does with it is call it

    def end(self, ending: Ending) -> None:
        """End it: with a last frame where the reader listens, at once where not."""
        self._ending = self._ending or ending
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        elif self._sending and self._cut is not None:
            self._cut()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell it, to the end."""
        if "tabletape_head" in scope:  # who asks for the headers alone does not stay
            self.end("left")
        extensions: Any = scope.get("extensions") or {}
        self._cut = extensions.get(CUT, {}).get("now")
        listening = asyncio.get_running_loop().create_task(self._until_they_leave(receive))
        try:
            await self._begin_to_send(send)
            await self._follow(scope, send)
            await self._finish(send, listening)
        finally:
            listening.cancel()
            self._feeds.dismiss(self)
            told: Any = scope
            told["tabletape_feed"] = {"frames": self._frames, "ended": self._ending or "broken"}

    async def _until_they_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end("left")

    async def _begin_to_send(self, send: Send) -> None:
        headers = [
            (b"content-type", MEDIA_TYPES[self._asking.form].encode()),
            (b"cache-control", UNKEPT.encode()),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._put(send, b"".join(self._opening), len(self._opening))

    async def _follow(self, scope: Any, send: Send) -> None:
        """Tell what the log says, until there is a reason to end."""
        if self._ending is not None:
            return
        channel = self._feeds.channel(self._asking, self.seat, self._place)
        try:
            await self._tell(channel, send)
        except SessionUnknown:
            self.end("removed")
        except Exception as error:  # noqa: BLE001 - whatever broke: the reader is told, and the log says where
            self.end("broken")
            scope["tabletape_fault"] = place_of_fault(error)
        finally:
            await self._feeds.leave(channel)

    async def _tell(self, channel: Channel, send: Send) -> None:
        told = asyncio.get_running_loop().time()
        while self._ending is None:
            page = await channel.read(self._place) or await self._next(channel)
            if self._has_lost_their_seat():
                self.end("revoked")
            elif page is None or page.after != self._place.number:
                continue  # somebody ended it, or the channel is elsewhere: read on from the log
            else:
                told = await self._take(send, page, told)

    def _has_lost_their_seat(self) -> bool:
        """Whether the reader's token was taken away meanwhile, by somebody this process did not hear of."""
        return self._ending is None and not self._seated()

    async def _take(self, send: Send, page: Page, told: float) -> float:
        """Tell a page, or where the reader stands when it was silent for long; when something was told last."""
        clock = asyncio.get_running_loop().time
        self._place = page.place
        if not page.count and clock() - told > self._feeds.settings.heartbeat:
            page = heartbeat(self._place, self._asking.form)
        if page.count:
            told = clock()
            await self._put(send, page.frames, page.count)
        if page.closes:
            self.end("closed")
        return told

    async def _next(self, channel: Channel) -> Page | None:
        self._waiter = channel.wait()
        try:
            return await self._waiter
        finally:
            self._waiter = None

    async def _put(self, send: Send, frames: bytes, count: int) -> None:
        """Send frames, and wait for a reader who is slow only so long."""
        self._sending = True
        try:
            async with asyncio.timeout(self._feeds.settings.patience):
                await send({"type": "http.response.body", "body": frames, "more_body": True})
            self._count(count)
        except TimeoutError:
            self.end("slow")
        finally:
            self._sending = False

    async def _finish(self, send: Send, listening: asyncio.Task[None]) -> None:
        if self._ending == "slow":
            self._feeds.metrics.feeds_cut_off.inc()
            if self._cut is not None:  # it was called; the connection is gone in a moment
                await listening
                return
        last = self._last_frame()
        self._count(1 if last else 0)
        await send({"type": "http.response.body", "body": last, "more_body": False})

    def _count(self, frames: int) -> None:
        self._frames += frames
        self._feeds.metrics.feed_frames.inc(frames)

    def _last_frame(self) -> bytes:
        spell, here = SPELLINGS[self._asking.form], self._place
        match self._ending:
            case "closed":
                session = self._asking.session or ""
                closed = Closed(session=session, version=here.number, head_hash=here.hash.hex())
                return spell("closed", here.cursor, closed)
            case "stopping" | "revoked" | "removed" | "broken" as reason:
                retry = RETRY if reason == "stopping" else None
                return spell("bye", here.cursor, Bye(reason=reason, retry=retry))
            case _:
                return b""
