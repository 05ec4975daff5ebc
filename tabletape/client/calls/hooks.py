"""Webhooks: those of a session, or without one those of all sessions of the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from tabletape.client.call import Call, body, path_of, reading
from tabletape.client.shapes.webhooks import (
    DeadLetterList,
    Delivery,
    DeliveryList,
    Webhook,
    WebhookList,
    WebhookRemoved,
)


def add_webhook(  # noqa: PLR0913 - the parts of a webhook
    url: str,
    *,
    session: str | None = None,
    format: Literal["standard", "discord"] | None = None,  # noqa: A002 - the API's own name
    name: str | None = None,
    types: Sequence[str] | None = None,
    audience: Mapping[str, Any] | None = None,
    after: str | int | None = None,
    key: str | None = None,
) -> Call[Webhook]:
    """Have somebody told what happens, after a cursor or the number of an event. Its `secret` is shown this once."""
    content = body(
        url=url,
        format=format,
        name=name,
        types=_types(types),
        audience=audience,
        after=None if after is None else str(after),
    )
    return Call(method="POST", path=_path(session), read=reading(Webhook), content=content, key=key)


def webhooks(*, session: str | None = None) -> Call[WebhookList]:
    """Who is told."""
    return Call(method="GET", path=_path(session), read=reading(WebhookList))


def webhook(hook: str, *, session: str | None = None) -> Call[Webhook]:
    """One webhook, and how far it was told."""
    return Call(method="GET", path=_path(session, hook), read=reading(Webhook))


def change_webhook(
    hook: str,
    *,
    session: str | None = None,
    url: str | None = None,
    name: str | None = None,
    types: Sequence[str] | None = None,
) -> Call[Webhook]:
    """Change what is given; the rest stays."""
    content = body(url=url, name=name, types=_types(types))
    return Call(method="PATCH", path=_path(session, hook), read=reading(Webhook), content=content)


def remove_webhook(hook: str, *, session: str | None = None) -> Call[WebhookRemoved]:
    """Remove it with its log. Sent once: a second time there is none."""
    return Call(method="DELETE", path=_path(session, hook), read=reading(WebhookRemoved), repeatable=False)


def rotate_webhook_secret(hook: str, *, session: str | None = None) -> Call[Webhook]:
    """Replace the secret; the old one is good for a while."""
    return Call(method="POST", path=_path(session, hook, "rotate"), read=reading(Webhook))


def try_webhook(hook: str, *, session: str | None = None) -> Call[Delivery]:
    """Send a message for trying now, and tell how it was answered. Sent once."""
    return Call(method="POST", path=_path(session, hook, "test"), read=reading(Delivery), repeatable=False)


def pause_webhook(hook: str, *, session: str | None = None) -> Call[Webhook]:
    """Stop sending; what happens meanwhile is sent when it is resumed."""
    return Call(method="POST", path=_path(session, hook, "pause"), read=reading(Webhook))


def resume_webhook(hook: str, *, session: str | None = None) -> Call[Webhook]:
    """Go on where it stopped."""
    return Call(method="POST", path=_path(session, hook, "resume"), read=reading(Webhook))


def redeliver_webhook(
    hook: str, after: str | int, *, session: str | None = None, of: str | None = None
) -> Call[Webhook]:
    """Send everything after a cursor again; `of` names the session where the webhook is for all of them."""
    content = body(after=str(after), session=of)
    return Call(method="POST", path=_path(session, hook, "redeliver"), read=reading(Webhook), content=content)


def webhook_deliveries(
    hook: str, *, session: str | None = None, before: int | None = None, limit: int | None = None
) -> Call[DeliveryList]:
    """The last attempts, newest first."""
    params = {"before": before, "limit": limit}
    return Call(
        method="GET", path=_path(session, hook, "deliveries"), read=reading(DeliveryList), params=params
    )


def webhook_dead_letters(
    hook: str, *, session: str | None = None, after: int | None = None, limit: int | None = None
) -> Call[DeadLetterList]:
    """What was given up after the last attempt."""
    params = {"after": after, "limit": limit}
    return Call(
        method="GET", path=_path(session, hook, "dead-letters"), read=reading(DeadLetterList), params=params
    )


def _types(types: Sequence[str] | None) -> Sequence[str] | None:
    """A plain string is one type."""
    return (types,) if isinstance(types, str) else types


def _path(session: str | None, *parts: str) -> str:
    if session is not None:
        return path_of(session, "webhooks", *parts)
    return "/".join(("/webhooks", *(quote(part, safe="") for part in parts)))
