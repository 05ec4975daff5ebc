"""Whatever is sent, the answer is a problem that says what to do, and the log stays as it was."""

import asyncio
import json
from typing import Any

import pytest
from serving import ADMIN_KEY, Server, Table, problem

JSON = {"Content-Type": "application/json"}
NOTE = b'{"command":{"type":"note","text":"%s"}}'

BODIES: tuple[tuple[str, bytes, int, str], ...] = (
    ("nothing", b"", 422, "malformed-body"),
    ("blank", b"  ", 400, "malformed-json"),
    ("no JSON", b"hello", 400, "malformed-json"),
    ("cut off", b'{"command":', 400, "malformed-json"),
    ("NaN", b'{"command":{"type":"roll","count":NaN,"purpose":"x"}}', 400, "malformed-json"),
    ("Infinity", b'{"command":{"type":"roll","count":-Infinity,"purpose":"x"}}', 400, "malformed-json"),
    ("two values", b'{"command":{"type":"end_turn"}} {}', 400, "malformed-json"),
    ("a list", b"[]", 422, "malformed-body"),
    ("null", b"null", 422, "malformed-body"),
    ("a number", b"1", 422, "malformed-body"),
    ("no command", b"{}", 422, "malformed-body"),
    ("unknown field", b'{"command":{"type":"end_turn"},"after":1}', 422, "malformed-body"),
    ("null command", b'{"command":null}', 422, "malformed-command"),
    ("list for command", b'{"command":[1]}', 422, "malformed-command"),
    ("no type", b'{"command":{}}', 422, "malformed-command"),
    ("unknown type", b'{"command":{"type":"cheat"}}', 422, "malformed-command"),
    ("number for type", b'{"command":{"type":7}}', 422, "malformed-command"),
    ("unknown field of command", b'{"command":{"type":"end_turn","x":1}}', 422, "malformed-command"),
    ("huge number", b'{"command":{"type":"roll","count":1e400,"purpose":"x"}}', 422, "malformed-command"),
    ("big number", b'{"command":{"type":"roll","count":%d,"purpose":"x"}}' % 10**60, 422, "malformed-command"),
    ("fraction", b'{"command":{"type":"roll","count":1.5,"purpose":"x"}}', 422, "malformed-command"),
    ("negative", b'{"command":{"type":"roll","count":-1,"purpose":"x"}}', 422, "malformed-command"),
    ("too many dice", b'{"command":{"type":"roll","count":101,"purpose":"x"}}', 422, "malformed-command"),
    ("5000 digits", b'{"command":{"type":"roll","count":' + b"9" * 5000 + b',"purpose":"x"}}', 422, "malformed-command"),
    ("true for number", b'{"command":{"type":"roll","count":true,"purpose":"x"}}', 422, "malformed-command"),
    ("lone surrogate", NOTE % b"\\ud800", 400, "malformed-json"),
    ("swapped surrogates", NOTE % b"\\udc00\\ud800", 400, "malformed-json"),
    ("NUL", NOTE % b"a\\u0000b", 422, "malformed-command"),
    ("raw NUL", NOTE % b"a\x00b", 400, "malformed-json"),
    ("raw line break", NOTE % b"a\nb", 400, "malformed-json"),
    ("control character", NOTE % b"a\\u0085b", 422, "malformed-command"),
    ("another direction", NOTE % b"a\\u202eb", 422, "malformed-command"),
    ("nothing to see", b'{"command":{"type":"roll","count":1,"purpose":" \\u200b"}}', 422, "malformed-command"),
    ("bad UTF-8", NOTE % b"\xff\xfe", 422, "malformed-command"),
    ("bad UTF-8 in a key", b'{"command":{"type":"note","\xff":"x"}}', 422, "malformed-command"),
    ("overlong UTF-8", NOTE % b"\xc0\xaf", 422, "malformed-command"),
    ("bad UTF-8 outside", b'{"command":{"type":"end_turn"},"text":"\xff"}', 400, "malformed-json"),
    ("surrogate outside", b'{"command":{"type":"end_turn"},"text":"\\ud800"}', 400, "malformed-json"),
    ("byte order mark", b"\xef\xbb\xbf{}", 400, "malformed-json"),
    ("UTF-16", '{"command":{}}'.encode("utf-16"), 400, "malformed-json"),
    ("long text", NOTE % (b"x" * 2001), 422, "malformed-command"),
    ("id with a slash", b'{"command":{"type":"reveal","duellist":"a/b"}}', 422, "malformed-command"),
    ("upper case id", b'{"command":{"type":"reveal","duellist":"Ada"}}', 422, "malformed-command"),
    ("a note for an answer", b'{"command":{"type":"end_turn"},"answers":[{"type":"note","text":"x"}]}', 422, "not-an-answer"),
    ("a note for an amended answer", b'{"command":{"type":"amend","target":1,"answers":[{"type":"note","text":"x"}]}}', 422, "not-an-answer"),
    ("dice no list", b'{"command":{"type":"end_turn"},"dice":6}', 422, "malformed-body"),
    ("dice of words", b'{"command":{"type":"end_turn"},"dice":["6"]}', 422, "malformed-body"),
    ("dice too big", b'{"command":{"type":"end_turn"},"dice":[99999999999999999999]}', 422, "malformed-body"),
    ("1001 dice", b'{"command":{"type":"end_turn"},"dice":[' + b"1," * 1000 + b"1]}", 422, "malformed-body"),
    ("left-over dice", b'{"command":{"type":"end_turn"},"dice":[1]}', 422, "dice-count-mismatch"),
    ("a code with spaces", b'{"command":{"type":"end_turn"},"overrule":["not your turn"]}', 422, "malformed-body"),
    ("an answer to nothing", b'{"command":{"type":"end_turn"},"answers":[{"type":"defend","question":"q9","defense":"parry"}]}', 422, "no-such-question"),
    ("an answer that is none", b'{"command":{"type":"end_turn"},"answers":[3]}', 422, "malformed-command"),
    ("an unknown duellist", b'{"command":{"type":"reveal","duellist":"nobody"}}', 422, "unknown-duellist"),
    ("deep in the body", b"[" * 100_000, 422, "malformed-body"),
    ("deep command", b'{"command":' + b'{"a":' * 40_000 + b"1" + b"}" * 40_001, 422, "nested-too-deep"),
    ("deep and closed", b'{"command":{"type":"end_turn","x":' + b"[" * 5000 + b"]" * 5000 + b"}}", 422, "nested-too-deep"),
)  # fmt: skip


