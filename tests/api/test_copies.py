"""Copies: a log goes out as lines and comes in whole, or not at all."""

import json
from collections.abc import Iterator

import pytest
from serving import ADMIN_KEY, HIDDEN_NAME, Server, Table, problem

LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    server = Server(admin_key=ADMIN_KEY)
    yield server
    server.close()


def test_an_export_is_a_header_and_a_line_for_each_event(secret_table: Table) -> None:
    answer = secret_table.ask("GET", "/export")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert f"tabletape-{secret_table.id}.jsonl" in answer.headers["content-disposition"]
    header, *events = map(json.loads, answer.text.splitlines())
    assert header["copy"] == "complete"
    assert [event["seq"] for event in events] == list(range(1, secret_table.version + 1))
    assert HIDDEN_NAME in answer.text


@pytest.mark.parametrize(
    "form,media_type,suffix,begins",
    [
        ("jsonl", "application/x-ndjson", "jsonl", '{"tabletape":1'),
        ("csv", "text/csv; header=present", "csv", '\ufeff"roll","place","fell_in"'),
        ("markdown", "text/markdown; charset=utf-8", "md", "# At dawn\n"),
        ("text", "text/plain; charset=utf-8", "txt", "At dawn\n=======\n"),
    ],
)
def test_a_session_is_exported_in_the_form_asked_for(
    secret_table: Table, form: str, media_type: str, suffix: str, begins: str
) -> None:
    answer = secret_table.ask("GET", "/export", params={"format": form})
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert f'filename="tabletape-{secret_table.id}.{suffix}"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.content.decode().startswith(begins)


@pytest.mark.parametrize("form", ["csv", "markdown", "text"])
def test_no_form_of_export_tells_a_secret(secret_table: Table, form: str) -> None:
    for role in ("mina", "watcher", "bot"):
        text = secret_table.ask("GET", "/export", role, params={"format": form}).text
        assert "canary" not in text.casefold()
    assert "canary" in secret_table.ask("GET", "/export", "admin", params={"format": form}).text.casefold()


def test_a_form_nobody_knows_is_refused(table: Table) -> None:
    problem(table.ask("GET", "/export", params={"format": "pdf"}), 422, "malformed-parameter")


def test_a_readers_copy_keeps_the_chain_and_no_secret(secret_table: Table) -> None:
    whole, partly = (secret_table.ask("GET", "/export", role).text for role in ("gm", "mina"))
    assert json.loads(partly.splitlines()[0])["copy"] == "redacted"
    assert HIDDEN_NAME not in partly
    hashes = [[json.loads(line).get("hash") for line in text.splitlines()[1:]] for text in (whole, partly)]
    assert hashes[0] == hashes[1]


def test_a_complete_copy_is_taken_in_and_gives_a_token(secret_table: Table, elsewhere: Server) -> None:
    copy = secret_table.ask("GET", "/export", "admin").content
    taken = elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES)
    assert taken.status_code == 201, taken.text
    session, token = taken.json()["id"], taken.json()["gm_token"]
    there = elsewhere.ask("GET", f"/sessions/{session}/state", token).json()
    assert there["state"] == secret_table.get("/state")["state"]
    assert elsewhere.ask("GET", f"/sessions/{session}/verification", token).json()["ok"] is True


def test_the_same_copy_again_adds_nothing_and_gives_no_token(table: Table, elsewhere: Server) -> None:
    assert table.ask("POST", "/close").status_code == 201
    copy = table.ask("GET", "/export").content
    for status, added in ((201, table.version), (200, 0)):
        taken = elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES)
        assert (taken.status_code, taken.json()["added"]) == (status, added)
    assert taken.json()["gm_token"] is None
    here = table.server.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES)
    assert (here.status_code, here.json()["added"], here.json()["gm_token"]) == (200, 0, None)


def test_a_copy_that_is_not_whole_is_refused_whole(secret_table: Table, elsewhere: Server) -> None:
    whole, partly = (secret_table.ask("GET", "/export", role).content for role in ("gm", "mina"))
    lines = whole.splitlines(keepends=True)
    for copy in (
        partly,
        b"",
        b"{}",
        b"\xff\n\xfe",
        b"[" * 100_000,
        b"".join(lines[:-1]),
        b"".join([*lines[:3], *lines[4:]]),
        whole.replace(b'"skill":12', b'"skill":18'),
        lines[0],
    ):
        refused = elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES)
        assert refused.status_code == 422, (copy[:60], refused.text)
        problem(refused, 422, refused.json()["code"])
        assert HIDDEN_NAME not in refused.text
    assert elsewhere.ask("GET", "/sessions", ADMIN_KEY).json()["sessions"] == []


