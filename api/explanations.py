"""Every code a refusal can carry, and what to do about it. docs/errors.md is made from this.

A ruleset brings the explanations of its own codes; `GET /rulesets/{slug}` tells those of any that is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.codes import EVERY_GAME
from rulesets.contract import Ruleset
from rulesets.installed import OURS, installed, package_of

REQUESTS: dict[str, str] = {
    "bad-request": "The request could not be understood; the detail says why.",
    "body-too-large": "A body is at most 256 KiB, an import 64 MiB.",
    "disconnected": "The connection ended before the body did. Nothing was recorded; send it again.",
    "gm-stays": "The GM's invite is not revoked but rotated: a session needs somebody who gives out seats.",
    "malformed-body": "The body is JSON, but not what the route takes: the detail names the field. See /schema.",
    "malformed-header": "`If-Match`, `Idempotency-Key` or another header that steers the request cannot be read.",
    "malformed-json": "The body is no JSON: cut off, not UTF-8, or with NaN in it.",
    "malformed-parameter": "A query parameter is of the wrong type, out of bounds, or comes twice; the detail names it.",
    "method-not-allowed": "The path is there, but not for this method; `Allow` lists those it takes.",
    "name-taken": "Somebody sits at the table under that name, or a tool of that name has a token. Choose another, or revoke the older one.",
    "nested-too-deep": "The JSON is nested deeper than any table needs.",
    "not-allowed": "The token is good, and its role may not do this; `needs` says who may.",
    "not-identified": "No token, or one that opens nothing here. The answer is the same whether or not the session exists.",
    "server-error": "Something broke in the server. Nothing was recorded; the server's log says where.",
    "server-stopping": "The server is about to stop and begins no feed. Come back in a moment.",
    "session-removed": "The session was removed by whoever runs the server; only its last receipt is left.",
    "too-many-secrets": "A webhook's secret is replaced five times in 24 hours at most, since each old one stays good that long; `until` is when the first of them ends.",
    "too-many-webhooks": "A session has 20 webhooks at most, the server 50 for all sessions; remove one first.",
    "too-many-feeds": "The token has as many feeds open as one may have: `limit`. Those go on.",
    "unknown-host": "The server does not go by the name in the `Host` header; whoever runs it can add one with `--allow-host`.",
    "unknown-invite": "The session has no such invite, or it was revoked.",
    "unknown-query-parameter": "The route takes no query parameter of that name: `parameter` says which, `known` those it takes.",
    "unknown-player": "No player sits at the session under that name (`players` lists those who do), or they do not play those characters. Invite them first.",
    "unknown-token": "No tool has a token of that id for the whole server, or it was revoked.",
    "unknown-route": "There is nothing at this path; /schema lists what there is.",
    "unknown-ruleset": "No ruleset of that slug is installed; /rulesets lists those that are.",
    "unknown-webhook": "There is no such webhook here, or it was removed.",
    "webhook-address-refused": "Nothing is sent there; `reason` is `malformed`, `not-https`, `not-found` or `not-public`. Whoever runs the server can allow a network with `--allow-webhook-to`.",
    "webhook-unsigned": "Discord does not check signatures, so that there is no secret; make another webhook in Discord instead.",
    "unsupported-media-type": "Send bodies as `application/json`, imports as `application/x-ndjson`.",
}

HISTORY: dict[str, str] = {
    "acted-since": "Somebody acted after what a player wants to undo; the GM can undo it still.",
    "already-undone": "It was undone before; `by` is the correction that did it. Redo brings it back; of a correction that was taken back, undo `by`.",
    "amend-instead": "An answer the story went on from is not undone alone: amend it, or undo the action that asked.",
    "corrected-since": "A later correction changed the same action: undo that one (`since`) first.",
    "dice-needed": "A correction wants faces for dice thrown at the table: send them in `with`, as `origins` says.",
    "dice-shown": "Dice were shown in it: a player takes back decisions, not dice. The GM can undo it.",
    "dice-taken": "The dice of the undone action fell again as another one (`by`); undo that first.",
    "dice-were-thrown": "The server threw these dice, and they stay what they are: leave `dice` out.",
    "history-conflict": "Later actions are touched (`touched` lists them): send it again with `mode` `rebase` or `cascade`.",
    "no-such-request": "No request of that number is open: it was settled, or there never was one.",
    "not-touched": "`with` speaks of `actions` that the correction does not decide again, or undoes. A look ahead (`dry_run`) lists what it touches.",
    "not-undone": "It stands: there is nothing to redo.",
    "not-your-action": "A player undoes their own actions only; the GM undoes others, and may be asked for it where that is an action of the story.",
    "nothing-to-amend": "The amendment says what stands already: send another `command`, other `answers`, `dice` or `overrule`.",
    "nothing-to-undo": "It is no part of the story (the opening, a note, a setting), or nothing has happened yet.",
    "too-much-touched": "One correction writes at most `limit` actions anew; fork the session at that point instead.",
    "undo-off": "The session's setting `undo` does not allow it; the GM can change it.",
    "undo-request-open": "One request at a time: the GM has not settled `request` yet.",
}

THE_LOG: dict[str, str] = {
    "busy": "Others kept writing to the session, or the server is stopping. Sending the same again is safe.",
    "chain-broken": "An event is not the one that was recorded; GET …/verification says which.",
    "cursor-unknown": "The cursor comes from another log or from a point this one has not reached; `head` is where it ends.",
    "database-in-use": "Another process writes this database file; talk to that server instead.",
    "database-newer": "The database was made by a newer version of Tabletape; update this one.",
    "diverged": "Another log of that id is here and went another way. Take the copy in as a fork (`as=fork`) to have both.",
    "history-does-not-fold": "An event does not fit the table before it. The log was damaged; restore a backup.",
    "idempotency-key-reused": "The key came with another request before. Use a new key for a new request.",
    "import-conflict": "A log of that id is here already and is not the same; nothing was changed. Taken in as a fork (`as=fork`), it has a place beside it.",
    "import-refused": "The file is no complete, valid copy of a log; `line` and `reason` say where and why (`future`: it was recorded by a clock more than a day ahead of this machine's), `install` what to update for a newer one.",
    "log-error": "Something is wrong with the log; the detail says what.",
    "malformed-command": "The command has an unknown type or field, or a value out of bounds; the detail names it.",
    "newer-than-head": "The copy goes on after the log that is here; it cannot be lengthened by an import. Take the copy in as a fork (`as=fork`) to have both.",
    "not-an-answer": "`answers` are for the questions the command opens: send `type` as an action of its own, or leave out what nothing asks for.",
    "nothing-to-redact": "The event holds no words of somebody's own, or they were removed before.",
    "older-than-head": "The copy ends before the log that is here, which went on since. As a fork (`as=fork`) it goes on from where it ends.",
    "pool-below-zero": "A pool would go below zero; the books do not allow it.",
    "rules-not-decided": "The installed ruleset has forgotten the rules this session is played by. It can be read, and its last action undone.",
    "ruleset-broken": "An installed ruleset breaks its contract; tell its author.",
    "ruleset-not-installed": "The session's ruleset is not installed here. Its log can be listed and exported.",
    "seed-not-promised": "The session's secret seed was changed or lost in the database. It can be read; restore a backup to go on.",
    "sequence-broken": "An event is missing, doubled or out of order; restore a backup.",
    "session-closed": "The session is closed: it is read, never written.",
    "session-has-forks": "Others begin with the session's events; `forks` names them. Remove those first.",
    "session-exists": "A session of that id is here already.",
    "store-unusable": "The database cannot be written; the detail says what to do.",
    "table-dice-off": "The session takes no typed faces from you; leave `dice` out, or ask the GM to set `table_dice`.",
    "unknown-action": "The session has no action of that number, or none that whoever asks sees anything of.",
    "unknown-event-type": "The log holds an event this version cannot read; update, or install its ruleset.",
    "unknown-session": "No session has that id.",
    "unreadable-event": "An event's data is not what its type says; restore a backup.",
    "version-mismatch": "Somebody acted since you looked; `version` is where the session stands. Look, then decide again.",
    "visibility-not-possible": "A command that changes everybody's table cannot be hidden; rolls and notes can.",
    "words-shared": "The words belong to `session`, which this one was forked from. Remove them there; they go from both.",
}


def sections() -> dict[str, Mapping[str, str]]:
    """All explanations, as docs/errors.md shows them: those of our own rulesets come with the rulesets."""
    return {
        "The request": REQUESTS,
        "History": HISTORY,
        "The log": THE_LOG,
        "Every game": EVERY_GAME,
        **{ruleset.name: of_game(ruleset) for ruleset in installed().values() if _is_ours(ruleset)},
    }


def of_game(ruleset: Ruleset[Any]) -> Mapping[str, str]:
    """What the codes of a game mean, under its current rules."""
    return ruleset.rules[ruleset.current]().explanations


def _is_ours(ruleset: Ruleset[Any]) -> bool:
    return package_of(ruleset.slug).name == OURS


def explanations() -> dict[str, str]:
    """What each code means and what to do about it."""
    return {code: words for section in sections().values() for code, words in section.items()}


def errors_page() -> str:
    """The text of docs/errors.md."""
    lines = [
        "# Refusals",
        "",
        "Every refusal is `application/problem+json` (RFC 9457) with a stable `code`, `detail` in words, the",
        "session's `version` where there is one, and typed fields. A rule's refusal is 422 and says with",
        "`overrulable` whether the GM may pass over it (`overrule: [code]`).",
    ]
    for title, section in sections().items():
        lines += ["", f"## {title}", "", "| code | what it means |", "|---|---|"]
        lines += [f"| `{code}` | {words} |" for code, words in sorted(section.items())]
    return "\n".join(lines) + "\n"
