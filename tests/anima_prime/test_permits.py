"""Who is needed for what, what a promise covers, and what nobody may learn from being refused."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, marked, pc, player, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import (
    Achieve,
    AddGoal,
    CharacterScene,
    HelpAsked,
    Keep,
    Maneuver,
    Offer,
    Reroll,
    Settle,
    SpendToken,
    Strike,
    UsePower,
    WithdrawOffer,
)
from rulesets.anima_prime.sheet import Power
from rulesets.people import GM, Viewer
from rulesets.testing import step

ZADIE, RASHEEM = player("zadie"), player("rasheem")
SMOKE = Power(id="smoke", kind="action", cost=0)
ANSWERS = [Settle(), Reroll(trait="Cold"), Keep(strike=1, charge=0)]


def company(**readings):
    """Zadie, Rasheem and Mira, the demons, and one nobody knows of, on either side."""
    return running(
        pc("zadie", strike=6, powers=(SMOKE, "blaze"), charge=3),
        pc("rasheem", strike=6, awesome_tokens=3),
        pc("mira", awesome_tokens=1),
        foe("demons"),
        foe("critters"),
        foe("ghost", "individual", name="Veiled Knife", strike=4, secret=True, traits=marked("Cold")),
        pc("spy", name="Quiet Friend", secret=True, strike=2, awesome_tokens=2),
        AddGoal(id="gate", name="Gate", difficulty=2),
        AddGoal(id="plot", name="Unmask the guide", difficulty=2, secret=True),
        **readings,
    )


def test_a_refusal_says_who_is_needed() -> None:
    """The GM for the GM's own things, else the character's player."""
    table = company()
    table.when(AddGoal(id="well", name="Well", difficulty=1), by=ZADIE).then_refused(
        "not-allowed", needs="gm"
    )
    table.when(Maneuver(actor="mira", action_dice=1), by=ZADIE).then_refused(
        "not-allowed", needs="player of mira"
    )


@pytest.mark.parametrize(
    "command",
    [
        SpendToken(payer="rasheem", tokens=1, text="Luck"),
        WithdrawOffer(giver="rasheem"),
        CharacterScene(character="rasheem", benefit="other"),
        UsePower(actor="rasheem", power="smoke"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_nobody_spends_for_another(command) -> None:
    """A player pays from their own characters only, whether or not the command is legal."""
    company().when(command, by=ZADIE).then_refused("not-allowed", needs="player of rasheem")


@pytest.mark.parametrize(
    "command, giver, part, amount",
    [
        (Maneuver(actor="zadie", action_dice=1, gifts=("mira",)), "mira", "gift", 1),
        (Maneuver(actor="zadie", action_dice=1, gifts=("gm",)), "gm", "gift", 1),
        (
            Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=2),)),
            "mira",
            "help_dice",
            2,
        ),
        (
            Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1, "rasheem": 3}),
            "rasheem",
            "strike_dice",
            3,
        ),
        (
            Strike(actor="zadie", targets=("demons", "critters"), strike_dice=1, tokens_from="rasheem"),
            "rasheem",
            "tokens",
            2,
        ),
        (UsePower(actor="zadie", power="smoke", free=True, tokens_from="rasheem"), "rasheem", "tokens", 1),
    ],
)
def test_what_is_missing_is_named(command, giver, part, amount) -> None:
    """Who has not offered what, and how much of it; one die or token less is too little."""
    table = company()
    table.when(command, by=ZADIE).then_refused("not-offered", giver=giver, part=part, amount=amount)
    if amount > 1:
        less = Offer(giver=giver, to="zadie", **{part: amount - 1})
        table.after(less).when(command, by=ZADIE).then_refused("not-offered")
    enough = table.after(Offer(giver=giver, to="zadie", **{part: amount}))
    enough.rules.permits(enough.state, command, ZADIE)


def test_one_promise_is_no_other() -> None:
    """Whoever offers a gift has not offered to help."""
    wish = Maneuver(actor="zadie", action_dice=1, helpers=(HelpAsked(character="mira", action_dice=1),))
    company().after(Offer(giver="mira", to="zadie", gift=True)).when(wish, by=ZADIE).then_refused(
        "not-offered", part="help_dice"
    )


def test_the_number_of_dice_of_another_power_is_the_masters() -> None:
    """6.6: a strike power in an achievement gives as many dice as the GM says."""
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1}, power="blaze", power_dice=9)
    for table in (company(), company(consent="table")):
        table.when(wish, by=ZADIE).then_refused("not-allowed", needs="gm")
        table.when(wish, faces(10)).accepted()


def test_the_table_may_agree_by_word_of_mouth() -> None:
    """Parameter consent: what is agreed aloud needs no record, but nobody plays another's character."""
    table = company(consent="table")
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1, "rasheem": 2})
    table.when(wish, faces(3), by=ZADIE).accepted()
    table.when(Maneuver(actor="rasheem", action_dice=1), by=ZADIE).then_refused("not-allowed")


