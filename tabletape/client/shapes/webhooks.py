"""Webhooks: who is told what happens, and how far they were told; docs/webhooks.md says what each word means."""

from __future__ import annotations

import msgspec


class Audience(msgspec.Struct, frozen=True, kw_only=True):
    """Whose eyes a webhook has: `observer`, `player` or `gm`."""

    role: str = "observer"
    name: str | None = None
    characters: tuple[str, ...] = ()


class ToldSession(msgspec.Struct, frozen=True, kw_only=True):
    """How far a webhook was told of a session: up to event `told` of `version`."""

    session: str
    told: int
    version: int
    attempts: int
    next_attempt_at: str | None


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook; of its address only the host is shown. `secret` is there where it was drawn just now."""

    id: str
    session: str | None
    name: str
    url: str
    format: str
    types: tuple[str, ...]
    audience: Audience
    status: str
    paused_because: str | None
    created_at: str
    waiting_until: str | None
    previous_secrets_until: str | None
    sessions: tuple[ToldSession, ...] = ()
    secret: str | None = None


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    """Webhooks, oldest first."""

    webhooks: tuple[Webhook, ...]


class WebhookRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """The webhook that is told nothing any more."""

    id: str
    removed: bool


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to send a message, and how it was answered."""

    id: str
    session: str | None
    seq: int | None
    attempt: int
    at: str
    duration_ms: int
    status: int | None
    outcome: str
    error: str | None


class DeliveryList(msgspec.Struct, frozen=True, kw_only=True):
    """Attempts, newest first; `next` is the `before` of the next page."""

    deliveries: tuple[Delivery, ...]
    next: int | None


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was given up."""

    id: str
    session: str
    seq: int
    at: str
    attempts: int
    status: int | None
    error: str | None


class DeadLetterList(msgspec.Struct, frozen=True, kw_only=True):
    """Messages that were given up, oldest first; `next` is the `after` of the next page."""

    dead_letters: tuple[DeadLetter, ...]
    next: int | None
