"""What is hidden does not exist for the players: in views, choices, lines, refusals."""

from __future__ import annotations

import json

import msgspec
import pytest

from anima_prime.table import faces, foe, marked, pc, player, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    Adjust,
    ApplyCondition,
    Changes,
    EndTurn,
    Enter,
    Maneuver,
    Reveal,
    Strike,
    UsePower,
)
from rulesets.anima_prime.sheet import Power
from rulesets.people import OBSERVER
from rulesets.testing import given, step

ZADIE = player("zadie")
ASSASSIN = foe("assassin", "individual", name="Veiled Knife", strike=5, defense=2, secret=True)
PLOT = AddGoal(id="plot", name="Unmask the guide", difficulty=2, secret=True)
WORDS = ("assassin", "Veiled Knife", "plot", "Unmask the guide")


def with_secrets(first="pcs"):
    """An assassin nobody knows of, and a goal nobody knows of."""
    return running(pc("zadie", strike=6), pc("mira"), foe("demons"), ASSASSIN, PLOT, first=first)


def shown(value):
    """A value as it would be served."""
    return json.dumps(msgspec.to_builtins(value, str_keys=True))


@pytest.mark.parametrize("viewer", [ZADIE, OBSERVER])
def test_hidden_things_are_in_no_view(viewer) -> None:
    """Neither id nor name, neither in the table nor among the choices."""
    table = with_secrets()
    seen = shown(table.view(viewer)) + shown(table.rules.choices(table.state, viewer))
    assert not [word for word in WORDS if word in seen]


def test_the_master_sees_everything() -> None:
    """The GM's table is whole."""
    seen = shown(with_secrets().view())
    assert [word for word in WORDS if word in seen] == list(WORDS)


def test_events_that_name_the_hidden_are_the_masters() -> None:
    """Adding, entering, acting: hidden as a whole."""
    table = given(RULESET, pc("zadie"), foe("demons"))
    for command in (ASSASSIN, PLOT):
        when = table.when(command)
        table = when.accepted()
        assert [RULESET.record.audience(table.state, event) for event in when.events] == [("gm",)]


def test_what_the_hidden_does_is_hidden() -> None:
    """Its maneuver is nobody's business, dice and all."""
    when = with_secrets("adversity").when(Maneuver(actor="assassin", action_dice=1), faces(3))
    assert {RULESET.record.audience(when.state, event) for event in when.events} == {("gm",)}


def test_an_open_action_is_everybodys() -> None:
    """What nobody hides, everybody sees."""
    when = with_secrets().when(Maneuver(actor="zadie", action_dice=1), faces(2))
    assert {RULESET.record.audience(when.state, event) for event in when.events} == {("everyone",)}


@pytest.mark.parametrize(
    "hidden, unknown",
    [
        (
            Strike(actor="zadie", targets=("assassin",), strike_dice=1),
            Strike(actor="zadie", targets=("nobody",), strike_dice=1),
        ),
        (
            Maneuver(actor="zadie", action_dice=1, target="assassin"),
            Maneuver(actor="zadie", action_dice=1, target="nobody"),
        ),
        (
            Maneuver(actor="zadie", action_dice=1, gifts=("assassin",)),
            Maneuver(actor="zadie", action_dice=1, gifts=("nobody",)),
        ),
        (
            Achieve(actor="zadie", goal="plot", strike_dice={"zadie": 1}),
            Achieve(actor="zadie", goal="nothing", strike_dice={"zadie": 1}),
        ),
        (Maneuver(actor="assassin", action_dice=1), Maneuver(actor="nobody", action_dice=1)),
    ],
)
def test_a_hidden_id_is_refused_like_an_unknown_one(hidden, unknown) -> None:
    """Nobody learns that something is there: same code, same words but for the id."""
    table = with_secrets()
    one, other = (table.when(command, by=ZADIE).refusal for command in (hidden, unknown))
    assert one is not None
    assert other is not None
    assert one.code == other.code
    for secret, known in (("assassin", "nobody"), ("plot", "nothing")):
        one_message = one.message.replace(secret, known)
        if one_message == other.message:
            break
    assert one_message == other.message
    assert "Veiled" not in one.message
    assert "Unmask" not in one.message


def test_the_unknown_code_names_the_kind() -> None:
    """An unknown goal is an unknown goal."""
    table = with_secrets()
    table.when(Achieve(actor="zadie", goal="plot", strike_dice={"zadie": 1}), by=ZADIE).then_refused(
        "unknown-goal"
    )
    table.when(Strike(actor="zadie", targets=("assassin",), strike_dice=1), by=ZADIE).then_refused(
        "unknown-character"
    )


def test_an_id_that_is_taken_in_secret() -> None:
    """The GM gets the plain answer."""
    with_secrets().when(foe("assassin")).then_refused("duplicate-id")


