"""What people ask about webhooks, the same for those of one session and those of all."""

from __future__ import annotations

import asyncio
from base64 import b32encode
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from api.faults import (
    BodyMalformed,
    TooManySecrets,
    TooManyWebhooks,
    WebhookAddressRefused,
    WebhookUnknown,
    WebhookUnsigned,
)
from api.narrowing import check_types
from api.webhooks import shapes
from api.webhooks.addresses import TargetRefused
from api.webhooks.eyes import as_now, eyes
from api.webhooks.formats import FORMATS
from api.webhooks.patience import later
from api.webhooks.signing import MOST_SECRETS, OVERLAP, good, new_secret, replaced
from eventlog.errors import KeyReused
from eventlog.hooks import Hook
from eventlog.recorder import new_id
from eventlog.sealing import now
from eventlog.store import RequestKey
from projections.events import parse_cursor

if TYPE_CHECKING:
    from api.desk import Desk

MOST_OF_A_SESSION, MOST_OF_THE_SERVER = 20, 50


class Registered(msgspec.Struct, frozen=True, kw_only=True):
    """A hook that was made, now or by the same request before."""

    hook: Hook
    replayed: bool


async def register(
    desk: Desk,
    session: str | None,
    asked: shapes.RegisterWebhook | shapes.RegisterServerWebhook,
    key: RequestKey | None,
) -> Registered:
    """Make a webhook. The same request with its key again has the same one, and another secret."""
    name = new_id() if key is None else _named_after(key)
    if (before := await _made_before(desk, name, key)) is not None:
        return before
    check_types(desk.store, session, asked.types, BodyMalformed)
    await check_address(desk, asked.url)
    audience = await eyes(desk, session, asked.audience)
    cursor = getattr(asked, "after", None)
    after = None if session is None or cursor is None else parse_cursor(desk.store, session, cursor)
    async with desk.tokens.writing:
        if (meanwhile := await _made_before(desk, name, key)) is not None:
            return meanwhile
        await _check_number(desk, session)
        seen_by = replace(asked, audience=audience)
        hook = drawn(name, session, seen_by, key.fingerprint if key else b"")
        await asyncio.to_thread(desk.store.hooks.add, hook, after)
    desk.courier.nudged.set()
    return Registered(hook=await _now(desk, hook), replayed=False)


def drawn(
    name: str,
    session: str | None,
    asked: shapes.RegisterWebhook | shapes.RegisterServerWebhook,
    fingerprint: bytes = b"",
) -> Hook:
    """A webhook as it was asked for, with a secret where its messages are signed; not kept anywhere yet."""
    return Hook(
        id=name,
        session=session,
        name=asked.name,
        url=asked.url,
        format=asked.format,
        types=asked.types,
        viewer=asked.audience.viewer,
        secrets=(new_secret(),) if FORMATS[asked.format].signs else (),
        created_at=now(),
        asked=fingerprint,
    )


async def listed(desk: Desk, session: str | None) -> shapes.WebhookList:
    """The webhooks of a session, or of the server."""
    found = await asyncio.to_thread(desk.store.hooks.hooks, session)
    return shapes.WebhookList(webhooks=tuple([shapes.shown(await _now(desk, hook)) for hook in found]))


async def found(desk: Desk, session: str | None, name: str) -> Hook:
    """The webhook of that id. Raises `WebhookUnknown` for one that is not of this session or of the server."""
    hook = await asyncio.to_thread(desk.store.hooks.hook, name)
    if hook is None or hook.session != session:
        raise WebhookUnknown(
            f"There is no webhook {name[:40]!r} here; GET …/webhooks lists them", webhook=name[:40]
        )
    return hook


async def shown(desk: Desk, session: str | None, name: str) -> shapes.WebhookShown:
    """One webhook, and how far it was told."""
    hook = await _now(desk, await found(desk, session, name))
    return shapes.shown(hook, await asyncio.to_thread(desk.store.hooks.standings, hook.id))


async def change(
    desk: Desk, session: str | None, name: str, asked: shapes.ChangeWebhook
) -> shapes.WebhookShown:
    """Change what is named."""
    check_types(desk.store, session, asked.types or (), BodyMalformed)
    if asked.url is not None:
        await found(desk, session, name)
        await check_address(desk, asked.url)
    wanted = {part: value for part, value in msgspec.structs.asdict(asked).items() if value is not None}
    return await _edited(desk, session, name, lambda hook: replace(hook, **wanted))


async def pause(desk: Desk, session: str | None, name: str) -> shapes.WebhookShown:
    """Stop sending; nothing is lost."""
    return await _edited(desk, session, name, lambda hook: replace(hook, paused="asked"))


async def resume(desk: Desk, session: str | None, name: str) -> shapes.WebhookShown:
    """Go on where it stopped, at once, whatever the receiver asked for."""
    return await _edited(desk, session, name, lambda hook: replace(hook, paused=None, held_until=None))


