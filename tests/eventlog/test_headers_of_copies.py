"""The first line of a copy: it says what the log below it says, or the copy does not verify."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from caravans import Caravan
from copies import ADA, an_evening, forged, saying
from dueling import Table

from eventlog.archive import export_lines, verify_copy
from eventlog.frames import shown
from eventlog.requests import ForkRequest
from eventlog.verification import Verification, verify
from rulesets.errors import RulesNotDecided
from rulesets.people import GM, OBSERVER, Viewer

ADMIN = Viewer(role="admin", name="keeper")


def copy_of(table: Table, viewer: Viewer = GM, **header: Any) -> list[bytes]:
    """A copy with some fields of its header changed."""
    first, *lines = export_lines(table.store, table.session, viewer)
    return [json.dumps({**json.loads(first), **header}).encode(), *lines]


def forged_copy(table: Table, change: Any, **header: Any) -> list[bytes]:
    """A copy of a log that somebody forged, its chain made anew, and the end its header names with it."""
    events = forged(table.store.envelopes(table.session), change)
    first, *_ = copy_of(table, version=len(events), head_hash=events[-1].hash.hex(), **header)
    return [first, *(msgspec.json.encode(shown(event, placed=False)) for event in events)]


def faulty(found: Verification) -> tuple[int, str]:
    assert found.first_fault is not None
    assert not found.ok
    return found.first_fault.seq, found.first_fault.field


@pytest.fixture
def evening(table: Table) -> Table:
    an_evening(table)
    return table


@pytest.mark.parametrize("viewer", [GM, ADMIN, ADA, OBSERVER], ids=lambda viewer: viewer.role)
def test_the_header_that_was_written_holds(evening: Table, viewer: Viewer) -> None:
    found = verify_copy(copy_of(evening, viewer))
    assert found.ok, found.first_fault
    assert found.undecided == (None if viewer in (GM, ADMIN) else "hidden")


@pytest.mark.parametrize(
    "name,value",
    [
        ("ruleset", "other-game"),
        ("ruleset", "anima-prime"),
        ("rules", 2),
        ("title", "At dusk"),
        ("log", "another"),
        ("copy", "redacted"),
        ("exported_for", {"role": "player", "name": "Ada"}),
        ("exported_for", {"role": "nobody"}),
    ],
)
def test_a_header_that_says_otherwise_than_the_log_is_found(evening: Table, name: str, value: Any) -> None:
    """Line 1, and the field of it; `copy` and whom it was made for only lie together."""
    seq, field = faulty(verify_copy(copy_of(evening, **{name: value})))
    assert (seq, field) == (0, "header.exported_for" if name == "copy" else f"header.{name}")


def test_a_copy_with_hidden_events_is_not_called_complete(evening: Table) -> None:
    assert faulty(verify_copy(copy_of(evening, OBSERVER, copy="complete"))) == (0, "header.copy")


@pytest.mark.parametrize(
    "reader", [{"role": "gm", "name": "gm"}, {"role": "observer"}, {"role": "player", "name": "Zoe"}]
)
def test_a_copy_that_shows_more_than_its_reader_sees_was_made_for_another(
    evening: Table, reader: dict[str, str]
) -> None:
    """The player's copy has a note that is for their eyes."""
    evening.act("note", text="mine", request={"issuer": ADA, "visible_to": "self"})
    assert faulty(verify_copy(copy_of(evening, ADA, exported_for=reader))) == (0, "header.exported_for")


def test_a_fork_has_the_title_of_its_own_event(evening: Table) -> None:
    evening.session = fork_of(evening)
    assert verify_copy(copy_of(evening)).ok
    assert verify(evening.store, evening.session).ok
    assert faulty(verify_copy(copy_of(evening, title="At dawn"))) == (0, "header.title")


def fork_of(table: Table) -> str:
    request = ForkRequest(parent=table.session, at=9, title="Another morning")
    return table.do(lambda: table.recorder.fork(request)).tape.session


@pytest.mark.parametrize("change", ["kind = 'sequel'", "at = 8", "parent = 'another'"])
def test_a_store_that_lists_a_fork_otherwise_than_its_log_is_found(tmp_path: Path, change: str) -> None:
    table = Table(tmp_path / "log.db")
    try:
        table.open()
        an_evening(table)
        table.session = fork_of(table)
        with sqlite3.connect(tmp_path / "log.db") as db:
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute(f"UPDATE forks SET {change}")  # noqa: S608 - one of those above
        db.close()
        assert faulty(verify(table.store, table.session))[1] == "forks"
    finally:
        table.close()


def test_a_lie_about_the_game_keeps_no_decision_from_being_checked(evening: Table) -> None:
    """The game is the one that the log names."""
    healed = saying(18, lambda said: said.update(amount=1))
    seq, field = faulty(verify_copy(forged_copy(evening, healed, ruleset="other-game")))
    assert (seq, field) == (18, "data.amount")


def test_a_hidden_opening_is_none(evening: Table) -> None:
    first, opening, *lines = copy_of(evening, OBSERVER)
    frame = json.loads(opening)
    digest = json.loads(next(line for line in lines if b'"digest"' in line))["digest"]
    hidden = json.dumps({"seq": 1, "digest": digest, "hash": frame["hash"]}).encode()
    assert faulty(verify_copy([first, hidden, *lines]))[0] == 1


# --- what cannot be checked here ----------------------------------------------------------------------------


def test_a_copy_of_a_game_that_is_not_here_says_that_nothing_was_decided_again(evening: Table) -> None:
    chess = saying(1, lambda said: said.update(ruleset="chess"))
    found = verify_copy(forged_copy(evening, chess, ruleset="chess"))
    assert (found.ok, found.undecided) == (True, "ruleset")


def test_newer_rules_are_no_forgotten_ones(evening: Table) -> None:
    """The log may well be whole; only a newer version can tell."""
    found = verify_copy(forged_copy(evening, saying(1, lambda said: said.update(rules=99)), rules=99))
    assert (found.ok, found.undecided) == (True, "rules")
    assert any("a newer version" in note for note in found.notes)


def test_rules_of_a_number_that_there_never_was_are_a_fault(evening: Table) -> None:
    none = saying(1, lambda said: said.update(rules=0))
    assert faulty(verify_copy(forged_copy(evening, none, rules=0))) == (1, "data.rules")


def test_a_session_by_forgotten_rules_says_so(evening: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgotten(slug: str, number: int) -> Any:
        raise RulesNotDecided(slug, number)

    monkeypatch.setattr("eventlog.verification.walking.rules_of", forgotten)
    found = verify(evening.store, evening.session)
    assert (found.ok, found.undecided) == (True, "rules")


def test_a_hidden_action_may_throw_dice_again_that_its_reader_saw() -> None:
    """What was asked is hidden from the player, and so is that its dice are those of an undone action."""
    caravan = Caravan()
    caravan.act(
        "add_character",
        id="ghost",
        side="adversity",
        kind="individual",
        action=6,
        defense=2,
        max_wounds=3,
        secret=True,
    )
    caravan.act("enter", character="ghost")
    caravan.act("adjust", character="zadie", changes={"strike": 3}, reason="so that she can strike")
    strike = {"actor": "zadie", "strike_dice": 2}
    first = caravan.act("strike", targets=["bull"], **strike).tape.action
    caravan.act("undo", target=first)
    caravan.act("strike", targets=["ghost"], **strike)
    nora = Viewer(role="player", name="Nora", characters=("zadie",))
    found = verify_copy(copy_of(caravan, nora))
    assert (found.ok, found.first_fault) == (True, None)
    caravan.holds()
    caravan.close()
