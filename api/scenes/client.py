"""Talking to a Tabletape server: JSON there and back, and refusals as what they are."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import httpx
import msgspec

SECONDS_TO_WAIT = 30.0


class ServerUnreachable(Exception):
    """Nothing answers at the address, or something that is no Tabletape server."""


class ServerRefused(Exception):
    """The server understood and said no."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


class Client:
    """A connection to one server. Use it as an asynchronous context manager."""

    def __init__(self, url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.url = url.rstrip("/")
        try:
            self._http = httpx.AsyncClient(base_url=self.url, timeout=SECONDS_TO_WAIT, transport=transport)
        except httpx.InvalidURL as error:
            raise ServerUnreachable(
                f"{url} is not an address: write it like http://127.0.0.1:8000"
            ) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def get(self, path: str, token: str | None = None, **query: str | int) -> dict[str, Any]:
        """The document at a path. Raises `ServerRefused` or `ServerUnreachable`."""
        return await self._ask("GET", path, token, params=query)

    async def post(self, path: str, body: Any, token: str | None = None) -> dict[str, Any]:
        """The answer to a body. `bytes` go as lines of JSON, all else as one JSON document."""
        if isinstance(body, bytes):
            return await self._ask("POST", path, token, content=body, kind="application/x-ndjson")
        return await self._ask("POST", path, token, content=msgspec.json.encode(body))

    async def delete(self, path: str, token: str | None = None) -> dict[str, Any]:
        """What is told of a thing that was removed."""
        return await self._ask("DELETE", path, token)

    async def _ask(
        self, method: str, path: str, token: str | None, kind: str = "application/json", **parts: Any
    ) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if "content" in parts:
            headers["Content-Type"] = kind
        try:
            answer = await self._http.request(method, path, headers=headers, **parts)
            document = answer.json()
        except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
            raise ServerUnreachable(
                f"No server answers at {self.url} ({str(error) or type(error).__name__}): "
                "start one with `tabletape serve`, or check --url"
            ) from error
        except ValueError as error:
            raise self._stranger() from error
        if not isinstance(document, dict):
            raise self._stranger()
        if answer.is_success:
            return document
        if "code" not in document:
            raise self._stranger()
        raise ServerRefused(answer.status_code, str(document["code"]), str(document.get("detail")))

    def _stranger(self) -> ServerUnreachable:
        return ServerUnreachable(f"What answers at {self.url} is not a Tabletape server: check --url")
