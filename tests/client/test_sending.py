"""What is sent is sent until it is answered, and what must happen once happens once."""

import asyncio
import json
from collections.abc import Callable

import httpx
import pytest
from lines import HASTE, line_to, losing_answers

from tabletape.client import AsyncClient, Client, Opened, Patience, Problem, Unreachable

ACCEPTED = {"action": 1, "version": 3, "head_hash": "ab", "events": [], "choices": []}
BUSY = {"code": "busy", "detail": "Others keep writing", "status": 409}


class Door:
    """A server that answers as it is told, and remembers what it was sent. An exception is a broken line."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.sent: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def client(self) -> Client:
        return Client("http://table", "tt_1", patience=HASTE, transport=httpx.MockTransport(self.answer))


def broken() -> Exception:
    return httpx.ReadError("the line broke")


@pytest.mark.parametrize(
    "fault",
    [
        broken(),
        httpx.ConnectError("nobody there"),
        httpx.ReadTimeout("nothing came"),
        httpx.RemoteProtocolError("hung up"),
        httpx.Response(503),
        httpx.Response(502, text="<html>a proxy</html>"),
        httpx.Response(429),
        httpx.Response(409, json=BUSY),
    ],
    ids=lambda fault: getattr(fault, "status_code", type(fault).__name__),
)
def test_an_action_goes_again_with_the_same_key_and_body(fault: httpx.Response | Exception) -> None:
    """A bot whose answer was lost sends again and has rolled once (ArtemGr/Sidekick#249)."""
    door = Door(fault, fault, httpx.Response(201, json=ACCEPTED))
    assert door.client.act("s", "roll", count=1, purpose="luck").action == 1
    keys = [request.headers["Idempotency-Key"] for request in door.sent]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert len({request.content for request in door.sent}) == 1


def test_every_post_has_a_key_of_its_own() -> None:
    door = Door(*(httpx.Response(201, json=ACCEPTED) for _ in range(3)))
    door.client.act("s", "end_turn")
    door.client.act("s", "end_turn")
    door.client.note("s", "so it ends", key="mine")
    keys = [request.headers["Idempotency-Key"] for request in door.sent]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


def test_what_is_refused_is_not_asked_again() -> None:
    for status, code in (
        (422, "already-acted"),
        (412, "version-mismatch"),
        (409, "name-taken"),
        (401, "not-identified"),
    ):
        door = Door(httpx.Response(status, json={"code": code, "detail": "no"}))
        with pytest.raises(Problem, match=code):
            door.client.act("s", "end_turn")
        assert len(door.sent) == 1


def test_what_cannot_be_sent_twice_is_not() -> None:
    """Whether a seat was taken away before the line broke is not known; asking again would say there is none."""
    door = Door(broken())
    with pytest.raises(Unreachable):
        door.client.revoke_invite("s", "i")
    assert len(door.sent) == 1
    door = Door(httpx.ConnectError("nobody there"), httpx.Response(200, json={"id": "i", "revoked": True}))
    assert door.client.revoke_invite("s", "i").revoked


def test_patience_ends() -> None:
    door = Door(*(broken() for _ in range(9)))
    with pytest.raises(Unreachable, match="No server answers at http://table") as unreachable:
        door.client.state("s")
    assert (unreachable.value.code, unreachable.value.status, len(door.sent)) == (
        "unreachable",
        0,
        HASTE.tries,
    )
    full = {"code": "too-many-feeds", "detail": "Close one", "limit": 4}
    door = Door(*(httpx.Response(429, json=full) for _ in range(9)))
    with pytest.raises(Problem) as refused:
        door.client.state("s")
    assert (refused.value.code, refused.value.fields) == ("too-many-feeds", {"limit": 4})


def test_a_server_says_how_long_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    later = httpx.Response(503, headers={"Retry-After": "7"})
    Door(later, httpx.Response(201, json=ACCEPTED)).client.act("s", "end_turn")
    dated = httpx.Response(503, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"})
    Door(dated, httpx.Response(201, json=ACCEPTED)).client.act("s", "end_turn")
    assert waited[0] == 7
    assert 0 < waited[1] <= HASTE.first


def test_pauses_grow_to_their_most_and_differ() -> None:
    patience = Patience(first=1.0, most=5.0)
    for failed, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (400, 5.0)):
        pauses = {patience.pause(failed) for _ in range(50)}
        assert all(longest / 2 <= pause <= longest for pause in pauses)
        assert len(pauses) > 1


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>It works!</html>"),
        httpx.Response(200, json={"hello": "world"}),
        httpx.Response(404, text="nothing here"),
        httpx.Response(403, json={"error": "forbidden"}),
    ],
)
def test_what_is_no_tabletape_server_is_said_so(answer: httpx.Response) -> None:
    with pytest.raises(Unreachable, match="is not a Tabletape server") as stranger:
        Door(answer).client.state("s")
    assert stranger.value.code == "not-a-server"


