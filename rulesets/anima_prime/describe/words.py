"""Names, numbers and dice as people say them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesets.anima_prime.state import State
from rulesets.dice import Roll, counted


def name_of(state: State, who: str) -> str:
    """What somebody is called; the GM is called that."""
    if who == "gm":
        return "the GM"
    return state.characters[who].name if who in state.characters else who


def begun(words: str) -> str:
    """Words at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def goal_name(state: State, goal: str) -> str:
    """What a goal is called."""
    return state.goals[goal].name if goal in state.goals else goal


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def many(number: int, thing: str) -> str:
    """`1 wound`, `2 wounds`."""
    if number == 1:
        return f"1 {thing}"
    if thing == "die" or thing.endswith(" die"):
        return f"{number} {thing[:-3]}dice"
    return f"{number} {thing}es" if thing.endswith("s") else f"{number} {thing}s"


def pool_dice(number: int, pool: str) -> str:
    """`1 strike die`, `2 strike dice`."""
    return f"1 {pool} die" if number == 1 else f"{number} {pool} dice"


def power_name(state: State, who: str, power: str) -> str:
    """What a power is called on the sheet of whoever uses it."""
    for one in state.characters[who].powers if who in state.characters else ():
        if not isinstance(one, str) and one.id == power and one.name:
            return quoted(one.name)
    return power.replace("-", " ").capitalize() if power.islower() else power


def faces(roll: Roll) -> str:
    """The faces in the order the dice were named: `4 6 1 2`."""
    return " ".join(str(die.face) for die in roll.dice)


def made_of(state: State, actor: str, roll: Roll) -> str:
    """Where the dice of a roll came from: `1 competence, 2 action, 1 gift from Rasheem`."""
    counts = counted(die.origin for die in roll.dice)
    return ", ".join(_part(state, actor, origin, count) for origin, count in counts.items())


def name_dice(state: State, origins: Mapping[str, int]) -> str:
    """Dice to be thrown: `1 competence die, 3 action dice of Zadie, 1 gift from Rasheem`."""
    return ", ".join(_named(state, origin, count) for origin, count in origins.items())


def _named(state: State, origin: str, count: int) -> str:
    kind, _, source = origin.partition(":")
    match kind:
        case "gc":
            return pool_dice(count, "competence")
        case "helper":
            return f"{many(count, 'die')} for {name_of(state, source)}'s help"
        case "competence" | "action" | "strike":
            return f"{pool_dice(count, kind)} of {name_of(state, source)}"
        case "bonus":
            return f"{many(count, 'die')} for {quoted(power_name(state, '', source))}"
        case "gm" | "gift":
            return _part(state, "", origin, count)
        case _:
            return pool_dice(count, " of ".join(filter(None, (kind, source))))


def quoted(text: str) -> str:
    """Words somebody added, on one line."""
    return " ".join(text.split())


def _part(state: State, actor: str, origin: str, count: int) -> str:  # noqa: PLR0911 - a table of origins
    kind, _, source = origin.partition(":")
    match kind:
        case "gc" | "competence":
            return f"{count} competence"
        case "helper":
            return f"{count} for {name_of(state, source)}'s help"
        case "gm":
            return f"{many(count, 'gift')} from the GM"
        case "gift":
            return f"{many(count, 'gift')} from {name_of(state, source)}"
        case "bonus":
            return f"{count} {power_name(state, actor, source)}"
        case "action" | "strike":
            return f"{count} {kind}" + ("" if source == actor else f" from {name_of(state, source)}")
        case _:
            return f"{count} {kind}"
