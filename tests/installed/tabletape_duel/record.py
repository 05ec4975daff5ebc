"""The record half: everything an old log needs in order to be read."""

from __future__ import annotations

from rulesets.contract import Record
from tabletape_duel.events import EVENTS, Adjusted
from tabletape_duel.evolve import evolve
from tabletape_duel.parameters import Parameters
from tabletape_duel.showing import audience, describe, moment, questions, tally, view
from tabletape_duel.state import State, start

RECORD = Record(
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
    by_hand=(Adjusted,),
)
