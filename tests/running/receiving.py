"""A receiver of webhooks in a thread: it keeps what it was sent, and fails where it is told to."""

from __future__ import annotations

import json
import math
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def seq(self) -> int:
        seq: int = self.document["data"]["seq"]
        return seq

    def verified(self, secret: str) -> Any:
        """The document, if the signature is good."""
        return Webhook(secret).verify(self.body, self.headers)


@dataclass(frozen=True)
class Reply:
    """How a request is answered."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b"{}"


class Receiver:
    """Answers 200, or with what is next in `faults`: a status, a `Reply`, `reset` or `hang`."""

    def __init__(self) -> None:
        self.got: list[Received] = []
        self.taken: list[Received] = []
        self.faults: deque[int | Reply | str] = deque()
        self.always: int | Reply | str | None = None
        self.delay = 0.0
        self.until = math.inf  # how many it takes before it keeps the next one waiting
        self._awake = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        port: int = self._server.server_address[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in"

    @property
    def seqs(self) -> list[int]:
        """The events it took, in the order it took them."""
        return [each.seq for each in self.taken]

    def answer(self, received: Received) -> Reply:
        """How a request without a fault is answered."""
        del received
        return Reply()

    def close(self) -> None:
        self._awake.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait_for(self, count: int, seconds: float = 60.0) -> list[Received]:
        """Wait until it took so many."""
        end = time.monotonic() + seconds
        while len(self.taken) < count and time.monotonic() < end:
            time.sleep(0.01)
        assert len(self.taken) >= count, f"{len(self.taken)} of {count} came"
        return self.taken

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # else every answer waits 40 ms for the rest of it

            def log_message(self, *_: Any) -> None:
                pass

            def handle(self) -> None:
                with suppress(ConnectionError, TimeoutError):
                    super().handle()

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", -1))
                body = self.rfile.read(max(length, 0))
                if len(body) != length:  # the sender died in the middle of its request: nothing was said
                    self.close_connection = True
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver._receive(self, Received(self.command, self.path, headers, body))

            do_PATCH = do_POST  # noqa: N815 - the server's name for it

        return Handler

    def _receive(self, handler: BaseHTTPRequestHandler, received: Received) -> None:
        self.got.append(received)
        time.sleep(self.delay)
        while len(self.taken) >= self.until and not self._awake.wait(0.01):
            pass
        fault = self.faults.popleft() if self.faults else self.always
        if fault == "hang":
            self._awake.wait(60)
            handler.close_connection = True
        elif fault == "reset":
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            handler.close_connection = True
        else:
            self._answer(handler, received, fault)

    def _answer(self, handler: BaseHTTPRequestHandler, received: Received, fault: Any) -> None:
        if fault is None:
            self.taken.append(received)
        reply = (
            self.answer(received) if fault is None else fault if isinstance(fault, Reply) else Reply(fault)
        )
        handler.send_response(reply.status)
        for name, value in reply.headers:
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(reply.body)))
        handler.end_headers()
        handler.wfile.write(reply.body)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver for a while."""
    receiver = Receiver()
    try:
        yield receiver
    finally:
        receiver.close()
