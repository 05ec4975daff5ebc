"""Which dice an action throws, in the order faces are typed (6.4 to 6.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulesets.anima_prime.commands import Achieve, Maneuver, Strike
from rulesets.anima_prime.costs import Roller, named_powers, powers_for, strike_dice
from rulesets.anima_prime.parameters import Joins
from rulesets.anima_prime.sheet import Bonus, DiceByType, Target
from rulesets.anima_prime.state import Apart, Character, State, bears, competence_of


class Wanted(NamedTuple):
    """Dice to throw by origin, those for all targets first; `apart` says how many belong to one target only."""

    origins: tuple[str, ...]
    apart: tuple[Apart, ...] = ()

    @property
    def dice(self) -> list[tuple[str, int]]:
        """What to ask the dice for: every die has six sides."""
        return [(origin, 6) for origin in self.origins]


class Extra(NamedTuple):
    """Bonus dice from one source, the same against everybody or by type of target."""

    origin: str
    dice: int | DiceByType


def joins_of(command: Roller) -> Joins:
    """The kind of action a command is, as powers and conditions name it."""
    if isinstance(command, Maneuver):
        return "maneuver"
    return "strike" if isinstance(command, Strike) else "achieve"


def type_of(character: Character) -> Target:
    """The type a power looks at: player characters count as individuals."""
    return "individual" if character.kind == "pc" else character.kind


def targets_of(state: State, command: Roller) -> tuple[Character, ...]:
    """Whom an action is directed at."""
    if isinstance(command, Strike):
        return tuple([state.characters[target] for target in command.targets])
    if isinstance(command, Maneuver) and command.target is not None:
        return (state.characters[command.target],)
    return ()


def extras(state: State, command: Roller) -> tuple[Extra, ...]:
    """Bonus dice of powers as named, then of other sources as listed."""
    if not command.bonus and not named_powers(command):
        return ()
    powers = [Extra(f"bonus:{power.id}", power.dice) for power in powers_for(state, command)]
    if isinstance(command, Achieve) and command.power_dice is not None:
        foreign = [
            place for place, power in enumerate(powers_for(state, command)) if "achieve" not in power.joins
        ]
        for place in foreign:
            powers[place] = Extra(powers[place].origin, command.power_dice if place == foreign[0] else 0)
    return (*powers, *(Extra(f"bonus:{bonus.source}", by_type(bonus)) for bonus in command.bonus))


def by_type(bonus: Bonus) -> int | DiceByType:
    """Bonus dice as they count: against everybody, or only against some types."""
    if bonus.only_against is None:
        return bonus.dice
    only = (bonus.only_against,) if isinstance(bonus.only_against, str) else bonus.only_against
    return DiceByType(**dict.fromkeys(only, bonus.dice))


def counts_against(dice: int | DiceByType, targets: Sequence[Character]) -> bool:
    """Whether bonus dice do anything against at least one of the targets; dice by type need a target."""
    return not isinstance(dice, DiceByType) or any(getattr(dice, type_of(target)) for target in targets)


def wanted(state: State, command: Roller) -> Wanted:
    """All dice of an action, less what conditions take away: basic dice first, the actor's own last."""
    bonuses = extras(state, command)
    apart: list[tuple[Character, list[str]]] = []
    origins = [*_basic(state, command), *_put_in(command), *_gifts(command)]
    if bonuses:
        targets = targets_of(state, command)
        differ = len(targets) > 1 and len({type_of(target) for target in targets}) > 1
        origins += [
            extra.origin for extra in bonuses for _ in range(_shared(extra.dice, targets, differ=differ))
        ]
        apart = [(target, _apart(bonuses, target)) for target in targets] if differ else []
    if touch := _touch(state.characters[command.actor], joins_of(command)):
        origins += [f"bonus:{name}" for name, dice in touch for _ in range(dice)]
        origins = _fewer(origins, -sum([min(0, dice) for _, dice in touch]))
    if not apart:
        return Wanted(origins=tuple(origins))
    return Wanted(
        origins=(*origins, *[origin for _, dice in apart for origin in dice]),
        apart=tuple([Apart(target=target.id, dice=len(dice)) for target, dice in apart if dice]),
    )


def _shared(dice: int | DiceByType, targets: Sequence[Character], *, differ: bool) -> int:
    """Dice thrown for all targets. Dice by type count most where the GM allowed them though they do not fit."""
    if not isinstance(dice, DiceByType):
        return dice
    if differ and counts_against(dice, targets):
        return 0
    fitting: int = getattr(dice, type_of(targets[0])) if targets else 0
    return fitting or max(dice.individual, dice.squad, dice.swarm)


def _apart(bonuses: Sequence[Extra], target: Character) -> list[str]:
    """6.4: dice that work only against one type are thrown apart when the types of two targets differ."""
    return [
        extra.origin
        for extra in bonuses
        if isinstance(extra.dice, DiceByType)
        for _ in range(getattr(extra.dice, type_of(target)))
    ]


def _touch(actor: Character, joins: Joins) -> list[tuple[str, int]]:
    """Conditions that add dice to this roll or take some."""
    return [
        (condition.name, condition.dice)
        for condition in bears(actor)
        if condition.dice and (not condition.joins or joins in condition.joins)
    ]


def _basic(state: State, command: Roller) -> list[str]:
    """6.4: competence dice, and one for each helper; only maneuvers have them."""
    if not isinstance(command, Maneuver):
        return []
    actor = state.characters[command.actor]
    origin = "gc" if actor.side == "pcs" and actor.competence is None else f"competence:{actor.id}"
    dice = competence_of(state, actor) + sum([condition.basic_dice for condition in bears(actor)])
    each = state.parameters.combined.helper_die
    return [origin] * dice + [f"helper:{one.character}" for one in command.helpers for _ in range(each)]


def _put_in(command: Roller) -> list[str]:
    """The dice participants put in themselves: the actor's first, then the helpers'."""
    if isinstance(command, Strike):
        return [f"strike:{command.actor}"] * command.strike_dice
    if isinstance(command, Achieve):
        return [f"strike:{who}" for who, dice in strike_dice(command) for _ in range(dice)]
    helpers = [f"action:{one.character}" for one in command.helpers for _ in range(one.action_dice)]
    return [f"action:{command.actor}"] * command.action_dice + helpers


def _gifts(command: Roller) -> list[str]:
    if not isinstance(command, Maneuver):
        return []
    return ["gm" if giver == "gm" else f"gift:{giver}" for giver in command.gifts]


def _fewer(origins: list[str], less: int) -> list[str]:
    """The dice left when so many are taken away before the roll: from the supply first, then what was put in."""
    order = {"gc": 0, "competence": 0, "helper": 1, "bonus": 2, "gm": 3, "gift": 4}
    worth = sorted(
        range(len(origins)), key=lambda place: (order.get(origins[place].partition(":")[0], 5), -place)
    )
    gone = worth[:less]
    return [origin for place, origin in enumerate(origins) if place not in gone]
