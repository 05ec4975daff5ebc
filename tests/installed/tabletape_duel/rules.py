"""The rules half, number 1."""

from __future__ import annotations

from rulesets.contract import Rules
from tabletape_duel.choices import choices, default_answer, odds
from tabletape_duel.commands import ANSWERS, COMMANDS, AddDuellist, Adjust, Reveal
from tabletape_duel.decide import decide
from tabletape_duel.explanations import EXPLANATIONS
from tabletape_duel.refusals import permits, refusals

RULES = Rules(
    number=1,
    commands=COMMANDS,
    answers=ANSWERS,
    at_any_time=(AddDuellist, Reveal, Adjust),
    permits=permits,
    refusals=refusals,
    decide=decide,
    default_answer=default_answer,
    choices=choices,
    odds=odds,
    explanations=EXPLANATIONS,
)
