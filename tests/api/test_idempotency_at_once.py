"""A request that arrives twice in the same moment is done once, whichever route it is for."""

import asyncio
from typing import Any

import httpx
import pytest
from serving import ADMIN_KEY, NOBODY_THERE, Table, problem

KEY = {"Idempotency-Key": "twice-at-once"}
AT_ONCE = 4
SESSION = "/sessions/{session}"
HOOK = {"url": NOBODY_THERE}

ROUTES = (
    ("/sessions", "admin", {"ruleset": "duel", "title": "Another"}),
    ("/tokens", "admin", {"name": "bridge"}),
    ("/webhooks", "admin", HOOK),
    (f"{SESSION}/webhooks", "gm", HOOK),
    (f"{SESSION}/invites", "gm", {"role": "observer", "name": "late guest"}),
    (f"{SESSION}/forks", "gm", {"at": 2, "title": "What if"}),
    (f"{SESSION}/actions", "gm", {"command": {"type": "roll", "count": 3, "purpose": "luck"}}),
    (f"{SESSION}/notes", "mina", {"text": "touché"}),
    (f"{SESSION}/redactions", "gm", {"seq": 5}),
    (f"{SESSION}/undo", "gm", {}),
    (f"{SESSION}/actions/3/undo", "gm", {}),
    (
        f"{SESSION}/actions/1/amend",
        "gm",
        {"command": {"type": "add_duellist", "id": "ada", "side": "red", "skill": 9}},
    ),
    (f"{SESSION}/undo-requests", "mina", {"target": 3, "reason": "too early"}),
    (f"{SESSION}/close", "gm", {"text": "good night"}),
)


def at_once(table: Table, path: str, as_: str, *bodies: Any) -> list[httpx.Response]:
    """The answers to requests with one key that arrive together."""
    headers = {**KEY, "Authorization": f"Bearer {table.tokens[as_]}"}
    path = path.format(session=table.id)

    async def all_of_them() -> list[httpx.Response]:
        post = table.server.client.post
        return await asyncio.gather(*(post(path, json=body, headers=headers) for body in bodies))

    return table.server.do(all_of_them)


def without_secrets(answer: httpx.Response) -> Any:
    """What a repeat repeats: everything but what is shown once."""
    return {**answer.json(), "gm_token": "", "token": "", "secret": ""}


@pytest.mark.parametrize("path,as_,body", ROUTES, ids=[path for path, *_ in ROUTES])
def test_the_same_request_several_times_at_once_is_done_once(
    table: Table, path: str, as_: str, body: Any
) -> None:
    if path.endswith("/redactions"):
        body = {"seq": table.done({"type": "note", "text": "her name"})["events"][-1]["seq"]}
    answers = at_once(table, path, as_, *[body] * AT_ONCE)
    assert [answer.status_code for answer in answers] == [201] * AT_ONCE, [each.text for each in answers]
    marks = sorted(answer.headers.get("idempotent-replayed", "") for answer in answers)
    assert marks == ["", *["true"] * (AT_ONCE - 1)]
    assert all(without_secrets(answer) == without_secrets(answers[0]) for answer in answers)


@pytest.mark.parametrize(
    "path,as_,body,other",
    [
        ("/webhooks", "admin", HOOK, {**HOOK, "name": "other"}),
        (f"{SESSION}/webhooks", "gm", HOOK, {**HOOK, "name": "other"}),
        (f"{SESSION}/invites", "gm", {"role": "tool", "name": "one"}, {"role": "tool", "name": "other"}),
        (f"{SESSION}/notes", "gm", {"text": "one"}, {"text": "other"}),
    ],
)
def test_of_two_requests_with_one_key_at_once_one_is_refused(
    table: Table, path: str, as_: str, body: Any, other: Any
) -> None:
    done, refused = sorted(at_once(table, path, as_, body, other), key=lambda answer: answer.status_code)
    assert done.status_code == 201
    problem(refused, 422, "idempotency-key-reused")


def test_webhooks_registered_at_once_are_one_and_its_last_secret_counts(table: Table) -> None:
    answers = at_once(table, f"{SESSION}/webhooks", "gm", *[HOOK] * AT_ONCE)
    (hook,) = table.get("/webhooks")["webhooks"]
    assert {answer.json()["id"] for answer in answers} == {hook["id"]}
    (kept,) = table.server.store.hooks.hook(hook["id"]).secrets
    assert kept.value in [answer.json()["secret"] for answer in answers]


def test_a_copy_taken_in_as_a_fork_several_times_at_once_is_one_session(table: Table) -> None:
    copy = table.ask("GET", "/export").content
    headers = {**KEY, "Authorization": f"Bearer {ADMIN_KEY}", "Content-Type": "application/x-ndjson"}

    async def imports() -> list[httpx.Response]:
        post = table.server.client.post
        sent: Any = {"params": {"as": "fork"}, "content": copy, "headers": headers}
        return await asyncio.gather(*(post("/sessions/import", **sent) for _ in range(AT_ONCE)))

    answers = table.server.do(imports)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    good = [
        table.server.ask("GET", f"/sessions/{answer.json()['id']}", answer.json()["gm_token"]).status_code
        for answer in answers
    ]
    assert sorted(good) == [200, 401, 401, 401]
