"""The overlay: a page for stream software that shows the last roll and everybody's pools."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from api.answers import UNKEPT, Answer
from api.desk import desk_of
from api.routes.feeds import AddressToken
from api.seats import WATCHES, Asked, watching
from projections.rolls import before_last_roll

PAGE = Path(__file__).parents[1] / "pages" / "overlay.html"
AFTER = "{after}"

Show = Annotated[
    Literal["roll", "pools"] | None, QueryParameter(description="Show only the last roll, or only the pools")
]


@get(
    "/sessions/{session:str}/overlay",
    before_request=watching(*WATCHES),
    media_type="text/html",
    tags=["feeds"],
)
async def show_overlay(
    request: Asked,
    session: FromPath[str],
    token: AddressToken = None,  # noqa: ARG001 - the guard and the page read it
    show: Show = None,  # noqa: ARG001 - the page reads it
) -> Response[str]:
    """A page for stream software: the last roll and the pools, on a transparent ground, live."""
    store = desk_of(request).store
    after = await asyncio.to_thread(before_last_roll, store, session, request.user.viewer)
    page, policy = _page()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", UNKEPT.encode()),
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
    ]
    return Answer(page.replace(AFTER, str(after)).encode(), 200, headers)


@cache
def _page() -> tuple[str, str]:
    """The page, and the policy that lets a browser run exactly its own script and style and nothing else."""
    page = PAGE.read_text(encoding="utf-8")
    allowed = " ".join(f"{part}-src {_hash_of(page, part)};" for part in ("script", "style"))
    return page, (
        f"default-src 'none'; {allowed} connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def _hash_of(page: str, part: str) -> str:
    found = re.search(rf"<{part}>(.*?)</{part}>", page, re.DOTALL)
    assert found  # noqa: S101 - our own page
    return f"'sha256-{b64encode(sha256(found[1].encode()).digest()).decode()}'"
