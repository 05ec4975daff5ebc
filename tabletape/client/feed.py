"""The feed: the events of a session as they happen, each once and in order, however often the line breaks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from tabletape.client.calls import looking
from tabletape.client.shapes.events import Event

if TYPE_CHECKING:
    from tabletape.client.awaiting import AsyncClient
    from tabletape.client.blocking import Client

POLL = 0.2


class Feed:
    """The events a reader may see, as they happen: iterate over it. `cursor` is where it stands."""

    def __init__(
        self, client: Client, session: str, *, after: str | int | None, types: Sequence[str]
    ) -> None:
        self._client, self._session, self._types = client, session, types
        self.cursor = None if after is None else str(after)
        self._events = self._read()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def _read(self) -> Iterator[Event]:
        if self.cursor is None:
            now = self._client.session(self._session)
            self.cursor = f"{now.version}.{now.head_hash[:8]}"
        while True:
            page = self._client.send(looking.events(self._session, after=self.cursor, types=self._types))
            for event in page.events:
                self.cursor = event.cursor
                if not event.hidden:
                    yield event
            if self.cursor == page.next:
                time.sleep(POLL)
            self.cursor = page.next


class AsyncFeed:
    """The events a reader may see, as they happen: iterate with `async for`. `cursor` is where it stands."""

    def __init__(
        self, client: AsyncClient, session: str, *, after: str | int | None, types: Sequence[str]
    ) -> None:
        self._client, self._session, self._types = client, session, types
        self.cursor = None if after is None else str(after)
        self._events = self._read()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def _read(self) -> AsyncIterator[Event]:
        if self.cursor is None:
            now = await self._client.session(self._session)
            self.cursor = f"{now.version}.{now.head_hash[:8]}"
        while True:
            page = await self._client.send(
                looking.events(self._session, after=self.cursor, types=self._types)
            )
            for event in page.events:
                self.cursor = event.cursor
                if not event.hidden:
                    yield event
            if self.cursor == page.next:
                await asyncio.sleep(POLL)
            self.cursor = page.next
