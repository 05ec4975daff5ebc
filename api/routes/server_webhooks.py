"""Webhooks of the whole server: whom its admin has told what happens in every session."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, patch, post
from litestar.params import FromPath, QueryParameter, RequestBody

from api.answers import Answer, answer
from api.desk import desk_of
from api.headers import IdempotencyKey, request_key
from api.seats import Asked, at_the_server
from api.webhooks import asking
from api.webhooks.shapes import (
    ChangeWebhook,
    DeadLetterList,
    Delivery,
    DeliveryList,
    RedeliverSession,
    RegisterServerWebhook,
    WebhookList,
    WebhookMade,
    WebhookRemoved,
    WebhookShown,
    made,
)

KEEPER = at_the_server()

Before = Annotated[
    int | None, QueryParameter(ge=1, le=2**53 - 1, description="The `next` of the page before")
]
After = Annotated[int, QueryParameter(ge=0, le=2**53 - 1, description="The `next` of the page before")]
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="How many at most")]


@post("/webhooks", before_request=KEEPER, tags=["webhooks"])
async def register_server_webhook(
    request: Asked, data: RequestBody[RegisterServerWebhook], idempotency_key: IdempotencyKey = None
) -> Answer[WebhookMade]:
    """Have somebody told what happens in every session from now on. The secret is shown this once."""
    key = request_key(request, idempotency_key, "", await request.body())
    result = await asking.register(desk_of(request), None, data, key)
    return answer(made(result.hook), status=201, replayed=result.replayed)


@get("/webhooks", before_request=KEEPER, tags=["webhooks"])
async def list_server_webhooks(request: Asked) -> Answer[WebhookList]:
    """Who is told. Addresses are masked; secrets are not shown."""
    return answer(await asking.listed(desk_of(request), None))


@get("/webhooks/{hook:str}", before_request=KEEPER, tags=["webhooks"])
async def show_server_webhook(request: Asked, hook: FromPath[str]) -> Answer[WebhookShown]:
    """One webhook, and how far it was told."""
    return answer(await asking.shown(desk_of(request), None, hook))


@patch("/webhooks/{hook:str}", before_request=KEEPER, tags=["webhooks"])
async def change_server_webhook(
    request: Asked, hook: FromPath[str], data: RequestBody[ChangeWebhook]
) -> Answer[WebhookShown]:
    """Change its address, name or types. Whose eyes it has stays as it was registered."""
    return answer(await asking.change(desk_of(request), None, hook, data))


@delete("/webhooks/{hook:str}", before_request=KEEPER, status_code=200, tags=["webhooks"])
async def remove_server_webhook(request: Asked, hook: FromPath[str]) -> Answer[WebhookRemoved]:
    """Remove it with its log. Nothing is sent any more."""
    return answer(await asking.remove(desk_of(request), None, hook))


@post("/webhooks/{hook:str}/rotate", before_request=KEEPER, tags=["webhooks"])
async def rotate_server_webhook_secret(request: Asked, hook: FromPath[str]) -> Answer[WebhookMade]:
    """Replace the secret. For 24 hours messages are signed with the old one as well."""
    return answer(await asking.rotate(desk_of(request), None, hook), status=201)


@post("/webhooks/{hook:str}/test", before_request=KEEPER, status_code=200, tags=["webhooks"])
async def test_server_webhook(request: Asked, hook: FromPath[str]) -> Answer[Delivery]:
    """Send a `tabletape.test` message now and tell how it was answered. Works while it is paused, too."""
    return answer(await asking.try_out(desk_of(request), None, hook))


@post("/webhooks/{hook:str}/pause", before_request=KEEPER, status_code=200, tags=["webhooks"])
async def pause_server_webhook(request: Asked, hook: FromPath[str]) -> Answer[WebhookShown]:
    """Stop sending. What happens meanwhile is sent when it is resumed."""
    return answer(await asking.pause(desk_of(request), None, hook))


@post("/webhooks/{hook:str}/resume", before_request=KEEPER, status_code=200, tags=["webhooks"])
async def resume_server_webhook(request: Asked, hook: FromPath[str]) -> Answer[WebhookShown]:
    """Go on where it stopped, at once."""
    return answer(await asking.resume(desk_of(request), None, hook))


@post("/webhooks/{hook:str}/redeliver", before_request=KEEPER, status_code=200, tags=["webhooks"])
async def redeliver_server_webhook(
    request: Asked, hook: FromPath[str], data: RequestBody[RedeliverSession]
) -> Answer[WebhookShown]:
    """Send again everything after a cursor, under the same ids; Discord's messages are edited instead."""
    return answer(await asking.redeliver(desk_of(request), None, hook, data.session, data.after))


@get("/webhooks/{hook:str}/deliveries", before_request=KEEPER, tags=["webhooks"])
async def list_server_webhook_deliveries(
    request: Asked, hook: FromPath[str], before: Before = None, limit: Limit = 100
) -> Answer[DeliveryList]:
    """The last attempts, a thousand at most, newest first. What was answered is not kept."""
    return answer(await asking.deliveries(desk_of(request), None, hook, before, limit))


@get("/webhooks/{hook:str}/dead-letters", before_request=KEEPER, tags=["webhooks"])
async def list_server_webhook_dead_letters(
    request: Asked, hook: FromPath[str], after: After = 0, limit: Limit = 100
) -> Answer[DeadLetterList]:
    """What was given up after the last attempt, until it is delivered after all."""
    return answer(await asking.dead_letters(desk_of(request), None, hook, after, limit))
