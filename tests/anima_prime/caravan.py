"""The caravan's guards and the bull, as facts: a table made without a rule."""

from __future__ import annotations

from rulesets.anima_prime import RULESET
from rulesets.anima_prime import events as fact
from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.sheet import Power, StoryEffect, Trait
from rulesets.anima_prime.state import State
from rulesets.contract import Event

RECORD = RULESET.record

PEOPLE = (
    fact.CharacterAdded(
        id="zadie",
        name="Zadie",
        side="pcs",
        kind="pc",
        action=6,
        action_max=6,
        strike=6,
        charge=3,
        defense=2,
        max_wounds=3,
        awesome_tokens=2,
        traits=(Trait(name="Sharpshooter", marked=True),),
        powers=(Power(id="blaze", name="Blaze\nof noon", kind="action", cost=2),),
    ),
    fact.CharacterAdded(
        id="rasheem", name="Rasheem", side="pcs", kind="pc", action=5, strike=2, defense=2, max_wounds=3
    ),
    fact.CharacterAdded(
        id="bull",
        name="Bull",
        side="adversity",
        kind="individual",
        action=8,
        defense=3,
        max_wounds=3,
        wounds=2,
    ),
    fact.GoalAdded(
        id="hide",
        name="Overcome the armored hide",
        difficulty=5,
        effects=(StoryEffect(text="The plates\ncrack"),),
    ),
    fact.ConflictStarted(number=1, title="The caravan", first="pcs"),
)


def caravan(*facts: Event) -> State:
    """The caravan's guards and the bull, after these facts."""
    state = RECORD.start(Parameters())
    for event in (*PEOPLE, *facts):
        state = RECORD.evolve(state, event)
    return state
