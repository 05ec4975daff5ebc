"""The one write path: decide on the live tape, store, and only then answer.

One request at a time per session; across sessions, what waits is gathered into one commit. Nobody sees a die
that is not on disk.
"""

from __future__ import annotations

import secrets
from base64 import b32encode
from typing import Any

import msgspec

from eventlog.announcing import Announcer
from eventlog.beginning import Decision
from eventlog.canonical import canonical_copy, encode
from eventlog.chain import digest
from eventlog.codec import is_core
from eventlog.core import SessionOpened, TextRedacted
from eventlog.core_rules import REDACTABLE
from eventlog.correction_decision import foresee
from eventlog.decision import decide
from eventlog.dice import SEED_BYTES, commitment
from eventlog.envelope import By, Envelope
from eventlog.errors import (
    Busy,
    CommandMalformed,
    KeyReused,
    NothingToRedact,
    SessionExists,
    SessionIsClosed,
)
from eventlog.forking import check_fork, forked, heirs
from eventlog.gathering import Gatherer, Writer, WriterThread
from eventlog.history.points import tape_at
from eventlog.history.recent import RecentLog
from eventlog.history.touching import Told
from eventlog.live import Live, LiveSessions
from eventlog.logs import Checkpoint
from eventlog.playing import Draft
from eventlog.removing import Removals
from eventlog.requests import ForkRequest, OpenRequest, Recorded, Request, check_version
from eventlog.sealing import now, seal
from eventlog.store import Append, Opening, Outcome, Redaction, Replayed, RequestKey, Retold, Store, Stored
from eventlog.tape import CHECKPOINT_EVERY, Tape, blank, with_core_event, wrap
from rulesets.installed import ruleset_named
from rulesets.people import EVERYONE

TRIES = 4
"""How often a request is decided again when another writer was faster."""