def test_a_copy_that_parted_from_the_log_here_is_refused(table: Table) -> None:
    copy = table.ask("GET", "/export").content
    table.done({"type": "end_turn"})
    before = table.log()
    sent = table.server.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES)
    problem(sent, 409, "older-than-head")
    assert table.log() == before


def test_an_import_may_be_larger_than_other_bodies(elsewhere: Server) -> None:
    big = b"x" * (1024 * 1024)
    problem(
        elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, content=big, headers=LINES),
        422,
        "import-refused",
    )
    problem(
        elsewhere.ask(
            "POST", "/sessions/import", ADMIN_KEY, content=big, headers={"Content-Type": "text/csv"}
        ),
        415,
        "unsupported-media-type",
    )


def test_a_dry_run_says_what_would_happen_and_stores_nothing(table: Table, elsewhere: Server) -> None:
    copy = table.ask("GET", "/export").content
    sent = {"content": copy, "headers": LINES, "params": {"dry_run": "true"}}
    planned = elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, **sent)
    assert planned.status_code == 200
    assert planned.json() == {
        "id": table.id,
        "title": "At dawn",
        "ruleset": "duel",
        "version": table.version + 1,
        "added": table.version + 1,
        "gm_token": None,
        "dry_run": True,
        "links": planned.json()["links"],
    }
    assert elsewhere.ask("GET", "/sessions", ADMIN_KEY).json()["sessions"] == []
    taken = elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, content=copy, headers=LINES).json()
    assert {**taken, "gm_token": None, "dry_run": True} == planned.json()
    assert elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, **sent).json()["added"] == 0


def test_a_dry_run_refuses_what_would_be_refused(table: Table, elsewhere: Server) -> None:
    copy = table.ask("GET", "/export").content
    for spoilt in (
        copy.replace(b'"skill":12', b'"skill":18'),
        b"".join(copy.splitlines(keepends=True)[:-1]),
    ):
        sent = {"content": spoilt, "headers": LINES, "params": {"dry_run": "true"}}
        problem(elsewhere.ask("POST", "/sessions/import", ADMIN_KEY, **sent), 422, "import-refused")
    table.done({"type": "end_turn"})
    sent = {"content": copy, "headers": LINES, "params": {"dry_run": "true"}}
    problem(table.server.ask("POST", "/sessions/import", ADMIN_KEY, **sent), 409, "older-than-head")


def test_an_older_copy_is_refused_and_taken_in_as_a_fork(table: Table) -> None:
    """With an id, a token and dice of its own, beside the session it is a copy of (gloomhavensecretariat#234)."""
    copy, version = table.ask("GET", "/export").content, table.version
    table.done({"type": "end_turn"})
    before = table.log()
    sent = {"content": copy, "headers": LINES, "params": {"as": "fork"}}
    planned = table.server.ask(
        "POST", "/sessions/import", ADMIN_KEY, **{**sent, "params": {"as": "fork", "dry_run": "true"}}
    ).json()
    taken = table.server.ask("POST", "/sessions/import", ADMIN_KEY, **sent)
    assert taken.status_code == 201, taken.text
    made = taken.json()
    assert made["id"] not in {table.id, planned["id"]}
    assert {name: made[name] for name in ("title", "version", "added", "dry_run")} == {
        "title": "At dawn (fork after action 3)", "version": version + 1, "added": version + 1, "dry_run": False,
    }  # fmt: skip
    assert (planned["added"], planned["gm_token"]) == (made["added"], None)
    fork = Table(table.server, made["id"], {"gm": made["gm_token"]})
    assert fork.get("/state")["state"] == table.get("/state", params={"at": "3"})["state"]
    fork.done({"type": "roll", "count": 2, "purpose": "luck"})
    assert fork.get("/verification")["ok"] is True
    assert table.log() == before
    assert fork.get()["dice_commitment"] != table.get()["dice_commitment"]
    assert table.server.ask("GET", f"/sessions/{fork.id}", table.tokens["gm"]).status_code == 401


def test_a_fork_that_is_sent_again_is_made_once_and_gets_another_token(table: Table) -> None:
    copy = table.ask("GET", "/export").content
    sent = {"content": copy, "headers": {**LINES, "Idempotency-Key": "what-if"}, "params": {"as": "fork"}}
    first, again = (table.server.ask("POST", "/sessions/import", ADMIN_KEY, **sent) for _ in range(2))
    assert (first.status_code, again.status_code, again.json()["added"]) == (201, 200, 0)
    assert first.json()["id"] == again.json()["id"]
    ways = [answer.json()["gm_token"] for answer in (first, again)]
    assert [
        table.server.ask("GET", f"/sessions/{first.json()['id']}", token).status_code for token in ways
    ] == [401, 200]
    table.done({"type": "end_turn"})
    sent["content"] = table.ask("GET", "/export").content
    other = table.server.ask("POST", "/sessions/import", ADMIN_KEY, **sent)
    problem(other, 422, "idempotency-key-reused")
