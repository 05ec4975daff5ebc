"""What keeps the books: sheets that add up, names that mean something, corrections that change something."""

from __future__ import annotations

from typing import Any

import pytest

from anima_prime.table import foe, pc, player, reading, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddCharacter,
    AddGoal,
    Adjust,
    ApplyCondition,
    Changes,
    EditCharacter,
    Enter,
    HelpAsked,
    Maneuver,
    Offer,
    RemoveCondition,
    Reroll,
    Reveal,
    SetGoal,
    SetParameter,
    Strike,
    UsePower,
    WithdrawOffer,
)
from rulesets.anima_prime.sheet import Bonus, Power, SheetChanges, Trait
from rulesets.contract import Command
from rulesets.testing import Given, given, step

GATE = AddGoal(id="gate", name="Gate", difficulty=2)
FLOURISH = Power(id="flourish", kind="boost", cost=1, joins=("maneuver",), dice=1)


def table(**readings: Any) -> Given:
    """Zadie and Mira against the demons and an imp."""
    return running(
        pc("zadie", strike=6, charge=4, awesome_tokens=1, powers=(FLOURISH, "blindness")),
        pc("mira", strike=2, awesome_tokens=1),
        foe("demons"),
        foe("imp", "individual"),
        GATE,
        **readings,
    )


def sheet(**numbers: Any) -> AddCharacter:
    """A sheet of somebody new, with what is said about it."""
    return AddCharacter(**{"id": "lin", "side": "pcs", "kind": "pc", "action": 6, **numbers})


REFUSED = [
    # Sheets
    (sheet(action=None), "missing-number"),
    (AddCharacter(id="ogre", side="adversity", kind="individual", action=3, defense=2), "missing-number"),
    (AddCharacter(id="ogre", side="adversity", kind="individual", action=3, max_wounds=2), "missing-number"),
    (sheet(action=7, action_max=6), "pool-above-maximum"),
    (sheet(charge=7, charge_max=6), "pool-above-maximum"),
    (sheet(wounds=4, max_wounds=3), "wounds-exceed-circles"),
    (sheet(powers=("glitter",)), "unknown-power"),
    (sheet(conditions=("Sleepy",)), "unknown-condition"),
    (EditCharacter(id="zadie", set=SheetChanges()), "nothing-to-change"),
    (EditCharacter(id="zadie", set=SheetChanges(powers=("glitter",))), "unknown-power"),
    # Goals, secrets, readings
    (SetGoal(goal="gate"), "nothing-to-change"),
    (SetGoal(goal="gate", status="achieved", achieved_by="nobody"), "unknown-character"),
    (AddGoal(id="zadie", name="Zadie", difficulty=1), "duplicate-id"),
    (Reveal(), "nothing-to-reveal"),
    (Reveal(character="zadie"), "not-secret"),
    (Reveal(goal="gate"), "not-secret"),
    (SetParameter(name="strike.nothing", value=1, reason="x"), "unknown-parameter"),
    (SetParameter(name="strike", value=1, reason="x"), "unknown-parameter"),
    (SetParameter(name="strike.wounds", value="bloody", reason="x"), "parameter-value"),
    (SetParameter(name="gc.max", value=-1, reason="x"), "parameter-value"),
    # Conditions
    (ApplyCondition(character="zadie", condition="Sleepy"), "unknown-condition"),
    (ApplyCondition(condition="Blinded"), "nobody-named"),
    (RemoveCondition(character="zadie", condition="Blinded"), "condition-not-borne"),
    (RemoveCondition(characters="all", condition="Blinded"), "condition-not-borne"),
    # Corrections
    (Adjust(changes=Changes(strike=1), reason="x"), "nothing-to-adjust"),
    (Adjust(character="zadie", conflict=True, changes=Changes(strike=1), reason="x"), "nothing-to-adjust"),
    (Adjust(character="zadie", changes=Changes(), reason="x"), "nothing-to-adjust"),
    (Adjust(character="zadie", changes=Changes(group_competence=1), reason="x"), "nothing-to-adjust"),
    (Adjust(character="zadie", changes=Changes(status="achieved"), reason="x"), "nothing-to-adjust"),
    (Adjust(character="zadie", changes=Changes(strike=-7), reason="x"), "pool-below-zero"),
    (Adjust(character="zadie", changes=Changes(wounds=-1), reason="x"), "pool-below-zero"),
    (Adjust(character="zadie", changes=Changes(awesome_tokens=-2), reason="x"), "pool-below-zero"),
    (Adjust(conflict=True, changes=Changes(group_competence=-2), reason="x"), "pool-below-zero"),
    (Adjust(character="zadie", changes=Changes(traits=(Trait(name="Brave"),)), reason="x"), "unknown-trait"),
    # Offers
    (Offer(giver="mira", to="zadie"), "nothing-offered"),
    (Offer(giver="gm", to="zadie", tokens=1), "nothing-offered"),
    (Offer(giver="mira", to="mira", gift=True), "gift-from-self"),
    (Offer(giver="nobody", to="zadie", gift=True), "unknown-character"),
    (WithdrawOffer(giver="mira"), "no-such-offer"),
    # Actions
    (Enter(character="zadie"), "already-in-conflict"),
    (
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),) * 2),
        "helper-twice",
    ),
    (
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="zadie", action_dice=1),)),
        "helper-twice",
    ),
    (
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="imp", action_dice=1),)),
        "helper-other-side",
    ),
    (Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1, "imp": 1}), "helper-other-side"),
    (
        Strike(
            actor="zadie",
            targets=("demons",),
            strike_dice=1,
            bonus=(Bonus(dice=1, source="Net", only_against="swarm"),),
        ),
        "bonus-not-for-target",
    ),
    (Maneuver(actor="zadie", action_dice=1, powers=("flourish", "flourish")), "power-twice"),
    (UsePower(actor="zadie", power="blindness"), "needs-target"),
    (UsePower(actor="zadie", power="blindness", targets=("demons",)), "power-not-for-target"),
    (UsePower(actor="zadie", power="blindness", targets=("imp", "mira")), "too-many-targets"),
    (
        Strike(actor="zadie", targets=("demons", "imp"), strike_dice=1, tokens_from=("zadie", "mira")),
        "tokens-not-pooled",
    ),
]


