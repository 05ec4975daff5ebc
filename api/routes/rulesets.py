"""Rulesets: what is installed, every command, event and parameter with its schema."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath

from api.answers import Answer, answer
from api.explanations import of_game
from api.faults import RulesetUnknown
from eventlog.codec import type_name
from rulesets.contract import Rules, Ruleset
from rulesets.installed import installed

Schema = dict[str, Any]


class RulesetListed(msgspec.Struct, frozen=True, kw_only=True):
    """An installed ruleset and the number of its current rules."""

    slug: str
    name: str
    version: str
    summary: str


class RulesetList(msgspec.Struct, frozen=True, kw_only=True):
    """Every installed ruleset."""

    rulesets: tuple[RulesetListed, ...]


class RulesetShown(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset in full: JSON Schemas of its commands under their `type` and of its events under their name.

    `parameters` explains every reading and house rule, `defaults` is what a session gets when it names none.
    `answers` are the commands that answer a question, `at_any_time` those that pass while one waits. `refusals`
    says of each code of the game what it means and what to do.
    """

    slug: str
    name: str
    version: str
    summary: str
    commands: dict[str, Schema]
    answers: tuple[str, ...]
    at_any_time: tuple[str, ...]
    parameters: Schema
    defaults: Any
    events: dict[str, Schema]
    refusals: dict[str, str]


@get("/rulesets", tags=["rulesets"])
async def list_rulesets() -> Answer[RulesetList]:
    """The games this server can record."""
    return answer(RulesetList(rulesets=tuple(map(_listed, installed().values()))), cache="no-cache")


@get("/rulesets/{slug:str}", tags=["rulesets"])
async def show_ruleset(slug: FromPath[str]) -> Answer[RulesetShown]:
    """One game: what can be asked for in it, what can happen, and which readings it leaves open."""
    if slug not in installed():
        known = tuple(installed())
        raise RulesetUnknown(
            f"There is no ruleset of that slug here; installed: {', '.join(known)}", installed=known
        )
    return answer(_shown(slug), cache="no-cache")


def _listed(ruleset: Ruleset[Any]) -> RulesetListed:
    return RulesetListed(
        slug=ruleset.slug, name=ruleset.name, version=str(ruleset.current), summary=ruleset.summary
    )


@cache
def _shown(slug: str) -> RulesetShown:
    ruleset = installed()[slug]
    rules: Rules[Any] = ruleset.rules[ruleset.current]()
    return RulesetShown(
        slug=slug,
        name=ruleset.name,
        version=str(ruleset.current),
        summary=ruleset.summary,
        commands={tag(command): msgspec.json.schema(command) for command in rules.commands},
        answers=tuple(map(tag, rules.answers)),
        at_any_time=tuple(map(tag, rules.at_any_time)),
        parameters=msgspec.json.schema(ruleset.record.parameters),
        defaults=ruleset.record.parameters(),
        events={type_name(slug, event): msgspec.json.schema(event) for event in ruleset.record.events},
        refusals=dict(of_game(ruleset)),
    )


def tag(command: type[msgspec.Struct]) -> str:
    """The `type` a command is named by."""
    return str(command.__struct_config__.tag)
