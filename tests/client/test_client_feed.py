"""The feed of a real server, over lines that break and through restarts."""

import asyncio
import subprocess
import threading
from pathlib import Path

import httpx
import pytest
from lines import ADMIN_KEY, HASTE, breaking_anywhere, line_to
from server_process import environment, free_port, kill, said, start

from tabletape.client import AsyncClient, Client, Event, Opened, Patience, Problem, Unreachable

SECONDS = 60
PATIENT = Patience(tries=200, first=0.02, most=0.2)


def everything(gm: Client, session: str) -> list[int]:
    return [event.seq for event in gm.events(session, limit=500).events]


def test_everything_from_the_beginning_to_the_close(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "roll", count=2, purpose="luck")
    gm.close(opened.id)
    feed = gm.feed(opened.id, after=0)
    assert list(feed) == list(gm.events(opened.id).events)
    assert list(gm.feed(opened.id, after=feed.cursor)) == []


def test_what_happens_from_now_on_and_after_a_saved_cursor(gm: Client, opened: Opened) -> None:
    first = gm.feed(opened.id)
    heard: list[Event] = []
    listening = threading.Thread(target=lambda: heard.append(next(first)))
    listening.start()
    while first.cursor is None:
        listening.join(0.01)
    noted = gm.note(opened.id, "now")
    listening.join(SECONDS)
    assert heard == [noted.events[0]]
    saved = first.cursor
    first.stop()
    gm.note(opened.id, "later")
    gm.close(opened.id)
    later = list(gm.with_token(opened.gm_token).feed(opened.id, after=saved))
    assert [event.seq for event in later] == everything(gm, opened.id)[noted.events[0].seq :]


def test_a_reader_hears_what_they_may_see_and_goes_on_past_the_rest(gm: Client, opened: Opened) -> None:
    watcher = gm.with_token(gm.invite(opened.id, "observer", "Watcher").token)
    hidden = gm.note(opened.id, "the canary", visible_to="gm").version
    shown = gm.note(opened.id, "for all").version
    gm.act(opened.id, "close")
    heard = list(watcher.feed(opened.id, after=7))
    assert shown in [event.seq for event in heard]
    assert hidden not in [event.seq for event in heard]
    assert all(event.type for event in heard)


def test_only_the_types_asked_for(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "roll", count=2, purpose="luck")
    gm.note(opened.id, "well")
    gm.close(opened.id)
    wanted = ("core.dice-rolled", "core.note-added")
    assert [event.type for event in gm.feed(opened.id, after=0, types=wanted)] == list(wanted)


def test_a_cursor_of_another_log_is_refused_with_where_this_one_ends(gm: Client, opened: Opened) -> None:
    with pytest.raises(Problem) as refused:
        next(gm.feed(opened.id, after="3.00000000"))
    assert (refused.value.code, refused.value.status) == ("cursor-unknown", 410)
    assert refused.value.fields["head"].startswith("7.")


def test_a_token_of_another_session_hears_nothing(admin: Client, gm: Client, opened: Opened) -> None:
    """A place in one log is no way into another (agentfront/frontmcp#529)."""
    other = admin.open_session("duel", "Elsewhere")
    with pytest.raises(Problem, match="not-identified"):
        next(gm.with_token(other.gm_token).feed(opened.id, after=0))


@pytest.mark.parametrize("seed", range(6))
def test_over_a_line_that_breaks_anywhere_every_event_comes_once(
    url: str, gm: Client, opened: Opened, seed: int
) -> None:
    for number in range(30):
        gm.note(opened.id, f"{number}\u2028嵐")
    gm.close(opened.id)
    with (
        line_to(url, breaking_anywhere(8, seed)) as way,
        Client(way, opened.gm_token, patience=PATIENT) as client,
    ):
        heard = [event.seq for event in client.feed(opened.id, after=0)]
    assert heard == everything(gm, opened.id)


