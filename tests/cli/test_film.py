"""The frames of a replay at a terminal: any of them at any time, and memory for a few."""

import tracemalloc
from collections.abc import Iterator

from api.cli.player.film import Film
from projections.entries import Entry
from projections.replay import ReplayFrame

ACTIONS = 10_000
MOST_BYTES = 8 * 1024 * 1024


def frame(number: int) -> ReplayFrame:
    """An action with a table of two hundred pools."""
    entry = Entry(
        number=number, slot=number, type="roll", by=None, at="2026-12-01T19:00:00Z", line=f"Line {number} 嵐",
        events=(number, number),
    )  # fmt: skip
    state = {
        "characters": {f"c{each}": {"name": f"C {each}", "action": each + number} for each in range(200)}
    }
    return ReplayFrame(
        action=number, at=entry.at, line=entry.line, entry=entry, version=number, state=state, state_hash="x"
    )


def frames(count: int) -> Iterator[ReplayFrame]:
    return map(frame, range(count))


def test_every_frame_is_there_whichever_way_it_is_looked_at() -> None:
    film = Film(frames(50))
    assert (len(film), film.numbers) == (50, list(range(50)))
    assert [film[place] for place in (49, 0, 25, -1)] == [frame(number) for number in (49, 0, 25, 49)]
    assert film[10:13] == [frame(number) for number in (10, 11, 12)]
    assert list(film) == list(frames(50))
    film.close()


def test_a_session_of_ten_thousand_actions_takes_the_memory_of_a_few() -> None:
    tracemalloc.start()
    try:
        film = Film(frames(ACTIONS))
        for place in range(0, ACTIONS, 500):
            assert film[place].action == place
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (len(film), max(held, most) < MOST_BYTES) == (ACTIONS, True), (held, most)
    film.close()


def test_a_replay_without_frames_is_nothing_to_show() -> None:
    film = Film(iter(()))
    assert not film
    film.close()
