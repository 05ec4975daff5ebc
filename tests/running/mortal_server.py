"""A server process that is killed and started again, clients that keep trying, and a network that breaks."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import httpx
from server_process import environment, free_port, kill, said, start


class MortalServer:
    """A server process that can be killed and started again on the same file and port."""

    def __init__(self, db: Path, *options: object, **more: str) -> None:
        self.port = free_port()
        self.db = db
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._options = options
        self._environment = environment(**more)

    def start_now(self) -> None:
        self.process = start("--db", self.db, "--port", self.port, *self._options, env=self._environment)
        try:
            said(self.process)
        except BaseException:
            self.kill()
            raise

    async def start(self) -> None:
        await asyncio.to_thread(self.start_now)

    def kill(self) -> None:
        assert self.process is not None
        kill(self.process)


async def until_answered(
    server: MortalServer, client: httpx.AsyncClient, method: str, path: str, **request: Any
) -> httpx.Response:
    """Send a request again and again until it is answered, as a client with a key may."""
    for _ in range(2000):
        try:
            response = await client.request(method, f"{server.url}{path}", timeout=5, **request)
        except httpx.TransportError:
            await asyncio.sleep(0.02)
            continue
        if response.status_code != 409:
            return response
    raise AssertionError(f"{path} was never answered")


class Network:
    """A way to a server that can break under everybody at once."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers = set[asyncio.StreamWriter]()

    async def start(self) -> str:
        """Let people through from now on; this is where."""
        self._listening = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def stop(self) -> None:
        """Let nobody through any more."""
        self.cut()
        self._listening.close()
        await self._listening.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        try:
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
    except OSError:
        pass
    writer.transport.abort()
