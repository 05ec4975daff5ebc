"""Whom a line or an event names: ids it says, and never the words that events are made of."""

import json
from typing import Any, NoReturn

import pytest
from sitting import Sitting

from eventlog.sealing import now
from projections.cursors import START, SessionLog, WholeLog
from projections.feeds import Sought, told
from projections.timeline import Wanted, timeline
from rulesets.errors import RulesetNotInstalled
from rulesets.people import GM

OWN_WORDS = (
    "type",
    "dice",
    "roll",
    "face",
    "origin",
    "sides",
    "purpose",
    "command",
    "actor",
    "attack",
    "strike",
)
"""Names of fields, of commands, of what dice are for and where they come from, of pools: ids somebody may have."""


def lines(sitting: Sitting, who: str) -> list[str]:
    page = timeline(sitting.store, sitting.session, GM, limit=200, wanted=Wanted(character=who))
    return [entry.line for entry in page.actions]


def events(sitting: Sitting, who: str) -> list[tuple[int, str]]:
    """The action and type of what a feed of that id tells, the same in the feed of all sessions."""
    sought = Sought(character=who)
    log = SessionLog(sitting.store, sitting.session)
    found, same = (told(each, GM, sought, START).events for each in (log, WholeLog(sitting.store)))
    assert found == same
    return [(event.action, event.type.partition(".")[2]) for event in found]


@pytest.fixture
def achieving(conflict: Sitting) -> Sitting:
    """Zadie achieves a goal with Rasheem's strike dice, whom nothing but the key of an amount names there."""
    conflict.act("add_goal", id="hide", name="Overcome the hide", difficulty=2)
    conflict.act("adjust", character="zadie", changes={"strike": 2}, reason="a gift of the tale")
    conflict.act("adjust", character="rasheem", changes={"strike": 2}, reason="a gift of the tale")
    conflict.act(
        "achieve",
        actor="zadie",
        goal="hide",
        strike_dice={"zadie": 1, "rasheem": 1},
        request={"dice": (5, 6)},
    )
    return conflict


@pytest.fixture
def conflict() -> Any:
    sitting = Sitting("anima-prime")
    numbers = {"action": 6, "defense": 2, "max_wounds": 3}
    for name, side in (("zadie", "pcs"), ("rasheem", "pcs"), ("bull", "adversity")):
        kind = "pc" if side == "pcs" else "individual"
        sitting.act("add_character", id=name, side=side, kind=kind, **numbers)
    sitting.act("start_conflict", first="pcs")
    yield sitting
    sitting.close()


@pytest.mark.parametrize("who", OWN_WORDS)
def test_nobody_is_named_by_the_words_that_events_are_made_of(duel: Sitting, who: str) -> None:
    added = duel.act("add_duellist", id=who, side="red", skill=12).tape.action
    duel.act("roll", count=2, purpose="luck")
    duel.blow()
    assert lines(duel, who) == [f"{who.capitalize()} enters"]
    assert set(events(duel, who)) == {(added, "action-taken"), (added, "duellist-added")}


@pytest.mark.parametrize("who", ["strike", "action", "charge", "wounds", "changes", "pcs", "pc", "adjust"])
def test_nobody_is_named_by_a_pool_or_a_side(achieving: Sitting, who: str) -> None:
    assert (lines(achieving, who), events(achieving, who)) == ([], [])


def test_who_acts_who_is_acted_on_and_whose_dice_fall_are_named(duel: Sitting) -> None:
    number = duel.blow()
    for who in ("ada", "ben"):
        told_of = [what for action, what in events(duel, who) if action == number]
        assert told_of[:2] == ["action-taken", "attack-made"]
    assert (number + 2, "wound-dealt") in events(duel, "ben")
    assert (number + 2, "wound-dealt") in events(duel, "ada"), "whose die of damage it was"
    assert lines(duel, "ben")[-1] == lines(duel, "ada")[-1] == lines_of(duel)[-1]


def lines_of(sitting: Sitting) -> list[str]:
    return [entry.line for entry in timeline(sitting.store, sitting.session, GM, limit=200).actions]


def test_who_puts_in_dice_is_named_by_the_amount(achieving: Sitting) -> None:
    last = achieving.tape.action
    told_of = [what for action, what in events(achieving, "rasheem") if action == last]
    assert {"action-taken", "achievement-declared"} <= set(told_of)
    assert lines_of(achieving)[-1] in lines(achieving, "rasheem")
    assert lines_of(achieving)[-1] not in lines(achieving, "bull")


def test_an_id_is_compared_whole(duel: Sitting) -> None:
    duel.act("add_duellist", id="ada-two", side="red", skill=12)
    assert lines(duel, "two") == lines(duel, "ad") == []
    assert len(lines(duel, "ada-two")) == 1
    assert not any("ada-two" in json.dumps(each) for each in events(duel, "ada"))
    assert (4, "duellist-added") not in events(duel, "ada")


def test_of_a_game_that_is_not_installed_values_and_keys_with_amounts_name_somebody(
    achieving: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.naming.ruleset_named", _not_here)
    monkeypatch.setattr("projections.naming.read_command", _not_here)
    last = achieving.tape.action
    assert {what for action, what in events(achieving, "rasheem") if action == last} >= {
        "action-taken",
        "achievement-declared",
    }
    assert events(achieving, "type") == events(achieving, "dice") == []


def test_a_session_that_goes_while_the_feed_of_all_is_read_ends_nothing(duel: Sitting) -> None:
    log = WholeLog(duel.store)
    read = log.read(0, 256)
    duel.store.remove(duel.session, now())
    assert any(Sought(character="ada").fits(event, log) for event in read)


def _not_here(*asked: Any) -> NoReturn:
    raise RulesetNotInstalled(str(asked[0]), ())
