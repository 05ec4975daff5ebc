"""Who may ask what, and what others give only when they promised it."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, marked, pc, player, running
from rulesets.anima_prime.commands import (
    Achieve,
    AddCharacter,
    AddGoal,
    Adjust,
    Announce,
    ApplyCondition,
    Changes,
    EditCharacter,
    EndConflict,
    EndRound,
    EndTurn,
    HelpAsked,
    Keep,
    Maneuver,
    Offer,
    RemoveCondition,
    Reroll,
    Reveal,
    Rule,
    SetGoal,
    SetParameter,
    Settle,
    SpendToken,
    StartConflict,
    Strike,
    WithdrawOffer,
)
from rulesets.anima_prime.events import Announced, OfferMade, OfferWithdrawn, QuestionRuled
from rulesets.anima_prime.sheet import SheetChanges
from rulesets.people import OBSERVER, Viewer
from rulesets.testing import step

ZADIE, RASHEEM, MIRA = player("zadie"), player("rasheem"), player("mira")
GATE = AddGoal(id="gate", name="Gate", difficulty=2)


def company(**readings):
    """Zadie, Rasheem and Mira against the demons."""
    return running(
        pc("zadie", strike=6, traits=marked("Sharpshooter")),
        pc("rasheem", strike=6, awesome_tokens=2),
        pc("mira"),
        foe("demons"),
        GATE,
        **readings,
    )


MASTERS_OWN = [
    pc("lin"),
    foe("wolf"),
    EditCharacter(id="zadie", set=SheetChanges(defense=9)),
    Reveal(character="demons"),
    AddGoal(id="well", name="Well", difficulty=1),
    SetGoal(goal="gate", status="achieved"),
    SetParameter(name="strike.wounds", value="margin", reason="Because"),
    EndRound(),
    EndConflict(outcome="victory"),
    ApplyCondition(character="zadie", condition="Empowered"),
    RemoveCondition(character="zadie", condition="Empowered"),
    Adjust(character="zadie", changes=Changes(strike=5), reason="Because"),
    Rule(question="May I?", answer="Yes"),
    StartConflict(first="pcs"),
]


@pytest.mark.parametrize("command", MASTERS_OWN, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("who", [ZADIE, OBSERVER, Viewer(role="tool")], ids=["player", "observer", "tool"])
def test_set_up_and_corrections_are_the_masters(command, who) -> None:
    """Players, onlookers and tools do not set up, end rounds, adjust or rule."""
    company().when(command, by=who).then_refused("not-allowed", overrulable=False)


@pytest.mark.parametrize(
    "command",
    [
        Maneuver(actor="rasheem", action_dice=1),
        Maneuver(actor="demons", action_dice=1),
        Strike(actor="rasheem", targets=("demons",), strike_dice=1),
        Achieve(actor="rasheem", goal="gate", strike_dice={"rasheem": 1}),
        SpendToken(payer="rasheem", tokens=1, text="Mine"),
        Offer(giver="rasheem", to="zadie", gift=True),
        Announce(actor="rasheem", kind="strike", text="He jumps"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_player_acts_for_their_own(command) -> None:
    """Nobody plays somebody else's character."""
    company().when(command, by=ZADIE).then_refused("not-allowed")


def test_a_player_acts() -> None:
    """And with nothing borrowed there is nothing to ask."""
    company().when(Maneuver(actor="rasheem", action_dice=1), faces(2), by=RASHEEM).accepted()


def test_onlookers_only_look() -> None:
    """Observers and tools act for nobody."""
    for who in (OBSERVER, Viewer(role="tool")):
        company().when(Maneuver(actor="zadie", action_dice=1), by=who).then_refused("not-allowed")


def test_a_player_of_two_characters() -> None:
    """One person may play several, and lends between them freely."""
    both = player("zadie", "mira")
    company().when(
        Maneuver(actor="zadie", action_dice=1, gifts=("mira",), no_reroll=True), faces(3), by=both
    ).accepted()


def test_an_answer_comes_from_whoever_was_asked() -> None:
    """The actor's player, or the GM."""
    table = company().after(step(Maneuver(actor="zadie", action_dice=1), (3, 1)))
    table.when(Settle(), by=RASHEEM).then_refused("not-allowed")
    table.when(Reroll(trait="Sharpshooter"), by=RASHEEM).then_refused("not-allowed")
    table.when(Keep(strike=1, charge=0), by=RASHEEM).then_refused("not-allowed")
    table.when(Settle(), by=ZADIE).accepted()
    table.when(Settle()).accepted()


@pytest.mark.parametrize(
    "command, promise",
    [
        (Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), Offer(giver="mira", to="zadie", gift=True)),
        (
            Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=2),)),
            Offer(giver="mira", to="zadie", help_dice=2),
        ),
        (
            Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 2, "rasheem": 3}),
            Offer(giver="rasheem", to="zadie", strike_dice=3),
        ),
        (
            Strike(actor="zadie", targets=("demons",), strike_dice=2, free=True, tokens_from="rasheem"),
            Offer(giver="rasheem", to="zadie", tokens=1),
        ),
    ],
    ids=["gift", "help", "strike dice", "tokens"],
)
def test_what_others_give_must_be_offered(command, promise) -> None:
    """Setting `offers`: without a promise refused, with it accepted; the GM names anyone."""
    table = company()
    table.when(command, by=ZADIE).then_refused("not-offered")
    thrown = {"Maneuver": 3 + 2 * bool(getattr(command, "helpers", ())), "Achieve": 5, "Strike": 2}
    dice = (3,) * (3 if getattr(command, "gifts", ()) else thrown[type(command).__name__])
    table.after(promise).when(command, dice, by=ZADIE).accepted()
    table.when(command, dice).accepted()
    table.after(promise).after(EndRound()).when(command, by=ZADIE).then_refused("not-offered")


