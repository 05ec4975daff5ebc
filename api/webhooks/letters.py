"""Letters: what is to be sent next, and what an answer to it means."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from api.webhooks.patience import hold
from api.webhooks.sending import Answered
from eventlog.envelope import Envelope
from eventlog.hooks import Hook, Message, Outcome
from eventlog.store import Store


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """One message to send, about what stands at `seq` of a log.

    `method` and `url` say how, where this is not posted to the hook's own address. `about` is the message it
    makes or edits, to be remembered; `own` where it is to be made if it is not there any more.
    """

    seq: int
    body: bytes
    method: Literal["POST", "PATCH"] = "POST"
    url: str | None = None
    about: Message | None = None
    own: bool = True


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """The letters about the next part of a log, up to `upto`; none where nothing of it is for the receiver.

    `trouble` names what kept the letters from being written.
    """

    upto: int
    letters: tuple[Letter, ...] = ()
    trouble: str | None = None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer means: the outcome, the seconds to leave the receiver alone, the message that was made.

    `lost` says that the message to be edited is not there any more.
    """

    outcome: Outcome
    wait: float = 0.0
    message: str | None = None
    lost: bool = False


class Format(Protocol):
    """How messages are written for a kind of receiver, and how its answers are read."""

    signs: bool
    """Whether its messages carry signatures."""

    def parcel(self, store: Store, hook: Hook, session: str, after: int) -> Parcel | None:
        """What comes after a `seq`; `None` at the end of the log. The store is read, so not on the event loop."""
        ...

    def judge(self, letter: Letter, answered: Answered) -> Verdict:
        """What an answer means."""
        ...

    def trial(self, hook: Hook, at: str) -> Letter:
        """A message that tells nothing of any table, to see whether it arrives."""
        ...


def is_wanted(hook: Hook, event: Envelope) -> bool:
    """Whether a hook asks for events of this type."""
    return not hook.types or event.type in hook.types


def asked_wait(answered: Answered) -> float | None:
    """The seconds a receiver asks to be left alone, where it asks in seconds."""
    return seconds_of(answered.headers.get("retry-after", ""))


def seconds_of(text: str) -> float | None:
    """A number of seconds in a header, within reason; `None` where it is none."""
    try:
        return hold(float(text)) if float(text) >= 0 else None
    except ValueError:
        return None
