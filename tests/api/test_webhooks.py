"""Webhooks over HTTP: registered, looked after, tried out; their addresses and secrets are for nobody's eyes."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from receiving import Receiver, Reply, receiving
from serving import ADMIN_KEY, NOBODY_THERE, Server, Table, admin, problem, seated

from eventlog.sealing import now

SECONDS = 60
KEY = {"Idempotency-Key": "a-hook"}
CANARY_URL = "http://127.0.0.1:9/api/webhooks/1049/canary-in-the-address"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def register(table: Table, url: str = NOBODY_THERE, **body: Any) -> Any:
    answer = table.ask("POST", "/webhooks", json={"url": url, **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


def until(server: Server, enough: Callable[[], Any]) -> None:
    """Let the server go on until something is so, however slow the machine."""
    end = time.monotonic() + SECONDS
    while not enough():
        assert time.monotonic() < end, "it never came to that"
        server.do(lambda: asyncio.sleep(0.01))


def wait_for(table: Table, receiver: Receiver, count: int) -> None:
    until(table.server, lambda: len(receiver.taken) >= count)


def wait_until_told(table: Table, hook: str) -> Any:
    """Wait until a webhook was told of everything, and noted that it was."""

    def standing() -> Any:
        (found,) = table.get(f"/webhooks/{hook}")["sessions"]
        return found

    until(table.server, lambda: standing()["told"] == standing()["version"])
    return standing()


def test_what_happens_is_sent_and_can_be_verified_with_the_secret(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url, name="The stream", types=["core.note-added"])
    table.done({"type": "note", "text": "en garde"})
    table.done({"type": "note", "text": "for the game master"}, visible_to="gm")
    table.done({"type": "note", "text": "touché"}, "mina")
    wait_for(table, receiver, 2)
    sent = [each.verified(made["secret"]) for each in receiver.got]
    assert [each["data"]["data"]["text"] for each in sent] == ["en garde", "touché"]
    told = wait_until_told(table, made["id"])
    assert (told["told"], told["attempts"]) == (sent[-1]["data"]["seq"], 0)
    deliveries = table.get(f"/webhooks/{made['id']}/deliveries")["deliveries"]
    assert [(each["outcome"], each["status"], each["attempt"]) for each in deliveries] == [
        ("delivered", 200, 1)
    ] * 2
    assert "en garde" not in json.dumps(deliveries)


def test_secrets_and_addresses_are_in_no_later_answer(table: Table) -> None:
    made = register(table, CANARY_URL)
    assert made["secret"].startswith("whsec_")
    hook = f"/webhooks/{made['id']}"
    table.ask("POST", f"{hook}/test")
    table.done({"type": "note", "text": "anything"})
    answers = [
        table.ask("GET", "/webhooks"),
        table.ask("GET", hook),
        table.ask("PATCH", hook, json={"name": "other"}),
        table.ask("POST", f"{hook}/pause"),
        table.ask("POST", f"{hook}/resume"),
        table.ask("GET", f"{hook}/deliveries"),
        table.ask("GET", f"{hook}/dead-letters"),
        table.ask("POST", f"{hook}/redeliver", json={"after": "0"}),
        table.ask("POST", "/webhooks", json={"url": "https://169.254.169.254/canary-in-the-address"}),
    ]
    for answer in answers:
        assert made["secret"] not in answer.text
        assert "canary-in-the-address" not in answer.text
    assert answers[1].json()["url"] == "http://127.0.0.1:9/…"


def test_the_servers_log_holds_no_address_and_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    server = Server(admin_key=ADMIN_KEY, log="json")
    try:
        table = seated(server)
        made = register(table, CANARY_URL, after="0")
        until(server, lambda: table.get(f"/webhooks/{made['id']}/deliveries")["deliveries"])
    finally:
        server.close()
    lines = capfd.readouterr().err
    assert "canary-in-the-address" not in lines
    assert made["secret"] not in lines
    (first, *_) = [json.loads(line) for line in lines.splitlines() if '"webhook"' in line]
    assert {
        "hook": made["id"],
        "outcome": "failed",
        "error": "no connection",
        "tries": 1,
    }.items() <= first.items()


@pytest.mark.parametrize(
    "url,reason",
    [
        ("https://10.0.0.1/", "not-public"),
        ("https://[::1]/", "not-public"),
        ("https://169.254.169.254/latest/meta-data", "not-public"),
        ("https://3232235777/", "not-public"),
        ("http://8.8.8.8/", "not-https"),
        ("https://nowhere.invalid/", "not-found"),
        ("ftp://127.0.0.1/", "malformed"),
        ("https://user:password@8.8.8.8/", "malformed"),
    ],
)
def test_an_address_that_is_not_allowed_is_refused_when_it_is_registered_and_when_it_is_changed(
    table: Table, url: str, reason: str
) -> None:
    refused = problem(table.ask("POST", "/webhooks", json={"url": url}), 422, "webhook-address-refused")
    assert refused["reason"] == reason
    made = register(table)
    answer = table.ask("PATCH", f"/webhooks/{made['id']}", json={"url": url})
    assert problem(answer, 422, "webhook-address-refused")["reason"] == reason
    assert table.get(f"/webhooks/{made['id']}")["url"] == "http://127.0.0.1:9/…"


def test_without_leave_of_the_operator_this_machine_is_not_reached() -> None:
    server = Server(admin_key=ADMIN_KEY, webhook_networks=())
    try:
        answer = seated(server).ask("POST", "/webhooks", json={"url": NOBODY_THERE})
        assert problem(answer, 422, "webhook-address-refused")["reason"] == "not-public"
    finally:
        server.close()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": 3},
        {"url": NOBODY_THERE, "format": "slack"},
        {"url": NOBODY_THERE, "types": ["core.no-such-thing"]},
        {"url": NOBODY_THERE, "types": ["Not A Type"]},
        {"url": NOBODY_THERE, "audience": {"role": "admin"}},
        {"url": NOBODY_THERE, "secret": "whsec_mine"},
        {"url": NOBODY_THERE, "name": "two\nlines"},
    ],
    ids=str,
)
def test_what_cannot_be_registered_is_refused(table: Table, body: Any) -> None:
    problem(table.ask("POST", "/webhooks", json=body), 422, "malformed-body")
    assert table.get("/webhooks") == {"webhooks": []}


def test_a_cursor_that_does_not_fit_the_log_is_refused(table: Table) -> None:
    problem(table.ask("POST", "/webhooks", json={"url": NOBODY_THERE, "after": "999"}), 410, "cursor-unknown")
    made = register(table)
    answer = table.ask("POST", f"/webhooks/{made['id']}/redeliver", json={"after": "3.00000000"})
    problem(answer, 410, "cursor-unknown")


def test_registering_twice_with_a_key_is_one_webhook_and_the_second_secret_counts(
    tmp_path: Path, receiver: Receiver
) -> None:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    try:
        table = seated(server)
        body = {"url": receiver.url}
        first = table.ask("POST", "/webhooks", json=body, headers=KEY).json()
        server.restart()
        again = table.ask("POST", "/webhooks", json=body, headers=KEY)
        assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
        assert {**again.json(), "secret": ""} == {**first, "secret": ""}
        assert len(table.get("/webhooks")["webhooks"]) == 1
        other = table.ask("POST", "/webhooks", json={**body, "name": "other"}, headers=KEY)
        problem(other, 422, "idempotency-key-reused")
        table.done({"type": "note", "text": "en garde"})
        wait_for(table, receiver, 2)
        sent = receiver.got[0]
        assert sent.verified(again.json()["secret"])
        assert len(sent.headers["webhook-signature"].split()) == 1
    finally:
        server.close()


def test_a_rotated_secret_stays_good_for_a_day(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url)
    rotated = table.ask("POST", f"/webhooks/{made['id']}/rotate")
    assert rotated.status_code == 201
    shown = table.get(f"/webhooks/{made['id']}")
    assert shown["previous_secrets_until"][:10] > shown["created_at"][:10]
    assert table.ask("POST", f"/webhooks/{made['id']}/test").json()["outcome"] == "delivered"
    for secret in (made["secret"], rotated.json()["secret"]):
        assert receiver.got[-1].verified(secret)["type"] == "tabletape.test"
    discord = register(table, format="discord")
    assert discord["secret"] is None
    problem(table.ask("POST", f"/webhooks/{discord['id']}/rotate"), 409, "webhook-unsigned")


def test_a_test_message_tells_how_it_was_answered(table: Table, receiver: Receiver) -> None:
    made, lost = register(table, receiver.url), register(table)
    table.ask("POST", f"/webhooks/{made['id']}/pause")
    arrived = table.ask("POST", f"/webhooks/{made['id']}/test").json()
    assert (arrived["outcome"], arrived["status"], arrived["session"]) == ("delivered", 200, None)
    assert receiver.got[-1].id == arrived["id"]
    assert receiver.got[-1].document["data"] == {"webhook": made["id"], "session": table.id}
    failed = table.ask("POST", f"/webhooks/{lost['id']}/test").json()
    assert (failed["outcome"], failed["status"], failed["error"]) == ("failed", None, "no connection")
    log = table.get(f"/webhooks/{lost['id']}/deliveries")["deliveries"]
    assert [each["id"] for each in log] == [failed["id"]]


def test_a_webhook_is_paused_resumed_changed_and_removed(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url, types=["core.note-added"])
    hook = f"/webhooks/{made['id']}"
    paused = table.ask("POST", f"{hook}/pause").json()
    assert (paused["status"], paused["paused_because"]) == ("paused", "asked")
    for number in range(3):
        table.done({"type": "note", "text": f"note {number}"})
    changed = table.ask("PATCH", hook, json={"name": "Later", "types": []}).json()
    assert (changed["name"], changed["types"], changed["status"]) == ("Later", [], "paused")
    assert receiver.got == []
    assert table.ask("POST", f"{hook}/resume").json()["status"] == "active"
    wait_for(table, receiver, 6)
    assert table.ask("DELETE", hook).json() == {"id": made["id"], "removed": True}
    table.done({"type": "note", "text": "unheard"})
    problem(table.ask("GET", hook), 404, "unknown-webhook")
    problem(table.ask("DELETE", hook), 404, "unknown-webhook")
    assert len(receiver.got) == 6


def test_everything_can_be_sent_again_under_the_same_ids(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url, after="0")
    version = table.version
    wait_until_told(table, made["id"])
    cursor = table.get("/events", params={"limit": 3})["next"]
    table.ask("POST", f"/webhooks/{made['id']}/redeliver", json={"after": cursor})
    wait_until_told(table, made["id"])
    ids = [each.id for each in receiver.got]
    assert len(set(ids)) == version
    assert ids[version:] == ids[3:version]
    first = table.get(f"/webhooks/{made['id']}/deliveries", params={"limit": 4})
    rest = table.get(f"/webhooks/{made['id']}/deliveries", params={"limit": 500, "before": first["next"]})
    assert rest["next"] is None
    assert [each["id"] for each in (*first["deliveries"], *rest["deliveries"])] == ids[::-1]


def test_a_webhook_of_the_server_is_told_of_every_session(server: Server, receiver: Receiver) -> None:
    table = seated(server)
    asked = {"url": receiver.url, "types": ["core.session-opened", "core.note-added"]}
    made = server.ask("POST", "/webhooks", admin(server), json=asked).json()
    assert made["session"] is None
    other = seated(server)
    table.done({"type": "note", "text": "one"})
    other.done({"type": "note", "text": "two"})
    wait_for(table, receiver, 3)
    told = {(each.document["data"]["session"], each.document["type"]) for each in receiver.got}
    assert told == {
        (table.id, "core.note-added"), (other.id, "core.note-added"), (other.id, "core.session-opened")
    }  # fmt: skip
    again = server.ask(
        "POST", f"/webhooks/{made['id']}/redeliver", admin(server), json={"session": table.id, "after": "0"}
    )
    assert again.status_code == 200
    wait_for(table, receiver, 5)
    problem(server.ask("GET", f"/webhooks/{made['id']}", table.tokens["gm"]), 403, "not-allowed")


def test_one_sessions_gm_does_not_reach_anothers_webhooks(server: Server) -> None:
    table, other = seated(server), seated(server)
    made = register(table)
    for method, part in (("GET", ""), ("DELETE", ""), ("POST", "/test"), ("POST", "/rotate")):
        problem(other.ask(method, f"/webhooks/{made['id']}{part}"), 404, "unknown-webhook")
        answer = server.ask(method, f"/webhooks/{made['id']}{part}", admin(server))
        problem(answer, 404, "unknown-webhook")
    assert table.get(f"/webhooks/{made['id']}")["id"] == made["id"]


def test_there_are_only_so_many(table: Table) -> None:
    for _ in range(20):
        register(table)
    refused = problem(table.ask("POST", "/webhooks", json={"url": NOBODY_THERE}), 409, "too-many-webhooks")
    assert refused["most"] == 20


def test_a_removed_session_has_no_webhooks_any_more(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url)
    assert table.ask("DELETE", "", "admin").status_code == 200
    assert table.server.store.hooks.hook(made["id"]) is None


def test_deliveries_are_measured(table: Table, receiver: Receiver) -> None:
    made = register(table, receiver.url)
    table.ask("POST", f"/webhooks/{made['id']}/test")
    measured: httpx.Response = table.server.ask("GET", "/metrics")
    assert 'tabletape_webhook_deliveries_total{format="standard",outcome="delivered"} 1.0' in measured.text
    assert 'tabletape_webhook_seconds_count{format="standard"} 1.0' in measured.text


# --- the eyes of a seat -------------------------------------------------------------------------------------


def confide(table: Table, text: str) -> None:
    """Something that only mina and the GM know of."""
    table.ask("POST", "/notes", "mina", json={"text": text, "visible_to": "self+gm"})


def unseat(table: Table, name: str) -> None:
    (seat,) = [each for each in table.get("/invites")["invites"] if each["name"] == name]
    assert table.ask("DELETE", f"/invites/{seat['id']}").status_code == 200


def texts(receiver: Receiver) -> list[str]:
    return [each.document["data"]["data"]["text"] for each in receiver.taken]


def test_a_webhook_does_not_outlive_the_seat_whose_eyes_it_has(
    table: Table, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sees with the eyes of a seat that was taken away; when somebody sits there again, it goes on."""
    monkeypatch.setattr("api.webhooks.courier.SEAT", 0.05)
    made = register(
        table, receiver.url, types=["core.note-added"], audience={"role": "player", "name": "mina"}
    )
    confide(table, "before")
    wait_for(table, receiver, 1)
    unseat(table, "mina")
    table.done({"type": "note", "text": "after"})
    hook = table.get(f"/webhooks/{made['id']}")
    assert (hook["status"], hook["paused_because"]) == ("paused", "no-seat")
    taken = len(receiver.taken)
    table.server.do(lambda: asyncio.sleep(0.3))
    assert len(receiver.taken) == taken
    assert "after" not in texts(receiver)
    table.tokens["mina"] = table.invite("player", "mina", "ben")
    until(table.server, lambda: "after" in texts(receiver))
    hook = table.get(f"/webhooks/{made['id']}")
    assert (hook["status"], hook["audience"]["characters"]) == ("active", ["ben"])


