"""The kit for whoever writes a ruleset: rule tests in sentences, dice by script, and proof of the contract."""

from rulesets.testing.given import Given, Step, When, given, step
from rulesets.testing.scripted_dice import ScriptedDice

__all__ = ["Given", "ScriptedDice", "Step", "When", "given", "step"]
