"""A bridge to a virtual tabletop: its tokens show pools and wounds as they change, and its clicks become actions.

The tabletop here is a small one in memory; yours has an API of its own in the place of `Tabletop`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from tabletape.client import AsyncClient, Problem

BARS = ("action", "strike", "charge", "wounds")


@dataclass
class Token:
    """A figure on the map with its bars."""

    name: str
    bars: dict[str, int] = field(default_factory=dict)
    crossed_out: bool = False


@dataclass(frozen=True)
class Click:
    """What somebody wants, perhaps with dice that rolled on the map. However often it is sent, it happens once."""

    command: dict[str, Any]
    dice: tuple[int, ...] | None = None
    id: str = field(default_factory=lambda: uuid4().hex)


class Tabletop:
    """The map everybody looks at."""

    def __init__(self) -> None:
        self.tokens: dict[str, Token] = {}
        self.notices: list[str] = []
        self.clicks: asyncio.Queue[Click] = asyncio.Queue()

    def show(self, characters: dict[str, dict[str, Any]]) -> None:
        """Put the tokens as the table has them now; who is gone from the table is gone from the map."""
        self.tokens = {
            who: Token(
                name=sheet["name"],
                bars={bar: sheet[bar] for bar in BARS},
                crossed_out=sheet["status"] == "defeated",
            )
            for who, sheet in characters.items()
        }


async def mirror(client: AsyncClient, session: str, tabletop: Tabletop) -> None:
    """Show the table as it is, and again after every action of anybody, undone and amended ones included."""
    now = await client.state(session)
    tabletop.show(now.state["characters"])
    shown = now.version
    async for event in client.feed(session, after=now.version):
        if event.seq > shown:  # one look shows everything up to its version
            now = await client.state(session)
            tabletop.show(now.state["characters"])
            shown = now.version


async def send_clicks(client: AsyncClient, session: str, tabletop: Tabletop) -> None:
    """Send what is clicked, one after the other; what the rules refuse is told to whoever clicked."""
    while True:
        click = await tabletop.clicks.get()
        try:
            await client.act(session, click.command, dice=click.dice, key=click.id)
        except Problem as problem:
            tabletop.notices.append(problem.message)
        finally:
            tabletop.clicks.task_done()


async def bridge(url: str, token: str, session: str, tabletop: Tabletop) -> None:
    """Keep both sides together until the session is closed."""
    async with AsyncClient(url, token) as client:
        sending = asyncio.create_task(send_clicks(client, session, tabletop))
        try:
            await mirror(client, session, tabletop)
        finally:
            sending.cancel()
