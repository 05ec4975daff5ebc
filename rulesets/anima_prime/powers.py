"""Powers, one row each: Heroics, and those of the first edition whose cost and effect are both known.

Costs and effects of the first edition rows are likely, not certain. A table writes its other powers on the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.anima_prime.parameters import Joins, Parameters
from rulesets.anima_prime.sheet import DiceByType, Power
from rulesets.anima_prime.state import Character


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What an action power does at once, to single characters: none works on squads and swarms.

    `targets` is how many it is used on, 0 any number.
    """

    targets: int = 1
    gives: str | None = None
    removes: tuple[str, ...] = ()
    action_dice: int = 0
    drains: int = 0
    wounds: int = 0
    heals: Literal["actor", "second", "target"] | None = None
    revives: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPower:
    """A power as the rules use it: cost, dice and what it joins; limits it raises; what it does."""

    id: str
    kind: Literal["passive", "boost", "strike", "action"]
    cost: int = 0
    joins: tuple[Joins, ...] = ()
    dice: int | DiceByType = 0
    strike_limit: int = 0
    achieve_limit: int = 0
    solo_earn: int = 0
    combined_earn: int = 0
    combined_achieve: int = 0
    deed: Deed | None = None


_BURST = DiceByType(individual=4, squad=3, swarm=2)
_STORM = DiceByType(individual=2, squad=3, swarm=4)
_HARMS = ("Blinded", "Diseased", "Hexed", "Poisoned", "Weakened")
_HELPS = ("Darksighted", "Empowered", "Quickened", "Shielded")

ROWS: tuple[PrintedPower, ...] = (
    PrintedPower(id="heroics", kind="boost", cost=2, joins=("achieve",), dice=3),
    # Strike powers: cost probably 3.
    PrintedPower(id="blaze", kind="strike", cost=3, joins=("strike",), dice=_BURST),
    PrintedPower(id="frost-spikes", kind="strike", cost=3, joins=("strike",), dice=_BURST),
    PrintedPower(id="zap", kind="strike", cost=3, joins=("strike",), dice=_BURST),
    PrintedPower(id="firestorm", kind="strike", cost=3, joins=("strike",), dice=_STORM),
    PrintedPower(id="ice-hurricane", kind="strike", cost=3, joins=("strike",), dice=_STORM),
    PrintedPower(id="chain-lightning", kind="strike", cost=3, joins=("strike",), dice=_STORM),
    # Action powers.
    PrintedPower(id="blindness", kind="action", cost=2, deed=Deed(gives="Blinded")),
    PrintedPower(id="body-drain", kind="action", cost=4, deed=Deed(drains=3)),
    PrintedPower(id="dispel", kind="action", cost=2, deed=Deed(removes=_HELPS)),
    PrintedPower(id="empower", kind="action", cost=2, deed=Deed(gives="Empowered")),
    PrintedPower(id="life-drain", kind="action", cost=6, deed=Deed(wounds=1, heals="actor")),
    PrintedPower(id="life-transfer", kind="action", cost=6, deed=Deed(targets=2, wounds=1, heals="second")),
    PrintedPower(id="nightvision", kind="action", cost=1, deed=Deed(targets=0, gives="Darksighted")),
    PrintedPower(id="poison", kind="action", cost=2, deed=Deed(gives="Poisoned")),
    PrintedPower(id="power-block", kind="action", cost=2, deed=Deed(gives="Hexed")),
    PrintedPower(id="quicken", kind="action", cost=2, deed=Deed(gives="Quickened")),
    PrintedPower(id="refresh", kind="action", cost=2, deed=Deed(action_dice=4)),
    PrintedPower(id="restore", kind="action", cost=2, deed=Deed(removes=_HARMS)),
    PrintedPower(id="rise-of-the-phoenix", kind="action", cost=5, deed=Deed(heals="target", revives=True)),
    PrintedPower(id="shield", kind="action", cost=2, deed=Deed(gives="Shielded")),
    PrintedPower(id="slow", kind="action", cost=2, deed=Deed(gives="Slowed")),
    PrintedPower(id="touch-of-decay", kind="action", cost=2, deed=Deed(gives="Diseased")),
    # Passive powers that raise limits; some may be taken several times.
    PrintedPower(id="achievement-boost", kind="passive", achieve_limit=2),
    PrintedPower(id="maneuver-boost", kind="passive", solo_earn=1),
    PrintedPower(id="strike-boost", kind="passive", strike_limit=2),
    PrintedPower(id="tactical-maneuvering", kind="passive", combined_earn=3, combined_achieve=3),
)
"""Every printed power that can be used by its id."""

PRINTED: dict[str, PrintedPower] = {row.id: row for row in ROWS}
"""The printed powers by id."""

_EVERY_ROLL: tuple[Joins, ...] = ("maneuver", "strike", "achieve")


def printed(parameters: Parameters, power: str) -> PrintedPower | None:
    """A printed power under the readings in force; None when there is none of that id."""
    heroics = parameters.power.heroics
    if power == "heroics":
        return PrintedPower(id=power, kind="boost", cost=heroics.cost, joins=heroics.joins, dice=heroics.dice)
    return PRINTED.get(power)


def powers_of(parameters: Parameters, character: Character) -> tuple[PrintedPower, ...]:
    """Every power on a sheet, as the rules use it."""
    if not character.powers:
        return ()
    found = (
        printed(parameters, power) if isinstance(power, str) else _own(power) for power in character.powers
    )
    return tuple(power for power in found if power is not None)


def power_on_sheet(parameters: Parameters, character: Character, power: str) -> PrintedPower | None:
    """The power of that id on a sheet."""
    return next((one for one in powers_of(parameters, character) if one.id == power), None)


def power_used(parameters: Parameters, character: Character, power: str) -> PrintedPower | None:
    """The power meant: from the sheet, or from the printed ones when the GM lets somebody use one they lack."""
    return power_on_sheet(parameters, character, power) or printed(parameters, power)


def cost_of(character_cost: int, power: PrintedPower) -> int:
    """Charge dice to pay for a power, where conditions change every cost by `character_cost`; never below zero."""
    return max(0, power.cost + character_cost)


def _own(power: Power) -> PrintedPower:
    """A power the table wrote itself; a strike power joins strikes and a boost every roll unless it says so."""
    implied: dict[str, tuple[Joins, ...]] = {"strike": ("strike",), "boost": _EVERY_ROLL}
    joins = power.joins or implied.get(power.kind, ())
    return PrintedPower(id=power.id, kind=power.kind, cost=power.cost, joins=joins, dice=power.dice)
