"""The Discord format: posts the lines of the timeline, remembers the messages, edits them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import msgspec

from api.webhooks.discord import embeds
from api.webhooks.discord.lines import line_of
from api.webhooks.discord.touching import touched
from api.webhooks.letters import Letter, Parcel, Verdict, asked_wait, is_wanted, seconds_of
from api.webhooks.sending import Answered
from eventlog.audience import visible
from eventlog.envelope import Envelope
from eventlog.errors import ActionUnknown, EventLogError, SessionUnknown
from eventlog.hooks import Hook, Message
from eventlog.store import Store
from rulesets.errors import RulesetError

UNKNOWN_WEBHOOK = 10015
"""The code of Discord's answer where the webhook itself is gone."""


class Answer(msgspec.Struct, frozen=True):
    """What Discord answers, as far as it matters: a message, or an error with its code and how long to wait."""

    id: str | None = None
    code: int | None = None
    retry_after: float | None = None


class DiscordFormat:
    """A message for each line of the timeline its viewer may see. It is not signed: the address is the secret."""

    signs = False

    def parcel(self, store: Store, hook: Hook, session: str, after: int) -> Parcel | None:
        """The messages of the next action: those it changes, then its own."""
        following = store.envelopes(session, after, 1)
        if not following:
            return None
        action = following[0].action
        run = store.actions(session, action, action)
        seen = visible(hook.viewer, run)
        if not seen:
            return Parcel(upto=run[-1].seq)
        try:
            letters = tuple(self._letters(store, hook, session, seen))
        except SessionUnknown:
            raise
        except (EventLogError, RulesetError) as error:
            return Parcel(upto=run[-1].seq, trouble=getattr(error, "code", "ruleset-not-installed"))
        return Parcel(upto=run[-1].seq, letters=letters)

    def _letters(self, store: Store, hook: Hook, session: str, seen: Sequence[Envelope]) -> Iterator[Letter]:
        wanted = any(is_wanted(hook, event) for event in seen)
        written = set[int]()
        for touch in touched(store, hook, session, seen):
            try:
                line = line_of(store, session, hook.viewer, touch.line)
            except ActionUnknown:
                continue
            number, kept = line.entry.number, store.hooks.message(hook.id, session, line.entry.number)
            if number in written or (kept is None and not (touch.own and wanted)):
                continue
            written.add(number)
            yield Letter(
                seq=seen[0].seq,
                body=embeds.body(line),
                method="PATCH" if kept else "POST",
                url=_address(hook.url, kept.message if kept else None),
                about=kept or Message(action=number, slot=line.entry.slot, message=""),
                own=touch.own,
            )

    def judge(self, letter: Letter, answered: Answered) -> Verdict:
        """As Discord documents it: 429 waits, 404 is a message or a webhook that is gone, 400 never gets better."""
        answer = _read(answered.body)
        match answered.status:
            case _ if answered.is_good:
                return Verdict(outcome="delivered", wait=_spent(answered), message=answer.id)
            case 429:
                wait = seconds_of(str(answer.retry_after)) or 0.0
                return Verdict(outcome="held", wait=max(wait, asked_wait(answered) or 0.0, 1.0))
            case 404 if letter.method == "PATCH" and answer.code != UNKNOWN_WEBHOOK:
                return Verdict(outcome="failed" if letter.own else "delivered", lost=True)
            case 401 | 403 | 404 | 410:
                return Verdict(outcome="gone")
            case 400:
                return Verdict(outcome="dead")
            case _:
                return Verdict(outcome="failed", wait=asked_wait(answered) or 0.0)

    def trial(self, hook: Hook, at: str) -> Letter:
        """A message that says it is a test."""
        words = f"This is where Tabletape tells what happens{f' ({hook.name})' if hook.name else ''}."
        return Letter(seq=0, body=embeds.trial(words, at), url=_address(hook.url, None))


def _address(url: str, message: str | None) -> str:
    """Where a message is posted, so that the answer names it, or edited. A thread that was named stays named."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/") + (f"/messages/{message}" if message else "")
    query = [each for each in parts.query.split("&") if each.startswith("thread_id=")]
    asked: list[Literal["wait=true"]] = [] if message else ["wait=true"]
    return urlunsplit((parts.scheme, parts.netloc, path, "&".join([*asked, *query]), ""))


def _read(body: bytes) -> Answer:
    try:
        return msgspec.json.decode(body, type=Answer, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Answer()


def _spent(answered: Answered) -> float:
    """How long to leave it alone after a good answer: where that was the last request Discord takes for now."""
    if answered.headers.get("x-ratelimit-remaining") != "0":
        return 0.0
    return seconds_of(answered.headers.get("x-ratelimit-reset-after", "")) or 0.0
