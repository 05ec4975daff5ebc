"""A table that duels and hooks that are told of it, with couriers that work as long as they are asked to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api.seats import Seat
from api.tokens import draw
from api.webhooks.addresses import Reach, networks
from api.webhooks.courier import Courier
from api.webhooks.patience import Patience
from api.webhooks.sending import Post
from api.webhooks.signing import new_secret
from eventlog.hooks import Hook, Secret
from eventlog.recorder import Recorder, new_id
from eventlog.requests import OpenRequest, Request
from eventlog.sealing import now
from eventlog.sqlite.store import SqliteStore
from rulesets.people import GM, OBSERVER

HERE = Reach(allowed=networks(["127.0.0.0/8"]))
SOON = Patience(waits=(0.05, 0.1, 0.2))
NEVER = Patience(waits=(3600.0,))


class Hall:
    """A store, its recorder, and as many couriers as are started."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = path
        self.store = SqliteStore.open(path)
        self.recorder = Recorder(self.store)

    async def aclose(self) -> None:
        await self.recorder.aclose()
        self.store.close()

    async def open(self, title: str = "At dawn", ruleset: str = "duel") -> str:
        asked = OpenRequest(ruleset=ruleset, title=title, issuer=GM, parameters=b"{}")
        return (await self.recorder.open(asked)).tape.session

    async def act(self, session: str, command: dict[str, Any], **fields: Any) -> int:
        """Record a command; the session's version after it."""
        sent = Request(command=json.dumps(command).encode(), issuer=GM, **fields)
        return (await self.recorder.record(session, sent)).tape.version

    async def note(self, session: str, count: int = 1, **fields: Any) -> int:
        """Write so many notes, two events each."""
        for number in range(count):
            version = await self.act(session, {"type": "note", "text": f"note {number}"}, **fields)
        return version

    def seat(self, session: str, name: str, *characters: str) -> None:
        """Give a player a seat."""
        seat = Seat(session=session, role="player", name=name, characters=characters, invite="")
        self.store.add_token(draw(new_id(), seat).token)

    def hook(self, url: str, session: str | None, after: int | None = None, **fields: Any) -> Hook:
        """Keep a hook for that address."""
        given: dict[str, Any] = {"viewer": OBSERVER, "secrets": (new_secret(),), **fields}
        hook = Hook(id=new_id(), session=session, url=url, created_at=now(), **given)
        self.store.hooks.add(hook, after)
        return hook

    def courier(self, patience: Patience = SOON, reach: Reach = HERE) -> Courier:
        return Courier(self.store, Post(reach), patience=patience)

    def is_told(self, *hooks: Hook) -> bool:
        """Whether the hooks were told of everything."""
        found = [each for hook in hooks for each in self.store.hooks.standings(hook.id)]
        return bool(found) and all(each.seq == each.version for each in found)

    async def until(self, true: Callable[[], bool], seconds: float = 60.0) -> None:
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 - what is waited for happens in a thread or a file
                await asyncio.sleep(0.01)

    async def tell(self, *hooks: Hook, patience: Patience = SOON) -> None:
        """Let a courier work until the hooks were told of everything."""
        courier = self.courier(patience)
        courier.start()
        try:
            await self.until(lambda: self.is_told(*hooks))
        finally:
            await courier.aclose()


def secret_of(hook: Hook) -> str:
    """What its messages are verified with."""
    secret: Secret = hook.secrets[0]
    return secret.value
