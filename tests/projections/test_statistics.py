"""Statistics: what was thrown and what came of it, of what each person may see."""

from fractions import Fraction

import pytest
from sitting import ADA, BEN, Sitting

from projections.statistics import Faces, Measure, Rolls, statistics
from rulesets.contract import Tally
from rulesets.installed import ruleset_named
from rulesets.people import GM, OBSERVER, Viewer


def test_deeds_are_counted_by_character(duel: Sitting) -> None:
    duel.blow()
    counted = statistics(duel.store, duel.session, OBSERVER)
    assert counted.characters["ada"] == {
        "attacks": Measure(amount=1), "blows-landed": Measure(amount=1),
    }  # fmt: skip
    assert counted.characters["ben"] == {"hp-lost": Measure(amount=4)}
    assert counted.version == duel.tape.version


def test_dice_are_counted_by_origin_and_source(duel: Sitting) -> None:
    duel.blow()
    duel.act("roll", count=2, sides=10, purpose="x", request={"dice": (10, 2)})
    duel.act("roll", count=1, sides=10, purpose="x")
    counted = statistics(duel.store, duel.session, GM)
    assert counted.rolls == Rolls(server=1, table=3)
    assert counted.dice == 7
    assert counted.faces[:2] == (
        Faces(origin="attack:ada", sides=6, source="table", counts={"3": 3}),
        Faces(origin="damage:ada", sides=6, source="table", counts={"4": 1}),
    )
    assert [(each.source, sum(each.counts.values())) for each in counted.faces[2:]] == [
        ("server", 1), ("table", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("viewer,rolls", [(GM, 2), (ADA, 1), (BEN, 0), (OBSERVER, 0)])
def test_only_what_may_be_seen_is_counted(duel: Sitting, viewer: Viewer, rolls: int) -> None:
    duel.act("roll", count=2, purpose="canary", by=ADA, request={"visible_to": "self+gm"})
    duel.act("roll", count=2, purpose="canary", by=ADA, request={"visible_to": "gm"})
    counted = statistics(duel.store, duel.session, viewer)
    assert counted.rolls.server == rolls
    assert counted.dice == 2 * rolls


def test_expectation_is_exact_and_readable(duel: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    def lucky(_: object, event: object) -> list[Tally]:
        chance = {"AttackMade": (3, 2), "WoundDealt": (-1, 3)}.get(type(event).__name__)
        if chance is None:
            return []
        return [Tally(who="ada", measure=type(event).__name__, amount=2, expected=chance)] * 3

    object.__setattr__(record := ruleset_named("duel").record, "tally", kept := record.tally)
    try:
        object.__setattr__(record, "tally", lucky)
        duel.blow()
        counted = statistics(duel.store, duel.session, GM)
    finally:
        object.__setattr__(record, "tally", kept)
    assert counted.characters["ada"] == {
        "AttackMade": Measure(amount=6, expected="4.50", expected_exact=str(Fraction(9, 2))),
        "WoundDealt": Measure(amount=6, expected="-1.00", expected_exact="-1"),
    }


def test_an_empty_session_counts_nothing(sitting: Sitting) -> None:
    counted = statistics(sitting.store, sitting.session, GM)
    assert (counted.dice, counted.characters, counted.faces) == (0, {}, ())
