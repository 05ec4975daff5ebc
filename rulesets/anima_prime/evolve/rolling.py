"""The table after a declaration, its dice, and what answered them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rulesets.anima_prime.events import (
    AchievementDeclared,
    DiceRerolled,
    DiceRolled,
    GiftGiven,
    ManeuverDeclared,
    PowerUsed,
    RerollDeclined,
    StrikeDeclared,
)
from rulesets.anima_prime.evolve.pools import Part, moved, seat, seats, used_up
from rulesets.anima_prime.sheet import Pool, Trait
from rulesets.anima_prime.state import Announcement, Character, OpenRoll, SettledRoll, Stake, State


def maneuver_declared(state: State, event: ManeuverDeclared) -> State:
    """Action dice leave the pools of all who take part, and their actions are spent."""
    put_in = [(event.actor, event.action_dice), *[(one.character, one.action_dice) for one in event.helpers]]
    return _declared(
        state,
        [_put_in(state.characters[who], "action", dice, spends=True) for who, dice in put_in],
        OpenRoll(
            kind="maneuver",
            actor=event.actor,
            stakes=tuple([Stake(character=who, pool="action", dice=dice) for who, dice in put_in]),
            targets=() if event.target is None else (event.target,),
            no_reroll=event.no_reroll,
        ),
        tuple([(one.character, "help_dice", one.action_dice) for one in event.helpers]),
    )


def strike_declared(state: State, event: StrikeDeclared) -> State:
    """Strike dice leave the pool, and the action is spent unless tokens pay for another one."""
    actor = state.characters[event.actor]
    return _declared(
        state,
        [_put_in(actor, "strike", event.strike_dice, spends=event.spends_action)],
        OpenRoll(
            kind="strike",
            actor=event.actor,
            stakes=(Stake(character=event.actor, pool="strike", dice=event.strike_dice),),
            targets=event.targets,
            no_reroll=event.no_reroll,
        ),
        (),
    )


def achievement_declared(state: State, event: AchievementDeclared) -> State:
    """Strike dice leave the pools of all who take part, the leader's first."""
    put_in = {event.actor: event.strike_dice.get(event.actor, 0), **dict(sorted(event.strike_dice.items()))}
    spends = {
        who: event.spends_action if who == event.actor else event.helpers_spend_action for who in put_in
    }
    return _declared(
        state,
        [_put_in(state.characters[who], "strike", dice, spends=spends[who]) for who, dice in put_in.items()],
        OpenRoll(
            kind="achieve",
            actor=event.actor,
            stakes=tuple(
                Stake(character=who, pool="strike", dice=dice) for who, dice in put_in.items() if dice
            ),
            goal=event.goal,
            no_reroll=event.no_reroll,
        ),
        tuple((who, "strike_dice", dice) for who, dice in put_in.items() if who != event.actor),
    )


def power_used(state: State, event: PowerUsed) -> State:
    """An action power spends the action of the round unless tokens pay for another one."""
    actor = _acting(state.characters[event.actor], spends=event.spends_action)
    return replace(seat(state, actor), announcements=_heard(state, event.actor))


def gift_given(state: State, event: GiftGiven) -> State:
    """A gift die joins the roll; the GM's come from the supply and have nowhere to go back to."""
    roll, characters, conflict = state.open_roll, state.characters, state.conflict
    if event.giver != "gm":
        characters = seats(state, moved(characters[event.giver], "action", -event.dice))
        stake = Stake(character=event.giver, pool="action", dice=event.dice, gift=True)
        roll = roll and replace(roll, stakes=(*roll.stakes, stake))
    if event.counts and not conflict.gift_given:
        conflict = replace(conflict, gift_given=True)
    offers = used_up(state.offers, event.to, ((event.giver, "gift", event.dice),))
    return replace(state, characters=characters, open_roll=roll, conflict=conflict, offers=offers)


def dice_rolled(state: State, event: DiceRolled) -> State:
    """The dice lie open until the question they leave is answered."""
    roll = state.open_roll or OpenRoll(kind="maneuver", actor=event.actor)
    return replace(
        state,
        open_roll=replace(
            roll,
            number=event.roll.number,
            dice=event.roll.dice,
            apart=event.apart,
            earn_limit=event.earn_limit,
            asks=event.asks,
        ),
    )


def dice_rerolled(state: State, event: DiceRerolled) -> State:
    """The trait is unmarked, and new faces lie where the failed ones lay."""
    actor = state.characters[event.actor]
    traits = tuple(Trait(name=trait.name) if trait.name == event.trait else trait for trait in actor.traits)
    roll = state.open_roll or OpenRoll(kind="maneuver", actor=event.actor)
    dice = list(roll.dice)
    for place, die in zip(event.places, event.roll.dice, strict=True):
        dice[place] = die
    return replace(
        seat(state, replace(actor, traits=traits)),
        open_roll=replace(roll, dice=tuple(dice), rerolls=roll.rerolls + 1, asks=event.asks),
    )


def reroll_declined(state: State, event: RerollDeclined) -> State:
    """Only the choice of dice is left."""
    roll = state.open_roll or OpenRoll(kind="maneuver", actor=event.actor)
    return replace(state, open_roll=replace(roll, asks="keep"))


def roll_closed(state: State, *, by_itself: bool) -> State:
    """The roll is settled; one that settled by itself is remembered for answers that come too late."""
    roll = state.open_roll
    if roll is None or not by_itself:
        return replace(state, open_roll=None, settled=None)
    success = state.parameters.success_face
    failed = len([die for die in roll.dice if die.face < success])
    return replace(
        state, open_roll=None, settled=SettledRoll(actor=roll.actor, failed=failed, rerolls=roll.rerolls)
    )


def _declared(
    state: State,
    taking_part: Sequence[Character],
    roll: OpenRoll,
    promised: tuple[tuple[str, Part, int], ...],
) -> State:
    return replace(
        state,
        characters=seats(state, *taking_part),
        open_roll=roll,
        settled=None,
        offers=used_up(state.offers, roll.actor, promised) if state.offers else state.offers,
        announcements=_heard(state, roll.actor),
    )


def _put_in(character: Character, pool: Pool, dice: int, *, spends: bool) -> Character:
    if not spends:
        return moved(character, pool, -dice)
    return moved(character, pool, -dice, acted=True)


def _acting(character: Character, *, spends: bool) -> Character:
    return replace(character, acted=True) if spends and not character.acted else character


def _heard(state: State, actor: str) -> tuple[Announcement, ...]:
    return tuple(one for one in state.announcements if one.actor != actor) if state.announcements else ()
