"""What a message is known by and how it is signed: Standard Webhooks (standardwebhooks.com)."""

from __future__ import annotations

import secrets
from base64 import b32encode, b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from standardwebhooks import Webhook

from eventlog.hooks import Secret

SECRET_BYTES = 32
OVERLAP = timedelta(hours=24)
"""How long a secret stays good after it was replaced."""
MOST_SECRETS = 6
"""Good at the same time: the one in use, and those it replaced within a day."""


def new_secret() -> Secret:
    """A secret nobody knows yet."""
    return Secret(value="whsec_" + b64encode(secrets.token_bytes(SECRET_BYTES)).decode())


def replaced(before: Sequence[Secret], until: str) -> tuple[Secret, ...]:
    """The secrets with a new one first. Those before it are good until a time, or as long as they were."""
    kept = [Secret(value=each.value, until=each.until or until) for each in before]
    return (new_secret(), *kept)


def good(held: Sequence[Secret], now: str) -> list[Secret]:
    """The secrets that are still good, the current one first."""
    return [secret for secret in held if secret.until is None or secret.until > now]


def message_id(hook: str, *place: object) -> str:
    """What a message is known by: the same for every attempt to send what stands at that place of a log."""
    named = "\n".join(map(str, (hook, *place)))
    return "msg_" + b32encode(sha256(named.encode()).digest()[:20]).decode().lower()


def signed(held: Sequence[Secret], name: str, body: bytes) -> dict[str, str]:
    """The headers of a message sent now: its name, the time, and a signature with every secret."""
    at = datetime.now(UTC)
    marks = [Webhook(secret.value).sign(name, at, body.decode()) for secret in held]
    return {
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(marks),
    }
