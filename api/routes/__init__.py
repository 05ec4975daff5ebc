"""The routes, a file for each part of a session's life."""

from litestar.handlers import HTTPRouteHandler

from api.routes import (
    actions,
    audit,
    book_keeping,
    copies,
    corrections,
    feeds,
    forks,
    invites,
    log,
    operators,
    overlay,
    replay,
    rulesets,
    server_webhooks,
    session_webhooks,
    sessions,
    table,
    tools,
)

ROUTES: list[HTTPRouteHandler] = [
    handler
    for part in (
        sessions,
        forks,
        actions,
        corrections,
        table,
        log,
        replay,
        audit,
        feeds,
        overlay,
        book_keeping,
        invites,
        tools,
        session_webhooks,
        server_webhooks,
        copies,
        rulesets,
        operators,
    )
    for handler in vars(part).values()
    if isinstance(handler, HTTPRouteHandler)
]
"""Every route, in the order of the description."""
