"""A server in this process, a duel with everybody at the table, and every route with who may use it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from api.app import create_app
from api.settings import ServerSettings

T = TypeVar("T")

ADMIN_KEY = "the key under the mat"
HIDDEN_NAME = "Canary Of The Shadows"
HIDDEN_ID = "canary-in-wait"
HIDDEN_GOAL = "The Canary Must Not Sing"
HIDDEN_GOAL_ID = "canary-goal"
HIDDEN_NOTE = "the canary note for the game master"
HIDDEN_ROLL = "canary reinforcements"


SECONDS_TO_LISTEN = 0.05


def leaving_feeds(app: Any) -> Any:
    """The application for a client that waits for whole answers: it leaves a feed after a moment."""

    async def called(scope: Any, receive: Any, send: Any) -> None:
        asked = False

        async def receive_a_while() -> Any:
            nonlocal asked
            if asked and scope["path"].endswith("/feed"):
                await asyncio.sleep(SECONDS_TO_LISTEN)
                return {"type": "http.disconnect"}
            message = await receive()
            asked = not message.get("more_body", False)
            return message

        await app(scope, receive_a_while, send)

    return called


class Server:
    """An application that is running; every call waits for its answer."""

    def __init__(self, path: str | Path = ":memory:", **settings: Any) -> None:
        self.settings = ServerSettings(
            db=str(path), **{"log": "off", "webhook_networks": ("127.0.0.0/8",), **settings}
        )
        self._runner = asyncio.Runner()
        self._start()

    def _start(self) -> None:
        self.app = create_app(self.settings)
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self.do(self._begin)
        transport = httpx.ASGITransport(leaving_feeds(self.app), raise_app_exceptions=False)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://localhost")

    async def _begin(self) -> None:
        self._life = asyncio.create_task(self._live())
        await asyncio.wait({self._life, asyncio.create_task(self._up.wait())}, return_when="FIRST_COMPLETED")
        if self._life.done():
            self._life.result()

    async def _live(self) -> None:
        # One task enters and leaves the lifespan, as under a real server.
        async with self.app.lifespan():
            self._up.set()
            await self._down.wait()

    async def _end(self) -> None:
        await self.client.aclose()
        self._down.set()
        await self._life

    def _stop(self) -> None:
        self.do(self._end)

    def restart(self) -> None:
        """Stop, and start again on the same file."""
        self._stop()
        self._start()

    def close(self) -> None:
        self._stop()
        self._runner.close()

    def do(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return self._runner.run(work())

    def ask(self, method: str, path: str, token: str | None = None, **sent: Any) -> httpx.Response:
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **sent.pop("headers", {})}
        return self.do(lambda: self.client.request(method, path, headers=headers, **sent))

    @property
    def store(self) -> Any:
        return self.app.state.desk.store


@dataclass
class Table:
    """A running session of the duel and the token of everybody at it; `none` has none."""

    server: Server
    id: str
    tokens: dict[str, str | None] = field(default_factory=dict)

    def ask(self, method: str, part: str = "", as_: str = "gm", **sent: Any) -> httpx.Response:
        return self.server.ask(method, f"/sessions/{self.id}{part}", self.tokens[as_], **sent)

    def get(self, part: str = "", as_: str = "gm", **sent: Any) -> Any:
        answer = self.ask("GET", part, as_, **sent)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(
        self, command: dict[str, Any], as_: str = "gm", *, headers: Any = None, **body: Any
    ) -> httpx.Response:
        sent = {"command": command, **body}
        return self.ask("POST", "/actions", as_, json=sent, headers=headers or {})

    def done(self, command: dict[str, Any], as_: str = "gm", **body: Any) -> Any:
        answer = self.act(command, as_, **body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def log(self) -> list[bytes]:
        """The hashes of everything stored: equal before and after means nothing happened."""
        return [envelope.hash for envelope in self.server.store.envelopes(self.id)]

    @property
    def version(self) -> int:
        version: int = self.server.store.head(self.id).version
        return version

    def invite(self, role: str, name: str, *characters: str) -> str:
        answer = self.ask("POST", "/invites", json={"role": role, "name": name, "characters": characters})
        assert answer.status_code == 201, answer.text
        token: str = answer.json()["token"]
        return token


ROLES = ("gm", "mina", "noel", "watcher", "bot", "admin", "none")
"""GM, the player of ada, the player of ben, an observer, a tool, whoever runs the server, and nobody."""


def open_table(server: Server, ruleset: str = "duel", title: str = "At dawn") -> Table:
    """A session with nobody at it but the GM."""
    answer = server.ask("POST", "/sessions", admin(server), json={"ruleset": ruleset, "title": title})
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    return Table(server, opened["id"], {"gm": opened["gm_token"], "admin": admin(server), "none": None})


def with_a_settled_roll(server: Server) -> Table:
    """A conflict of Anima Prime in which a maneuver settled by itself: whoever settles it now comes too late."""
    table = open_table(server, "anima-prime")
    for name, side in (("zadie", "pcs"), ("bull", "adversity")):
        sheet = {"id": name, "side": side, "kind": "pc" if side == "pcs" else "individual"}
        table.done({"type": "add_character", **sheet, "action": 6, "defense": 2, "max_wounds": 3})
    table.done({"type": "start_conflict", "first": "pcs"})
    table.done({"type": "maneuver", "actor": "zadie", "action_dice": 2}, dice=[3, 4, 2])
    return table


def admin(server: Server) -> str | None:
    return server.settings.admin_key or None


def seated(server: Server) -> Table:
    """A duel between ada and ben, with all roles at the table and something hidden from each of them."""
    table = open_table(server)
    table.tokens["mina"] = table.invite("player", "mina", "ada")
    table.tokens["noel"] = table.invite("player", "noel", "ben")
    table.tokens["watcher"] = table.invite("observer", "watcher")
    table.tokens["bot"] = table.invite("tool", "bot")
    table.done({"type": "add_duellist", "id": "ada", "side": "red", "skill": 12})
    table.done({"type": "add_duellist", "id": "ben", "side": "blue", "skill": 11})
    table.done({"type": "begin"})
    return table


def conflict(server: Server) -> Table:
    """A conflict of Anima Prime with all roles at the table; mina plays zadie, noel plays rasheem."""
    table = open_table(server, "anima-prime")
    for role, name, *characters in (
        ("player", "mina", "zadie"),
        ("player", "noel", "rasheem"),
        ("observer", "watcher"),
        ("tool", "bot"),
    ):
        table.tokens[name] = table.invite(role, name, *characters)
    numbers = {"action": 6, "defense": 2, "max_wounds": 3}
    for name in ("zadie", "rasheem"):
        table.done({"type": "add_character", "id": name, "side": "pcs", "kind": "pc", **numbers})
    bull = {"id": "bull", "side": "adversity", "kind": "individual", **numbers}
    table.done({"type": "add_character", **bull})
    table.done({"type": "start_conflict", "first": "pcs"})
    return table


def with_hidden_goal(table: Table) -> None:
    """Hide a character and a goal of Anima Prime, and a note and a roll."""
    numbers = {"action": 4, "defense": 3, "max_wounds": 2}
    hidden = {"id": HIDDEN_ID, "name": HIDDEN_NAME, "side": "adversity", "kind": "individual", **numbers}
    table.done({"type": "add_character", **hidden, "secret": True})
    goal = {"id": HIDDEN_GOAL_ID, "name": HIDDEN_GOAL, "difficulty": 4, "secret": True}
    table.done({"type": "add_goal", **goal})
    table.done({"type": "note", "text": HIDDEN_NOTE}, visible_to="gm")
    table.done({"type": "roll", "count": 3, "purpose": HIDDEN_ROLL}, visible_to="gm")


def with_secrets(table: Table) -> None:
    """Hide a duellist, a note and a roll from everybody but the GM."""
    hidden = {"type": "add_duellist", "id": HIDDEN_ID, "name": HIDDEN_NAME, "side": "blue", "skill": 9}
    table.done({**hidden, "secret": True})
    table.done({"type": "note", "text": HIDDEN_NOTE}, visible_to="gm")
    table.done({"type": "roll", "count": 3, "purpose": HIDDEN_ROLL}, visible_to="gm")


@dataclass(frozen=True)
class Called:
    """How a route is called once so that it works, and whom it works for."""

    method: str
    path: str
    allowed: tuple[str, ...]
    body: Any = None
    params: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


PLAYERS = ("gm", "mina", "noel")
READERS = ("gm", "mina", "noel", "watcher", "bot", "admin")
STAFF = ("gm", "admin")
ANYBODY = ROLES

SESSION = "/sessions/{session}"
NOBODY_THERE = "http://127.0.0.1:9/hook"
"""Where nothing listens, on a network the server of the tests allows."""


def webhooks(path: str, allowed: tuple[str, ...], again: dict[str, str]) -> tuple[Called, ...]:
    """The routes of webhooks, of a session or of the server."""
    hook = f"{path}/{{hook}}"
    return (
        Called("POST", path, allowed, {"url": NOBODY_THERE}),
        Called("GET", path, allowed),
        Called("GET", hook, allowed),
        Called("PATCH", hook, allowed, {"name": "The stream"}),
        Called("POST", f"{hook}/rotate", allowed),
        Called("POST", f"{hook}/test", allowed),
        Called("POST", f"{hook}/pause", allowed),
        Called("POST", f"{hook}/resume", allowed),
        Called("POST", f"{hook}/redeliver", allowed, {**again, "after": "0"}),
        Called("GET", f"{hook}/deliveries", allowed),
        Called("GET", f"{hook}/dead-letters", allowed),
        Called("DELETE", hook, allowed),
    )


ROUTES = (
    Called("POST", "/sessions", ("admin",), {"ruleset": "duel", "title": "Another"}),
    Called("GET", "/sessions", ("admin",)),
    Called("POST", "/sessions/import", ("admin",), content=b"{}"),
    Called("GET", SESSION, READERS),
    Called("DELETE", SESSION, ("admin",)),
    Called("POST", f"{SESSION}/forks", ("gm",), {"at": 2, "title": "What if"}),
    Called("POST", f"{SESSION}/actions", PLAYERS, {"command": {"type": "note", "text": "en garde"}}),
    Called("GET", f"{SESSION}/actions", READERS),
    Called("GET", f"{SESSION}/actions/{{number}}", READERS),
    Called("POST", f"{SESSION}/undo", PLAYERS, {"dry_run": True}),
    Called("POST", f"{SESSION}/actions/{{number}}/undo", PLAYERS, {"mode": "strict", "dry_run": True}),
    Called("POST", f"{SESSION}/actions/{{number}}/redo", PLAYERS, {"dry_run": True}),
    Called("POST", f"{SESSION}/actions/{{number}}/amend", PLAYERS, {"dry_run": True}),
    Called("GET", f"{SESSION}/undo-requests", READERS),
    Called("POST", f"{SESSION}/undo-requests", ("mina", "noel"), {"target": 2, "reason": "the wrong one"}),
    Called("POST", f"{SESSION}/undo-requests/{{number}}/{{verdict}}", PLAYERS, {}),
    Called("GET", f"{SESSION}/state", READERS, params={"at": "2"}),
    Called("GET", f"{SESSION}/diff", READERS, params={"from": "1", "to": "2"}),
    Called("GET", f"{SESSION}/choices", READERS),
    Called("POST", f"{SESSION}/odds", READERS, {"command": {"type": "roll", "count": 1, "purpose": "luck"}}),
    Called("GET", f"{SESSION}/events", READERS, params={"limit": "500"}),
    Called("GET", f"{SESSION}/feed", READERS, params={"after": "0"}),
    Called("GET", f"{SESSION}/overlay", READERS),
    Called("GET", "/feed", ("admin",), params={"after": "0"}),
    Called("GET", f"{SESSION}/replay", READERS, params={"corrected": "true"}),
    Called("GET", f"{SESSION}/statistics", READERS),
    Called("GET", f"{SESSION}/audit", READERS),
    Called("GET", f"{SESSION}/verification", READERS),
    Called("GET", f"{SESSION}/export", READERS),
    Called("POST", f"{SESSION}/notes", PLAYERS, {"text": "touché"}),
    Called("PATCH", f"{SESSION}/settings", ("gm",), {"table_dice": "all"}),
    Called("POST", f"{SESSION}/redactions", ("gm",), {"seq": 2}),
    Called("POST", f"{SESSION}/close", ("gm",), {"text": "good night"}),
    Called("POST", f"{SESSION}/invites", ("gm",), {"role": "observer", "name": "late guest"}),
    Called("GET", f"{SESSION}/invites", STAFF),
    Called("POST", f"{SESSION}/invites/{{invite_id}}/rotate", STAFF),
    Called("DELETE", f"{SESSION}/invites/{{invite_id}}", STAFF),
    *webhooks(f"{SESSION}/webhooks", ("gm",), {}),
    *webhooks("/webhooks", ("admin",), {"session": "nowhere"}),
    Called("POST", "/tokens", ("admin",), {"name": "bridge"}),
    Called("GET", "/tokens", ("admin",)),
    Called("POST", "/tokens/{tool_id}/rotate", ("admin",)),
    Called("DELETE", "/tokens/{tool_id}", ("admin",)),
    Called("GET", "/rulesets", ANYBODY),
    Called("GET", "/rulesets/{slug}", ANYBODY),
    Called("GET", "/", ANYBODY),
    Called("GET", "/health", ANYBODY),
    Called("GET", "/ready", ANYBODY),
    Called("GET", "/metrics", ANYBODY),
    Called("GET", "/schema", ANYBODY),
    Called("GET", "/schema/openapi.json", ANYBODY),
    Called("GET", "/schema/asyncapi.json", ANYBODY),
)
"""Every route. A test fails when one is missing, so that no route escapes the tables of roles and secrets."""


def call(table: Table, route: Called, role: str, session: str | None = None) -> httpx.Response:
    """Call a route as somebody, with the watcher's invite, some tool's token and the second action where it asks for one."""
    invites = table.ask("GET", "/invites").json().get("invites", [{"id": "gone"}])
    path = route.path.format(
        session=session or table.id,
        number=2,
        verdict="deny",
        slug="duel",
        invite_id=invites[min(3, len(invites) - 1)]["id"],
        hook=_hook(table, route) if "{hook}" in route.path else "",
        tool_id=_tool(table) if "{tool_id}" in route.path else "",
    )
    sent: dict[str, Any] = {"params": route.params}
    if route.content is not None:
        sent.update(content=route.content, headers={"Content-Type": "application/x-ndjson"})
    elif route.body is not None:
        sent.update(content=json.dumps(route.body), headers={"Content-Type": "application/json"})
    return table.server.ask(route.method, path, table.tokens[role], **sent)


def _hook(table: Table, route: Called) -> str:
    """A webhook of the session, or of the server, made where there is none."""
    path, role = f"/sessions/{table.id}/webhooks", "gm"
    if not route.path.startswith(SESSION):
        path, role = "/webhooks", "admin"
    kept = table.server.ask("GET", path, table.tokens[role]).json().get("webhooks")
    if kept:
        return str(kept[0]["id"])
    made = table.server.ask("POST", path, table.tokens[role], json={"url": NOBODY_THERE})
    return str(made.json().get("id", "gone"))


def _tool(table: Table) -> str:
    """The id of a token for a tool; one is given out where there is none."""
    there = table.server.ask("GET", "/tokens", table.tokens["admin"]).json().get("tools", [])
    if there:
        return str(there[0]["id"])
    issued = table.server.ask("POST", "/tokens", table.tokens["admin"], json={"name": "overlay"})
    return str(issued.json().get("id", "gone"))


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem of a refusal, checked."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert (document["status"], document["code"]) == (status, code), document
    assert document["type"].endswith(code)
    assert document["title"]
    assert document["detail"]
    return document
