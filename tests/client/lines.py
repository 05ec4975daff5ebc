"""Lines to a server that break, wherever a test wants them to."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tabletape.client import Patience

ADMIN_KEY = "the key under the mat"
HASTE = Patience(tries=4, first=0.01, most=0.05)


def losing_answers(lost: int) -> Callable[[bytes], bytes | None]:
    """The first answers do not come through, although the server gave them."""
    left = [lost]

    def through(answer: bytes) -> bytes | None:
        if left[0] > 0:
            left[0] -= 1
            return None
        return answer

    return through


@contextmanager
def line_to(url: str, through: Callable[[bytes], bytes | None]) -> Iterator[str]:
    """Another address of a server. `through` is given what it answers, and says what comes out; `None` hangs up."""
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


def _carry(near: socket.socket, port: int, through: Callable[[bytes], bytes | None]) -> None:
    with suppress(OSError), near, socket.create_connection(("127.0.0.1", port)) as far:
        threading.Thread(target=_ask, args=(near, far), daemon=True).start()
        try:
            while answer := far.recv(65536):
                passed = through(answer)
                if passed is None:
                    break
                near.sendall(passed)
        finally:
            for end in (near, far):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


def _ask(near: socket.socket, far: socket.socket) -> None:
    with suppress(OSError):
        while request := near.recv(65536):
            far.sendall(request)
