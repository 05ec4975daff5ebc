"""Webhooks as they are asked for and answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from api.webhooks.addresses import masked
from api.webhooks.signing import good
from eventlog import hooks
from eventlog.hooks import Attempt, DeadLetter, Hook, Standing
from eventlog.sealing import now
from rulesets.contract import Name, Slug
from rulesets.people import Viewer
from rulesets.writing import CAPTION_PATTERN

Url = Annotated[
    str,
    msgspec.Meta(
        max_length=2000,
        description="Where messages go, over https; over plain http only to networks the operator allows",
    ),
]
EventType = Annotated[
    str,
    msgspec.Meta(max_length=101, description="A type of event, as in `core.note-added`; one the game has"),
]
Types = Annotated[tuple[EventType, ...], msgspec.Meta(max_length=100)]
Label = Annotated[str, msgspec.Meta(max_length=80, pattern=CAPTION_PATTERN)]


class Audience(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose eyes a webhook has: what everybody sees (`observer`), what a player sees, or all (`gm`)."""

    role: Literal["observer", "player", "gm"] = "observer"
    name: Name | None = None
    characters: Annotated[tuple[Slug, ...], msgspec.Meta(max_length=50)] = ()

    @property
    def viewer(self) -> Viewer:
        """Those eyes."""
        return Viewer(role=self.role, name=self.name or "", characters=self.characters)


class RegisterWebhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom to tell, in which format, and of what: all types of events, or only some.

    Messages begin with what happens from now on, or for a session after a cursor (`"0"` = from its beginning).
    """

    url: Url
    format: hooks.Format = "standard"
    name: Label = ""
    types: Types = ()
    audience: Audience = Audience()
    after: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class RegisterServerWebhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom to tell of every session from now on, in which format, and of what."""

    url: Url
    format: hooks.Format = "standard"
    name: Label = ""
    types: Types = ()
    audience: Audience = Audience()


class ChangeWebhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What changes about a webhook; what is left out stays. What was not sent yet is sent as it is then."""

    url: Url | None = None
    name: Label | None = None
    types: Types | None = None


class Redeliver(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """After which cursor everything is sent again: `"0"` for all, or a cursor of the events."""

    after: Annotated[str, msgspec.Meta(max_length=40)]


class RedeliverSession(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which session everything after a cursor is sent again."""

    session: Annotated[str, msgspec.Meta(max_length=80)]
    after: Annotated[str, msgspec.Meta(max_length=40)]


class ToldSession(msgspec.Struct, frozen=True, kw_only=True):
    """How far a webhook was told of a session: up to event `told` of `version`.

    The next message failed `attempts` times, and is not tried again before `next_attempt_at`.
    """

    session: str
    told: int
    version: int
    attempts: int
    next_attempt_at: str | None


class WebhookShown(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook. Of its address only the host is shown, of its secret nothing.

    `status` is `active` or `paused`: because somebody `asked`, because the receiver is `gone`, or
    because nobody has the seat whose eyes it has (`no-seat`): it goes on by itself when somebody does.
    `previous_secrets_until` is when the last replaced secret stops being good. `waiting_until` is what the
    receiver asked for. `sessions` are those it was told of, furthest behind first, where one webhook is shown.
    """

    id: str
    session: str | None
    name: str
    url: str
    format: str
    types: tuple[str, ...]
    audience: Audience
    status: Literal["active", "paused"]
    paused_because: Literal["asked", "gone", "no-seat"] | None
    created_at: str
    waiting_until: str | None
    previous_secrets_until: str | None
    sessions: tuple[ToldSession, ...] = ()


class WebhookMade(WebhookShown, frozen=True, kw_only=True):
    """A webhook and its new secret, which is shown this once; null where nothing is signed."""

    secret: str | None


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    """Webhooks, oldest first."""

    webhooks: tuple[WebhookShown, ...]


class WebhookRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """The webhook that is told nothing any more."""

    id: str
    removed: bool


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to send a message: when, how long it took, how it was answered.

    `session` and `seq` are null for a test. `outcome` is `delivered`, `failed` (tried again), `held` (the
    receiver asked to wait), `gone` (the webhook was paused) or `dead` (given up). `error` says what failed.
    """

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


class DeadLetterShown(msgspec.Struct, frozen=True, kw_only=True):
    """A message that was given up after so many attempts, with what the last one met."""

    id: str
    session: str
    seq: int
    at: str
    attempts: int
    status: int | None
    error: str | None


class DeadLetterList(msgspec.Struct, frozen=True, kw_only=True):
    """Messages that were given up, oldest first; `next` is the `after` of the next page."""

    dead_letters: tuple[DeadLetterShown, ...]
    next: int | None


def shown(hook: Hook, standings: Sequence[Standing] = ()) -> WebhookShown:
    """A webhook as it may be shown."""
    viewer, moment = hook.viewer, now()
    return WebhookShown(
        id=hook.id,
        session=hook.session,
        name=hook.name,
        url=masked(hook.url),
        format=hook.format,
        types=hook.types,
        audience=Audience(role=viewer.role, name=viewer.name or None, characters=viewer.characters),  # type: ignore[arg-type]  # as it was asked for
        status="paused" if hook.paused else "active",
        paused_because=hook.paused,
        created_at=hook.created_at,
        waiting_until=hook.held_until if hook.held_until and hook.held_until > moment else None,
        previous_secrets_until=max(
            (each.until for each in good(hook.secrets, moment) if each.until), default=None
        ),
        sessions=tuple(map(_told, standings)),
    )


def made(hook: Hook) -> WebhookMade:
    """A webhook with the secret that was drawn for it just now."""
    secret = hook.secrets[0].value if hook.secrets else None
    return WebhookMade(**msgspec.structs.asdict(shown(hook)), secret=secret)


def delivery(attempt: Attempt) -> Delivery:
    """An attempt as it is shown."""
    return Delivery(**msgspec.structs.asdict(attempt))


def dead_letter(letter: DeadLetter) -> DeadLetterShown:
    """A message that was given up, as it is shown."""
    return DeadLetterShown(
        id=letter.id,
        session=letter.session,
        seq=letter.seq,
        at=letter.at,
        attempts=letter.tries,
        status=letter.status,
        error=letter.error,
    )


def _told(standing: Standing) -> ToldSession:
    return ToldSession(
        session=standing.session,
        told=standing.seq,
        version=standing.version,
        attempts=standing.tries,
        next_attempt_at=standing.next_at,
    )