@pytest.mark.parametrize("url", ["nonsense", "http://[", "ftp://table"])
def test_what_is_no_address_is_said_so_at_once(url: str) -> None:
    with pytest.raises(Unreachable), Client(url) as client:
        client.rulesets()


def test_ids_are_never_taken_for_paths() -> None:
    door = Door(httpx.Response(404, json={"code": "unknown-session", "detail": "no"}))
    with pytest.raises(Problem):
        door.client.state("../feed?after=0#")
    assert door.sent[0].url.raw_path == b"/sessions/..%2Ffeed%3Fafter%3D0%23/state"


def test_the_token_is_in_no_message_and_no_address() -> None:
    door = Door(*(broken() for _ in range(4)))
    with pytest.raises(Unreachable) as unreachable:
        door.client.state("s")
    assert "tt_1" not in str(unreachable.value)
    assert all("tt_1" not in str(request.url) for request in door.sent)


# --- a line that breaks after the server acted --------------------------------------------------------------


def test_an_action_whose_answer_was_lost_twice_is_recorded_once(url: str, gm: Client, opened: Opened) -> None:
    before = gm.session(opened.id)
    with line_to(url, losing_answers(2)) as way, Client(way, opened.gm_token, patience=HASTE) as client:
        accepted = client.act(opened.id, "roll", count=3, purpose="luck")
    now = gm.session(opened.id)
    assert (accepted.action, now.action) == (before.action + 1, before.action + 1)
    assert gm.events(opened.id).events[-1] == accepted.events[-1]


def test_the_awaited_client_sends_again_too(url: str, gm: Client, opened: Opened) -> None:
    async def act(way: str) -> int:
        async with AsyncClient(way, opened.gm_token, patience=HASTE) as client:
            return (await client.act(opened.id, "roll", count=3, purpose="luck")).action

    with line_to(url, losing_answers(2)) as way:
        assert asyncio.run(act(way)) == gm.session(opened.id).action == 4


def test_only_what_was_given_is_sent() -> None:
    """An older server refuses fields it does not know; what was left out never troubles it."""
    said: list[Callable[[Client], object]] = [
        lambda client: client.act("s", "roll", count=1, purpose="luck", dice=[3]),
        lambda client: client.undo("s", 5, mode="rebase", dry_run=True, others=[{"action": 7}]),
    ]
    bodies = []
    for call in said:
        door = Door(httpx.Response(201, json=ACCEPTED))
        call(door.client)
        bodies.append((door.sent[0].url.path, json.loads(door.sent[0].content)))
    assert bodies == [
        ("/sessions/s/actions", {"command": {"type": "roll", "count": 1, "purpose": "luck"}, "dice": [3]}),
        (
            "/sessions/s/actions/5/undo",
            {"mode": "rebase", "dry_run": True, "with": [{"action": 7}]},
        ),
    ]
