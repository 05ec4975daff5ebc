"""Traits and the character scenes that mark them (6.4 Traits; scene benefits of the first edition)."""

from __future__ import annotations

import pytest

from anima_prime.table import foe, marked, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import CharacterScene, EndConflict, Keep, Maneuver, Reroll, Settle
from rulesets.anima_prime.events import ScenePlayed
from rulesets.anima_prime.sheet import Trait
from rulesets.testing import given, step

TRAITS = (
    Trait(name="Sharpshooter", marked=True),
    Trait(name="Reckless", marked=False),
    Trait(name="Loyal", marked=True),
)


def rolled(*faces, **readings):
    """Zadie, two of three traits marked, has thrown 1 competence and 2 action dice."""
    table = running(pc("zadie", traits=TRAITS), pc("mira"), foe("demons"), **readings)
    return table.after(step(Maneuver(actor="zadie", action_dice=2), faces))


def at_home(**zadie):
    """Zadie between conflicts, one wound, two of six action dice."""
    return given(
        RULESET, pc("zadie", **{"wounds": 1, "action": 2, "action_max": 6, "traits": TRAITS, **zadie})
    )


def test_all_failed_dice_are_thrown_again() -> None:
    """6.4: all that show 1 or 2, none of the others; the trait is unmarked."""
    rolled(4, 1, 2).when(Reroll(trait="Sharpshooter"), (6, 5)).then_state(
        characters={
            "zadie": {
                "strike": 2,
                "charge": 1,
                "traits": [
                    {"name": "Sharpshooter", "marked": False},
                    {"name": "Reckless", "marked": False},
                    {"name": "Loyal", "marked": True},
                ],
            }
        },
        open=[],
    )


@pytest.mark.parametrize("dice", [(6,), (6, 5, 4)])
def test_a_reroll_takes_as_many_dice_as_failed(dice) -> None:
    """6.4: two failed, two are thrown."""
    rolled(4, 1, 2).when(Reroll(trait="Sharpshooter"), dice, source="table").then_refused(
        "dice-count-mismatch"
    )


def test_an_unmarked_trait_helps_nobody() -> None:
    """6.4: only a marked trait can be unmarked."""
    rolled(4, 1, 2).when(Reroll(trait="Reckless")).then_refused("trait-not-marked")


def test_a_trait_one_does_not_have() -> None:
    """6.4: a trait of one's own."""
    assert rolled(4, 1, 2).when(Reroll(trait="Brave")).refusal.code in {"trait-not-marked", "unknown-trait"}


def test_one_reroll_for_a_roll() -> None:
    """6.4, recommended reading: the second marked trait stays for another roll."""
    table = rolled(4, 1, 2).after(step(Reroll(trait="Sharpshooter"), (1, 5)))
    assert table.view()["open"] == []
    table.when(Reroll(trait="Loyal")).then_refused("reroll-used")


def test_two_rerolls_where_the_table_says_so() -> None:
    """Parameter reroll.max_per_roll."""
    table = rolled(4, 1, 2, reroll={"max_per_roll": 2}).after(step(Reroll(trait="Sharpshooter"), (1, 5)))
    table.when(Reroll(trait="Loyal"), (6,)).then_state(
        characters={"zadie": {"strike": 2, "charge": 1}}, open=[]
    )


def test_no_failed_dice_no_reroll() -> None:
    """6.4: six successes leave only the choice of five."""
    table = running(pc("zadie", traits=TRAITS), pc("mira"), pc("lin"), foe("demons")).after(
        step(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "lin")), (3, 3, 3, 3, 6, 6))
    )
    table.when(Reroll(trait="Sharpshooter")).then_refused("no-failed-dice")


def test_a_reroll_used_while_the_choice_is_open() -> None:
    """6.4: the choice of five remains, the reroll does not."""
    table = running(pc("zadie", traits=TRAITS), pc("mira"), pc("lin"), foe("demons")).after(
        step(Maneuver(actor="zadie", action_dice=3, gifts=("mira", "lin")), (3, 3, 3, 3, 6, 1))
    )
    table = table.after(step(Reroll(trait="Sharpshooter"), (6,)))
    table.when(Reroll(trait="Loyal")).then_refused("reroll-used")
    table.when(Keep(strike=4, charge=1)).accepted()


