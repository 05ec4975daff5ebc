"""The client that waits: every call answers when the server has."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import copy
from functools import wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

import httpx

from tabletape.client import tellers
from tabletape.client.call import Call, path_of
from tabletape.client.calls import acting, copies, history, hooks, hosting, looking
from tabletape.client.feed import Feed
from tabletape.client.following import Following, Teller
from tabletape.client.patience import Patience
from tabletape.client.replaying import Replaying
from tabletape.client.sending import NO_LIMITS, Sending, unreachable
from tabletape.client.shapes.events import Event
from tabletape.client.shapes.replay import ReplayFrame
from tabletape.client.shapes.table import Table

P = ParamSpec("P")
T = TypeVar("T")

SECONDS_TO_WAIT = 30.0
DEFAULT_PATIENCE = Patience()


def _sent(make: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """A call as a method: it takes what the call takes, and answers what its answer says."""

    @wraps(make)
    def method(client: Client, /, *given: P.args, **named: P.kwargs) -> T:
        return client.send(make(*given, **named))

    return method


class Client:
    """A connection to one server, as the holder of one token.

    What is sent is safe to send: a POST carries a key, and after a broken connection or a server that is not
    ready the same request goes again, so that it is recorded once. Every method raises `Problem`.
    `disconnect` when done, or use it in a `with`.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: Patience = DEFAULT_PATIENCE,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        self.token = token
        self._patience = patience
        try:
            self._http = httpx.Client(
                base_url=self.url, timeout=SECONDS_TO_WAIT, limits=NO_LIMITS, transport=transport
            )
        except httpx.InvalidURL as error:
            raise unreachable(self.url, error) from error

    def with_token(self, token: str | None) -> Client:
        """The same connection for the holder of another token: a game master's, a player's, a tool's."""
        other = copy(self)
        other.token = token
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    def disconnect(self) -> None:
        """Let go of the connection, for the holders of all its tokens."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a call until it is answered. Raises `Problem`."""
        sending = Sending(call, self.url, self.token, self._patience)
        while True:
            try:
                answer = self._http.request(**sending.request)
            except httpx.TransportError as fault:
                pause = sending.after_fault(fault)
            else:
                if sending.is_over(answer):
                    return sending.read(answer)
                pause = sending.after_answer(answer)
            time.sleep(pause)

    def feed(
        self,
        session: str,
        *,
        after: str | int | None = None,
        types: Sequence[str] = (),
        character: str | None = None,
        action: int | None = None,
    ) -> Feed[Event]:
        """The events of a session as they happen; see `Feed`.

        `after` is a cursor that was saved, or the number of an event; 0 is everything, `None` from now on.
        `types`, a `character`'s id and the number of an `action` narrow it: what is told fits all that are given.
        """
        return self._followed(tellers.events(session, types, character, action), after)

    def feed_of_all(
        self,
        *,
        after: str | int | None = None,
        types: Sequence[str] = (),
        character: str | None = None,
        action: int | None = None,
    ) -> Feed[Event]:
        """The events of all sessions of the server as they are stored, for its admin and its tools.

        Cursors are the feed's own (its `cursor`, not an event's): they count `position`.
        """
        return self._followed(tellers.events(None, types, character, action), after)

    def tables(self, session: str, *, after: str | int | None = None) -> Feed[Table]:
        """The table of a session: as it stands at `after` (now, when `None`), and then after each action.

        Each is whole; the feed itself carries changes alone (`format=state`).
        """
        return self._followed(tellers.Tables(path_of(session, "feed")), after)

    def replay(
        self,
        session: str,
        *,
        first: int | None = None,
        last: int | None = None,
        speed: float | None = None,
        corrected: bool | None = None,
    ) -> Feed[ReplayFrame]:
        """The session told again: a frame for each action with its line and the table right after it.

        At once, or at `speed` times the pace it was played at. As it was known then, or `corrected`: the history
        as it stands, without what was undone. What happens meanwhile is not told.
        """
        params = {"from": first, "to": last, "speed": speed, "corrected": corrected}
        reader = Replaying(
            url=self.url,
            token=self.token,
            patience=self._patience,
            path=path_of(session, "replay"),
            params=params,
        )
        return Feed(self._http, reader)

    def _followed(self, teller: Teller[T], after: str | int | None) -> Feed[T]:
        reader = Following(
            url=self.url, token=self.token, patience=self._patience, teller=teller, after=after
        )
        return Feed(self._http, reader)

    open_session = _sent(hosting.open_session)
    sessions = _sent(hosting.sessions)
    session = _sent(hosting.session)
    remove_session = _sent(hosting.remove_session)
    invite = _sent(hosting.invite)
    invites = _sent(hosting.invites)
    rotate_invite = _sent(hosting.rotate_invite)
    revoke_invite = _sent(hosting.revoke_invite)
    add_tool = _sent(hosting.add_tool)
    tools = _sent(hosting.tools)
    rotate_tool = _sent(hosting.rotate_tool)
    revoke_tool = _sent(hosting.revoke_tool)
    rulesets = _sent(hosting.rulesets)
    ruleset = _sent(hosting.ruleset)

    act = _sent(acting.act)
    odds = _sent(acting.odds)
    note = _sent(acting.note)
    redact = _sent(acting.redact)
    change_settings = _sent(acting.change_settings)
    close = _sent(acting.close)

    undo = _sent(history.undo)
    redo = _sent(history.redo)
    amend = _sent(history.amend)
    fork = _sent(history.fork)
    insert = _sent(history.insert)
    undo_requests = _sent(history.undo_requests)
    ask_for_undo = _sent(history.ask_for_undo)
    settle_undo_request = _sent(history.settle_undo_request)

    state = _sent(looking.state)
    difference = _sent(looking.difference)
    choices = _sent(looking.choices)
    timeline = _sent(looking.timeline)
    action = _sent(looking.action)
    events = _sent(looking.events)
    statistics = _sent(looking.statistics)
    audit = _sent(looking.audit)
    verification = _sent(looking.verification)

    export = _sent(copies.export)
    import_session = _sent(copies.import_session)

    add_webhook = _sent(hooks.add_webhook)
    webhooks = _sent(hooks.webhooks)
    webhook = _sent(hooks.webhook)
    change_webhook = _sent(hooks.change_webhook)
    remove_webhook = _sent(hooks.remove_webhook)
    rotate_webhook_secret = _sent(hooks.rotate_webhook_secret)
    try_webhook = _sent(hooks.try_webhook)
    pause_webhook = _sent(hooks.pause_webhook)
    resume_webhook = _sent(hooks.resume_webhook)
    redeliver_webhook = _sent(hooks.redeliver_webhook)
    webhook_deliveries = _sent(hooks.webhook_deliveries)
    webhook_dead_letters = _sent(hooks.webhook_dead_letters)
