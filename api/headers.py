"""Headers that steer a request: the version it was decided on, the key that makes a repeat harmless."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Annotated, TypeAlias

import msgspec
from litestar.params import HeaderParameter

from api.faults import HeaderMalformed, JsonBroken
from api.seats import Asked
from eventlog.canonical import encode
from eventlog.store import RequestKey

IfMatch: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description='The version the request was decided on, quoted: `"14"`. When the session has moved on, '
        "the answer is 412 and nothing happens.",
    ),
]
IdempotencyKey: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="1 to 200 visible ASCII characters. The same key and body again gives the same answer "
        "again and records nothing more; another body is refused.",
    ),
]
IfNoneMatch: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="If-None-Match", description="A version seen before; unchanged gives 304 and no body."
    ),
]
Prefer: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Prefer",
        description="`return=minimal` asks for the receipt alone: action, version and head hash, without events and "
        "choices. The answer then says `Preference-Applied`. Other preferences are passed over (RFC 7240).",
    ),
]

_KEY = re.compile(r"[\x21-\x7e]{1,200}", re.ASCII)
_MINIMAL = re.compile(r'(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])', re.ASCII | re.IGNORECASE)
_VERSION = re.compile(r'(?:W/)?"(\d{1,15})"', re.ASCII)


def expected_version(if_match: str | None) -> int | None:
    """The version an `If-Match` names; `*` asks for none. Raises `HeaderMalformed`."""
    if if_match is None or if_match == "*":
        return None
    found = _VERSION.fullmatch(if_match)
    if found is None:
        raise HeaderMalformed('If-Match takes one version as it came in an ETag: "14"', header="If-Match")
    return int(found[1])


def wants_receipt(prefer: str | None) -> bool:
    """Whether the sender prefers an answer without what it led to, which is quicker to make and to read."""
    return prefer is not None and _MINIMAL.search(prefer) is not None


def etag(version: int) -> str:
    """A version as an entity tag."""
    return f'"{version}"'


def unchanged(if_none_match: str | None, version: int) -> bool:
    """Whether the sender has this version already. What cannot be read matches nothing."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or str(version) in _VERSION.findall(if_none_match)


def request_key(request: Asked, key: str | None, scope: str, body: bytes) -> RequestKey | None:
    """The idempotency key of a request, with the fingerprint of its route and body. Raises `HeaderMalformed`."""
    if key is None:
        return None
    check_key(key)
    route = f"{request.method} {request.scope['path']}\n".encode("utf-8", "surrogatepass")
    return RequestKey(
        scope=f"{scope}:{request.user.invite}", key=key, fingerprint=sha256(route + _canonical(body)).digest()
    )


def check_key(key: str) -> None:
    """Raise `HeaderMalformed` where this is no idempotency key."""
    if not _KEY.fullmatch(key):
        raise HeaderMalformed(
            "Idempotency-Key takes 1 to 200 visible ASCII characters, such as a random UUID",
            header="Idempotency-Key",
        )


def _canonical(body: bytes) -> bytes:
    """One spelling for one body, so that a client may write it differently the second time."""
    try:
        return encode(msgspec.json.decode(body))
    except msgspec.DecodeError as error:
        raise JsonBroken(f"The body is not JSON: {error}") from None
