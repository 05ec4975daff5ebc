"""Sending one message: connect to a checked address, ask once, follow nothing, wait and read only so much."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from time import perf_counter

import httpcore
import msgspec

from api.webhooks.addresses import Reach, Target, TargetRefused, target_of

SECONDS = 10.0
"""How long one attempt may take, from looking up the name to the head of the answer."""
SECONDS_TO_READ = 2.0
LARGEST_ANSWER = 64 * 1024
"""Bytes read of an answer; the rest is left where it is."""
KEPT_OPEN = 15.0


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """How an attempt ended: with a status, or with what went wrong, in a word or two."""

    status: int | None = None
    headers: Mapping[str, str] = msgspec.field(default_factory=dict)
    body: bytes = b""
    duration_ms: int = 0
    error: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300


class _Checked(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were checked, and to nothing a name might mean a moment later."""

    def __init__(self, reach: Reach, *, plain: bool) -> None:
        self._reach = reach
        self._plain = plain
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's form
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of the host that answers."""
        failed: Exception = httpcore.ConnectError(host)
        for address in await self._reach.addresses(host, port, plain=self._plain):
            try:
                return await self._network.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class Post:
    """Sends messages. `aclose` it at the end."""

    def __init__(self, reach: Reach, tls: ssl.SSLContext | None = None) -> None:
        self.reach = reach
        self._pools = {
            scheme: httpcore.AsyncConnectionPool(
                ssl_context=tls,
                network_backend=_Checked(reach, plain=scheme == "http"),
                keepalive_expiry=KEPT_OPEN,
                max_connections=64,
            )
            for scheme in ("https", "http")
        }

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answered:
        """Send one message and tell how it was answered. Never raises for anything the receiver does."""
        started = perf_counter()
        try:
            async with asyncio.timeout(SECONDS) as limit:
                answered = await self._ask(limit, method, target_of(url), headers, body)
        except (TargetRefused, TimeoutError, OSError, httpcore.TimeoutException) as error:
            answered = Answered(error=_word(error))
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            answered = Answered(error=_word(error))
        taken = round((perf_counter() - started) * 1000)
        return msgspec.structs.replace(answered, duration_ms=taken)

    async def aclose(self) -> None:
        """Close every connection."""
        for pool in self._pools.values():
            await pool.aclose()

    async def _ask(
        self, limit: asyncio.Timeout, method: str, target: Target, headers: Mapping[str, str], body: bytes
    ) -> Answered:
        sent = [
            *headers.items(),
            ("Host", target.authority),
            ("User-Agent", f"Tabletape/{version('tabletape')}"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Accept-Encoding", "identity"),
        ]
        where = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path)
        async with self._pools[target.scheme].stream(method, where, headers=sent, content=body) as response:
            limit.reschedule(None)  # what it said counts, however long the rest takes
            found = {
                name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
            }
            error = None if 200 <= response.status < 300 else _refused(response.status)
            read = await _some_of(response)
        return Answered(status=response.status, headers=found, body=read, error=error)


async def _some_of(response: httpcore.Response) -> bytes:
    """The beginning of an answer; what its status said counts, whatever becomes of the rest."""
    read = b""
    try:
        async with asyncio.timeout(SECONDS_TO_READ):
            async for part in response.aiter_stream():
                read += part
                if len(read) > LARGEST_ANSWER:
                    return b""
    except (TimeoutError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        return b""
    return read


def _refused(status: int) -> str:
    return f"redirect {status}" if 300 <= status < 400 else f"status {status}"


def _word(error: Exception) -> str:
    if isinstance(error, TargetRefused):
        return f"address {error.reason}"
    if isinstance(error, TimeoutError | httpcore.TimeoutException):
        return "timeout"
    if isinstance(error, httpcore.ConnectError):
        return "tls" if any(isinstance(each, ssl.SSLError) for each in _chain(error)) else "no connection"
    return "connection lost"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
