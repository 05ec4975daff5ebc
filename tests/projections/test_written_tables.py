"""What the timeline tells of revised and fallen actions: of the right table, and at the price of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES
from random_history import Sitting as RandomSitting
from sitting import Sitting

from eventlog.history.copied import AsLogged
from eventlog.history.points import table_before, tape_at
from eventlog.history.reading import Past
from projections.tables import WrittenTables
from projections.timeline import timeline
from rulesets.people import GM


def as_known(past: Past, action: int) -> Past:
    return Past(AsLogged(past.log), tape_at(past.log, past.tape.session, action))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(min_value=0, max_value=2**32), backwards=st.booleans())
def test_a_table_that_was_kept_on_the_way_is_the_one_that_was_there(
    game: str, seed: int, backwards: bool
) -> None:
    """In whatever order they are asked for, at whatever point of the corrections."""
    with RandomSitting(game, seed) as sitting:
        sitting.play(20)
        for _ in sitting.try_corrections(8):
            sitting.play(2)
        past = Past(sitting.store, sitting.tape)
        tables, last = WrittenTables(past), past.tape.action
        asked = [
            (each.slot, action)
            for each in past.history.touched
            for action in {*each.changed_by, last}
            if each.slot <= action
        ]
        for slot, action in sorted(asked, reverse=backwards):
            assert tables.before(slot, action) == table_before(as_known(past, action), slot), (slot, action)


class Counted:
    """A store that counts the events it reads."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.read = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        return self._counting(found) if name in ("actions", "taken", "revised", "rows") else found

    def _counting(self, read: Callable[..., Any]) -> Callable[..., list[Any]]:
        def counted(*given: Any) -> list[Any]:
            events = list(read(*given))
            self.read += len(events)
            return events

        return counted


def revised_and_fallen(rolls: int) -> Sitting:
    """Actions 4 and on are rolls, each of them amended, and then each undone."""
    sitting = Sitting()
    sitting.duellists()
    for _ in range(rolls):
        sitting.act("roll", count=1, purpose="luck")
    for number in range(4, 4 + rolls):
        sitting.act("amend", target=number, command={"type": "roll", "count": 2, "purpose": "luck"})
    for number in range(4, 4 + rolls):
        sitting.act("undo", target=number)
    return sitting


def price(sitting: Sitting, **page: int) -> int:
    store: Any = Counted(sitting.store)
    assert len(timeline(store, sitting.session, GM, limit=20, **page).actions) == 20
    return store.read


@pytest.fixture(scope="module")
def short() -> Iterator[Sitting]:
    sitting = revised_and_fallen(30)
    yield sitting
    sitting.close()


@pytest.fixture(scope="module")
def long() -> Iterator[Sitting]:
    sitting = revised_and_fallen(120)
    yield sitting
    sitting.close()


def test_a_page_costs_what_is_on_it_and_not_what_was_ever_revised(short: Sitting, long: Sitting) -> None:
    assert price(long, after=3) <= price(short, after=3) * 1.2


def test_the_dearest_page_reads_the_log_a_few_times(long: Sitting) -> None:
    """Twenty fallen actions, each told of the table that another correction wrote it for."""
    whole = len(long.store.envelopes(long.session))
    prices = [price(long, before=number) for number in range(40, 364, 20)]
    assert max(prices) < 4 * whole


def test_a_correction_that_wrote_many_actions_anew_costs_a_line(duel: Sitting) -> None:
    """Its line is on the page; the hundred actions that it wrote anew are not."""
    duel.act("adjust", duellist="ben", hp=-10, reason="a fall")
    for _ in range(100):
        duel.act("adjust", duellist="ben", hp=0, stamina=0, reason="nothing new")
    undo = duel.act("undo", target=4, mode="rebase")
    assert len(undo.events) > 200
    for _ in range(20):
        duel.act("roll", count=1, purpose="luck")
    assert price(duel, before=undo.tape.action + 21) < 200