@pytest.mark.parametrize("body,status,code", [case[1:] for case in BODIES], ids=[case[0] for case in BODIES])
@pytest.mark.parametrize("key", [None, "some-key"], ids=["without key", "with key"])
def test_a_body_that_makes_no_sense_is_refused_and_nothing_recorded(
    table: Table, body: bytes, status: int, code: str, key: str | None
) -> None:
    before = table.log()
    headers = {**JSON, **({"Idempotency-Key": key} if key else {})}
    answer = table.ask("POST", "/actions", content=body, headers=headers)
    assert answer.status_code in {400, 422}, answer.text
    found = problem(answer, answer.status_code, answer.json()["code"])
    if key is None:
        assert (found["status"], found["code"]) == (status, code)
    assert table.log() == before
    assert table.act({"type": "end_turn"}).status_code == 201, "the session goes on"


@pytest.mark.parametrize(
    "name", ["Zoë", "عمر", "龍", "🗡️ Étienne", "x" * 80, "<b>ada</b>", "'; DROP TABLE events; --"]
)
def test_any_writing_is_a_name(table: Table, name: str) -> None:
    table.done({"type": "add_duellist", "id": "new", "name": name, "side": "red", "skill": 10})
    assert table.get("/state")["state"]["duellists"]["new"]["name"] == name