def test_through_restarts_of_the_server_every_event_comes_once(tmp_path: Path) -> None:
    """Killed and started again three times while somebody acts and two listen."""
    port, env = free_port(), environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)

    def begin() -> subprocess.Popen[bytes]:
        server = start("--db", tmp_path / "a.db", "--port", port, env=env)
        said(server)
        return server

    async def listen(client: AsyncClient, session: str) -> list[int]:
        return [event.seq async for event in client.feed(session, after=0)]

    async def evening() -> tuple[list[int], list[int], list[int]]:
        server = await asyncio.to_thread(begin)
        url = f"http://127.0.0.1:{port}"
        try:
            async with AsyncClient(url, ADMIN_KEY, patience=PATIENT) as admin:
                opened = await admin.open_session("duel", "Restarts")
                gm = admin.with_token(opened.gm_token)
                listening = [asyncio.create_task(listen(gm, opened.id)) for _ in range(2)]
                for number in range(60):
                    if number % 20 == 10:
                        await asyncio.to_thread(kill, server)
                        beginning = asyncio.create_task(asyncio.to_thread(begin))
                        await gm.note(opened.id, f"{number} while it is down")
                        server = await beginning
                    await gm.note(opened.id, str(number))
                await gm.close(opened.id)
                heard = await asyncio.wait_for(asyncio.gather(*listening), SECONDS)
                page = await gm.events(opened.id, limit=500)
                return heard[0], heard[1], [event.seq for event in page.events]
        finally:
            await asyncio.to_thread(kill, server)

    first, second, stored = asyncio.run(evening())
    assert first == second == stored
    assert len(stored) == 1 + 2 * 63 + 2


# --- narrower, as tables, of all sessions, and again -----------------------------------------------------------


def test_only_what_names_a_character_or_belongs_to_an_action(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "roll", count=2, purpose="luck")
    gm.close(opened.id)
    everything = list(gm.feed(opened.id, after=0))
    of_ada = list(gm.feed(opened.id, after=0, character="ada"))
    assert 0 < len(of_ada) < len(everything)
    assert of_ada == [event for event in everything if '"ada"' in str(event.data).replace("'", '"')]
    of_two = list(gm.feed(opened.id, after=0, action=2))
    assert of_two == [event for event in everything if event.action == 2]
    both = gm.feed(opened.id, after=0, action=2, types=["core.action-taken"])
    assert [(event.action, event.type) for event in both] == [(2, "core.action-taken")]


def test_a_type_the_game_does_not_have_is_refused_at_once(gm: Client, opened: Opened) -> None:
    with pytest.raises(Problem) as refused:
        next(gm.feed(opened.id, types=["core.dice-roled"]))
    assert refused.value.code == "malformed-parameter"
    assert "core.dice-rolled" in refused.value.fields["known"]


def test_the_table_is_followed_from_where_it_stands(gm: Client, opened: Opened) -> None:
    feed = gm.tables(opened.id)
    assert next(feed) == gm.state(opened.id)
    gm.act(opened.id, "attack", attacker="ada", target="ben")
    assert next(feed) == gm.state(opened.id)
    saved = feed.cursor
    feed.stop()
    gm.note(opened.id, "well")
    gm.close(opened.id)
    tables = list(gm.tables(opened.id, after=saved))
    assert tables[-1] == gm.state(opened.id)
    assert [table.at for table in tables] == [4, 5, 6]
    assert list(gm.tables(opened.id, after=0)) == [gm.state(opened.id, at=at) for at in range(7)]


@pytest.mark.parametrize("seed", range(4))
def test_over_a_line_that_breaks_anywhere_every_table_comes_once(
    url: str, gm: Client, opened: Opened, seed: int
) -> None:
    for _ in range(15):
        gm.act(opened.id, "end_turn")
    gm.close(opened.id)
    with (
        line_to(url, breaking_anywhere(8, seed)) as way,
        Client(way, opened.gm_token, patience=PATIENT) as client,
    ):
        tables = list(client.tables(opened.id, after=0))
    assert tables == [gm.state(opened.id, at=at) for at in range(3 + 15 + 2)]


def test_a_tool_of_the_server_hears_all_sessions(admin: Client, gm: Client, opened: Opened) -> None:
    other = admin.open_session("duel", "Elsewhere")
    feed = admin.feed_of_all()
    hearing = threading.Thread(target=lambda: heard.extend(next(feed) for _ in range(4)))
    heard: list[Event] = []
    hearing.start()
    while feed.cursor is None:
        hearing.join(0.01)
    gm.note(opened.id, "here")
    admin.with_token(other.gm_token).note(other.id, "there")
    hearing.join(SECONDS)
    assert [event.session for event in heard] == [opened.id] * 2 + [other.id] * 2
    saved = feed.cursor
    feed.stop()
    gm.note(opened.id, "later")
    assert next(admin.feed_of_all(after=saved, types=["core.note-added"])).data == {"text": "later"}
    assert next(admin.feed_of_all(after=heard[0].position)) == heard[1]