def test_revealing_a_character() -> None:
    """A new event shows it whole; the past stays hidden."""
    when = with_secrets().when(Reveal(character="assassin"))
    assert {RULESET.record.audience(when.state, event) for event in when.events} == {("everyone",)}
    table = when.accepted()
    table.when(Strike(actor="zadie", targets=("assassin",), strike_dice=3), faces(3), by=ZADIE).then_view(
        ZADIE, {"characters": {"assassin": {"name": "Veiled Knife", "wounds": 1}}}
    )
    assert table.when(Reveal(character="assassin")).refusal


def test_revealing_a_goal() -> None:
    """Then everybody may try for it."""
    table = with_secrets().after(Reveal(goal="plot"))
    assert table.view(ZADIE)["goals"]["plot"]["status"] == "open"
    table.when(Achieve(actor="zadie", goal="plot", strike_dice={"zadie": 3}), faces(3), by=ZADIE).then_view(
        ZADIE, {"goals": {"plot": {"status": "achieved"}}}
    )


def test_revealing_what_is_not_there() -> None:
    """Unknown ids, and nothing at all."""
    table = with_secrets()
    table.when(Reveal(character="nobody")).then_refused("unknown-character")
    table.when(Reveal(goal="nothing")).then_refused("unknown-goal")
    assert table.when(Reveal()).refusal


def test_only_the_master_reveals() -> None:
    """Players do not know what there is."""
    with_secrets().when(Reveal(character="demons"), by=ZADIE).then_refused("not-allowed")


def test_a_wound_from_hiding_is_felt() -> None:
    """The strike is hidden, the wound on the player's own character is not."""
    when = with_secrets("adversity").when(
        Strike(actor="assassin", targets=("zadie",), strike_dice=3), faces(3)
    )
    seen = [event for event in when.events if RULESET.record.audience(when.state, event) != ("gm",)]
    assert "assassin" not in shown(seen)
    when.then_view(ZADIE, {"characters": {"zadie": {"wounds": 1}}})


def test_an_open_roll_of_the_hidden_is_hidden() -> None:
    """Nobody sees the question, the dice, or whom they wait for."""
    hidden = foe("ghost", "individual", secret=True, traits=marked("Cold"))
    table = running(pc("zadie"), foe("demons"), hidden, first="adversity").after(
        step(Maneuver(actor="ghost", action_dice=1), (3, 1, 1))
    )
    assert table.view()["open_roll"]["actor"] == "ghost"
    assert table.view(ZADIE)["open_roll"] is None
    assert "ghost" not in shown(table.view(ZADIE))


def test_a_line_names_only_what_is_seen() -> None:
    """The timeline of a player tells the visible events only."""
    table = with_secrets().after(ApplyCondition(character="zadie", condition="Blinded"))
    when = table.when(EndTurn())
    visible = [event for event in when.events if RULESET.record.audience(when.state, event) != ("gm",)]
    line = RULESET.record.describe(when.state, visible)
    assert line
    assert not [word for word in WORDS if word in line]


GAMES_OWN_WORDS = (
    "action", "strike", "charge", "pcs", "adversity", "gc", "active", "running", "round", "turn", "free", "server",
    "individual", "squad", "joint", "open", "achieved", "maneuver", "smoke", "sharpshooter", "token", "removed",
)  # fmt: skip


@pytest.mark.parametrize("word", GAMES_OWN_WORDS)
def test_a_secret_called_like_a_word_of_the_game_hides_itself_alone(word) -> None:
    """What an open action says in words of the game is seen; what names the secret is not."""
    smoke = Power(id="smoke", kind="action", cost=0, dice=0)
    table = running(pc("zadie", strike=6, charge=3, powers=(smoke,)), pc("mira"), foe("demons"))
    table = table.after(foe(word, "individual", name="Veiled Knife", secret=True))
    for command, thrown in (
        (Maneuver(actor="zadie", action_dice=1), faces(2)),
        (Strike(actor="zadie", targets=("demons",), strike_dice=2), faces(2)),
        (UsePower(actor="zadie", power="smoke", text="A cloud"), ()),
        (Adjust(character="zadie", changes=Changes(action=-1, status="active"), reason="x"), ()),
        (Adjust(conflict=True, changes=Changes(turn="pcs", round=2, status="running"), reason="x"), ()),
        (ApplyCondition(character="zadie", condition="Blinded", until="round"), ()),
        (EndTurn(), ()),
    ):
        when = table.when(command, thrown)
        when.accepted()
        assert {RULESET.record.audience(when.state, event) for event in when.events} == {("everyone",)}
    when = table.when(ApplyCondition(character=word, condition="Blinded"))
    assert {RULESET.record.audience(when.state, event) for event in when.events} == {("gm",)}
    attack = (
        table.after(Enter(character=word))
        .after(EndTurn())
        .when(Maneuver(actor=word, action_dice=1), faces(3))
    )
    assert {RULESET.record.audience(attack.state, event) for event in attack.events} == {("gm",)}