HEADERS: tuple[tuple[dict[str, str], int, str], ...] = (
    ({"If-Match": "14"}, 400, "malformed-header"),
    ({"If-Match": '"x"'}, 400, "malformed-header"),
    ({"If-Match": '"-1"'}, 400, "malformed-header"),
    ({"If-Match": '"1", "2"'}, 400, "malformed-header"),
    ({"If-Match": '"' + "9" * 9000 + '"'}, 400, "malformed-header"),
    ({"If-Match": '"٣"'}, 400, "malformed-header"),
    ({"If-Match": ""}, 400, "malformed-header"),
    ({"If-Match": '"999999999999999"'}, 412, "version-mismatch"),
    ({"Content-Type": "text/plain"}, 415, "unsupported-media-type"),
    ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "unsupported-media-type"),
    ({"Content-Type": "multipart/form-data; boundary=x"}, 415, "unsupported-media-type"),
    ({"Content-Type": "application/msgpack"}, 415, "unsupported-media-type"),
    ({"Content-Type": "application/jsonp"}, 415, "unsupported-media-type"),
    ({"Content-Type": ""}, 415, "unsupported-media-type"),
)


@pytest.mark.parametrize("headers,status,code", HEADERS, ids=[str(case[0])[:40] for case in HEADERS])
def test_a_header_that_makes_no_sense_is_refused(
    table: Table, headers: dict[str, str], status: int, code: str
) -> None:
    before = table.log()
    sent = {name: value.encode() for name, value in {**JSON, **headers}.items()}
    answer = table.ask("POST", "/actions", content=b'{"command":{"type":"end_turn"}}', headers=sent)
    problem(answer, status, code)
    assert table.log() == before


def test_a_body_without_a_media_type_is_refused(table: Table) -> None:
    answer = table.ask("POST", "/actions", content=b'{"command":{"type":"end_turn"}}')
    problem(answer, 415, "unsupported-media-type")


def test_a_charset_beside_the_media_type_does_no_harm(table: Table) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    answer = table.ask("POST", "/actions", content=b'{"command":{"type":"end_turn"}}', headers=headers)
    assert answer.status_code == 201


HUGE = ("9" * 30, "9" * 5000, "-1", "1.5", "abc", "", "1e9", "٣٤٥٦٧٨٩", "0x10", "\x00", "%ff")


@pytest.mark.parametrize("value", HUGE, ids=lambda value: repr(value[:12]))
@pytest.mark.parametrize(
    "part",
    [
        "/state?at=",
        "/events?limit=",
        "/events?after=",
        "/actions?after=",
        "/actions?before=",
        "/actions?limit=",
        "/actions?round=",
        "/actions?undone=",
    ],
)
def test_a_parameter_out_of_bounds_is_refused(table: Table, part: str, value: str) -> None:
    part, _, name = part.partition("?")
    answer = table.ask("GET", part, params={name.rstrip("="): value})
    assert answer.status_code in {200, 404, 410, 422}, answer.text
    if answer.status_code != 200:
        problem(answer, answer.status_code, answer.json()["code"])


@pytest.mark.parametrize(
    "number", ["99", "-1", "9" * 30, "9" * 5000, "1.5", "abc", "%00", "٣", "1_0", "+1", "%ff"]
)
def test_an_action_that_is_not_there_is_not_found(table: Table, number: str) -> None:
    answer = table.ask("GET", f"/actions/{number}")
    assert answer.status_code in {200, 404}, answer.text
    if answer.status_code == 404:
        assert answer.json()["code"] in {"unknown-action", "unknown-route"}


@pytest.mark.parametrize("session", ["%00", "%ff", "x" * 3000, "a b", "🗡️", "%ed%a0%80", "'--"])
def test_a_session_that_cannot_be_is_unknown(server: Server, session: str) -> None:
    problem(server.ask("GET", f"/sessions/{session}/state", ADMIN_KEY), 404, "unknown-session")
    problem(server.ask("GET", f"/sessions/{session}/state"), 401, "not-identified")


def test_a_body_over_the_limit_is_refused_before_it_is_read(table: Table) -> None:
    before = table.log()
    big = b'{"text":"' + b"x" * (256 * 1024) + b'"}'
    problem(table.ask("POST", "/notes", content=big, headers=JSON), 413, "body-too-large")

    async def chunked() -> Any:
        async def parts() -> Any:
            for _ in range(300):
                yield b"x" * 1024

        headers = {**JSON, "Authorization": f"Bearer {table.tokens['gm']}"}
        return await table.server.client.post(f"/sessions/{table.id}/notes", content=parts(), headers=headers)

    problem(table.server.do(chunked), 413, "body-too-large")
    fits = json.dumps({"text": "x"}).encode() + b" " * (256 * 1024 - 15)
    assert table.ask("POST", "/notes", content=fits[: 256 * 1024], headers=JSON).status_code == 201
    assert len(table.log()) == len(before) + 2


