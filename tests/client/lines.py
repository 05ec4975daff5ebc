"""Lines to a server that break, wherever a test wants them to."""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from tabletape.client import Patience

ADMIN_KEY = "the key under the mat"
HASTE = Patience(tries=4, first=0.01, most=0.05)


Through: TypeAlias = Callable[[bytes], tuple[bytes, bool]]
"""What a line does with a part of an answer: what comes out of it, and whether the line still holds."""


def losing_answers(lost: int) -> Through:
    """The first answers do not come through, although the server gave them."""
    left = [lost]

    def through(answer: bytes) -> tuple[bytes, bool]:
        if left[0] > 0:
            left[0] -= 1
            return b"", False
        return answer, True

    return through


def breaking_anywhere(times: int, seed: int) -> Through:
    """The line breaks that often in the middle of an answer, at a place of chance."""
    chance, left = random.Random(seed), [times]

    def through(answer: bytes) -> tuple[bytes, bool]:
        if left[0] > 0:
            left[0] -= 1
            return answer[: chance.randrange(len(answer))], False
        return answer, True

    return through


@contextmanager
def line_to(url: str, through: Through) -> Iterator[str]:
    """Another address of a server. `through` is given what it answers."""
    port = int(url.rsplit(":", 1)[1])

    def serve(door: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = door.accept()
                threading.Thread(target=_carry, args=(near, port, through), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=serve, args=(door,), daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        with suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)


def _carry(near: socket.socket, port: int, through: Through) -> None:
    with suppress(OSError), near, socket.create_connection(("127.0.0.1", port)) as far:
        threading.Thread(target=_ask, args=(near, far), daemon=True).start()
        try:
            while answer := far.recv(65536):
                passed, holds = through(answer)
                near.sendall(passed)
                if not holds:
                    break
        finally:
            for end in (near, far):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


def _ask(near: socket.socket, far: socket.socket) -> None:
    with suppress(OSError):
        while request := near.recv(65536):
            far.sendall(request)
