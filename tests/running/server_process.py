"""A real server: the command line as a process of its own, which says where it is once it is ready."""

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

COMMAND = (sys.executable, "-c", "from api.cli import main; main()")
"""`tabletape`, as it is under test here."""
SECONDS = 120
"""How long a process may take for anything it does at once: a machine under load takes long to start one."""


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that finds whatever is found here, such as the duel."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def start(*arguments: object, env: dict[str, str], stderr: int | None = None) -> subprocess.Popen[bytes]:
    """Start a server, on a port that is free unless `--port` gives another."""
    command = [*COMMAND, "serve", "--port", "0", "--json", "--log", "off", *map(str, arguments)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=stderr)


def said(server: subprocess.Popen[bytes]) -> Any:
    """The JSON document a server prints when it is ready."""
    assert server.stdout
    text, end = "", time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([server.stdout], [], [], 0.2)[0]:
            part = os.read(server.stdout.fileno(), 65536).decode()
            if not part:
                break
            text += part
            if text.endswith("\n}\n"):
                return json.loads(text)
    raise AssertionError(f"the server did not get ready: {text!r}")


def kill(server: subprocess.Popen[bytes]) -> None:
    """End a server at once, wherever it is."""
    server.kill()
    server.communicate(timeout=SECONDS)


@contextmanager
def serving(
    *arguments: object, env: dict[str, str], stderr: int | None = None
) -> Iterator[tuple[Any, subprocess.Popen[bytes]]]:
    """A server for a while: what it says, and the process."""
    server = start(*arguments, env=env, stderr=stderr)
    try:
        yield said(server), server
    finally:
        kill(server)
