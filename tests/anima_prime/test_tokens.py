"""6.4 Awesome Tokens: free actions, two targets, both, and other uses."""

from __future__ import annotations

import pytest

from anima_prime.table import faces, foe, pc, running
from rulesets.anima_prime.commands import Achieve, AddGoal, EndRound, EndTurn, Maneuver, SpendToken, Strike
from rulesets.anima_prime.events import StrikeResolved, StrikeResult, TokensSpent
from rulesets.anima_prime.sheet import Bonus, DiceByType, Power
from rulesets.testing import step

BLAZE = Power(
    id="blaze",
    name="Blaze",
    kind="strike",
    cost=3,
    joins=("strike",),
    dice=DiceByType(individual=4, squad=3, swarm=2),
)


def fight(tokens=3, **zadie):
    """Zadie with tokens against a squad (defense 2), a bull (4) and an imp (3)."""
    return running(
        pc("zadie", **{"strike": 12, "awesome_tokens": tokens, **zadie}),
        pc("rasheem", awesome_tokens=2, strike=6),
        foe("demons", defense=2, max_wounds=4),
        foe("bull", "individual", defense=4),
        foe("imp", "individual", defense=3),
    )


def blow(*targets, dice=5, **more):
    """Zadie strikes."""
    return Strike(actor="zadie", targets=targets, strike_dice=dice, **more)


def test_one_token_buys_a_free_strike() -> None:
    """6.4: also after acting, without touching the action of the round."""
    table = fight().after(step(blow("demons", dice=1), (1,)))
    when = table.when(blow("demons", dice=3, free=True), faces(3))
    assert TokensSpent(character="zadie", tokens=1, use="free", beneficiary="zadie") in when.events or any(
        isinstance(event, TokensSpent) and event.tokens == 1 and event.use == "free" for event in when.events
    )
    when.then_state(characters={"zadie": {"awesome_tokens": 2, "strike": 9}, "demons": {"wounds": 1}})


def test_a_free_strike_leaves_the_action_of_the_round() -> None:
    """6.4, recommended reading: the free action is one more."""
    table = fight().after(step(blow("demons", dice=1, free=True), (1,)))
    assert table.view()["characters"]["zadie"]["acted"] is False
    table.when(blow("demons", dice=1), (1,)).then_state(
        characters={"zadie": {"acted": True, "awesome_tokens": 2}}
    )


def test_a_free_strike_may_use_up_the_action_where_the_table_says_so() -> None:
    """Parameter token.free_keeps_action."""
    table = running(
        pc("zadie", strike=3, awesome_tokens=1), foe("demons"), token={"free_keeps_action": False}
    )
    table.when(blow("demons", dice=1, free=True), (1,)).then_state(characters={"zadie": {"acted": True}})


def test_tokens_work_in_the_other_sides_turn() -> None:
    """6.4: between any two actions."""
    table = fight().after(EndTurn())
    table.when(blow("demons", dice=1, free=True), (1,)).then_state(
        characters={"zadie": {"awesome_tokens": 2}}
    )


def test_a_free_strike_that_misses_costs_the_token() -> None:
    """6.4: the dice return, the token does not."""
    fight(tokens=1).when(blow("demons", dice=2, free=True), faces(2)).then_state(
        characters={"zadie": {"awesome_tokens": 0, "strike": 12}}
    )


def test_a_maneuver_is_never_free() -> None:
    """6.4: a token buys a strike, an achievement or an action power; a maneuver has no field for it."""
    assert "free" not in Maneuver.__struct_fields__


def test_two_tokens_buy_a_second_target() -> None:
    """6.4: one roll against each defense: floor(4 / 2) = 2 and floor(4 / 4) = 1 wounds."""
    when = fight().when(blow("demons", "bull"), faces(5))
    assert (
        StrikeResolved(
            actor="zadie",
            results=(
                StrikeResult(target="demons", successes=5, defense=2, wounds=2),
                StrikeResult(target="bull", successes=5, defense=4, wounds=1),
            ),
            by_itself=True,
        )
        in when.events
    )
    when.then_state(
        characters={
            "zadie": {"awesome_tokens": 1, "strike": 7, "acted": True},
            "demons": {"wounds": 2},
            "bull": {"wounds": 1},
        }
    )


def test_one_hit_of_two_uses_up_the_dice() -> None:
    """6.4, recommended reading: only if both are missed do the dice return."""
    fight().when(blow("demons", "bull", dice=4), faces(4)).then_state(
        characters={"zadie": {"strike": 8}, "demons": {"wounds": 1}, "bull": {"wounds": 0}}
    )
    fight().when(blow("demons", "bull", dice=4), faces(2, 2)).then_state(
        characters={
            "zadie": {"strike": 12, "awesome_tokens": 1},
            "demons": {"wounds": 0},
            "bull": {"wounds": 0},
        }
    )


def test_three_tokens_buy_both() -> None:
    """6.4: a free strike against two."""
    fight().when(blow("demons", "bull", free=True), faces(5)).then_state(
        characters={"zadie": {"awesome_tokens": 0, "strike": 7, "acted": False}, "bull": {"wounds": 1}}
    )


