"""Short plays of the duel that show every one of its commands, questions and secrets."""

from __future__ import annotations

from tabletape_duel.commands import (
    AddDuellist,
    Adjust,
    Attack,
    Begin,
    ConcealDagger,
    Defend,
    DrawDagger,
    EndTurn,
    Interpose,
    PassBy,
    Reveal,
    Rule,
    ThrowDamage,
)
from tabletape_duel.parameters import Parameters

from rulesets.people import Viewer
from rulesets.testing import example, step

ANN = AddDuellist(id="ann", side="red", skill=12)
BOB = AddDuellist(id="bob", side="blue", skill=11)
CYD = AddDuellist(id="cyd", side="blue", skill=10, stamina=3)
VEX = AddDuellist(id="vex", side="red", name="The Vixen", skill=14, secret=True)
COURTYARD = (ANN, BOB, CYD, VEX, Begin())

BOBS_PLAYER = Viewer(role="player", name="robert", characters=("bob",))

LOW_BLOW = example(
    *COURTYARD,
    step(ConcealDagger(duellist="bob"), by=BOBS_PLAYER),
    step(Attack(attacker="ann", target="bob", low=True), dice=(3, 4, 5)),
    step(EndTurn(), refused="question-open"),
    Rule(question="q1", counts=True),
    PassBy(question="q2", ally="cyd"),
    step(Defend(question="q3", defense="dodge"), dice=(6, 5, 4, 2), by=BOBS_PLAYER),
    EndTurn(),
    DrawDagger(duellist="bob"),
    Reveal(duellist="vex"),
    Adjust(duellist="ann", stamina=1, reason="A cup of wine."),
)

AT_THE_TABLE = example(
    *COURTYARD,
    step(Attack(attacker="ann", target="bob"), dice=(1, 1, 1), source="table"),
    Interpose(question="q1", ally="cyd"),
    step(Defend(question="q2", defense="parry"), dice=(6, 6, 6), source="table"),
    step(ThrowDamage(question="q3"), dice=(5,), source="table"),
    step(Attack(attacker="ann", target="bob"), refused="already-attacked"),
    step(Attack(attacker="ann", target="bob"), dice=(6, 6, 1), overrule=("already-attacked",)),
    parameters=Parameters(low_blows_count=False),
)

PLAYS = (LOW_BLOW, AT_THE_TABLE)
