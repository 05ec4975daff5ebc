"""Who sees what: every read model passes through the one filter, and hidden things are in none of them."""

from typing import Any

import pytest
from sitting import ADA, BEN, EVERYBODY, Sitting, written

from eventlog.archive import export_lines
from eventlog.frames import EventFrame
from projections.events import event_page
from projections.statistics import statistics
from projections.table import choices_for, state_document
from projections.timeline import timeline
from rulesets.people import GM, OBSERVER, Viewer

ADMIN = Viewer(role="admin", name="keeper")
TOOL = Viewer(role="tool", name="overlay")


def everything(sitting: Sitting, viewer: Viewer) -> str:
    """All that the read models show this person, in one text."""
    store, session = sitting.store, sitting.session
    return "".join(
        (
            written(state_document(sitting.tape, viewer)),
            written(choices_for(sitting.tape, viewer)),
            written(event_page(store, session, viewer, limit=1000)),
            written(timeline(store, session, viewer, limit=1000)),
            written(statistics(store, session, viewer)),
            b"".join(export_lines(store, session, viewer)).decode(),
        )
    )


@pytest.mark.parametrize(
    "visible_to,seen_by",
    [("everyone", "ada ben gm observer"), ("self+gm", "ada gm"), ("gm", "gm"), ("self", "ada")],
)
def test_a_players_roll_is_seen_by_those_it_is_for(duel: Sitting, visible_to: str, seen_by: str) -> None:
    """Public, private with the GM, blind, alone: the exact matrix (foundryvtt#14258, SR5-FoundryVTT#1319)."""
    roll = duel.act("roll", by=ADA, count=7, sides=19, purpose="canary", request={"visible_to": visible_to})
    number = roll.tape.action
    for name, viewer in EVERYBODY.items():
        sees = name in seen_by.split()
        page = event_page(duel.store, duel.session, viewer, after=roll.events[0].seq - 1)
        assert [isinstance(frame, EventFrame) for frame in page.events] == [sees, sees]
        lines = timeline(duel.store, duel.session, viewer).actions
        assert (number in [entry.number for entry in lines]) is sees
        assert statistics(duel.store, duel.session, viewer).dice == (7 if sees else 0)
    # A complete copy holds even what is for its player alone: without it the log could not be taken in again.
    for viewer in (BEN, OBSERVER):
        assert ("canary" in everything(duel, viewer)) is (visible_to == "everyone")


@pytest.mark.parametrize("visible_to", ["gm", "self", "self+gm"])
def test_a_roll_of_the_gm_is_the_gms_unless_it_is_for_everyone(duel: Sitting, visible_to: str) -> None:
    """Neither name nor purpose nor pool size of a private roll shows (foundryvtt/dnd5e#2911)."""
    duel.act("roll", count=3, purpose="canary", request={"visible_to": visible_to})
    assert "canary" in everything(duel, GM)
    for viewer in (ADA, BEN, OBSERVER, TOOL):
        assert "canary" not in everything(duel, viewer)


def test_a_secret_duellist_is_in_nothing_others_read(duel: Sitting) -> None:
    """What is hidden does not exist: no id, no name, no line, no count (boardgame.io#399)."""
    duel.act("add_duellist", id="canary", name="Canary", side="blue", skill=10, secret=True)
    duel.act("adjust", duellist="canary", hp=-3, reason="a canary with a cough")
    mine = Viewer(role="player", name="Cat's player", characters=("canary",))
    for viewer in (ADA, BEN, OBSERVER, TOOL):
        assert "anary" not in everything(duel, viewer)
    for viewer in (GM, mine):
        assert "Canary" in everything(duel, viewer)


def test_a_dagger_up_a_sleeve_shows_when_it_is_drawn(duel: Sitting) -> None:
    duel.act("conceal_dagger", duellist="ada", by=ADA)
    assert "dagger" not in written(timeline(duel.store, duel.session, BEN))
    assert state_document(duel.tape, BEN).state["duellists"]["ada"]["dagger"] == "none"
    assert state_document(duel.tape, ADA).state["duellists"]["ada"]["dagger"] == "concealed"
    duel.act("draw_dagger", duellist="ada", by=ADA)
    assert "Ada draws a hidden dagger" in written(timeline(duel.store, duel.session, BEN))


def test_hidden_events_keep_their_place_and_nothing_else(duel: Sitting) -> None:
    secret = duel.act("add_duellist", id="canary", side="blue", skill=10, secret=True)
    page = event_page(duel.store, duel.session, OBSERVER, after=secret.events[0].seq - 1)
    assert [set(frame.__struct_fields__) for frame in page.events] == [{"seq", "digest", "hash"}] * 2
    assert [frame.hash for frame in page.events] == [event.hash.hex() for event in secret.events]


def test_the_servers_keeper_sees_no_more_of_the_table_than_an_observer(duel: Sitting) -> None:
    """But the keeper's copy is complete, since it is for taking the log elsewhere."""
    duel.act("add_duellist", id="canary", side="blue", skill=10, secret=True)
    assert "canary" not in written(timeline(duel.store, duel.session, ADMIN))
    assert b"canary" in b"".join(export_lines(duel.store, duel.session, ADMIN))


def test_the_seed_is_in_nothing_anybody_reads_until_the_close(duel: Sitting) -> None:
    """Only the promise is public before; the seed is after (phase-rs#5368)."""
    duel.act("roll", count=3, purpose="the weather")
    seed: Any = duel.store.seed(duel.session).hex()
    for viewer in (GM, ADA, OBSERVER, ADMIN):
        assert seed not in everything(duel, viewer)
    duel.act("close")
    assert seed in everything(duel, OBSERVER)
