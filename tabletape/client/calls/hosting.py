"""Sessions and their seats, and the games of a server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from tabletape.client.call import Call, body, path_of, reading
from tabletape.client.shapes.sessions import (
    Invited,
    InviteList,
    InviteRevoked,
    Opened,
    RulesetList,
    RulesetShown,
    Session,
    SessionList,
    SessionRemoved,
    ToolList,
    ToolRevoked,
    ToolToken,
)


def open_session(
    ruleset: str,
    title: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    settings: Mapping[str, str] | None = None,
    key: str | None = None,
) -> Call[Opened]:
    """Open a session. Its answer holds the game master's token: go on with `client.with_token(…)`."""
    content = body(ruleset=ruleset, title=title, parameters=parameters, settings=settings)
    return Call(method="POST", path="/sessions", read=reading(Opened), content=content, key=key)


def sessions(
    *, search: str | None = None, after: str | None = None, limit: int | None = None
) -> Call[SessionList]:
    """The sessions of the server, newest first."""
    params = {"search": search, "after": after, "limit": limit}
    return Call(method="GET", path="/sessions", read=reading(SessionList), params=params)


def session(session: str) -> Call[Session]:
    """Where a session stands, and who you are in it: the first thing to ask with a token just got."""
    return Call(method="GET", path=path_of(session), read=reading(Session))


def remove_session(session: str) -> Call[SessionRemoved]:
    """Remove a session that was opened by mistake. Sent once: a second time there is nothing to remove."""
    return Call(method="DELETE", path=path_of(session), read=reading(SessionRemoved), repeatable=False)


def invite(
    session: str, role: str, name: str, *, characters: Sequence[str] = (), key: str | None = None
) -> Call[Invited]:
    """Give somebody a seat: `player` (with characters), `observer`, `tool` or `overlay`."""
    content = body(role=role, name=name, characters=characters)
    return Call(
        method="POST", path=path_of(session, "invites"), read=reading(Invited), content=content, key=key
    )


def invites(session: str) -> Call[InviteList]:
    """Who has a seat at the table."""
    return Call(method="GET", path=path_of(session, "invites"), read=reading(InviteList))


def rotate_invite(session: str, invite: str) -> Call[Invited]:
    """Replace the token of a seat. Sent again it replaces it again; the last token is the good one."""
    return Call(method="POST", path=path_of(session, "invites", invite, "rotate"), read=reading(Invited))


def revoke_invite(session: str, invite: str) -> Call[InviteRevoked]:
    """Take a seat away. Sent once: a second time there is no seat."""
    path = path_of(session, "invites", invite)
    return Call(method="DELETE", path=path, read=reading(InviteRevoked), repeatable=False)


def add_tool(name: str, *, key: str | None = None) -> Call[ToolToken]:
    """Give a tool a token that reads every session, as far as everybody at their tables may see it."""
    return Call(method="POST", path="/tokens", read=reading(ToolToken), content=body(name=name), key=key)


def tools() -> Call[ToolList]:
    """Which tools read every session."""
    return Call(method="GET", path="/tokens", read=reading(ToolList))


def rotate_tool(tool: str) -> Call[ToolToken]:
    """Replace the token of a tool. Sent again it replaces it again; the last token is the good one."""
    return Call(method="POST", path=f"/tokens/{quote(tool, safe='')}/rotate", read=reading(ToolToken))


def revoke_tool(tool: str) -> Call[ToolRevoked]:
    """Take the token of a tool away. Sent once: a second time there is none."""
    path = f"/tokens/{quote(tool, safe='')}"
    return Call(method="DELETE", path=path, read=reading(ToolRevoked), repeatable=False)


def rulesets() -> Call[RulesetList]:
    """The games the server can record."""
    return Call(method="GET", path="/rulesets", read=reading(RulesetList))


def ruleset(slug: str) -> Call[RulesetShown]:
    """One game in full."""
    return Call(method="GET", path=f"/rulesets/{quote(slug, safe='')}", read=reading(RulesetShown))
