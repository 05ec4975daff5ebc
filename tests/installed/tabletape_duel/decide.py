"""The rules of the duel: what comes of a legal command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec import UNSET

from rulesets.dice import Dice, Roll
from tabletape_duel import commands as ask
from tabletape_duel import events as fact
from tabletape_duel.evolve import evolve
from tabletape_duel.state import Blow, Duellist, State

Events = Sequence[fact.DuelEvent]


def decide(state: State, command: ask.DuelCommand, dice: Dice) -> Events:  # noqa: PLR0911 - a case each
    """What happens."""
    if isinstance(command, ask.Answer):
        return answer(state, command, dice)
    match command:
        case ask.AddDuellist():
            return [enter(command)]
        case ask.Reveal(duellist=who):
            return [fact.DuellistRevealed(duellist=who)]
        case ask.ConcealDagger(duellist=who):
            return [fact.DaggerConcealed(duellist=who)]
        case ask.DrawDagger(duellist=who):
            return [fact.DaggerDrawn(duellist=who)]
        case ask.Begin(order=order):
            return [fact.DuelBegun(order=order or state.order)]
        case ask.Attack():
            return attack(state, command, dice)
        case ask.EndTurn():
            return [end_turn(state)]
        case ask.Adjust():
            return [adjust(state, command)]
        case _:
            assert_never(command)


def answer(state: State, command: ask.Answer, dice: Dice) -> Events:
    """What an answer to the open question leads to."""
    match command:
        case ask.Rule(counts=counts):
            return rule_on_low_blow(state, dice, counts=counts)
        case ask.Interpose(ally=ally):
            return interpose(state, ally, dice)
        case ask.PassBy(ally=ally):
            return pass_by(state, ally, dice)
        case ask.Defend(defense=defense):
            return defend(state, defense, dice)
        case ask.ThrowDamage():
            return [wound(state, dice)]
        case _:
            assert_never(command)


def enter(command: ask.AddDuellist) -> fact.DuellistAdded:
    """Entering: a duellist without a name is called by their id."""
    return fact.DuellistAdded(
        id=command.id,
        name=command.id.capitalize() if command.name is UNSET else command.name,
        side=command.side,
        skill=command.skill,
        hp=command.hp,
        stamina=command.stamina,
        secret=command.secret,
    )


def attack(state: State, command: ask.Attack, dice: Dice) -> Events:
    """Attacking: three dice, at most the skill. A low blow that lands is first ruled on."""
    roll = dice.roll("attack", [(f"attack:{command.attacker}", 6)] * 3)
    made = fact.AttackMade(
        attacker=command.attacker,
        target=command.target,
        low=command.low,
        paid=state.parameters.attack_cost,
        roll=roll,
        landed=total(roll) <= state.duellists[command.attacker].skill,
    )
    if not made.landed:
        return [made]
    struck = evolve(state, made)
    if command.low:
        return [made, question(struck, "low-blow", ("gm",))]
    return [made, *window(struck, dice)]


def rule_on_low_blow(state: State, dice: Dice, *, counts: bool) -> Events:
    """A foul ends the blow, stamina spent; one that counts goes on."""
    ruled = fact.BlowRuled(counts=counts)
    return [ruled, *window(evolve(state, ruled), dice)] if counts else [ruled]


def window(state: State, dice: Dice) -> Events:
    """Before the defense, friends of the target who have the breath may step between."""
    price, blow = state.parameters.interpose_cost, blow_of(state)
    target = state.duellists[blow.target]
    allies = tuple(
        who
        for who in state.order
        if who not in (target.id, blow.attacker) and able(state.duellists[who], target.side, price)
    )
    return [question(state, "interpose", allies)] if allies else meet(state, dice)


def able(who: Duellist, side: str, price: int) -> bool:
    """Whether somebody stands on that side and has this much stamina."""
    return who.side == side and not who.down and who.stamina >= price


def interpose(state: State, ally: str, dice: Dice) -> Events:
    """A friend takes the blow upon themselves, and defends."""
    stepped = fact.AllyInterposed(ally=ally, paid=state.parameters.interpose_cost)
    return [stepped, *meet(evolve(state, stepped), dice)]


def pass_by(state: State, ally: str, dice: Dice) -> Events:
    """When the last friend has let it come, the target defends."""
    passed = fact.AllyPassed(ally=ally)
    after = evolve(state, passed)
    return [passed] if after.waiting else [passed, *meet(after, dice)]


def meet(state: State, dice: Dice) -> Events:
    """Who is too tired to dodge can only parry: at once, unless the dice are those of the table."""
    target = state.duellists[blow_of(state).target]
    if target.stamina >= state.parameters.dodge_cost:
        return [question(state, "defense", (target.id,), ("parry", "dodge", "none"))]
    if at_table(state, dice):
        return [question(state, "defense", (target.id,), ("parry",))]
    return defend(state, "parry", dice)


def defend(state: State, defense: fact.Defense, dice: Dice) -> Events:
    """Parrying takes half one's skill and three, dodging the table's number; undefended blows go home."""
    who = state.duellists[blow_of(state).target]
    roll = None if defense == "none" else dice.roll(defense, [(f"{defense}:{who.id}", 6)] * 3)
    made = fact.DefenseMade(
        defender=who.id,
        defense=defense,
        paid=state.parameters.dodge_cost if defense == "dodge" else 0,
        roll=roll,
        stopped=roll is not None and total(roll) <= defense_number(state, who, defense),
    )
    return [made] if made.stopped else [made, go_home(evolve(state, made), dice)]


def defense_number(state: State, who: Duellist, defense: fact.Defense) -> int:
    """What a defense must not exceed; nothing stops a blow that is not met."""
    return {"parry": who.skill // 2 + 3, "dodge": state.parameters.dodge_target, "none": 0}[defense]


def go_home(state: State, dice: Dice) -> fact.DuelEvent:
    """The wound: thrown at once, or asked of the attacker at a table with dice."""
    if at_table(state, dice):
        return question(state, "damage", (blow_of(state).attacker,))
    return wound(state, dice)


def wound(state: State, dice: Dice) -> fact.WoundDealt:
    """One die, and more with a dagger in hand; nobody loses more than they have."""
    attacker, target = (state.duellists[who] for who in (blow_of(state).attacker, blow_of(state).target))
    roll = dice.roll("damage", [(f"damage:{attacker.id}", 6)])
    bonus = state.parameters.dagger_damage if attacker.dagger == "drawn" else 0
    amount = min(target.hp, total(roll) + bonus)
    return fact.WoundDealt(target=target.id, roll=roll, amount=amount, down=amount == target.hp)


def end_turn(state: State) -> fact.TurnEnded:
    """The next in order who stands; the round rises past the last."""
    assert state.current is not None
    here = state.order.index(state.current)
    later = [who for who in state.order[here + 1 :] if not state.duellists[who].down]
    earlier = [who for who in state.order[:here] if not state.duellists[who].down]
    following = (*later, *earlier, state.current)[0]
    return fact.TurnEnded(next=following, round=state.round + (not later))


def adjust(state: State, command: ask.Adjust) -> fact.Adjusted:
    """Correcting the books; whoever has no hit points left is down."""
    return fact.Adjusted(
        duellist=command.duellist,
        hp=command.hp,
        stamina=command.stamina,
        down=state.duellists[command.duellist].hp + command.hp == 0,
        reason=command.reason,
    )


def question(
    state: State, kind: fact.Kind, asks: tuple[str, ...], defenses: tuple[fact.Defense, ...] = ()
) -> fact.QuestionAsked:
    """The next question, by its number in this exchange: it stays the same whatever becomes of earlier ones."""
    return fact.QuestionAsked(question=f"q{state.asked + 1}", kind=kind, asks=asks, defenses=defenses)


def blow_of(state: State) -> Blow:
    """The blow in the air, which is there whenever it is being settled."""
    assert state.blow is not None
    return state.blow


def at_table(state: State, dice: Dice) -> bool:
    """Whether the next dice are thrown by somebody's hand."""
    return blow_of(state).at_table or dice.source == "table"


def total(roll: Roll) -> int:
    """The sum of the faces."""
    return sum(die.face for die in roll.dice)
