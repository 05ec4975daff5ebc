"""Sessions, seats and copies."""

from __future__ import annotations

from typing import Any

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the table plays with its recorder; docs/http.md says what each value means."""

    undo: str = "request"
    rulings: str = "ask"
    table_dice: str = "gm"
    redraw_after_undo: str = "same"


class SettingsNow(msgspec.Struct, frozen=True, kw_only=True):
    """The settings after a change."""

    settings: Settings
    version: int
    head_hash: str


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A session that was opened, and the game master's token, which is shown this once.

    Keep `dice_commitment`: with the seed that the close reveals it proves every die the server threw.
    """

    id: str
    ruleset: str
    title: str
    version: int
    head_hash: str
    dice_commitment: str
    gm_token: str
    links: dict[str, str] = {}


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list."""

    id: str
    title: str
    ruleset: str
    opened_at: str
    changed_at: str
    closed_at: str | None


class SessionList(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions, newest first; `next` is the cursor of the next page, `None` at the end."""

    sessions: tuple[Listed, ...]
    next: str | None


class Yourself(msgspec.Struct, frozen=True, kw_only=True):
    """Who the token says you are."""

    role: str
    name: str
    characters: tuple[str, ...] = ()


class ForkedFrom(msgspec.Struct, frozen=True, kw_only=True):
    """The session another one began as, and the action after which it did; `kind` is `fork` or `sequel`."""

    session: str
    at: int
    kind: str


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """A session that began as another one was after action `at`."""

    session: str
    title: str
    at: int
    kind: str
    opened_at: str
    closed_at: str | None = None


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Where a session stands. `version` is its last `seq`, `action` the number of its last action.

    `parent` is the session it was forked from; `forks` are those forked from it, which the game master alone is told.
    """

    id: str
    title: str
    ruleset: str
    rules: int
    version: int
    action: int
    head_hash: str
    opened_at: str
    changed_at: str
    closed: bool
    settings: Settings
    dice_commitment: str
    parent: ForkedFrom | None = None
    forks: tuple[Fork, ...] = ()
    you: Yourself
    links: dict[str, str] = {}


class SessionRemoved(msgspec.Struct, frozen=True, kw_only=True):
    """What stays of a removed session."""

    id: str
    version: int
    head_hash: str
    removed_at: str


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """A seat and its token, which is shown this once."""

    id: str
    role: str
    name: str
    characters: tuple[str, ...]
    token: str


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of the table."""

    id: str
    role: str
    name: str
    characters: tuple[str, ...]
    issued_at: str


class InviteList(msgspec.Struct, frozen=True, kw_only=True):
    """The seats whose token is good, the game master's first."""

    invites: tuple[Seated, ...]


class InviteRevoked(msgspec.Struct, frozen=True, kw_only=True):
    """The seat whose token stopped working."""

    id: str
    revoked: bool


class ToolToken(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that reads every session, and its token, which is shown this once."""

    id: str
    name: str
    token: str


class ToolSeated(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that reads every session."""

    id: str
    name: str
    issued_at: str


class ToolList(msgspec.Struct, frozen=True, kw_only=True):
    """The tools whose token is good, oldest first."""

    tools: tuple[ToolSeated, ...]


class ToolRevoked(msgspec.Struct, frozen=True, kw_only=True):
    """The tool whose token stopped working."""

    id: str
    revoked: bool


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A copy that was taken in: `added` events, none when it was here already.

    After a dry run nothing was stored, and `added` is what would have been.
    """

    id: str
    title: str
    ruleset: str
    version: int
    added: int
    gm_token: str | None
    dry_run: bool = False
    links: dict[str, str] = {}


class RulesetListed(msgspec.Struct, frozen=True, kw_only=True):
    """A game the server can record."""

    slug: str
    name: str
    version: str
    summary: str


class RulesetList(msgspec.Struct, frozen=True, kw_only=True):
    """Every game the server can record."""

    rulesets: tuple[RulesetListed, ...]


class RulesetShown(msgspec.Struct, frozen=True, kw_only=True):
    """A game in full: JSON Schemas of its commands by `type` and of its events by name.

    `answers` are the commands that answer a question, `at_any_time` those that pass while one waits. `refusals`
    says of each code of the game what it means and what to do.
    """

    slug: str
    name: str
    version: str
    summary: str
    commands: dict[str, dict[str, Any]]
    answers: tuple[str, ...]
    at_any_time: tuple[str, ...]
    parameters: dict[str, Any]
    defaults: dict[str, Any]
    events: dict[str, dict[str, Any]]
    refusals: dict[str, str]
