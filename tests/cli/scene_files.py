"""Scenes the command line plays."""

from pathlib import Path

DUEL = Path(__file__).parents[2] / "fixtures" / "duel" / "behind-the-arras.toml"

GIFT = """\
ruleset = "anima-prime"
title = "A gift"

[[step]]
type = "add_character"
id = "zadie"
side = "pcs"
kind = "pc"
action = 6
defense = 2
max_wounds = 3

[[step]]
type = "add_character"
id = "mira"
side = "pcs"
kind = "pc"
action = 5
defense = 2
max_wounds = 3

[[step]]
type = "add_character"
id = "bull"
side = "adversity"
kind = "individual"
action = 6
defense = 2
max_wounds = 3

[[step]]
type = "start_conflict"
first = "pcs"

[[step]]
type = "maneuver"
actor = "zadie"
action_dice = 2
gifts = ["mira"]
dice = [4, 6, 1, 2]

[[step]]
type = "end_round"
"""
"""Mira gives Zadie a die (5), and the round ends (6)."""
FORGOTTEN = '{"type": "adjust", "character": "mira", "changes": {"action": -4}, "reason": "she stumbled"}'
WITHOUT_GIFT = '{"type": "maneuver", "actor": "zadie", "action_dice": 3}'
