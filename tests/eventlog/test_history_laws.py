"""Laws of history, over random play and random corrections of every installed game."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_history import GAMES, MODES, Sitting

from eventlog.errors import EventLogError
from eventlog.history.copied import AsLogged
from eventlog.history.points import corrected_at, folded, tape_at
from eventlog.history.reading import Past
from eventlog.history.slots import rolls_in
from eventlog.history.stock import address_of
from eventlog.verification import verify
from rulesets.installed import ruleset_named

SEEDS = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def _tables_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short sessions keep tables of corrections, and are verified in stretches, as long ones are."""
    monkeypatch.setattr("eventlog.history.correcting.TABLES_EVERY", 3)
    monkeypatch.setattr("eventlog.verification.stretches.ACTIONS_A_STRETCH", 8)


def history_folded_anew(sitting: Sitting) -> object:
    """The table told from the log alone: every standing slot, in the order of the story."""
    tape = sitting.tape
    opening = tape_at(sitting.store, sitting.session, 0)
    past = Past(sitting.store, tape)
    return folded(ruleset_named(sitting.game), opening.state, past.between(1, tape.action))


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_the_table_is_the_fold_of_the_history_after_any_corrections(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(25)
        for command, _ in sitting.try_corrections(8):
            assert sitting.tape.state == history_folded_anew(sitting), command
            sitting.play(2)
            assert sitting.tape.state == history_folded_anew(sitting), command
        assert sitting.tape.state == history_folded_anew(sitting)
        assert tape_at(sitting.store, sitting.session) == sitting.tape
        verified = verify(sitting.store, sitting.session)
        assert verified.ok, verified.first_fault


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_what_is_undone_and_redone_is_as_it_was(game: str, seed: int) -> None:
    """Undo then redo is no change, wherever it is done and in whichever mode (Fabula-Ultima#1385)."""
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        list(sitting.try_corrections(3))
        for _ in range(6):
            before, stands = sitting.tape.state, standing(sitting)
            try:
                undone = sitting.correct(
                    "undo",
                    target=sitting.random.choice(sitting.slots()),
                    mode=sitting.random.choice(MODES),
                    through=sitting.random.random() < 0.3,
                )
            except EventLogError:
                continue
            sitting.correct("redo", target=undone.tape.action)
            assert (sitting.tape.state, standing(sitting)) == (before, stands)
        sitting.holds()


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_after_a_cascade_the_table_is_that_of_a_session_without_what_it_emptied(game: str, seed: int) -> None:
    """No half-ended turn, no stray refund: what is left is what those actions alone come to (netrunner#4584)."""
    with Sitting(game, seed) as sitting:
        sitting.play(30)
        slots = sitting.slots()
        sitting.correct("undo", target=sitting.random.choice(slots), mode="cascade")
        kept = [slot for slot in slots if sitting.tape.history.revision(slot) == 1]
        assert all(sitting.tape.history.revision(slot) in (1, None) for slot in slots)
        ruleset, past = ruleset_named(sitting.game), Past(sitting.store, sitting.tape)
        opening = tape_at(sitting.store, sitting.session, 0)
        assert sitting.tape.state == folded(ruleset, opening.state, [past.content(slot, 1) for slot in kept])
        sitting.holds()


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_the_log_only_grows_and_a_refusal_leaves_it_alone(game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        before = sitting.log()
        for _, recorded in sitting.try_corrections(10):
            after = sitting.log()
            assert after[: len(before)] == before
            assert (len(after) > len(before)) == (recorded is not None)
            before = after


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_every_die_is_thrown_once_and_shows_one_face(game: str, seed: int) -> None:
    """Whatever is corrected, an address has one face, and a number once given is never given anew."""
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        next_roll = sitting.tape.next_roll
        for _ in sitting.try_corrections(8):
            assert sitting.tape.next_roll >= next_roll
            next_roll = sitting.tape.next_roll
        sitting.play(3)
        faces: dict[tuple[int, int], set[int]] = {}
        for roll in rolls_in(ruleset_named(sitting.game), sitting.log()):
            for place, die in enumerate(roll.dice, 1):
                faces.setdefault(address_of(roll, place), set()).add(die.face)
        assert all(len(shown) == 1 for shown in faces.values())
        assert max((number for number, _ in faces), default=0) == sitting.tape.next_roll - 1


def standing(sitting: Sitting) -> dict[int, int | None]:
    """Which revision of every slot stands."""
    return {slot: sitting.tape.history.revision(slot) for slot in sitting.slots()}


@pytest.mark.parametrize("game", GAMES)
@few
@given(seed=SEEDS)
def test_any_point_of_the_corrected_story_is_the_fold_of_what_stands_up_to_it(game: str, seed: int) -> None:
    """Tables that are kept on the way of corrections only make it faster: without them it is the same."""
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        for _ in sitting.try_corrections(6):
            sitting.play(2)
        tape, kept, logged = sitting.tape, sitting.store, AsLogged(sitting.store)
        for number in range(tape.action + 1):
            known = corrected_at(kept, tape, number).state
            assert known == corrected_at(logged, tape, number).state, number
        assert known == tape.state
