"""A feed from one connection to the next: every event once and in order, and the cursor to come back with."""

import asyncio
import gc
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from lines import HASTE

from tabletape.client import AsyncClient, AsyncFeed, Client, Event, Feed, Problem, Unreachable


def cursor(seq: int) -> str:
    return f"{seq}.{seq:08x}"


def frame(kind: str, at: int, **more: Any) -> bytes:
    return json.dumps({"frame": kind, "cursor": cursor(at), **more}, ensure_ascii=False).encode() + b"\n"


def head(seq: int) -> bytes:
    return frame("head", seq, session="s", after=cursor(seq), head=cursor(99))


def event(seq: int, text: str = "") -> bytes:
    hashed = f"{seq:08x}".ljust(64, "0")
    return frame("event", seq, seq=seq, hash=hashed, session="s", type="core.note-added", data={"text": text})


def beat(seq: int) -> bytes:
    return frame("heartbeat", seq)


def closed(seq: int) -> bytes:
    return frame("closed", seq, session="s", version=seq)


def bye(seq: int, reason: str, retry: int | None = None) -> bytes:
    return frame("bye", seq, reason=reason, retry=retry)


BREAK = httpx.ReadError("the line broke")


class Line(httpx.SyncByteStream, httpx.AsyncByteStream):
    """One connection: parts that come over it, and perhaps a break at its end."""

    def __init__(self, *parts: bytes | Exception) -> None:
        self.parts = parts
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[bytes]:
        for part in self.parts:
            if isinstance(part, Exception):
                raise part
            yield part

    async def __aiter__(self) -> Any:
        for part in self:
            yield part


class Hall:
    """A server that takes one connection after the other, and remembers where each began."""

    def __init__(self, *lines: Line | httpx.Response | Exception) -> None:
        self.lines = list(lines)
        self.after: list[str | None] = []
        self.asked: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        self.after.append(request.url.params.get("after"))
        line = self.lines.pop(0)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Line):
            return httpx.Response(200, stream=line)
        return httpx.Response(line.status_code, content=line.content)

    def feed(self, after: str | int | None = 0, **more: Any) -> Feed[Event]:
        transport = httpx.MockTransport(self.answer)
        client = Client("http://table", "tt_1", patience=HASTE, transport=transport)
        return client.feed("s", after=after, **more)

    async def awaited(self, read: Callable[[AsyncFeed[Event]], Any]) -> Any:
        transport = httpx.MockTransport(self.answer)
        async with AsyncClient("http://table", "tt_1", patience=HASTE, transport=transport) as client:
            return await read(client.feed("s", after=0))


def seqs(feed: Feed[Event]) -> list[int]:
    return [event.seq for event in feed]


async def awaited_seqs(feed: AsyncFeed[Event]) -> list[int]:
    return [event.seq async for event in feed]


