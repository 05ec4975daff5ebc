"""Webhooks of one session: whom its GM has told what happens at the table."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, patch, post
from litestar.params import FromPath, QueryParameter, RequestBody

from api.answers import Answer, answer
from api.desk import desk_of
from api.headers import IdempotencyKey, request_key
from api.seats import GAME_MASTER, Asked, at_the_table
from api.webhooks import asking
from api.webhooks.shapes import (
    ChangeWebhook,
    DeadLetterList,
    Delivery,
    DeliveryList,
    Redeliver,
    RegisterWebhook,
    WebhookList,
    WebhookMade,
    WebhookRemoved,
    WebhookShown,
    made,
)

GM = at_the_table(*GAME_MASTER)

Before = Annotated[
    int | None, QueryParameter(ge=1, le=2**53 - 1, description="The `next` of the page before")
]
After = Annotated[int, QueryParameter(ge=0, le=2**53 - 1, description="The `next` of the page before")]
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="How many at most")]


@post("/sessions/{session:str}/webhooks", before_request=GM, tags=["webhooks"])
async def register_webhook(
    request: Asked,
    session: FromPath[str],
    data: RequestBody[RegisterWebhook],
    idempotency_key: IdempotencyKey = None,
) -> Answer[WebhookMade]:
    """Have somebody told what happens in this session. The secret is shown this once."""
    key = request_key(request, idempotency_key, session, await request.body())
    result = await asking.register(desk_of(request), session, data, key)
    return answer(made(result.hook), status=201, replayed=result.replayed)


@get("/sessions/{session:str}/webhooks", before_request=GM, tags=["webhooks"])
async def list_webhooks(request: Asked, session: FromPath[str]) -> Answer[WebhookList]:
    """Who is told. Addresses are masked; secrets are not shown."""
    return answer(await asking.listed(desk_of(request), session))


@get("/sessions/{session:str}/webhooks/{hook:str}", before_request=GM, tags=["webhooks"])
async def show_webhook(request: Asked, session: FromPath[str], hook: FromPath[str]) -> Answer[WebhookShown]:
    """One webhook, and how far it was told."""
    return answer(await asking.shown(desk_of(request), session, hook))


@patch("/sessions/{session:str}/webhooks/{hook:str}", before_request=GM, tags=["webhooks"])
async def change_webhook(
    request: Asked, session: FromPath[str], hook: FromPath[str], data: RequestBody[ChangeWebhook]
) -> Answer[WebhookShown]:
    """Change its address, name or types. Whose eyes it has stays as it was registered."""
    return answer(await asking.change(desk_of(request), session, hook, data))


@delete("/sessions/{session:str}/webhooks/{hook:str}", before_request=GM, status_code=200, tags=["webhooks"])
async def remove_webhook(
    request: Asked, session: FromPath[str], hook: FromPath[str]
) -> Answer[WebhookRemoved]:
    """Remove it with its log. Nothing is sent any more."""
    return answer(await asking.remove(desk_of(request), session, hook))


@post("/sessions/{session:str}/webhooks/{hook:str}/rotate", before_request=GM, tags=["webhooks"])
async def rotate_webhook_secret(
    request: Asked, session: FromPath[str], hook: FromPath[str]
) -> Answer[WebhookMade]:
    """Replace the secret. For 24 hours messages are signed with the old one as well."""
    return answer(await asking.rotate(desk_of(request), session, hook), status=201)


@post(
    "/sessions/{session:str}/webhooks/{hook:str}/test", before_request=GM, status_code=200, tags=["webhooks"]
)
async def test_webhook(request: Asked, session: FromPath[str], hook: FromPath[str]) -> Answer[Delivery]:
    """Send a `tabletape.test` message now and tell how it was answered. Works while it is paused, too."""
    return answer(await asking.try_out(desk_of(request), session, hook))


@post(
    "/sessions/{session:str}/webhooks/{hook:str}/pause", before_request=GM, status_code=200, tags=["webhooks"]
)
async def pause_webhook(request: Asked, session: FromPath[str], hook: FromPath[str]) -> Answer[WebhookShown]:
    """Stop sending. What happens meanwhile is sent when it is resumed."""
    return answer(await asking.pause(desk_of(request), session, hook))


@post(
    "/sessions/{session:str}/webhooks/{hook:str}/resume",
    before_request=GM,
    status_code=200,
    tags=["webhooks"],
)
async def resume_webhook(request: Asked, session: FromPath[str], hook: FromPath[str]) -> Answer[WebhookShown]:
    """Go on where it stopped, at once."""
    return answer(await asking.resume(desk_of(request), session, hook))


@post(
    "/sessions/{session:str}/webhooks/{hook:str}/redeliver",
    before_request=GM,
    status_code=200,
    tags=["webhooks"],
)
async def redeliver_webhook(
    request: Asked, session: FromPath[str], hook: FromPath[str], data: RequestBody[Redeliver]
) -> Answer[WebhookShown]:
    """Send again everything after a cursor, under the same ids; Discord's messages are edited instead."""
    return answer(await asking.redeliver(desk_of(request), session, hook, session, data.after))


@get("/sessions/{session:str}/webhooks/{hook:str}/deliveries", before_request=GM, tags=["webhooks"])
async def list_webhook_deliveries(
    request: Asked, session: FromPath[str], hook: FromPath[str], before: Before = None, limit: Limit = 100
) -> Answer[DeliveryList]:
    """The last attempts, a thousand at most, newest first. What was answered is not kept."""
    return answer(await asking.deliveries(desk_of(request), session, hook, before, limit))


@get("/sessions/{session:str}/webhooks/{hook:str}/dead-letters", before_request=GM, tags=["webhooks"])
async def list_webhook_dead_letters(
    request: Asked, session: FromPath[str], hook: FromPath[str], after: After = 0, limit: Limit = 100
) -> Answer[DeadLetterList]:
    """What was given up after the last attempt, until it is delivered after all."""
    return answer(await asking.dead_letters(desk_of(request), session, hook, after, limit))
