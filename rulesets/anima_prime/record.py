"""The record half of Anima Prime: all it takes to read a log, without a rule."""

from __future__ import annotations

from rulesets.anima_prime.describe import describe
from rulesets.anima_prime.describe.words import name_dice
from rulesets.anima_prime.events import (
    EVENTS,
    CharacterAdjusted,
    CharacterEdited,
    ConflictAdjusted,
    GoalSet,
    ParameterSet,
    QuestionRuled,
)
from rulesets.anima_prime.evolve import evolve
from rulesets.anima_prime.hidden import audience
from rulesets.anima_prime.parameters import Parameters
from rulesets.anima_prime.questions import questions
from rulesets.anima_prime.state import State, moment, start
from rulesets.anima_prime.tally import tally
from rulesets.anima_prime.view import view
from rulesets.contract import Record

RECORD: Record[State] = Record(
    parameters=Parameters,
    events=EVENTS,
    state=State,
    start=start,
    evolve=evolve,
    audience=audience,
    questions=questions,
    describe=describe,
    view=view,
    tally=tally,
    moment=moment,
    name_dice=name_dice,
    by_hand=(CharacterAdjusted, CharacterEdited, ConflictAdjusted, GoalSet, ParameterSet, QuestionRuled),
)
"""Reads every Anima Prime log ever written."""
