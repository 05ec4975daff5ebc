"""The kit for whoever writes a ruleset: rule tests in sentences, dice by script, and proof of the contract."""

from rulesets.testing.conformance import CHECKS, ContractBroken, Fault, check_ruleset
from rulesets.testing.given import Given, When, given
from rulesets.testing.plays import Example, example
from rulesets.testing.scripted_dice import ScriptedDice
from rulesets.testing.steps import Step, step
from rulesets.testing.wandering import from_choices

__all__ = [
    "CHECKS",
    "ContractBroken",
    "Example",
    "Fault",
    "Given",
    "ScriptedDice",
    "Step",
    "When",
    "check_ruleset",
    "example",
    "from_choices",
    "given",
    "step",
]