@pytest.mark.parametrize(
    "naming",
    [
        lambda who: Offer(giver="zadie", to=who, gift=True),
        lambda who: WithdrawOffer(giver="zadie", to=who),
        lambda who: SpendToken(payer="zadie", beneficiary=who, tokens=1, text="For them"),
        lambda who: UsePower(actor="zadie", power="smoke", targets=(who,)),
        lambda who: Strike(actor="zadie", targets=("demons",), strike_dice=1, free=True, tokens_from=who),
        lambda who: Maneuver(
            actor="zadie", action_dice=1, helpers=(HelpAsked(character=who, action_dice=1),)
        ),
        lambda who: Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1, who: 1}),
        lambda who: Achieve(actor="zadie", goal="plot" if who == "spy" else who, strike_dice={"zadie": 1}),
    ],
)
@pytest.mark.parametrize("consent", ["offers", "table"])
def test_the_hidden_and_the_unknown_are_refused_alike(naming, consent) -> None:
    """Code, message and fields are the same but for the id, whatever names it."""
    table = company(consent=consent)
    hidden, unknown = (table.when(naming(who), by=ZADIE).refusal for who in ("spy", "nobody"))
    assert hidden is not None
    assert unknown is not None
    secret = hidden.fields.get("character") or hidden.fields["goal"]
    assert secret in ("spy", "plot")
    assert hidden.code == unknown.code
    assert hidden.message.replace(secret, "nobody") == unknown.message
    assert {**hidden.fields, **dict.fromkeys(hidden.fields, "nobody")} == unknown.fields


def test_whoever_plays_the_hidden_knows_of_them() -> None:
    """A secret character is no secret to its own player."""
    both = Viewer(role="player", name="zadie", characters=("zadie", "spy"))
    company().when(Maneuver(actor="spy", action_dice=1, gifts=("zadie",)), faces(3), by=both).accepted()


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_nobody_answers_a_roll_they_do_not_know_of(answer) -> None:
    """A hidden opponent's roll waits for the GM: to the players there is none to answer, nor one to see."""
    quiet = company(first="adversity")
    waiting = quiet.after(step(Maneuver(actor="ghost", action_dice=1), (3, 1, 1)))
    assert RULESET.record.questions(waiting.state)[0].audience == ("gm",)
    for table in (quiet, waiting):
        refusal = table.when(answer, by=ZADIE).refusal
        assert refusal is not None
        assert (refusal.code, refusal.fields) == ("no-such-question", {})
        assert refusal.message == "No roll waits for this answer"


def test_nobody_settles_what_settled_in_secret() -> None:
    """The hidden roll that needed no answer is told to the GM alone."""
    table = company(first="adversity").after(step(Maneuver(actor="ghost", action_dice=1), faces(3)))
    table.when(Settle(), by=ZADIE).then_refused("no-such-question")
    table.when(Settle(), by=GM).then_nothing()


def test_an_open_roll_is_asked_in_the_open() -> None:
    """Everybody sees that Zadie is asked; she and the GM answer."""
    table = running(pc("zadie", traits=marked("Cold")), pc("rasheem"), foe("demons")).after(
        step(Maneuver(actor="zadie", action_dice=1), (3, 1))
    )
    assert RULESET.record.questions(table.state)[0].audience == ("everyone",)
    table.when(Settle(), by=RASHEEM).then_refused("not-allowed", needs="player of zadie")
    table.when(Settle(), by=ZADIE).accepted()
