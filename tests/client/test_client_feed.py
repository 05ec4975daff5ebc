"""The feed of a real server, over lines that break and through restarts."""

import asyncio
import subprocess
import threading
from pathlib import Path

import pytest
from lines import ADMIN_KEY, breaking_anywhere, line_to
from server_process import environment, free_port, kill, said, start

from tabletape.client import AsyncClient, Client, Event, Opened, Patience, Problem

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
