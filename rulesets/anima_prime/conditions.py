"""The conditions of the first edition, one row each, as what they do to dice, defenses and costs.

Sources: reference sheets and powers of the first edition; the newer text only says that conditions exist.
"""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.anima_prime.sheet import Condition, Until

ROWS: tuple[Condition, ...] = (
    Condition(name="Blinded", dice=-1),
    Condition(name="Darkness", dice=-1),
    Condition(name="Darksighted", wards=("Blinded", "Darkness")),
    Condition(name="Diseased", no_healing=True),
    Condition(name="Empowered", dice=1, joins=("strike",)),
    Condition(name="Hexed", power_cost=1),
    Condition(name="Poisoned", action_loss=1),
    Condition(name="Quickened", dice=1, joins=("maneuver",)),
    Condition(name="Shielded", defense=1),
    # All skills -1 in the first edition; Group Competence stands for them, so one basic die less (ruling).
    Condition(name="Slowed", basic_dice=-1),
    Condition(name="Weakened", opponent_defense=1),
)
"""Every printed condition."""

PRINTED: dict[str, Condition] = {row.name.lower(): row for row in ROWS}
"""The printed conditions by lower-case name."""


def condition_of(wish: str | Condition, until: Until | None = None) -> Condition | None:
    """The condition meant: a printed one by its name in any case, or one of the table's own. None: no such name."""
    condition = PRINTED.get(wish.lower()) if isinstance(wish, str) else wish
    return condition if condition is None or until is None else replace(condition, until=until)
