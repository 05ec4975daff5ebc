"""Scenes the command line plays."""

from pathlib import Path

DUEL = Path(__file__).parents[2] / "fixtures" / "duel" / "behind-the-arras.toml"
