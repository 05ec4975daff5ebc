"""Deciding alone: what it costs to decide a recorded story again, as every correction far back does."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from bench.evening import SETUP, answer, story
from bench.measured import Figure, seconds
from eventlog.commands import read_command, rules_of
from eventlog.dice import SEED_BYTES, ServerDice
from rulesets.contract import Event
from rulesets.deciding import lawful_events
from rulesets.installed import ruleset_named

GAME = ruleset_named("anima-prime")
RULES = rules_of(GAME.slug, GAME.current)
SEED = bytes(SEED_BYTES)


class Decided(NamedTuple):
    """A command of the story as it was sent, the table and the roll it came to, and what it led to."""

    raw: bytes
    table: Any
    roll: int
    events: tuple[Event, ...]


def decided_again(actions: int = 1000) -> Figure:
    """Reading each command, hearing every refusal, deciding, evolving and comparing, without any store."""
    told = _told(actions)
    took = seconds(lambda: [_again(one) for one in told])
    return Figure(
        name=f"{actions} actions decided again, without the log",
        value=took * 1000,
        limit=50,
        unit="ms",
        detail=f"{took / actions * 1e6:.1f} us an action",
    )


def _told(actions: int) -> list[Decided]:
    """The beginning of a long evening."""
    table, roll, next_of_story = GAME.record.start(GAME.record.parameters()), 1, story()
    told: list[Decided] = []
    while len(told) < actions:
        if len(told) < len(SETUP):
            command = SETUP[len(told)]
        elif table.open_roll is not None:
            command = answer(table.open_roll.asks, table)
        else:
            command = next(next_of_story)
            if command["type"] == "strike" and table.characters[command["actor"]].strike == 0:
                command = {"type": "maneuver", "actor": command["actor"], "action_dice": 1}
        raw, dice = msgspec.json.encode(command), ServerDice(SEED, "evening", roll)
        lawful = lawful_events(RULES, table, read_command(GAME.slug, GAME.current, raw), dice)
        told.append(Decided(raw, table, roll, lawful.events))
        for event in lawful.events:
            table = GAME.record.evolve(table, event)
        roll = dice.next_roll
    return told


def _again(one: Decided) -> Any:
    """The table after the command, decided again. Raises where something else happens than before."""
    command = read_command(GAME.slug, GAME.current, one.raw)
    lawful = lawful_events(RULES, one.table, command, ServerDice(SEED, "evening", one.roll))
    if lawful.events != one.events:
        raise RuntimeError(f"{command} led to something else the second time")
    table = one.table
    for event in lawful.events:
        table = GAME.record.evolve(table, event)
    return table