def test_answers_without_a_question() -> None:
    """Nothing is open: there is nothing to answer."""
    table = running(pc("zadie", traits=TRAITS), foe("demons"))
    for answer in (Reroll(trait="Sharpshooter"), Keep(strike=3, charge=2), Settle()):
        table.when(answer).then_refused("no-such-question")


def test_nobody_acts_while_a_roll_waits() -> None:
    """An open roll is answered first."""
    rolled(4, 1, 2).when(Maneuver(actor="mira", action_dice=1)).then_refused("question-open")


def test_a_reroll_needs_words_where_the_table_says_so() -> None:
    """Parameter reroll.needs_text: say how the trait fits."""
    table = rolled(4, 1, 2, reroll={"needs_text": True})
    assert table.when(Reroll(trait="Sharpshooter")).refusal
    table.when(Reroll(trait="Sharpshooter", text="between two heartbeats"), (1, 1)).accepted()


def test_healing() -> None:
    """Scenes: one wound."""
    when = at_home(wounds=2).when(CharacterScene(character="zadie", benefit="heal", scene="By the fire"))
    assert [type(event) for event in when.events] == [ScenePlayed]
    when.then_state(characters={"zadie": {"wounds": 1, "action": 2}})


def test_refilling() -> None:
    """Scenes: the Action Pool to its maximum."""
    at_home().when(CharacterScene(character="zadie", benefit="refill", scene="By the fire")).then_state(
        characters={"zadie": {"wounds": 1, "action": 6}}
    )


def test_marking() -> None:
    """Scenes: one trait that is not marked."""
    at_home().when(
        CharacterScene(character="zadie", benefit="mark", trait="Reckless", scene="By the fire")
    ).then_state(characters={"zadie": {"traits": [{"marked": True}] * 3}})


def test_one_benefit_for_each_scene() -> None:
    """Scenes: another scene, another benefit."""
    table = at_home().after(CharacterScene(character="zadie", benefit="heal", scene="By the fire"))
    table.when(CharacterScene(character="zadie", benefit="refill", scene="By the fire")).then_refused(
        "benefit-taken"
    )
    table.when(CharacterScene(character="zadie", benefit="refill", scene="On watch")).then_state(
        characters={"zadie": {"wounds": 0, "action": 6}}
    )


@pytest.mark.parametrize(
    "scene, sheet",
    [
        ({"benefit": "heal"}, {"wounds": 0}),
        ({"benefit": "refill"}, {"action": 6}),
        ({"benefit": "mark", "trait": "Loyal"}, {}),
    ],
)
def test_nothing_to_gain(scene, sheet) -> None:
    """Scenes: no benefit where nothing is left to gain, and it is not used up."""
    table = at_home(**sheet)
    table.when(CharacterScene(character="zadie", scene="By the fire", **scene)).then_refused(
        "nothing-to-gain"
    )
    table.when(
        CharacterScene(character="zadie", benefit="other", scene="By the fire", text="A song")
    ).accepted()


def test_no_scenes_in_a_conflict() -> None:
    """Scenes lie between conflicts; marks never come inside one."""
    table = running(pc("zadie", wounds=1, traits=TRAITS), foe("demons"))
    wish = CharacterScene(character="zadie", benefit="heal", scene="In between")
    table.when(wish).then_refused("conflict-running")
    table.after(EndConflict(outcome="agreement")).when(wish).accepted()


def test_the_mark_of_one_character_only() -> None:
    """6.4: a trait of somebody else is not there."""
    table = running(pc("zadie"), pc("mira", traits=marked("Steady")), foe("demons"))
    table.when(Maneuver(actor="zadie", action_dice=1), (3, 1)).then_state(open=[])
