"""Forks over HTTP: a session goes on as another one, with a game master's token of its own."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from listening import listen
from serving import HIDDEN_NAME, READERS, Server, Table, problem, seated


def fork(table: Table, as_: str = "gm", key: str | None = None, **body: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return table.ask("POST", "/forks", as_, json=body, headers=headers)


def forked(table: Table, **body: Any) -> Table:
    """The table of a fork, with nobody at it but the GM."""
    answer = fork(table, **body)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    tokens = {"gm": opened["gm_token"], "admin": table.tokens["admin"], "none": None}
    return Table(table.server, opened["id"], tokens)


def test_a_fork_is_answered_like_a_new_session(table: Table) -> None:
    before = table.log()
    answer = fork(table, at=2, title="What if")
    assert answer.status_code == 201
    document, shown = answer.json(), table.get()
    version = len(table.server.store.envelopes(document["id"]))
    assert (document["title"], document["ruleset"], document["version"]) == ("What if", "duel", version)
    assert answer.headers["etag"] == f'"{version}"'
    assert document["dice_commitment"] != shown["dice_commitment"]
    assert document["links"]["self"] == f"/sessions/{document['id']}"
    assert document["gm_token"].startswith("tt_")
    assert table.log() == before


def test_each_side_names_the_other(table: Table) -> None:
    first = forked(table, at=2, title="What if")
    second = forked(table, **{"as": "sequel", "title": "Next week"})
    forks = table.get()["forks"]
    assert [(each["session"], each["title"], each["at"], each["kind"]) for each in forks] == [
        (first.id, "What if", 2, "fork"), (second.id, "Next week", 3, "sequel"),
    ]  # fmt: skip
    assert forks[0].keys() == {"session", "title", "at", "kind", "opened_at", "closed_at"}
    assert first.get()["parent"] == {"session": table.id, "at": 2, "kind": "fork"}
    assert second.get()["parent"] == {"session": table.id, "at": 3, "kind": "sequel"}
    assert (table.get()["parent"], first.get()["forks"]) == (None, [])


@pytest.mark.parametrize("role", READERS)
def test_the_game_master_alone_is_told_of_forks(table: Table, role: str) -> None:
    forks = [forked(table, at=1), forked(table, at=2)]
    shown = table.ask("GET", "", role)
    assert all((each.id in shown.text) is (role in ("gm", "admin")) for each in forks)
    assert not any(str(each.tokens["gm"]) in shown.text for each in forks)


@pytest.mark.parametrize("role", ["gm", "admin"])
def test_forks_that_come_and_go_are_never_hidden_behind_a_version_seen_before(
    table: Table, role: str
) -> None:
    """A session does not move on when it is forked, or when a fork is closed or removed."""
    known = {"If-None-Match": f'"{table.version}"'}

    def forks() -> list[bool]:
        shown = table.ask("GET", "", role, headers=known)
        assert "etag" not in shown.headers
        return [fork["closed_at"] is None for fork in shown.json()["forks"]]

    assert forks() == []
    child = forked(table)
    assert forks() == [True]
    assert child.ask("POST", "/close").status_code == 201
    assert forks() == [False]
    assert child.ask("DELETE", as_="admin").status_code == 200
    assert forks() == []


def test_tokens_of_one_side_open_nothing_on_the_other(table: Table) -> None:
    child = forked(table)
    for name in ("gm", "mina", "watcher"):
        answer = table.server.ask("GET", f"/sessions/{child.id}", table.tokens[name])
        problem(answer, 401, "not-identified")
    problem(table.server.ask("GET", f"/sessions/{table.id}", child.tokens["gm"]), 401, "not-identified")


def test_the_two_go_their_own_ways(table: Table) -> None:
    child = forked(table, title="What if")
    child.done({"type": "end_turn"})
    table.done({"type": "note", "text": "He ran."})
    assert "He ran." not in child.ask("GET", "/events").text
    lines = [entry["line"] for entry in child.get("/actions")["actions"]]
    assert lines[4] == "The GM forks the session after action 3: “What if”"
    assert len(lines) == 6
    assert child.get("/verification")["ok"]
    assert table.get("/verification")["ok"]
    assert child.get("/diff", params={"from": 2, "to": 3}) == table.get("/diff", params={"from": 2, "to": 3})


def test_the_feed_of_the_parent_tells_nothing_of_a_fork(table: Table) -> None:
    ears = {name: listen(table, name) for name in ("gm", "watcher")}
    child = forked(table)
    own = listen(child, after="0")
    child.done({"type": "end_turn"})
    table.done({"type": "note", "text": "He ran."})
    for ear in ears.values():
        told = ear.until(lambda frames: "He ran." in str(frames[-1]))
        assert [frame.data["seq"] for frame in told if frame.kind == "event"] == [
            table.version - 1,
            table.version,
        ]
        assert child.id not in ear.text
    seqs = [frame.data["seq"] for frame in own.hear("event", child.version)]
    assert seqs == list(range(1, child.version + 1))


def test_what_is_hidden_in_a_session_is_hidden_in_its_forks(secret_table: Table) -> None:
    child = forked(secret_table)
    child.tokens["mina"] = child.invite("player", "mina", "ada")
    for part in ("", "/state", "/actions", "/events", "/choices", "/statistics", "/export"):
        assert HIDDEN_NAME not in child.ask("GET", part, "mina").text
        assert "canary" not in child.ask("GET", part, "mina").text.casefold()
    assert HIDDEN_NAME in child.ask("GET", "/state").text


def test_a_closed_session_goes_on_in_a_sequel(table: Table) -> None:
    table.ask("POST", "/close", json={"text": "Until next week"})
    child = forked(table, **{"as": "sequel"})
    assert (table.get()["closed"], child.get()["closed"]) == (True, False)
    child.done({"type": "end_turn"})


@pytest.mark.parametrize(
    "body,status,code",
    [
        ({"at": 99}, 404, "unknown-action"),
        ({"at": -1}, 422, "malformed-body"),
        ({"at": "last"}, 422, "malformed-body"),
        ({"at": 1, "as": "sequel"}, 422, "malformed-command"),
        ({"as": "prequel"}, 422, "malformed-body"),
        ({"title": ""}, 422, "malformed-body"),
        ({"title": "x" * 81}, 422, "malformed-body"),
        ({"kind": "fork"}, 422, "malformed-body"),
    ],
)
def test_a_fork_that_makes_no_sense_is_not_made(
    table: Table, body: dict[str, Any], status: int, code: str
) -> None:
    problem(fork(table, **body), status, code)
    assert table.get()["forks"] == []


@pytest.mark.parametrize("role", ["mina", "watcher", "bot", "admin"])
def test_only_the_game_master_forks(table: Table, role: str) -> None:
    assert problem(fork(table, role), 403, "not-allowed")["needs"] == ["gm"]


def test_a_repeated_request_makes_one_fork_and_another_token(tmp_path: Path) -> None:
    server = Server(tmp_path / "tabletape.db", admin_key="key")
    table = seated(server)
    first = fork(table, key="k", at=2)
    server.restart()
    again = fork(table, key="k", at=2)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json()["id"] == first.json()["id"]
    path = f"/sessions/{first.json()['id']}"
    problem(server.ask("GET", path, first.json()["gm_token"]), 401, "not-identified")
    assert server.ask("GET", path, again.json()["gm_token"]).status_code == 200
    problem(fork(table, key="k", at=1), 422, "idempotency-key-reused")
    assert len(table.get()["forks"]) == 1
    server.close()


def test_a_session_with_forks_is_not_removed_before_them(table: Table) -> None:
    child = forked(table)
    refused = problem(table.ask("DELETE", as_="admin"), 409, "session-has-forks")
    assert refused["forks"] == [child.id]
    assert child.ask("DELETE", as_="admin").status_code == 200
    assert table.get()["forks"] == []
    assert table.ask("DELETE", as_="admin").status_code == 200


def test_shared_words_are_removed_where_they_belong(table: Table) -> None:
    noted = table.done({"type": "note", "text": "a real name"})
    seq = noted["events"][-1]["seq"]
    child = forked(table)
    refused = problem(child.ask("POST", "/redactions", json={"seq": seq}), 409, "words-shared")
    assert (refused["seq"], refused["session"]) == (seq, table.id)
    assert table.ask("POST", "/redactions", json={"seq": seq}).status_code == 201
    assert "a real name" not in child.ask("GET", "/events").text
    assert child.get("/verification")["checked"]["redacted"] == [seq]


def test_a_fork_is_compared_with_its_origin_by_the_game_master_alone(table: Table) -> None:
    other = forked(table, at=3)
    for turn in ("end_turn", "end_turn"):
        other.done({"type": turn})
    compared = table.get("/diff", params={"from": "3", "against": other.id})
    assert compared["lines"] == ["Round: 1 → 2"]
    assert table.get("/diff", params={"from": "3", "to": "4", "against": other.id})["lines"] == []
    problem(table.ask("GET", f"/diff?against={other.id}", "mina"), 403, "not-allowed")
    problem(other.ask("GET", f"/diff?against={table.id}", "gm"), 404, "unknown-session")
    problem(table.ask("GET", "/diff?against=nowhere", "gm"), 404, "unknown-session")


def test_the_feed_of_a_fork_keeps_no_words_its_parent_removed(table: Table) -> None:
    """Also not for whoever comes right afterwards: pages are kept for a crowd that comes at the same time."""
    noted = table.done({"type": "note", "text": "his name is Thomas"})
    other = forked(table)
    for _ in range(2):  # the second of them reads a page that is kept
        assert "Thomas" in str(listen(other, after="0").hear("event", noted["version"]))
    (seq,) = [event["seq"] for event in noted["events"] if event["type"] == "core.note-added"]
    assert table.ask("POST", "/redactions", json={"seq": seq}).status_code == 201
    late = listen(other, after="0")
    assert "Thomas" not in str(late.hear("event", noted["version"]))