LINES: dict[str, list[Line | httpx.Response | Exception]] = {
    "whole": [Line(head(0), event(1), event(2), event(3), closed(3))],
    "broken between events": [Line(head(0), event(1), BREAK), Line(head(1), event(2), event(3), closed(3))],
    "broken within an event": [
        Line(head(0), event(1), event(2)[:30], BREAK),
        Line(head(1), event(2), event(3), closed(3)),
    ],
    "broken before any event came": [
        Line(head(0), event(1), BREAK),
        Line(head(1), BREAK),
        Line(BREAK),
        Line(head(1), event(2), event(3), closed(3)),
    ],
    "sent again by the server": [
        Line(head(0), event(1), event(2), BREAK),
        Line(head(0), event(1), event(2), event(3), closed(3)),
    ],
    "hung up in good order": [Line(head(0), event(1)), Line(head(1), event(2), event(3), closed(3))],
    "server restarted": [
        Line(head(0), event(1), bye(1, "stopping", retry=10)),
        httpx.ConnectError("nobody there"),
        httpx.Response(503, json={"code": "stopping", "detail": "later"}),
        Line(head(1), event(2), event(3), closed(3)),
    ],
    "too many feeds for a while": [
        Line(head(0), event(1), BREAK),
        httpx.Response(429, json={"code": "too-many-feeds", "detail": "Close one", "limit": 2}),
        Line(head(1), event(2), event(3), closed(3)),
    ],
    "in single bytes": [Line(*(bytes([each]) for each in head(0) + event(1) + event(2) + event(3) + closed(3)))],
    "all at once": [Line(head(0) + event(1) + event(2) + event(3) + closed(3))],
    "with beats between": [Line(head(0), beat(0), event(1), b"\n", beat(1), event(2), event(3), beat(3), closed(3))],
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_every_event_comes_once_and_in_order(name: str) -> None:
    """An overlay that lost the line shows every roll once (IS2511/ChatIS#27)."""
    assert seqs(Hall(*LINES[name]).feed()) == [1, 2, 3]


@pytest.mark.parametrize("name", LINES)
def test_every_event_comes_once_and_in_order_when_awaited(name: str) -> None:
    assert asyncio.run(Hall(*LINES[name]).awaited(awaited_seqs)) == [1, 2, 3]


def test_it_comes_back_to_the_last_event_it_gave_out() -> None:
    hall = Hall(Line(head(4), event(5), event(6), BREAK), Line(head(6), closed(6)))
    assert seqs(hall.feed(cursor(4))) == [5, 6]
    assert hall.after == [cursor(4), cursor(6)]


def test_a_line_that_breaks_before_any_event_forgets_nothing() -> None:
    """Resumed at 10, cut before any frame, resumed at 10 again (modelcontextprotocol/typescript-sdk#2809)."""
    hall = Hall(Line(BREAK), Line(head(10), BREAK), Line(head(10), event(11), closed(11)))
    assert seqs(hall.feed(cursor(10))) == [11]
    assert hall.after == [cursor(10)] * 3


def test_a_reader_from_now_on_keeps_the_place_the_first_frame_named() -> None:
    hall = Hall(Line(head(7), BREAK), Line(head(7), event(8), closed(8)))
    assert seqs(hall.feed(None)) == [8]
    assert hall.after == [None, cursor(7)]


def test_a_beat_moves_a_reader_on_past_what_is_not_for_them() -> None:
    hall = Hall(Line(head(0), event(1), beat(9), BREAK), Line(head(9), event(10), closed(10)))
    assert seqs(hall.feed()) == [1, 10]
    assert hall.after == ["0", cursor(9)]


def test_the_cursor_is_the_one_of_the_event_at_hand_until_the_next_is_asked_for() -> None:
    """So a program that saves it after its work misses nothing when it falls over in between."""
    feed = Hall(Line(head(0) + event(1) + event(2) + beat(5) + closed(5))).feed()
    assert feed.cursor == "0"
    for seq in (1, 2):
        found = next(feed)
        assert (found.seq, found.cursor, feed.cursor) == (seq, cursor(seq), cursor(seq))
    assert list(feed) == []
    assert feed.cursor == cursor(5)


@pytest.mark.parametrize("text", ["two\u2028lines", "next\x85line", "嵐 \U0001f3b2", "a\\nb"])
def test_somebodys_words_never_cut_a_frame(text: str) -> None:
    (found,) = Hall(Line(head(0), event(1, text), closed(1))).feed()
    assert found.data == {"text": text}


def test_what_is_asked_for_is_lines_with_the_token_in_its_header() -> None:
    hall = Hall(Line(head(0), closed(0)))
    assert seqs(hall.feed(types=("core.note-added", "duel.hit"))) == []
    (asked,) = hall.asked
    assert asked.url.path == "/sessions/s/feed"
    assert asked.url.params["types"] == "core.note-added,duel.hit"
    assert (asked.headers["accept"], asked.headers["authorization"]) == (
        "application/x-ndjson",
        "Bearer tt_1",
    )


# --- the end ------------------------------------------------------------------------------------------------


def test_a_session_that_is_over_ends_the_feed() -> None:
    hall = Hall(Line(head(0), event(1), closed(1)))
    assert seqs(hall.feed()) == [1]
    assert len(hall.asked) == 1


@pytest.mark.parametrize("reason,code", [("removed", "session-removed"), ("broken", "log-error")])
def test_a_feed_that_cannot_go_on_says_why_and_asks_no_more(reason: str, code: str) -> None:
    hall = Hall(Line(head(0), event(1), bye(1, reason)))
    feed = hall.feed()
    assert next(feed).seq == 1
    with pytest.raises(Problem) as broken_off:
        next(feed)
    assert (broken_off.value.code, len(hall.asked)) == (code, 1)


@pytest.mark.parametrize("reason,code", [("removed", "session-removed"), ("broken", "log-error")])
def test_an_awaited_feed_and_tables_that_cannot_go_on_say_why(reason: str, code: str) -> None:
    with pytest.raises(Problem, match=code):
        asyncio.run(Hall(Line(head(0), event(1), bye(1, reason))).awaited(awaited_seqs))
    hall = Hall(Line(bye(0, reason)))
    with (
        Client("http://table", "tt_1", transport=httpx.MockTransport(hall.answer)) as client,
        pytest.raises(Problem, match=code),
    ):
        list(client.tables("s"))


def test_a_closed_session_that_was_read_to_its_end_has_nothing_more() -> None:
    assert seqs(Hall(httpx.Response(204)).feed(cursor(9))) == []


@pytest.mark.parametrize(
    "status,code",
    [(401, "not-identified"), (410, "cursor-unknown"), (404, "unknown-session"), (500, "server-error")],
)
def test_what_will_not_do_is_said_and_not_tried_again(status: int, code: str) -> None:
    """A cursor of another log is an error with the head, never silence."""
    refusal = httpx.Response(status, json={"code": code, "detail": "no", "head": "9.00000009"})
    hall = Hall(refusal)
    with pytest.raises(Problem, match=code) as refused:
        seqs(hall.feed(cursor(4)))
    assert refused.value.fields == {"head": "9.00000009"}
    assert len(hall.asked) == 1


def test_a_token_that_was_taken_away_ends_the_feed_with_that_refusal() -> None:
    gone = httpx.Response(401, json={"code": "not-identified", "detail": "Send the token"})
    hall = Hall(Line(head(0), event(1), bye(1, "revoked")), gone)
    feed = hall.feed()
    assert next(feed).seq == 1
    with pytest.raises(Problem, match="not-identified"):
        next(feed)


def test_a_server_that_never_answered_is_not_waited_for_for_ever() -> None:
    hall = Hall(*(httpx.ConnectError("nobody there") for _ in range(HASTE.tries)))
    with pytest.raises(Unreachable):
        seqs(hall.feed())
    assert len(hall.asked) == HASTE.tries


def test_a_server_that_answered_once_is_waited_for() -> None:
    gone = [httpx.ConnectError("nobody there") for _ in range(HASTE.tries * 3)]
    assert seqs(Hall(Line(head(0), event(1), BREAK), *gone, Line(head(1), event(2), closed(2))).feed()) == [
        1,
        2,
    ]


def test_what_is_no_feed_is_said_so() -> None:
    with pytest.raises(Unreachable, match="is not a Tabletape server"):
        seqs(Hall(Line(b"<html>\n")).feed())


def test_a_server_that_hangs_up_at_once_is_not_asked_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hangs up at once is left alone longer each time."""
    waited: list[float] = []
    monkeypatch.setattr("threading.Event.wait", lambda _, seconds: waited.append(seconds))
    broken = [Line(head(0), bye(0, "stopping")) for _ in range(6)]
    assert seqs(Hall(*broken, Line(head(0), closed(0))).feed()) == []
    assert waited[5] >= HASTE.most / 2 > HASTE.first


def test_a_server_says_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("threading.Event.wait", lambda _, seconds: waited.append(seconds))
    hall = Hall(Line(head(0), bye(0, "stopping", retry=2500)), Line(head(0), closed(0)))
    assert seqs(hall.feed()) == []
    assert waited == [2.5]


def test_a_feed_can_be_stopped() -> None:
    feed = Hall(Line(head(0), event(1), event(2), event(3))).feed()
    assert next(feed).seq == 1
    feed.stop()
    assert list(feed) == []
    assert feed.cursor == cursor(1)


def test_a_feed_that_is_let_go_of_hangs_up_at_once() -> None:
    """Not when the garbage is collected, which may be in the middle of another request of the same client."""
    line = Line(head(0), event(1), event(2))
    gc.disable()
    try:
        for told in Hall(line).feed():
            assert told.seq == 1
            break
        assert line.closed
    finally:
        gc.enable()


def test_an_awaited_feed_can_be_stopped() -> None:
    async def read(feed: AsyncFeed[Event]) -> tuple[list[int], str | None]:
        first = await anext(feed)
        await feed.stop()
        return [first.seq, *[event.seq async for event in feed]], feed.cursor

    assert asyncio.run(Hall(Line(head(0), event(1), event(2))).awaited(read)) == ([1], cursor(1))


class Silence(httpx.AsyncByteStream):
    """A line on which something is said, and then nothing for a long time."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = parts

    async def __aiter__(self) -> Any:
        for part in self.parts:
            yield part
        await asyncio.sleep(3600)


def test_who_stops_waiting_for_the_next_event_goes_on_where_they_were() -> None:
    async def read() -> tuple[list[int], list[str | None]]:
        last = Line(head(5), event(6) + closed(6))
        lines: list[Any] = [Silence(head(4), event(5)), Silence(head(5)), last]
        after: list[str | None] = []

        async def answer(request: httpx.Request) -> httpx.Response:
            after.append(request.url.params.get("after"))
            return httpx.Response(200, stream=lines.pop(0))

        transport = httpx.MockTransport(answer)
        async with AsyncClient("http://table", "tt_1", patience=HASTE, transport=transport) as client:
            feed = client.feed("s", after=cursor(4))
            heard = [(await anext(feed)).seq]
            for _ in range(2):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(feed), 0.05)
            return heard + [each.seq async for each in feed], after

    assert asyncio.run(read()) == ([5, 6], [cursor(4), cursor(5), cursor(5)])


def test_an_awaited_feed_is_stopped_while_somebody_waits_for_it() -> None:
    async def read() -> list[int]:
        async def answer(_: httpx.Request) -> httpx.Response:
            return httpx.Response(200, stream=Silence(head(0), event(1)))

        transport = httpx.MockTransport(answer)
        async with AsyncClient("http://table", "tt_1", transport=transport) as client:
            feed = client.feed("s", after=0)
            heard = [(await anext(feed)).seq]

            async def listen() -> None:
                heard.extend([each.seq async for each in feed])

            listening = asyncio.create_task(listen())
            await asyncio.sleep(0.05)
            await feed.stop()
            await feed.stop()
            await asyncio.wait_for(listening, 5)
            return heard

    assert asyncio.run(read()) == [1]


def test_a_pool_that_is_exhausted_is_not_called_a_server_that_does_not_answer() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.PoolTimeout("", request=request)

    with (
        Client("http://table", patience=HASTE, transport=httpx.MockTransport(answer)) as client,
        pytest.raises(Unreachable, match="all connections this program may open are in use"),
    ):
        client.note("s", "well")