def test_who_leaves_before_the_end_of_the_body_records_nothing(table: Table) -> None:
    before = table.log()

    async def leave() -> list[Any]:
        sent: list[Any] = []
        messages = iter(
            [{"type": "http.request", "body": b'{"text"', "more_body": True}, {"type": "http.disconnect"}]
        )

        async def receive() -> Any:
            return next(messages)

        async def send(message: Any) -> None:
            sent.append(message)

        path = f"/sessions/{table.id}/notes"
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        scope: Any = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [*headers, (b"authorization", f"Bearer {table.tokens['gm']}".encode())],
            "scheme": "http", "server": ("localhost", 80), "client": ("127.0.0.1", 1), "http_version": "1.1",
        }  # fmt: skip
        await table.server.app(scope, receive, send)
        return sent

    assert table.server.do(leave)[0]["status"] == 400
    assert table.log() == before


def test_methods_and_paths_that_are_not_there_are_problems_too(table: Table) -> None:
    gone = problem(table.server.ask("GET", "/nowhere"), 404, "unknown-route")
    assert "schema" in gone["detail"]
    refused = table.ask("PUT", "/state")
    problem(refused, 405, "method-not-allowed")
    assert "GET" in refused.headers["allow"]
    problem(table.server.ask("GET", "/schema/nowhere"), 404, "unknown-route")
    problem(table.server.ask("GET", "/rulesets/nowhere"), 404, "unknown-ruleset")
    problem(table.server.ask("BREW", "/health"), 405, "method-not-allowed")


def test_everything_at_once_breaks_nothing(table: Table) -> None:
    async def all_at_once() -> list[int]:
        headers = {**JSON, "Authorization": f"Bearer {table.tokens['gm']}"}
        post = table.server.client.post
        path = f"/sessions/{table.id}/actions"
        answers = await asyncio.gather(*(post(path, content=case[1], headers=headers) for case in BODIES))
        return [answer.status_code for answer in answers]

    before = table.log()
    assert set(table.server.do(all_at_once)) <= {400, 422}
    assert table.log() == before


@pytest.mark.parametrize(
    "method,part,sent,allowed",
    [
        ("GET", "/feed?format=xml", {}, "format: Invalid enum value 'xml': it is one of `events`, `cloudevents`, `state`"),
        ("GET", "/overlay?show=all", {}, "it is one of `roll`, `pools`"),
        ("GET", "/audit?format=xml", {}, "it is one of `json`, `csv`"),
        ("POST", "/webhooks", {"json": {"url": "https://x.example/", "format": "slack"}}, "it is one of `standard`, `discord`"),
        (
            "POST", "/webhooks", {"json": {"url": "https://x.example/", "audience": {"role": "admin"}}},
            "`$.audience.role`: it is one of `observer`, `player`, `gm`",
        ),
        ("PATCH", "/settings", {"json": {"undo": "all"}}, "it is one of `off`, `gm`, `own_last`, `request`"),
        ("POST", "/notes", {"json": {"text": "x", "visible_to": "all"}}, "it is one of `everyone`, `gm`, `self`, `self+gm`"),
    ],
)  # fmt: skip
def test_a_word_that_is_not_taken_is_answered_with_those_that_are(
    table: Table, method: str, part: str, sent: dict[str, Any], allowed: str
) -> None:
    assert allowed in table.ask(method, part, **sent).json()["detail"]


def test_how_a_copy_is_taken_in_is_answered_with_what_there_is(server: Server) -> None:
    refused = server.ask("POST", "/sessions/import?as=copy", ADMIN_KEY, content=b"{}")
    assert "as: Invalid enum value 'copy': it is one of `fork`" in refused.json()["detail"]
