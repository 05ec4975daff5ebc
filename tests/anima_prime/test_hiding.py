"""Who sees what of a table with secrets, role by role, fact by fact."""

from __future__ import annotations

import msgspec
import pytest

from anima_prime.caravan import RECORD, caravan
from anima_prime.table import fell, player
from rulesets.anima_prime import events as fact
from rulesets.anima_prime.sheet import DefenseEffect
from rulesets.anima_prime.state import Apart, State
from rulesets.anima_prime.view import Table
from rulesets.contract import Event
from rulesets.people import EVERYONE, GM, GM_ONLY, OBSERVER, Viewer

VEIL = fact.CharacterAdded(
    id="veil",
    name="The Veiled",
    side="pcs",
    kind="pc",
    action=4,
    strike=3,
    defense=2,
    max_wounds=3,
    secret=True,
)
KNIFE = fact.CharacterAdded(
    id="knife",
    name="Hired Knife",
    side="adversity",
    kind="individual",
    action=4,
    defense=2,
    max_wounds=1,
    secret=True,
)
PLOT = fact.GoalAdded(id="plot", name="Unmask the guide", difficulty=2, secret=True)
SECRETS = ("veil", "The Veiled", "knife", "Hired Knife", "plot", "Unmask the guide")
HERS = ("gm", "character:veil")
"""Who sees what names the Veiled, who is a player's character: the GM and that player."""


def with_secrets(*facts: Event) -> State:
    """The caravan, a player's hidden character, a hidden opponent and a hidden goal, after these facts."""
    return caravan(VEIL, KNIFE, PLOT, *facts)


def words_seen(state: State, viewer: Viewer) -> list[str]:
    """The secrets that stand anywhere in somebody's view."""
    view = msgspec.json.encode(RECORD.view(state, viewer)).decode()
    return [word for word in SECRETS if word in view]


EVERYWHERE = (
    fact.CharacterEntered(character="veil"),
    fact.CharacterEntered(character="knife"),
    fact.OfferMade(giver="veil", to="zadie", gift=1),
    fact.OfferMade(giver="zadie", to="knife", gift=1),
    fact.Announced(actor="veil", kind="maneuver"),
    fact.GoalAdded(
        id="trap",
        name="Spring the trap",
        difficulty=1,
        after="plot",
        effects=(DefenseEffect(character="knife", change=-1),),
    ),
    fact.GoalSet(goal="hide", status="achieved", achieved_by="veil"),
    fact.ManeuverDeclared(
        actor="zadie", action_dice=1, helpers=(fact.HelpGiven(character="veil", action_dice=1),)
    ),
    fact.DiceRolled(
        actor="zadie",
        roll=fell(1, "maneuver", ("helper:veil", 3), ("action:zadie", 1), ("action:veil", 6)),
        asks="reroll",
    ),
)
"""Facts after which the secrets stand in every corner of the table."""


@pytest.mark.parametrize(
    "viewer, seen",
    [
        (GM, list(SECRETS)),
        (player("veil"), ["veil", "The Veiled"]),
        (player("zadie"), []),
        (OBSERVER, []),
        (Viewer(role="tool", name="bot"), []),
        (Viewer(role="observer", name="spy", characters=("veil",)), []),
    ],
)
def test_every_role_at_a_table_with_secrets(viewer: Viewer, seen: list[str]) -> None:
    """The GM sees all, a player their own hidden character, nobody else a trace of anything hidden."""
    state = with_secrets(*EVERYWHERE)
    assert words_seen(state, viewer) == seen
    view = RECORD.view(state, viewer)
    assert isinstance(view, Table)
    assert set(view.goals) >= {"hide", "trap"}
    assert (view.open_roll is not None) == ("veil" in seen)
    assert len(view.open) == ("veil" in seen)


def test_the_question_of_a_hidden_roll_is_as_hidden() -> None:
    """The roll names the hidden helper, so the other players do not learn that anybody is asked."""
    (question,) = RECORD.questions(with_secrets(*EVERYWHERE))
    assert (question.asks, question.audience) == (("zadie",), HERS)


