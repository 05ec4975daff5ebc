"""From an answer to what is stored: how far the cursor moves, what is tried again, what is given up."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from api.webhooks.letters import Letter, Verdict
from api.webhooks.patience import Patience, later
from api.webhooks.sending import Answered
from api.webhooks.signing import message_id
from eventlog.hooks import Attempt, DeadLetter, Lease, Message, Outcome, Step
from eventlog.sealing import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A letter that was sent, and how it was answered."""

    letter: Letter
    answered: Answered
    outcome: Outcome
    wait: float = 0.0
    remembered: Message | None = None
    forgotten: int | None = None


def sent(letter: Letter, answered: Answered, verdict: Verdict) -> Sent:
    """What is known after an answer; the message it made is remembered, one that is not there is forgotten."""
    remembered = forgotten = None
    if letter.about is not None:
        named = verdict.message or letter.about.message
        if verdict.lost:
            forgotten = letter.about.action
        elif verdict.outcome == "delivered" and named:
            remembered = replace(letter.about, message=named)
    return Sent(
        letter=letter,
        answered=answered,
        outcome=verdict.outcome,
        wait=verdict.wait,
        remembered=remembered,
        forgotten=forgotten,
    )


def step(lease: Lease, sent: Sent, upto: int, patience: Patience, until: str) -> Step:
    """What is stored after a letter. `upto` is where the cursor goes when it is delivered or given up."""
    tries = lease.tries + 1
    attempt = _attempt(lease, sent, tries)
    match sent.outcome:
        case "delivered":
            return _delivered(lease, sent, attempt, upto, until)
        case "held":
            return Step(
                seq=lease.seq, tries=lease.tries, held_until=later(sent.wait), until=None, attempt=attempt
            )
        case "gone":
            return Step(seq=lease.seq, tries=lease.tries, until=None, attempt=attempt, pause="gone")
        case "failed" if (wait := _wait(sent, tries, patience)) is not None:
            return Step(
                seq=lease.seq,
                tries=tries,
                next_at=later(wait),
                until=None,
                attempt=attempt,
                forgotten=sent.forgotten,
            )
        case _:
            return _given_up(attempt, upto, until)


def waits_for_a_seat(lease: Lease, after: int, at: str) -> Step:
    """What is stored where nobody has the seat whose eyes a hook has: nothing is tried, nothing is lost."""
    return Step(seq=after, tries=lease.tries if after == lease.seq else 0, next_at=at, until=None)


def _delivered(lease: Lease, sent: Sent, attempt: Attempt, upto: int, until: str) -> Step:
    return Step(
        seq=upto,
        tries=lease.tries if upto == lease.seq else 0,  # further letters of a parcel share the tries it had
        held_until=later(sent.wait) if sent.wait else None,
        until=None if sent.wait else until,
        attempt=attempt,
        remembered=sent.remembered,
        forgotten=sent.forgotten,
    )


def trial(name: str, sent: Sent) -> Attempt:
    """What is noted of a message that belongs to no session."""
    return Attempt(
        id=name,
        session=None,
        seq=None,
        attempt=1,
        at=now(),
        duration_ms=sent.answered.duration_ms,
        status=sent.answered.status,
        outcome=sent.outcome,
        error=sent.answered.error,
    )


def _wait(sent: Sent, tries: int, patience: Patience) -> float | None:
    """The seconds until the next try; none where a message to be edited is gone and can be made at once."""
    if sent.forgotten is not None:
        return 0.0
    wait = patience.wait(tries)
    return None if wait is None else max(wait, sent.wait)


def _attempt(lease: Lease, sent: Sent, tries: int) -> Attempt:
    seq = sent.letter.seq
    tried = trial(message_id(lease.hook.id, lease.session, seq), sent)
    return replace(tried, session=lease.session, seq=seq, attempt=tries)


def _given_up(attempt: Attempt, upto: int, until: str) -> Step:
    letter = DeadLetter(
        id=attempt.id,
        session=attempt.session or "",
        seq=attempt.seq or 0,
        at=attempt.at,
        tries=attempt.attempt,
        status=attempt.status,
        error=attempt.error,
    )
    return Step(seq=upto, until=until, attempt=replace(attempt, outcome="dead"), dead=letter)