def test_a_session_is_told_again_action_by_action(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "attack", attacker="ada", target="ben")
    gm.undo(opened.id)
    frames = list(gm.replay(opened.id))
    assert [frame.action for frame in frames] == list(range(6))
    assert [frame.line for frame in frames] == [
        gm.action(opened.id, number).line if number != 4 else frames[4].line for number in range(6)
    ]
    assert [frame.state for frame in frames] == [gm.state(opened.id, at=at).state for at in range(6)]
    assert [frame.action for frame in gm.replay(opened.id, corrected=True)] == [0, 1, 2, 3]
    assert [frame.action for frame in gm.replay(opened.id, first=2, last=3, speed=100)] == [2, 3]
    with pytest.raises(Problem, match="unknown-action"):
        next(gm.replay(opened.id, first=99))


@pytest.mark.parametrize("seed", range(4))
def test_over_a_line_that_breaks_anywhere_every_frame_of_a_replay_comes_once(
    url: str, gm: Client, opened: Opened, seed: int
) -> None:
    for number in range(12):
        gm.note(opened.id, f"{number}\u2028嵐")
    with (
        line_to(url, breaking_anywhere(8, seed)) as way,
        Client(way, opened.gm_token, patience=PATIENT) as client,
    ):
        frames = list(client.replay(opened.id))
    assert frames == list(gm.replay(opened.id))
    assert [frame.action for frame in frames] == list(range(16))


def test_all_of_it_can_be_awaited(url: str, gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "attack", attacker="ada", target="ben")
    gm.close(opened.id)

    async def follow() -> tuple[list[Event], list[int], list[int]]:
        async with AsyncClient(url, opened.gm_token) as client:
            narrow = client.feed(opened.id, after=0, character="ada", action=4)
            return (
                [event async for event in narrow],
                [table.at async for table in client.tables(opened.id, after=0)],
                [frame.action async for frame in client.replay(opened.id, first=1)],
            )

    events, tables, frames = asyncio.run(follow())
    assert events == list(gm.feed(opened.id, after=0, character="ada", action=4)) != []
    assert (tables, frames) == ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5])


@pytest.mark.parametrize("reason,code", [("broken", "log-error"), ("removed", "session-removed")])
def test_a_replay_that_breaks_off_says_so(reason: str, code: str) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        end = f'event: end\nid: end\ndata: {{"frames":0,"reason":"{reason}"}}\n\n'.encode()
        return httpx.Response(200, content=b": the table waits\n\n" + end)

    with (
        Client("http://table", "tt_1", transport=httpx.MockTransport(answer)) as client,
        pytest.raises(Problem, match=code),
    ):
        next(client.replay("s"))


def test_a_replay_whose_server_stays_away_is_given_up() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody there", request=request)

    with (
        Client("http://table", patience=HASTE, transport=httpx.MockTransport(answer)) as client,
        pytest.raises(Unreachable),
    ):
        next(client.replay("s"))


# --- many, and stopped ----------------------------------------------------------------------------------------


def test_a_feed_is_stopped_from_another_thread(gm: Client, opened: Opened) -> None:
    feed = gm.feed(opened.id, after=0)
    heard: list[int] = []
    listening = threading.Thread(target=lambda: heard.extend(event.seq for event in feed), daemon=True)
    listening.start()
    while len(heard) < 7:
        listening.join(0.01)
    feed.stop()
    listening.join(SECONDS)
    assert not listening.is_alive()
    assert heard == list(range(1, 8))
    assert list(feed) == []
    assert gm.note(opened.id, "the client works on").version == 9


def test_a_feed_that_waits_to_come_back_is_stopped_too() -> None:
    """Its server is away, and it would wait for an hour."""
    line = b'{"frame":"head","cursor":"1.00000001"}\n{"frame":"bye","cursor":"1.00000001","reason":"stopping","retry":3600000}\n'
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=line))
    with Client("http://table", transport=transport) as client:
        feed = client.feed("s", after=0)
        listening = threading.Thread(target=lambda: list(feed), daemon=True)
        listening.start()
        while feed.cursor == "0":
            listening.join(0.01)
        feed.stop()
        listening.join(SECONDS)
        assert not listening.is_alive()


def test_many_feeds_leave_room_for_calls(url: str, gm: Client, opened: Opened) -> None:
    """More than the hundred connections an HTTP client opens when nobody asks it for more."""

    async def evening() -> list[int]:
        async with AsyncClient(url, opened.gm_token) as client:
            feeds = [client.feed(opened.id, after=6) for _ in range(120)]
            first = await asyncio.wait_for(asyncio.gather(*map(anext, feeds)), SECONDS)
            noted = await asyncio.wait_for(client.note(opened.id, "heard by all"), SECONDS)
            then = await asyncio.wait_for(asyncio.gather(*map(anext, feeds)), SECONDS)
            for feed in feeds:
                await feed.stop()
            assert noted.version == 9
            return sorted({event.seq for event in (*first, *then)})

    assert asyncio.run(evening()) == [7, 8]
