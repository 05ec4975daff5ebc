"""A stand-in for Discord's webhooks that behaves as its documentation says: messages, edits, limits, 429.

https://discord.com/developers/docs/resources/webhook, …/resources/message#embed-object-embed-limits and
…/topics/rate-limits.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

from receiving import Received, Receiver, Reply

PATH = re.compile(r"/api/webhooks/(\d+)/([\w-]+)(?:/messages/(\d+))?")
ID, TOKEN = "1049", "s3cr3t-t0ken"


def refused(status: int, code: int, message: str) -> Reply:
    return Reply(status, (), json.dumps({"code": code, "message": message}).encode())


class Discord(Receiver):
    """One webhook of one channel; `limit` requests are taken in each `window` of seconds."""

    def __init__(self, limit: int = 1000, window: float = 2.0) -> None:
        self.messages: dict[str, Any] = {}
        self.edits = 0
        self.limit, self.window = limit, window
        self.limited = 0
        self._used, self._reset = 0, 0.0
        self._numbers = count(2000)
        super().__init__()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/webhooks/{ID}/{TOKEN}"

    @property
    def lines(self) -> list[str]:
        """What the channel shows, from the top."""
        return [each["embeds"][0]["description"] for each in self.messages.values()]

    def answer(self, received: Received) -> Reply:
        parts = urlsplit(received.path)
        found = PATH.fullmatch(parts.path)
        if found is None:
            return refused(404, 0, "404: Not Found")
        if (found[1], found[2]) != (ID, TOKEN):
            return refused(404, 10015, "Unknown Webhook")
        headers = self._take()
        if headers is None:
            return self._limited()
        fault = invalid(received.document)
        if fault:
            return refused(400, 50035, f"Invalid Form Body: {fault}")
        if received.method == "PATCH":
            return self._edit(found[3], received.document, headers)
        return self._post(received.document, headers, waits=parse_qs(parts.query).get("wait") == ["true"])

    def _take(self) -> tuple[tuple[str, str], ...] | None:
        now = time.monotonic()
        if now >= self._reset:
            self._used, self._reset = 0, now + self.window
        if self._used >= self.limit:
            return None
        self._used += 1
        return (
            ("X-RateLimit-Limit", str(self.limit)),
            ("X-RateLimit-Remaining", str(self.limit - self._used)),
            ("X-RateLimit-Reset-After", f"{self._reset - now:.3f}"),
            ("X-RateLimit-Bucket", "abcd1234"),
            ("content-type", "application/json"),
        )

    def _limited(self) -> Reply:
        self.limited += 1
        wait = self._reset - time.monotonic()
        body = {"message": "You are being rate limited.", "retry_after": round(wait, 3), "global": False}
        headers = (("Retry-After", str(int(wait) + 1)), ("X-RateLimit-Scope", "user"))
        return Reply(429, headers, json.dumps(body).encode())

    def _post(self, document: Any, headers: tuple[tuple[str, str], ...], *, waits: bool) -> Reply:
        name = str(next(self._numbers))
        self.messages[name] = document
        if not waits:
            return Reply(204, headers, b"")
        return Reply(200, headers, json.dumps({"id": name, "type": 0, **document}).encode())

    def _edit(self, name: str, document: Any, headers: tuple[tuple[str, str], ...]) -> Reply:
        if name not in self.messages:
            return refused(404, 10008, "Unknown Message")
        self.messages[name] = document
        self.edits += 1
        return Reply(200, headers, json.dumps({"id": name, **document}).encode())


def invalid(document: Any) -> str:
    """What of a body is beyond the documented limits; nothing when all is well."""
    embeds = document.get("embeds", [])
    if not (0 < len(embeds) <= 10) or set(document) - {"embeds", "allowed_mentions"}:
        return "embeds: between 1 and 10, and nothing else is sent"
    altogether = 0
    for embed in embeds:
        texts = {
            "title": (embed.get("title", ""), 256),
            "description": (embed.get("description", ""), 4096),
            "footer": (embed.get("footer", {}).get("text", ""), 2048),
            "author": (embed.get("author", {}).get("name", ""), 256),
        }
        for place, one in enumerate(embed.get("fields", [])):
            texts[f"fields.{place}.name"] = (one["name"], 256)
            texts[f"fields.{place}.value"] = (one["value"], 1024)
            if not one["name"].strip() or not one["value"].strip():
                return f"fields.{place}: required"
        if len(embed.get("fields", [])) > 25:
            return "fields: 25 at most"
        for name, (text, limit) in texts.items():
            if units(text) > limit:
                return f"{name}: {limit} at most"
            altogether += units(text)
        if not 0 <= embed.get("color", 0) <= 0xFFFFFF:
            return "color"
    return "" if altogether <= 6000 else "6000 altogether"


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@contextmanager
def discord(limit: int = 1000, window: float = 2.0) -> Iterator[Discord]:
    """The stand-in for a while."""
    stand_in = Discord(limit, window)
    try:
        yield stand_in
    finally:
        stand_in.close()