async def rotate(desk: Desk, session: str | None, name: str) -> shapes.WebhookMade:
    """Replace the secret; the old one stays good for a while. Raises `WebhookUnsigned`, `TooManySecrets`."""
    hook = await found(desk, session, name)
    if not FORMATS[hook.format].signs:
        raise WebhookUnsigned(
            "Discord checks no signatures: make another webhook there, and change the url here"
        )
    return shapes.made(await _now(desk, await _changed(desk, hook, _with_new_secret)))


def _with_new_secret(hook: Hook) -> Hook:
    moment = now()
    still = good(hook.secrets, moment)
    if len(still) >= MOST_SECRETS:
        until = min(each.until for each in still if each.until)
        raise TooManySecrets(
            f"It was replaced {len(still) - 1} times within a day, and each of these secrets is good for its 24"
            f" hours: try again after {until}, or register another webhook",
            until=until,
        )
    return replace(hook, secrets=replaced(still, later(OVERLAP.total_seconds())))


async def remove(desk: Desk, session: str | None, name: str) -> shapes.WebhookRemoved:
    """Tell it nothing any more."""
    hook = await found(desk, session, name)
    return shapes.WebhookRemoved(id=hook.id, removed=await asyncio.to_thread(desk.store.hooks.drop, hook.id))


async def try_out(desk: Desk, session: str | None, name: str) -> shapes.Delivery:
    """Send a test message now."""
    return shapes.delivery(await desk.courier.try_out(await found(desk, session, name)))


async def redeliver(desk: Desk, session: str | None, name: str, told: str, after: str) -> shapes.WebhookShown:
    """Send again what comes after a cursor of a session."""
    hook = await found(desk, session, name)
    seq = await asyncio.to_thread(parse_cursor, desk.store, told, after)
    await asyncio.to_thread(desk.store.hooks.rewind, hook.id, told, seq)
    desk.courier.nudged.set()
    return await shown(desk, session, name)


async def deliveries(
    desk: Desk, session: str | None, name: str, before: int | None, limit: int
) -> shapes.DeliveryList:
    """A page of the attempts."""
    hook = await found(desk, session, name)
    page = await asyncio.to_thread(desk.store.hooks.attempts, hook.id, before, limit)
    return shapes.DeliveryList(
        deliveries=tuple(shapes.delivery(each.attempt) for each in page),
        next=page[-1].number if len(page) == limit else None,
    )


async def dead_letters(
    desk: Desk, session: str | None, name: str, after: int, limit: int
) -> shapes.DeadLetterList:
    """A page of what was given up."""
    hook = await found(desk, session, name)
    page = await asyncio.to_thread(desk.store.hooks.dead_letters, hook.id, after, limit)
    return shapes.DeadLetterList(
        dead_letters=tuple(shapes.dead_letter(letter) for _, letter in page),
        next=page[-1][0] if len(page) == limit else None,
    )


async def check_address(desk: Desk, url: str) -> None:
    """Raise `WebhookAddressRefused` where nothing would be sent to that address."""
    try:
        await desk.courier.post.reach.check(url)
    except TargetRefused as refused:
        raise WebhookAddressRefused(refused.message, reason=refused.reason) from None


async def _now(desk: Desk, hook: Hook) -> Hook:
    return await asyncio.to_thread(as_now, desk.store, hook)


async def _edited(
    desk: Desk, session: str | None, name: str, edit: Callable[[Hook], Hook]
) -> shapes.WebhookShown:
    await _changed(desk, await found(desk, session, name), edit)
    desk.courier.nudged.set()
    return await shown(desk, session, name)


async def _changed(desk: Desk, hook: Hook, edit: Callable[[Hook], Hook]) -> Hook:
    changed = await asyncio.to_thread(desk.store.hooks.change, hook.id, edit)
    if changed is None:
        raise WebhookUnknown(f"The webhook {hook.id} was removed just now", webhook=hook.id)
    return changed


async def _made_before(desk: Desk, name: str, key: RequestKey | None) -> Registered | None:
    """The hook this key made, with a secret that replaces the one nobody may have read.

    Raises `KeyReused` where the key came with another request.
    """
    if key is None:
        return None
    hook = await asyncio.to_thread(desk.store.hooks.hook, name)
    if (hook is not None and hook.asked != key.fingerprint) or desk.store.known_key(key.scope, key.key):
        raise KeyReused("This Idempotency-Key came with another request before; use a new key for a new one")
    if hook is None:
        return None
    if hook.secrets:
        hook = await _changed(desk, hook, _with_another_first_secret)
    return Registered(hook=await _now(desk, hook), replayed=True)


def _with_another_first_secret(hook: Hook) -> Hook:
    return replace(hook, secrets=(new_secret(), *hook.secrets[1:]))


def _named_after(key: RequestKey) -> str:
    """The id of the hook a request key makes: a repeat finds it, also after a restart."""
    named = f"webhook\n{key.scope}\n{key.key}"
    return b32encode(sha256(named.encode()).digest()[:10]).decode().lower()


async def _check_number(desk: Desk, session: str | None) -> None:
    most = MOST_OF_THE_SERVER if session is None else MOST_OF_A_SESSION
    if len(await asyncio.to_thread(desk.store.hooks.hooks, session)) >= most:
        raise TooManyWebhooks(f"There are {most} webhooks here already: remove one first", most=most)