@pytest.mark.parametrize(
    "tokens, targets, free",
    [(0, ("demons",), True), (1, ("demons", "bull"), False), (2, ("demons", "bull"), True)],
)
def test_too_few_tokens(tokens, targets, free) -> None:
    """6.4: one, two, three; no ruling makes tokens out of nothing."""
    fight(tokens=tokens).when(blow(*targets, free=free)).then_refused("not-enough-tokens", overrulable=False)


def test_the_same_target_twice_is_one_target() -> None:
    """6.4: two opponents."""
    fight().when(blow("demons", "demons")).then_refused("same-target")


def test_never_three_targets() -> None:
    """6.4: tokens buy one more, not two."""
    fight(tokens=9).when(blow("demons", "bull", "imp")).then_refused("too-many-targets")


def test_dice_for_one_type_are_thrown_apart() -> None:
    """6.4: three shared dice, then four of Blaze for the bull, then three for the squad."""
    table = fight(tokens=2, strike=3, charge=3, powers=(BLAZE,))
    when = table.when(blow("bull", "demons", dice=3, power="blaze"), (3, 4, 1, 5, 6, 3, 2, 1, 2, 2))
    # Bull: 2 + 3 against 4 is floor(4 / 4) = 1 wound; demons: 2 + 0 against 2 is a miss.
    when.then_state(
        characters={"zadie": {"strike": 0, "charge": 0}, "bull": {"wounds": 1}, "demons": {"wounds": 0}}
    )


def test_dice_for_one_type_are_shared_by_targets_of_that_type() -> None:
    """6.4: apart only if the types differ; bull and imp are both individuals."""
    table = fight(tokens=2, strike=3, charge=3, powers=(BLAZE,))
    table.when(blow("bull", "imp", dice=3, power="blaze"), (3, 4, 1, 5, 6, 3, 2)).then_state(
        characters={"bull": {"wounds": 1}, "imp": {"wounds": 1}}
    )


def test_bonus_dice_against_one_type_only() -> None:
    """6.4: dice that work only against squads are thrown for the squad."""
    table = fight(tokens=2, strike=3)
    bonus = (Bonus(dice=2, source="Banner", only_against="squad"),)
    # Shared 3 4 5: three; the squad's own 6 1: one more. Squad 4 against 2: 1 wound; bull 3 against 4: none.
    table.when(blow("bull", "demons", dice=3, bonus=bonus), (3, 4, 5, 6, 1)).then_state(
        characters={"bull": {"wounds": 0}, "demons": {"wounds": 1}}
    )


def test_tokens_of_another_player() -> None:
    """6.4: spent for another player's character; the payer's action is untouched."""
    fight(tokens=0).when(blow("demons", dice=3, free=True, tokens_from="rasheem"), faces(3)).then_state(
        characters={
            "zadie": {"strike": 9, "acted": False},
            "rasheem": {"awesome_tokens": 1, "acted": False},
            "demons": {"wounds": 1},
        }
    )


def test_two_players_pay_together_only_where_the_table_says_so() -> None:
    """Parameter tokens.pooling, off in the recommended reading."""
    wish = blow("demons", "bull", tokens_from=("zadie", "rasheem"))
    assert fight(tokens=1).when(wish).refusal
    pooled = running(
        pc("zadie", strike=6, awesome_tokens=1),
        pc("rasheem", awesome_tokens=1),
        foe("demons", defense=2),
        foe("bull", "individual", defense=4),
        tokens={"pooling": True},
    )
    pooled.when(wish, faces(5)).then_state(
        characters={"zadie": {"awesome_tokens": 0}, "rasheem": {"awesome_tokens": 0}, "bull": {"wounds": 1}}
    )


def test_a_free_achievement() -> None:
    """6.4: the token covers the leader; helpers need an action of their own."""
    goal = AddGoal(id="gate", name="Gate", difficulty=2)
    table = fight().after(goal).after(step(blow("demons", dice=1), (1,)))
    free = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 3}, free=True)
    table.when(free, faces(3)).then_state(
        goals={"gate": {"status": "achieved"}}, characters={"zadie": {"awesome_tokens": 2}}
    )


def test_helpers_of_a_free_achievement_spend_their_action() -> None:
    """6.4, recommended reading."""
    goal = AddGoal(id="gate", name="Gate", difficulty=9)
    wish = Achieve(actor="zadie", goal="gate", strike_dice={"zadie": 1, "rasheem": 1}, free=True)
    table = fight().after(goal)
    table.when(wish, (1, 1)).then_state(characters={"zadie": {"acted": False}, "rasheem": {"acted": True}})
    tired = table.after(step(Strike(actor="rasheem", targets=("demons",), strike_dice=1), (1,)))
    tired.when(wish).then_refused("helper-already-acted")


def test_another_use_is_told_in_words() -> None:
    """6.4: whatever else a token buys."""
    spend = SpendToken(payer="zadie", tokens=2, text="The bridge holds", beneficiary="rasheem")
    fight().when(spend).then(
        TokensSpent(character="zadie", tokens=2, use="other", beneficiary="rasheem", text="The bridge holds")
    ).then_state(characters={"zadie": {"awesome_tokens": 1}})
    fight(tokens=1).when(spend).then_refused("not-enough-tokens")


def test_tokens_last_over_the_rounds() -> None:
    """6.4: nothing takes them within a conflict."""
    fight().after(EndRound()).when(EndRound()).then_state(characters={"zadie": {"awesome_tokens": 3}})
