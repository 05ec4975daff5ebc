"""The rules half of Anima Prime: today's reading of the rule book, number 1."""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from rulesets.anima_prime.choices import choices
from rulesets.anima_prime.commands import (
    AddCharacter,
    AddGoal,
    Adjust,
    Announce,
    Answer,
    ApplyCondition,
    Command,
    EditCharacter,
    Offer,
    RemoveCondition,
    Reveal,
    Rule,
    SetGoal,
    WithdrawOffer,
)
from rulesets.anima_prime.decide import decide
from rulesets.anima_prime.explanations import EXPLANATIONS
from rulesets.anima_prime.odds import odds
from rulesets.anima_prime.permits import permits
from rulesets.anima_prime.refusals import refusals
from rulesets.anima_prime.state import State
from rulesets.contract import Question, Rules

_ANSWERS: Final[tuple[type[msgspec.Struct], ...]] = get_args(Answer)


def default_answer(_state: State, question: Question) -> Answer:
    """6.4: let the roll stand; of too many dice keep the charge dice first."""
    answer: Answer = msgspec.convert(question.default, Answer)
    return answer


RULES: Rules[State] = Rules(
    number=1,
    commands=get_args(Command),
    answers=_ANSWERS,
    at_any_time=(
        Offer,
        WithdrawOffer,
        Announce,
        ApplyCondition,
        RemoveCondition,
        Adjust,
        Rule,
        AddCharacter,
        EditCharacter,
        Reveal,
        AddGoal,
        SetGoal,
    ),
    permits=permits,
    refusals=refusals,
    decide=decide,
    default_answer=default_answer,
    choices=choices,
    odds=odds,
    explanations=EXPLANATIONS,
)
"""Decides Anima Prime under rules number 1."""