def test_a_message_that_failed_is_tried_again_with_the_eyes_of_then(
    table: Table, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.webhooks.courier.SEAT", 0.05)
    receiver.always = 500
    made = register(
        table, receiver.url, types=["core.note-added"], audience={"role": "player", "name": "mina"}
    )
    confide(table, "her secret")
    until(table.server, lambda: receiver.got)
    unseat(table, "mina")
    receiver.always = None
    tried = len(receiver.got)
    table.ask("POST", f"/webhooks/{made['id']}/resume")
    table.server.do(lambda: asyncio.sleep(0.3))
    assert (receiver.taken, len(receiver.got)) == ([], tried)


def test_a_webhook_sees_with_the_characters_its_seat_has_now(table: Table, receiver: Receiver) -> None:
    """Mina plays Ben instead of Ada from now on: the webhook learns of his dagger, and not of hers."""
    made = register(table, receiver.url, audience={"role": "player", "name": "mina"})
    unseat(table, "mina")
    table.tokens["mina"] = table.invite("player", "mina", "ben")
    table.done({"type": "conceal_dagger", "duellist": "ada"})
    table.done({"type": "conceal_dagger", "duellist": "ben"})
    table.ask("POST", f"/webhooks/{made['id']}/resume")
    wait_until_told(table, made["id"])
    daggers = [each.document["data"] for each in receiver.taken if "dagger" in each.document["type"]]
    assert [each["data"]["duellist"] for each in daggers] == ["ben"]


def test_a_webhook_of_all_sessions_sees_as_everybody_where_its_player_has_no_seat(
    table: Table, receiver: Receiver
) -> None:
    audience = {"role": "player", "name": "mina", "characters": ["ada"]}
    sent = {"url": receiver.url, "types": ["core.note-added"], "audience": audience}
    assert table.server.ask("POST", "/webhooks", ADMIN_KEY, json=sent).status_code == 201
    confide(table, "while she sits here")
    wait_for(table, receiver, 1)
    receiver.always = 500
    confide(table, "sent too late")
    until(table.server, lambda: len(receiver.got) > 1)
    unseat(table, "mina")
    receiver.always = None
    table.done({"type": "note", "text": "to everybody"})
    (hook,) = table.server.ask("GET", "/webhooks", ADMIN_KEY).json()["webhooks"]
    table.server.ask("POST", f"/webhooks/{hook['id']}/resume", ADMIN_KEY)
    wait_for(table, receiver, 2)
    assert texts(receiver) == ["while she sits here", "to everybody"]


# --- at once, and no secret before its time -------------------------------------------------------------------


@pytest.mark.parametrize("ways", [("resume",), ("pause", "resume"), ("redeliver",)], ids="+".join)
def test_who_looks_after_it_does_not_wait_for_what_the_receiver_asked(
    table: Table, receiver: Receiver, ways: tuple[str, ...]
) -> None:
    made = register(table, receiver.url, types=["core.note-added"])
    receiver.faults.append(Reply(429, (("Retry-After", "3000"),)))
    table.done({"type": "note", "text": "held"})
    until(table.server, lambda: table.get(f"/webhooks/{made['id']}")["waiting_until"])
    for way in ways:
        body = {"json": {"after": "0"}} if way == "redeliver" else {}
        assert table.ask("POST", f"/webhooks/{made['id']}/{way}", **body).status_code == 200
    wait_for(table, receiver, 1)
    assert table.get(f"/webhooks/{made['id']}")["waiting_until"] is None


def test_no_secret_ends_before_its_time(table: Table, receiver: Receiver) -> None:
    """The first one still verifies after it was replaced as often as may be; once more is refused."""
    made = register(table, receiver.url, types=["core.note-added"])
    hook = f"/webhooks/{made['id']}"
    for _ in range(5):
        assert table.ask("POST", f"{hook}/rotate").status_code == 201
    refused = problem(table.ask("POST", f"{hook}/rotate"), 409, "too-many-secrets")
    assert refused["until"] > now()
    table.done({"type": "note", "text": "signed six times"})
    wait_for(table, receiver, 1)
    assert receiver.got[0].verified(made["secret"])["type"] == "core.note-added"