@pytest.mark.parametrize("command, code", REFUSED, ids=lambda item: item if isinstance(item, str) else "")
def test_refused(command: Command, code: str) -> None:
    """Each with its own code, before anything is thrown, and with words that say what to do."""
    when = table().when(command).then_refused(code)
    assert len(when.refusal.message) > 15


def test_fewer_circles_than_wounds() -> None:
    """A sheet cannot lose circles that are marked."""
    hurt = table().after(Adjust(character="zadie", changes=Changes(wounds=2), reason="A fall"))
    hurt.when(EditCharacter(id="zadie", set=SheetChanges(max_wounds=1))).then_refused("wounds-exceed-circles")
    hurt.when(EditCharacter(id="zadie", set=SheetChanges(max_wounds=2))).accepted()


def test_opponents_combining() -> None:
    """Switch adversity.combine; the GM may pass over it once."""
    ambush = running(pc("zadie"), foe("demons", strike=3), foe("imp", strike=3), GATE, first="adversity")
    maneuver = Maneuver(actor="demons", action_dice=1, helpers=(HelpAsked(character="imp", action_dice=1),))
    achieve = Achieve(actor="demons", goal="gate", strike_dice={"demons": 1, "imp": 1})
    for command in (maneuver, achieve):
        ambush.when(command).then_refused("no-combining", overrulable=True)


def test_words_that_are_asked_for() -> None:
    """Parameter reroll.needs_text."""
    told = running(
        pc("zadie", traits=(Trait(name="Sly", marked=True),)), foe("demons"), reroll={"needs_text": True}
    ).after(step(Maneuver(actor="zadie", action_dice=1), (3, 1)))
    told.when(Reroll(trait="Sly", text=" ")).then_refused("text-missing", overrulable=True)
    told.when(Reroll(trait="Sly", text="Under the wagon"), (3,)).accepted()


def test_a_name_is_made_from_the_id() -> None:
    """A sheet may leave the name out."""
    given(RULESET).when(pc("red-okoro")).then_state(characters={"red-okoro": {"name": "Red Okoro"}})


def test_names_in_any_writing() -> None:
    """Names are data."""
    for name in ("Жадья", "零", "Zadie 🏹", "O'Neill <b>", "é" * 80):
        given(RULESET).when(pc("zadie", name=name)).then_state(characters={"zadie": {"name": name}})


def test_an_opponent_acts_by_the_masters_hand_only() -> None:
    """Nobody's player plays the demons."""
    table().when(Maneuver(actor="imp", action_dice=1), by=player("zadie")).then_refused("not-allowed")


def test_readings_are_stated_in_full() -> None:
    """The start knows every reading, those left out as well."""
    state = given(RULESET, parameters=reading(strike={"wounds": "single"})).state
    assert state.parameters.strike.wounds == "single"
    assert state.parameters.strike.max_strike_dice == 6
