"""The GM's hand: adjusting with a reason, and passing over what may be passed over."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    AddGoal,
    Adjust,
    Changes,
    EditCharacter,
    EndTurn,
    Maneuver,
    SetParameter,
    Strike,
)
from rulesets.anima_prime.events import CharacterAdjusted, CharacterDefeated, ConflictAdjusted, ParameterSet
from rulesets.anima_prime.sheet import SheetChanges, Trait
from rulesets.testing import given, step


def table():
    """Zadie against the demons."""
    return running(
        pc("zadie", strike=8, traits=(Trait(name="Sharpshooter"),)),
        foe("demons"),
        AddGoal(id="gate", name="Gate", difficulty=5),
    )


def test_amounts_are_signed() -> None:
    """What was forgotten is added, what was wrong is taken."""
    table().when(
        Adjust(
            character="zadie",
            changes=Changes(action=-2, strike=1, charge=3, wounds=1, awesome_tokens=2),
            reason="x",
        )
    ).then(
        CharacterAdjusted(
            character="zadie", action=-2, strike=1, charge=3, wounds=1, awesome_tokens=2, reason="x"
        )
    ).then_state(
        characters={"zadie": {"action": 4, "strike": 9, "charge": 3, "wounds": 1, "awesome_tokens": 2}}
    )


@pytest.mark.parametrize("pool", ["action", "strike", "charge", "wounds", "awesome_tokens"])
def test_no_pool_goes_below_zero(pool) -> None:
    """The books are kept, whoever corrects them."""
    table().when(Adjust(character="zadie", changes=Changes(**{pool: -50}), reason="x")).then_refused(
        "pool-below-zero", overrulable=False
    )


@pytest.mark.parametrize(
    "changes, code, most",
    [
        (Changes(wounds=99), "wounds-exceed-circles", 3),
        (Changes(wounds=4), "wounds-exceed-circles", 3),
        (Changes(action=1), "pool-above-maximum", 0),
        (Changes(action=-1, charge=5), "pool-above-maximum", 4),
    ],
)
def test_no_more_is_added_than_the_sheet_holds(changes, code, most) -> None:
    """A number too high is a slip of the pen: it is told, not cut off in silence."""
    narrow = running(pc("zadie", charge_max=4), foe("demons"))
    when = narrow.when(Adjust(character="zadie", changes=changes, reason="x"))
    when.then_refused(code, overrulable=False)
    assert when.refusal.fields["most"] == most


def test_everything_that_fits_is_added() -> None:
    """Up to the last circle, which puts somebody out of the conflict."""
    table().when(Adjust(character="zadie", changes=Changes(wounds=3, charge=6), reason="x")).then(
        CharacterAdjusted(character="zadie", wounds=3, charge=6, reason="x"),
        CharacterDefeated(character="zadie"),
    )


def test_group_competence_is_not_adjusted_above_its_maximum() -> None:
    """One at the beginning, so three are missing from four."""
    for amount, refused in ((3, False), (4, True)):
        when = table().when(Adjust(conflict=True, changes=Changes(group_competence=amount), reason="x"))
        assert (when.refusal is not None) is refused
    assert (when.refusal.code, when.refusal.fields["most"]) == ("pool-above-maximum", 3)


def test_marks_and_flags_are_set() -> None:
    """New values replace old ones."""
    table().when(
        Adjust(
            character="zadie",
            changes=Changes(acted=True, traits=(Trait(name="Sharpshooter", marked=True),)),
            reason="We forgot",
        )
    ).then_state(characters={"zadie": {"acted": True, "traits": [{"name": "Sharpshooter", "marked": True}]}})


def test_the_conflict_is_corrected() -> None:
    """Group Competence by an amount, the rest by value."""
    table().when(
        Adjust(
            conflict=True,
            changes=Changes(group_competence=2, gift_given=True, round=4, turn="adversity"),
            reason="x",
        )
    ).then(
        ConflictAdjusted(group_competence=2, gift_given=True, round=4, turn="adversity", reason="x")
    ).then_state(conflict={"group_competence": 3, "gift_given": True, "round": 4, "turn": "adversity"})


def test_a_goal_is_corrected() -> None:
    """Its difficulty."""
    table().when(Adjust(goal="gate", changes=Changes(difficulty=3), reason="Too steep")).then_state(
        goals={"gate": {"difficulty": 3}}
    )


def test_adjusting_nothing_and_nobody() -> None:
    """One thing that exists."""
    table().when(Adjust(character="nobody", changes=Changes(strike=1), reason="x")).then_refused(
        "unknown-character"
    )
    table().when(Adjust(goal="nothing", changes=Changes(difficulty=1), reason="x")).then_refused(
        "unknown-goal"
    )
    assert table().when(Adjust(changes=Changes(strike=1), reason="x")).refusal


def test_a_sheet_is_edited() -> None:
    """New values; what is left out stays."""
    table().when(EditCharacter(id="demons", set=SheetChanges(defense=5, name="Demon lords"))).then_state(
        characters={"demons": {"defense": 5, "base_defense": 5, "name": "Demon lords", "max_wounds": 3}}
    )
    table().when(EditCharacter(id="nobody", set=SheetChanges(defense=5))).then_refused("unknown-character")


@pytest.mark.parametrize(
    "command, code, dice",
    [
        (Strike(actor="zadie", targets=("demons",), strike_dice=7), "too-many-strike-dice", faces(7)),
        (Maneuver(actor="zadie", action_dice=4), "too-many-action-dice", faces(5)),
    ],
)
def test_limits_may_be_passed_over(command, code, dice) -> None:
    """Seven strike dice from the tower: refused, then ruled."""
    table().when(command).then_refused(code, overrulable=True)
    when = table().when(command, dice, overrule=(code,))
    assert when.codes == (code,)
    when.accepted()


def test_turns_and_actions_may_be_passed_over() -> None:
    """Acting twice, and out of turn."""
    acted = table().after(step(Maneuver(actor="zadie", action_dice=1), faces(2)))
    assert acted.when(
        Maneuver(actor="zadie", action_dice=1), faces(2), overrule=("already-acted",)
    ).codes == ("already-acted",)
    late = table().after(EndTurn())
    assert late.when(Maneuver(actor="zadie", action_dice=1), faces(2), overrule=("not-your-turn",)).codes == (
        "not-your-turn",
    )


def test_only_the_named_codes_are_passed_over() -> None:
    """Seven dice were allowed, acting twice was not."""
    acted = table().after(step(Maneuver(actor="zadie", action_dice=1), faces(2)))
    acted.when(
        Strike(actor="zadie", targets=("demons",), strike_dice=7), overrule=("too-many-strike-dice",)
    ).then_refused("already-acted")


@pytest.mark.parametrize(
    "command, code",
    [
        (Maneuver(actor="nobody", action_dice=1), "unknown-character"),
        (Strike(actor="zadie", targets=("demons",), strike_dice=9), "not-enough-strike-dice"),
        (Strike(actor="zadie", targets=("demons",), strike_dice=1, free=True), "not-enough-tokens"),
    ],
)
def test_the_books_are_not_passed_over(command, code) -> None:
    """Nobody rolls dice or pays tokens that are not there, for nobody."""
    table().when(command, overrule=(code, "too-many-strike-dice")).then_refused(code, overrulable=False)


def test_readings_may_change_in_the_middle() -> None:
    """From here on another reading, with the old one on record."""
    when = (
        table()
        .when(SetParameter(name="strike.wounds", value="margin", reason="We like it bloody"))
        .then(
            ParameterSet(name="strike.wounds", value="margin", before="multiples", reason="We like it bloody")
        )
    )
    # Six successes against 3: margin gives 3 wounds instead of floor(5 / 3) = 1.
    when.when(Strike(actor="zadie", targets=("demons",), strike_dice=6), faces(6)).then_state(
        characters={"demons": {"wounds": 3, "status": "defeated"}}
    )


@pytest.mark.parametrize(
    "name, value", [("strike.nothing", 3), ("strike.wounds", "bloody"), ("gc.max", "four"), ("gc.max", -1)]
)
def test_readings_that_are_none(name, value) -> None:
    """Unknown names and values that do not fit are refused."""
    assert given(RULESET).when(SetParameter(name=name, value=value, reason="x")).refusal