@pytest.mark.parametrize(
    "event, audience",
    [
        (VEIL, HERS),
        (KNIFE, GM_ONLY),
        (PLOT, GM_ONLY),
        (fact.GiftGiven(giver="veil", to="zadie"), HERS),
        (fact.GiftGiven(giver="zadie", to="knife"), GM_ONLY),
        (fact.GiftGiven(giver="veil", to="knife"), GM_ONLY),
        (
            fact.ManeuverDeclared(
                actor="zadie", action_dice=1, helpers=(fact.HelpGiven(character="veil", action_dice=1),)
            ),
            HERS,
        ),
        (fact.StrikeDeclared(actor="zadie", targets=("bull", "knife"), strike_dice=1), GM_ONLY),
        (
            fact.StrikeResolved(
                actor="zadie", results=(fact.StrikeResult(target="knife", successes=1, defense=2),)
            ),
            GM_ONLY,
        ),
        (fact.AchievementDeclared(actor="zadie", goal="hide", strike_dice={"veil": 1}), HERS),
        (fact.AchievementDeclared(actor="zadie", goal="plot", strike_dice={"zadie": 1}), GM_ONLY),
        (fact.TokensSpent(character="zadie", tokens=1, beneficiary="veil"), HERS),
        (fact.DiceRolled(actor="zadie", roll=fell(1, "strike", ("gift:veil", 3))), HERS),
        (
            fact.DiceRolled(
                actor="zadie",
                roll=fell(1, "strike", ("strike:zadie", 3)),
                apart=(Apart(target="knife", dice=1),),
            ),
            GM_ONLY,
        ),
        (fact.PowerUsed(actor="zadie", power="smoke", targets=("knife",)), GM_ONLY),
        (fact.DefenseChanged(character="veil", change=1), HERS),
        (fact.OfferMade(giver="zadie", to="veil", gift=1), HERS),
        (
            fact.GoalAdded(
                id="other",
                name="Another",
                difficulty=1,
                effects=(DefenseEffect(character="knife", change=1),),
            ),
            GM_ONLY,
        ),
        (fact.GoalAdded(id="next", name="Another", difficulty=1, after="plot"), GM_ONLY),
        (fact.GoalSet(goal="hide", achieved_by="veil"), HERS),
        (fact.HiddenNamed(ids=("knife",)), GM_ONLY),
        (fact.WoundsInflicted(character="bull", wounds=1), EVERYONE),
        (fact.RoundEnded(round=1), EVERYONE),
    ],
)
def test_a_fact_that_names_the_hidden_is_hidden(event: Event, audience: tuple[str, ...]) -> None:
    """Wherever in the fact the id stands; two secrets at once are the GM's alone."""
    assert RECORD.audience(with_secrets(), event) == audience


@pytest.mark.parametrize("name", ["goal", "actor", "target", "dice", "text", "roll"])
def test_a_secret_may_bear_any_id(name: str) -> None:
    """What the fields of a fact are called hides nothing: others' dice stay everybody's."""
    state = with_secrets(fact.GoalAdded(id=name, name="Whispers", difficulty=1, secret=True))
    for event in (
        fact.GoalAchieved(goal="hide"),
        fact.StrikeDeclared(actor="zadie", targets=("bull",), strike_dice=1, text="Now"),
        fact.DiceRolled(actor="zadie", roll=fell(1, "strike", ("strike:zadie", 3))),
    ):
        assert RECORD.audience(state, event) == EVERYONE
    assert RECORD.audience(state, fact.GoalAchieved(goal=name)) == GM_ONLY


def test_revealing_opens_what_comes_after() -> None:
    """The reveal and all later facts are everybody's."""
    hidden = with_secrets(fact.CharacterEntered(character="veil"))
    state = RECORD.evolve(hidden, fact.CharacterRevealed(character=hidden.characters["veil"]))
    assert RECORD.audience(state, fact.DefenseChanged(character="veil", change=1)) == EVERYONE
    assert words_seen(state, player("zadie")) == ["veil", "The Veiled"]
