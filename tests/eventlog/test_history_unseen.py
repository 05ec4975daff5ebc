"""What a correction touches is told to a player as far as they see it, and refused in words that tell no more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dueling import Table

from eventlog.errors import NotAllowed
from eventlog.history.errors import HistoryConflict
from eventlog.history.permission import touching_what_is_seen
from eventlog.history.reading import Past
from eventlog.history.touching import Touching, conflict
from rulesets.people import GM, Viewer

MINA = Viewer(role="player", name="mina", characters=("ada",))
SEEN = Touching(action=4, outcome="falls", code="not-your-turn", message="it is not your turn")
UNSEEN = Touching(action=5, outcome="falls", code="no-dagger", message="the canary has no dagger")


@pytest.fixture
def past() -> Iterator[Past]:
    """Action 4 is seen by everybody, and 5 by the GM alone."""
    table = Table()
    table.open()
    table.duellists()
    table.act("end_turn")
    table.act("roll", count=1, purpose="luck", request={"visible_to": "gm"})
    yield Past(table.store, table.tape)
    table.close()


def touched(past: Past, viewer: Viewer, *found: Touching) -> list[Touching]:
    """What the refusal of a correction that touches these lists for somebody."""
    with pytest.raises(HistoryConflict) as refused, touching_what_is_seen(past, viewer):
        raise conflict(found, ())
    listed: list[Touching] = refused.value.fields["touched"]
    assert refused.value.message == conflict(listed, ()).message
    return listed


def test_a_refusal_lists_what_its_reader_sees_of_what_it_touches(past: Past) -> None:
    assert touched(past, GM, SEEN, UNSEEN) == [SEEN, UNSEEN]
    assert touched(past, MINA, SEEN, UNSEEN) == [SEEN]


def test_a_refusal_for_what_its_reader_does_not_see_says_nothing_of_it(past: Past) -> None:
    with pytest.raises(NotAllowed) as refused, touching_what_is_seen(past, MINA):
        raise conflict([UNSEEN], ())
    assert refused.value.message == "Only the GM can take this back now; ask the GM for it (an undo request)"
    assert refused.value.fields == {"needs": "gm"}
    with (
        pytest.raises(NotAllowed, match=r"^Only the GM can take this back now$"),
        touching_what_is_seen(past, MINA, askable=False),
    ):
        raise conflict([UNSEEN], ())


def test_a_look_ahead_at_what_its_reader_does_not_see_is_refused_in_the_same_words(past: Past) -> None:
    with touching_what_is_seen(past, MINA) as seen:
        seen([SEEN])
    for found in ([UNSEEN], [SEEN, UNSEEN]):
        with (
            pytest.raises(NotAllowed, match="Only the GM can take this back now"),
            touching_what_is_seen(past, MINA) as seen,
        ):
            seen(found)
    with touching_what_is_seen(past, GM) as seen:
        seen([SEEN, UNSEEN])


def test_an_old_undo_of_the_last_action_that_took_what_its_maker_did_not_see_still_verifies() -> None:
    """Until then the last action was the last of all: such a log is right as it stands."""
    table = Table()
    table.open()
    table.duellists()
    table.act("end_turn")
    table.act("roll", count=1, purpose="luck", request={"visible_to": "self", "issuer": MINA})
    with pytest.MonkeyPatch.context() as older:
        older.setattr(Past, "_sees", lambda *_: True)
        table.act("undo")
    assert table.tape.history.revision(5) is None
    table.holds()
    table.act("undo")
    assert table.tape.history.revision(4) is None
    table.holds()
    table.close()