def test_who_has_not_offered_is_called_by_name() -> None:
    """Nobody at the table calls anybody by an id, and the GM is the GM."""
    for giver, called in (("gm", "The GM"), ("rasheem", "Rasheem")):
        refusal = company().when(Maneuver(actor="zadie", action_dice=1, gifts=(giver,)), by=ZADIE).refusal
        assert refusal.message.startswith(f"{called} has not offered this")
        taken_back = company().when(WithdrawOffer(giver=giver)).refusal
        assert taken_back.message == f"{called} has no such offer standing"
    other = company().when(Maneuver(actor="rasheem", action_dice=1), by=ZADIE).refusal
    assert other.message == "Only the player of Rasheem or the GM can do this"


def test_an_offer_of_less_is_not_enough() -> None:
    """Two dice are not three."""
    table = company().after(Offer(giver="mira", to="zadie", help_dice=2))
    table.when(
        Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=3),)),
        by=ZADIE,
    ).then_refused("not-offered")


def test_an_offer_is_to_somebody() -> None:
    """What was promised to Rasheem is not Zadie's; what was promised to all is anybody's."""
    wish = Maneuver(actor="zadie", action_dice=1, gifts=("mira",))
    table = company()
    table.after(Offer(giver="mira", to="rasheem", gift=True)).when(wish, by=ZADIE).then_refused("not-offered")
    table.after(Offer(giver="mira", to="all", gift=True)).when(wish, faces(3), by=ZADIE).accepted()


def test_an_offer_is_used_once() -> None:
    """The second maneuver needs a second promise."""
    table = company().after(Offer(giver="mira", to="all", gift=True))
    table = table.after(step(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), faces(3), by=ZADIE))
    table.when(Maneuver(actor="rasheem", action_dice=1, gifts=("mira",)), by=RASHEEM).then_refused(
        "not-offered"
    )


def test_a_promise_costs_nothing() -> None:
    """Nothing leaves a pool until an action names it."""
    company().when(Offer(giver="mira", to="zadie", gift=True, text="For the jump"), by=MIRA).then(
        OfferMade(giver="mira", to="zadie", gift=1, text="For the jump")
    ).then_state(characters={"mira": {"action": 6}}, conflict={"gift_given": False})


def test_taking_a_promise_back() -> None:
    """Until it was used, an offer may be withdrawn."""
    table = company().after(Offer(giver="mira", to="zadie", gift=True))
    table.when(WithdrawOffer(giver="mira", to="zadie"), by=ZADIE).then_refused("not-allowed")
    table.when(WithdrawOffer(giver="mira", to="zadie"), by=MIRA).then(
        OfferWithdrawn(giver="mira", to="zadie")
    ).when(Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), by=ZADIE).then_refused("not-offered")


def test_the_masters_die_must_be_offered_too() -> None:
    """The GM's gift is the GM's."""
    wish = Maneuver(actor="zadie", action_dice=1, gifts=("gm",))
    company().when(wish, by=ZADIE).then_refused("not-offered")
    company().after(Offer(giver="gm", to="zadie", gift=True)).when(wish, faces(3), by=ZADIE).accepted()
    company().when(Offer(giver="gm", to="zadie", gift=True), by=ZADIE).then_refused("not-allowed")


def test_at_a_table_where_people_talk() -> None:
    """Parameter consent = table: any player may name any gift or helper."""
    company(consent="table").when(
        Maneuver(
            actor="zadie",
            action_dice=1,
            gifts=("mira",),
            helpers=(HelpAsked(character="rasheem", action_dice=1),),
        ),
        faces(5),
        by=ZADIE,
    ).accepted()


def test_offers_may_be_made_while_a_roll_waits() -> None:
    """Talk is not acting."""
    table = company().after(step(Maneuver(actor="zadie", action_dice=1), (3, 1)))
    table.when(Offer(giver="mira", to="rasheem", gift=True), by=MIRA).accepted()


def test_announcing() -> None:
    """What is coming, in words, so that the others can offer."""
    company().when(Announce(actor="zadie", kind="maneuver", text="I jump"), by=ZADIE).then(
        Announced(actor="zadie", kind="maneuver", text="I jump")
    )


def test_rulings_are_told() -> None:
    """The GM's word on what the rules leave open."""
    company().when(Rule(question="Is the tower cover?", answer="Yes")).then(
        QuestionRuled(question="Is the tower cover?", answer="Yes")
    )


def test_ending_the_own_turn() -> None:
    """6.3: the players choose their order; ending the turn is not among the GM's own things for sure."""
    company().when(EndTurn()).accepted()
    company().when(EndTurn(), by=OBSERVER).then_refused("not-allowed")


def test_a_character_needs_a_player_only_by_name() -> None:
    """A sheet may name its player."""
    company().when(AddCharacter(id="lin", side="pcs", kind="pc", action=6, player="Sam")).accepted()


def test_the_master_pays_no_tokens() -> None:
    """6.4: tokens are the players'; nobody names the GM as a payer, alone or among others."""
    for payers in ("gm", ("gm", "zadie")):
        wish = Strike(actor="zadie", targets=("demons",), strike_dice=1, free=True, tokens_from=payers)
        company().when(wish, by=ZADIE).then_refused("unknown-character")
        company().when(wish).then_refused("unknown-character")