class Recorder:
    """Records what people ask of sessions. One per store and event loop; `aclose` it at the end."""

    def __init__(self, store: Store, writer: Writer | None = None) -> None:
        self.store = store
        self.announcer = Announcer()
        self._gatherer = Gatherer(writer or WriterThread(store))
        self._live = LiveSessions(store)
        self._recent = RecentLog(store)
        self._removals = Removals(self._words_removed)

    async def aclose(self) -> None:
        """Store what is under way, then let go."""
        await self._gatherer.aclose()
        await self._removals.settled()

    async def tape(self, session: str) -> Tape[Any]:
        """The latest stored tape of a session. Raises `SessionUnknown`."""
        live = self._live.seat(session)
        if live.tape is not None:
            return live.tape
        async with live.lock:
            return self._live.load(session, live)

    def forget(self, session: str) -> None:
        """Let go of a session that was removed from the store, or came into it whole."""
        self._live.forget(session)
        self._recent.forget()
        self.announcer.announce(session)

    async def open(self, request: OpenRequest) -> Recorded:
        """Open a session. Raises `RulesetNotInstalled`, `CommandMalformed`, `KeyReused`."""
        if (known := self._known(request.key)) is not None:
            return known
        ruleset = ruleset_named(request.ruleset)
        session, seed = request.session or new_id(), secrets.token_bytes(SEED_BYTES)
        opened = SessionOpened(
            ruleset=ruleset.slug,
            rules=ruleset.current,
            title=request.title,
            parameters=_parameters(ruleset.record.parameters, request.parameters),
            settings=request.settings,
            dice_commitment=commitment(seed),
        )
        tape = blank(session, ruleset, opened, now())
        events = seal(tape, [Draft(event=opened, audience=EVERYONE)], By.viewer(request.issuer), 0)
        opening = events[0]
        tape = msgspec.structs.replace(
            tape, version=1, hash=opening.hash, at=opening.at, opened_at=opening.at
        )
        item = Append(
            session=session,
            expected=0,
            events=events,
            key=request.key,
            opening=Opening(ruleset=ruleset.slug, rules=ruleset.current, title=request.title, seed=seed),
            tokens=tuple(msgspec.structs.replace(token, session=session) for token in request.tokens),
            checkpoint=wrap(tape),
        )
        recorded = await self._store(item, tape)
        if recorded is None:
            raise SessionExists(f"A session {session!r} is already here", session=session)
        return recorded

    async def fork(self, request: ForkRequest) -> Recorded:
        """Open a session as another one is or was. Raises `SessionUnknown`, `ActionUnknown`, `NotAllowed`, `KeyReused`."""
        if (known := self._known(request.key)) is not None:
            return known
        head = self.store.head(request.parent)
        check_fork(request, head)
        seed = secrets.token_bytes(SEED_BYTES)
        async with self._live.seat(request.parent).lock:  # no word is removed there meanwhile
            tape = tape_at(self.store, request.parent, head.action if request.at is None else request.at)
            item, after = forked(self.store, tape, request.session or new_id(), request, seed)
            recorded = await self._store(item, after)
        if recorded is None:
            raise SessionExists(f"A session {item.session!r} is already here", session=item.session)
        return recorded

    async def record(self, session: str, request: Request) -> Recorded:
        """Record one request, whole or not at all.

        Raises `RuleViolation` where a rule refuses it and an `EventLogError` where the recorder does; either
        way the log is as before.
        """
        live = self._live.seat(session)
        async with live.lock:
            for _ in range(TRIES):
                await self._removals.settled()
                if (known := self._known(request.key)) is not None:
                    return known
                tape = self._live.load(session, live)
                self._check(tape, request)
                recorded = await self._attempt(live, tape, request)
                if recorded is not None:
                    return recorded
                live.tape = None
        raise Busy("Others kept writing to this session; send the same request again", session=session)

    async def foresee(self, session: str, request: Request) -> tuple[Tape[Any], Told]:
        """What a correction would come to, and the tape it was looked at on. Nothing is drawn or recorded.

        Raises what `record` raises, but for what only the mode would refuse.
        """
        live = self._live.seat(session)
        async with live.lock:
            tape = self._live.load(session, live)
            self._check(tape, request)
            return tape, foresee(tape, request, self._recent)

    async def take_in(self, item: Append) -> Outcome:
        """Store a log that was recorded elsewhere, whole: one `eventlog.archive` has checked, or played aside."""
        outcome = await self._gatherer.append(item)
        self.forget(item.session)
        return outcome

    # --- steps of recording ---------------------------------------------------------------------------------

    def _check(self, tape: Tape[Any], request: Request) -> None:
        check_version(tape.version, request.expected)
        if tape.closed:
            raise SessionIsClosed("This session is closed; nothing can be added to it", version=tape.version)

    async def _attempt(self, live: Live, tape: Tape[Any], request: Request) -> Recorded | None:
        """Decide and store once; `None` when another writer was faster."""
        decision = decide(tape, request, live.promised_seed(), self._recent)
        if not decision.drafts:
            return await self._ignored(tape, request.key)
        action = tape.action + 1
        events = seal(tape, decision.drafts, By.viewer(request.issuer), action)
        after = _wound_on(tape, decision, events)
        item = Append(
            session=tape.session,
            expected=tape.version,
            events=events,
            key=request.key,
            checkpoint=wrap(after) if action % CHECKPOINT_EVERY == 0 or decision.told else None,
            retold=_retold(after, decision),
            redaction=self._redaction(tape, decision),
            closes=after.closed,
            reader=request.issuer if request.tells else None,
        )
        recorded = await self._store(item, after)
        if recorded is not None and not recorded.replayed:
            live.tape = after
        return recorded

    async def _ignored(self, tape: Tape[Any], key: RequestKey | None) -> Recorded | None:
        """Nothing was left to do; the key, if there is one, will not do anything later either."""
        if key is None:
            return Recorded(tape=tape)
        return await self._store(
            Append(session=tape.session, expected=tape.version, events=(), key=key), tape
        )

    async def _store(self, item: Append, after: Tape[Any]) -> Recorded | None:
        """What came of an append that leads to this tape; `None` where the session stood elsewhere."""
        append = self._gatherer.append
        outcome = await (append(item) if item.redaction is None else self._removals.store(item, append))
        if isinstance(outcome, Stored):
            self.announcer.announce(item.session)
            return Recorded(tape=after, sealed=item.events, position=outcome.position, frames=outcome.frames)
        if isinstance(outcome, Replayed) and item.key:
            return self._replay(outcome, item.key)
        return None

    def _words_removed(self, session: str, stored: bool) -> None:  # noqa: FBT001 - called by whoever stored them
        """Let go of what may repeat them."""
        self._recent.forget()
        for heir in heirs(self.store, session) if stored else ():
            self.announcer.announce(heir)

    def _known(self, key: RequestKey | None) -> Recorded | None:
        """The answer of the request that first came with this key, if one did."""
        known = self.store.known_key(key.scope, key.key) if key else None
        return self._replay(known, key) if known and key else None

    def _redaction(self, tape: Tape[Any], decision: Decision) -> Redaction | None:
        event = decision.drafts[-1].event
        if not isinstance(event, TextRedacted):
            return None
        found = self.store.envelopes(tape.session, event.seq - 1, 1)
        if not found or found[0].type not in REDACTABLE or found[0].data is None:
            raise NothingToRedact(
                f"Event {event.seq} holds no words that can be removed: notes, texts and reasons can, once",
                seq=event.seq,
            )
        return Redaction(seq=event.seq, digest=digest(found[0]))

    def _replay(self, known: Replayed, key: RequestKey) -> Recorded:
        """The answer of an earlier request with this key, rebuilt from the log."""
        if not secrets.compare_digest(known.fingerprint, key.fingerprint):
            raise KeyReused(
                "This Idempotency-Key came with another body before; use a new key for a new request"
            )
        tape = tape_at(self.store, known.session, known.action)
        if known.ignored:
            return Recorded(tape=tape, replayed=True)
        events = tuple(self.store.actions(known.session, known.action, known.action))
        return Recorded(tape=tape, sealed=events, position=events[0].position, replayed=True)


def new_id() -> str:
    """Sixteen letters and digits that name a session, or an invite to one, and nothing else."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


def _parameters(kind: type[msgspec.Struct], given: bytes) -> msgspec.Raw:
    """Every parameter in full, the given ones over the defaults."""
    try:
        parameters = msgspec.json.decode(given, type=kind)
        return msgspec.Raw(canonical_copy(encode(parameters)))
    except (msgspec.MsgspecError, ValueError) as error:
        raise CommandMalformed(f"These parameters cannot be used: {error}") from error


def _wound_on(tape: Tape[Any], decision: Decision, events: tuple[Envelope, ...]) -> Tape[Any]:
    last = events[-1]
    for draft, event in zip(decision.drafts, events, strict=True):
        if is_core(event.type):
            tape = with_core_event(tape, draft.event, last.action)
    return msgspec.structs.replace(
        tape,
        state=decision.state,
        version=last.seq,
        action=last.action,
        slot=decision.slot,
        next_roll=decision.next_roll,
        at=last.at,
        hash=last.hash,
    )


def _retold(tape: Tape[Any], decision: Decision) -> Retold | None:
    """What a correction makes of the tables kept of the history as it stands."""
    if decision.told is None or decision.first is None:
        return None
    kept = tuple(
        Checkpoint(action=slot, version=tape.version, tape=wrap(msgspec.structs.replace(tape, state=state)))
        for slot, state in decision.told.tables
    )
    return Retold(first=tape.history.anchor(decision.first), tables=kept)
