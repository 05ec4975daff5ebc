"""The walk through the API works as it is written, and names every route and setting."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec
import pytest

from api.app import create_app
from api.settings import ServerSettings
from eventlog.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "http.md").read_text()
SERVE = "from api.server import serve; from api.settings import ServerSettings; import sys; serve(ServerSettings(db=sys.argv[1], port=int(sys.argv[2]), log='off'))"


@pytest.fixture
def url(tmp_path: Path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path / "table.db"), str(port)],
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        for _ in range(200):
            with suppress(httpx.TransportError):
                if httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def test_every_line_works(url: str, tmp_path: Path) -> None:
    script = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).replace("http://127.0.0.1:8000", url)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    commitment, third, code, once, again, now, then, _cursor, _dice, whole, copy = done.stdout.split()
    assert len(commitment) == 64
    assert (third, code) == ("3", "not-enough-strike-dice")
    assert once == again
    assert (now, then, whole, copy) == ("4", "2", "True", "complete")


def test_every_route_is_named() -> None:
    described = create_app(ServerSettings(db=":memory:")).openapi_schema.to_schema()["paths"]
    routes = {
        f"{method.upper()} {path}"
        for path, operations in described.items()
        for method in operations
        if method in {"get", "post", "patch", "delete"}
    }
    assert {route for route in routes if f"`{route}`" not in PAGE} == set()


def test_every_setting_is_explained() -> None:
    assert [name for name in msgspec.structs.asdict(Settings()) if f"| `{name}` |" not in PAGE] == []
