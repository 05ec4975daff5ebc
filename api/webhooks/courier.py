"""The courier: takes leases, sends what comes next of each, in order, and notes how it went.

At least once: the cursor moves after the receiver took a message, so that a crash in between sends it again,
under the same id. Without a crash or a fault each is sent once, by one of however many couriers there are.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from api.front_door import Log
from api.metrics import Metrics
from api.problems import place
from api.webhooks import eyes, steps
from api.webhooks.formats import FORMATS
from api.webhooks.letters import Letter, Parcel
from api.webhooks.patience import Patience, later
from api.webhooks.sending import SECONDS, SECONDS_TO_READ, Answered, Post
from api.webhooks.signing import good, message_id, signed
from api.webhooks.waking import something_to_send
from eventlog.errors import SessionUnknown
from eventlog.hooks import Attempt, Hook, Lease, Step
from eventlog.recorder import new_id
from eventlog.sealing import now
from eventlog.store import Store

LEASED = 30.0
"""Seconds a lease is taken for, renewed with every message; well above what one attempt may take."""
NEEDED = SECONDS + SECONDS_TO_READ + 3.0
"""Seconds that must be left of a lease to begin an attempt."""
MOST_LEASES = 32
MOST_IN_A_ROW = 100
"""Messages sent under one lease before others get their turn."""
PAUSE_AFTER_FAULT = 1.0
SEAT = 5.0
"""Seconds between two looks whether somebody has the seat whose eyes a hook has."""
BREATH = 0.03
"""Seconds after a look that found nothing: on a busy server others record all the time, mostly where nobody is told."""


class Courier:
    """Sends what is recorded to whoever asked to be told. One per server process; others may work beside it."""

    def __init__(
        self,
        store: Store,
        post: Post,
        *,
        patience: Patience | None = None,
        metrics: Metrics | None = None,
        log: Log | None = None,
    ) -> None:
        self.store = store
        self.post = post
        self.patience = patience or Patience()
        self.nudged = asyncio.Event()
        """Set it where a hook was made, changed or set back, so that nobody waits for the next look."""
        self._metrics = metrics
        self._log = log
        self._working: set[asyncio.Task[None]] = set()
        self._closing = False
        self._life: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work, in a task of its own."""
        self._life = asyncio.create_task(self._run(), name="webhooks")

    async def aclose(self) -> None:
        """Let messages under way arrive and be noted, then stop."""
        self._closing = True
        self.nudged.set()
        if self._life is not None:
            await self._life
        if self._working:
            await asyncio.wait(self._working)
        await self.post.aclose()

    async def try_out(self, hook: Hook) -> Attempt:
        """Send a message that says nothing, now, and note how it went."""
        letter = FORMATS[hook.format].trial(hook, now())
        name = f"msg_test_{new_id()}"
        tried = steps.trial(name, await self._send(hook, name, letter))
        self._count(hook, tried)
        await asyncio.to_thread(self.store.hooks.note, hook.id, tried)
        return tried

    async def _run(self) -> None:
        while not self._closing:
            try:
                if not await self._take_leases():
                    await asyncio.sleep(BREATH)
                await something_to_send(self.nudged)
            except Exception as error:  # noqa: BLE001 - a full disk ends the attempt, not the courier
                self._tell("webhook-fault", fault=place(error))
                await asyncio.sleep(PAUSE_AFTER_FAULT)

    async def _take_leases(self) -> bool:
        """Whether there was anything to send."""
        wanted = MOST_LEASES - len(self._working)
        if wanted <= 0:
            return False
        leases = await asyncio.to_thread(self.store.hooks.lease, new_id(), now(), later(LEASED), wanted)
        for lease in leases:
            work = asyncio.create_task(self._work(lease), name=f"webhook {lease.hook.id}")
            self._working.add(work)
            work.add_done_callback(self._done)
        return bool(leases)

    def _done(self, work: asyncio.Task[None]) -> None:
        self._working.discard(work)
        self.nudged.set()

    async def _work(self, lease: Lease) -> None:
        try:
            with suppress(SessionUnknown):  # it was removed, and the hook's cursor with it
                await self._send_all(lease)
        except Exception as error:  # noqa: BLE001 - the lease runs out, and somebody tries again
            self._tell("webhook-fault", hook=lease.hook.id, session=lease.session, fault=place(error))

    async def _send_all(self, lease: Lease) -> None:
        """Send parcel after parcel, until there is none, one fails, or it is others' turn."""
        written, after = FORMATS[lease.hook.format], lease.seq
        for _ in range(MOST_IN_A_ROW):
            seeing = await asyncio.to_thread(eyes.seeing, self.store, lease.hook, lease.session)
            if seeing is None:
                await self._record(lease, steps.waits_for_a_seat(lease, after, later(SEAT)))
                return
            parcel = await asyncio.to_thread(written.parcel, self.store, seeing, lease.session, after)
            if parcel is None or self._closing:
                break
            after = parcel.upto
            if parcel.letters or parcel.trouble:
                kept = await self._deliver(lease, parcel)
                if kept is None:
                    return
                lease = kept
        await self._record(
            lease, Step(seq=max(after, lease.seq) if not self._closing else lease.seq, until=None)
        )

    async def _deliver(self, lease: Lease, parcel: Parcel) -> Lease | None:
        """Send the letters of a parcel one after the other; the lease to go on with."""
        if parcel.trouble:
            letter = Letter(seq=parcel.upto, body=b"")
            failed = steps.Sent(letter=letter, answered=Answered(error=parcel.trouble), outcome="failed")
            return await self._note(lease, parcel, failed)
        kept: Lease | None = lease
        for letter in parcel.letters:
            if kept is None or kept.until < later(NEEDED):
                return None
            name = message_id(kept.hook.id, kept.session, letter.seq)
            kept = await self._note(kept, parcel, await self._send(kept.hook, name, letter))
        return kept

    async def _send(self, hook: Hook, name: str, letter: Letter) -> steps.Sent:
        written = FORMATS[hook.format]
        headers = signed(good(hook.secrets, now()), name, letter.body) if written.signs else {}
        answered = await self.post.send(letter.method, letter.url or hook.url, headers, letter.body)
        return steps.sent(letter, answered, written.judge(letter, answered))

    async def _note(self, lease: Lease, parcel: Parcel, sent: steps.Sent) -> Lease | None:
        last = not parcel.letters or sent.letter is parcel.letters[-1]
        step = steps.step(lease, sent, parcel.upto if last else lease.seq, self.patience, later(LEASED))
        if step.attempt is not None:
            self._count(lease.hook, step.attempt)
            if step.attempt.outcome != "delivered":
                self._tell(
                    "webhook",
                    hook=lease.hook.id,
                    session=lease.session,
                    seq=step.attempt.seq,
                    outcome=step.attempt.outcome,
                    tries=step.attempt.attempt,
                    error=step.attempt.error,
                )
        return await self._record(lease, step)

    async def _record(self, lease: Lease, step: Step) -> Lease | None:
        return await asyncio.to_thread(self.store.hooks.record, lease, step)

    def _count(self, hook: Hook, attempt: Attempt) -> None:
        if self._metrics is not None:
            self._metrics.delivered(hook.format, attempt.outcome, attempt.duration_ms / 1000)

    def _tell(self, event: str, **fields: object) -> None:
        if self._log is not None:
            self._log.info(event, **fields)
