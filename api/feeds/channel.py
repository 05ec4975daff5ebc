"""Channels: a log as everybody of one audience hears it, read once and shared.

A reader who is at the end waits for the channel; one who is behind reads on alone, from the log. So nobody is
ever skipped, however slow, and a crowd at the end costs one read for each thing that happens.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from api.feeds.pages import Page, Teller, heartbeat
from api.feeds.spelling import Form
from projections.cursors import Place

KEPT = 4
"""Pages kept for readers who come at the same time, such as everybody after a restart; none outlives the next
thing that happens, which may take words back."""

InThread: TypeAlias = Callable[[Teller, Place], Awaitable[Page]]


class Channel:
    """What some readers share. It follows the log from `end` on for as long as it is open.

    `stir` it when there may be something new. Whatever breaks while reading is what its readers meet.
    """

    def __init__(self, teller: Teller, end: Place, form: Form, beat: float, in_thread: InThread) -> None:
        self.readers = 0
        self._teller = teller
        self._end = end
        self._form = form
        self._beat = beat
        self._in_thread = in_thread
        self._stirred = asyncio.Event()
        self._stirred.set()  # something may have happened since the end was looked up
        self._waiting = set[asyncio.Future[Page | None]]()
        self._pages = OrderedDict[int, asyncio.Future[Page]]()
        self._following = asyncio.get_running_loop().create_task(self._follow())

    def stir(self) -> None:
        """There may be something new."""
        self._pages.clear()
        self._stirred.set()

    async def close(self) -> None:
        """Stop following."""
        self._following.cancel()
        await asyncio.gather(self._following, return_exceptions=True)

    def wait(self) -> asyncio.Future[Page | None]:
        """What comes next at the end; somebody else may set it to `None` and so end the waiting."""
        waiter: asyncio.Future[Page | None] = asyncio.get_running_loop().create_future()
        if self._following.done():
            self._following.result()
        self._waiting.add(waiter)
        waiter.add_done_callback(self._waiting.discard)
        return waiter

    async def read(self, after: Place) -> Page | None:
        """The page after a place, from the log; `None` at the end, or beyond what this channel has heard of."""
        end = self._end
        if after.number >= end.number:
            return None
        reading = self._pages.get(after.number)
        if reading is None:
            reading = self._pages[after.number] = asyncio.ensure_future(self._in_thread(self._teller, after))
            while len(self._pages) > KEPT:
                self._pages.popitem(last=False)
        page = await asyncio.shield(reading)
        # Nothing there although the log went further: it was removed with its session.
        return page if page.place != after else Page(after.number, end, b"", 0)

    async def _follow(self) -> None:
        """Tell those who wait what is new, or at least that the channel still beats."""
        try:
            loop = asyncio.get_running_loop()
            told = loop.time()
            while True:
                page = await self._next(told + self._beat - loop.time())
                if page.count:
                    told = loop.time()
                if page.count or page.place != self._end:
                    self._end = page.place
                    self._publish(page)
        except BaseException as error:
            for waiter in tuple(self._waiting):
                if not waiter.done():
                    waiter.set_exception(error) if isinstance(error, Exception) else waiter.cancel()
            raise

    async def _next(self, patience: float) -> Page:
        """The next page at the end: something new, or a heartbeat when there was nothing for that long."""
        try:
            async with asyncio.timeout(max(0, patience)):
                await self._stirred.wait()
        except TimeoutError:
            return heartbeat(self._end, self._form)
        self._stirred.clear()
        page = await self._in_thread(self._teller, self._end)
        if page.place != self._end:
            self._stirred.set()  # one page may not have been all
        return page

    def _publish(self, page: Page) -> None:
        for waiter in tuple(self._waiting):
            if not waiter.done():
                waiter.set_result(page)
