"""The log as pages of events: numbered, for each reader what they may see, with cursors that fit one log."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from sitting import ADA, BEN, Sitting, written

from eventlog import sealing
from eventlog.errors import CursorUnknown, SessionUnknown
from projections.events import event_frames, event_page, parse_cursor
from rulesets.people import GM, OBSERVER, Viewer


def page_of(sitting: Sitting, viewer: Viewer = GM, **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(written(event_page(sitting.store, sitting.session, viewer, **fields)))
    return found


def test_an_event_is_shown_whole_to_those_who_may_see_it(duel: Sitting) -> None:
    recorded = duel.act("end_turn", request={"text": "quickly"})
    frame = json.loads(written(event_frames(recorded.events[2:3], BEN)[0]))
    event = recorded.events[2]
    assert frame == {
        "seq": event.seq, "position": event.position, "session": duel.session, "action": 4, "slot": 4,
        "revision": 1, "type": "duel.turn-ended", "v": 1, "at": event.at, "by": {"role": "gm", "name": "gm"},
        "audience": ["everyone"], "data": {"next": "ben", "round": 1},
        "salt": (event.salt or b"").hex(), "hash": event.hash.hex(),
    }  # fmt: skip


def test_an_event_whose_words_were_removed_says_so(duel: Sitting) -> None:
    note = duel.act("note", text="a real name").events[1]
    duel.act("redact", seq=note.seq)
    (frame,) = page_of(duel, BEN, after=note.seq - 1, limit=1)["events"]
    assert (frame["data"], frame["redacted"], frame["type"]) == (None, True, "core.note-added")
    assert "salt" not in frame
    assert len(frame["digest"]) == 64
    assert frame["hash"] == note.hash.hex()


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_have_no_gap_and_nothing_twice(duel: Sitting, limit: int) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    for viewer in (GM, OBSERVER):
        after, seen = 0, []
        while page := page_of(duel, viewer, after=after, limit=limit)["events"]:
            seen += [frame["seq"] for frame in page]
            after = page[-1]["seq"]
        assert seen == list(range(1, duel.tape.version + 1))


def test_everybody_can_follow_the_chain(duel: Sitting) -> None:
    """What a reader is shown leads to the hash everybody was given, worked out with nothing but the recipe."""
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    removed = duel.act("note", text="a real näme").events[1]
    duel.act("redact", seq=removed.seq)
    for viewer in (GM, OBSERVER):
        hashed = sha256(duel.session.encode()).digest()
        for frame in page_of(duel, viewer)["events"]:
            digested = bytes.fromhex(frame["digest"]) if "digest" in frame else digest_of(frame)
            hashed = sha256(hashed + frame["seq"].to_bytes(8, "big") + digested).digest()
            assert hashed.hex() == frame["hash"]
        assert hashed == duel.store.head(duel.session).hash


def digest_of(frame: dict[str, Any]) -> bytes:
    names = ("action", "at", "audience", "by", "data", "revision", "slot", "type", "v")
    document = {name: frame[name] for name in names}
    spelled = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(bytes.fromhex(frame["salt"]) + spelled.encode()).digest()


def test_an_old_page_never_changes(duel: Sitting) -> None:
    before = page_of(duel, after=2, limit=3)
    for _ in range(5):
        duel.act("end_turn")
    after = page_of(duel, after=2, limit=3)
    assert (after["events"], after["next"]) == (before["events"], before["next"])
    assert after["version"] == duel.tape.version


def test_the_cursor_names_the_last_event_read(duel: Sitting) -> None:
    page = page_of(duel, limit=3)
    assert page["next"] == f"3.{page['events'][-1]['hash'][:8]}"
    assert parse_cursor(duel.store, duel.session, page["next"]) == 3
    head = duel.store.head(duel.session)
    assert page_of(duel)["next"] == f"{head.version}.{head.hash.hex()[:8]}"
    end = page_of(duel, after=head.version)
    assert (end["events"], end["next"]) == ([], f"{head.version}.{head.hash.hex()[:8]}")


def test_a_reader_of_some_types_moves_on_over_the_others(duel: Sitting) -> None:
    page = page_of(duel, limit=3, types=["duel.duel-begun"])
    assert page["events"] == []
    assert page["next"].startswith("3.")
    page = page_of(duel, types=["duel.duel-begun", "core.session-opened"])
    assert [frame["type"] for frame in page["events"]] == ["core.session-opened", "duel.duel-begun"]


def test_a_reader_of_some_types_learns_nothing_of_hidden_ones(duel: Sitting) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    assert len(page_of(duel, GM, types=["duel.duellist-added"])["events"]) == 3
    assert len(page_of(duel, ADA, types=["duel.duellist-added"])["events"]) == 2


@pytest.mark.parametrize("text", ["0", "3", "7"])
def test_a_bare_number_is_taken_too(duel: Sitting, text: str) -> None:
    assert parse_cursor(duel.store, duel.session, text) == int(text)


@pytest.mark.parametrize(
    "text",
    ["", "8", "99.00000000", "3.00000000", "0.00000000", "3.9f86", "-1", "03", "3.", "x", "3.ABCDEF01",
     "٣", "1" * 30, "3 ", "3\n", " 3"],
)  # fmt: skip
def test_a_cursor_that_does_not_fit_this_log_is_refused_with_the_head(duel: Sitting, text: str) -> None:
    with pytest.raises(CursorUnknown) as caught:
        parse_cursor(duel.store, duel.session, text)
    head = duel.store.head(duel.session)
    assert caught.value.fields == {"head": f"{head.version}.{head.hash.hex()[:8]}"}


def test_a_cursor_of_another_log_does_not_fit(duel: Sitting) -> None:
    cursor = page_of(duel, limit=3)["next"]
    other = Sitting()
    other.duellists()
    with pytest.raises(CursorUnknown):
        parse_cursor(other.store, other.session, cursor)
    other.close()


def test_an_unknown_session_has_no_pages(duel: Sitting) -> None:
    with pytest.raises(SessionUnknown):
        event_page(duel.store, "nowhere", GM)


def test_a_clock_set_back_keeps_the_order(duel: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order is by number, whatever the clocks say; pages two at a time miss nothing (ShieldBattery#139)."""

    class Clock(datetime):
        moves = iter([300, -3, 0, -13, -600])

        @classmethod
        def now(cls, _: Any = None) -> datetime:
            return datetime(2026, 12, 1, 19, 0, tzinfo=UTC) + timedelta(minutes=next(cls.moves))

    monkeypatch.setattr(sealing, "datetime", Clock)
    for text in ("one", "two", "three", "four", "five"):
        duel.act("note", text=text, by=ADA)
    monkeypatch.undo()
    frames, after = [], 7
    while page := page_of(duel, after=after, limit=2)["events"]:
        frames += page
        after = page[-1]["seq"]
    words = [frame["data"]["text"] for frame in frames if frame["type"] == "core.note-added"]
    assert words == ["one", "two", "three", "four", "five"]
    assert [frame["at"] for frame in frames] == sorted(frame["at"] for frame in frames)
