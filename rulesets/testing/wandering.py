"""A random player who knows no game: they answer what is asked and otherwise do what they are offered."""

from __future__ import annotations

from random import Random
from typing import Any, Union

import msgspec

from rulesets.contract import Choice, Command, Field, Ruleset
from rulesets.people import GM
from rulesets.testing.plays import Wander

MOST_WISHES = 20
"""How often a wish that is no command is wished anew before the play ends."""


def from_choices(ruleset: Ruleset[Any]) -> Wander:
    """A random player for `check_ruleset` who picks among the options of open questions and the choices of the GM.

    A required field a choice does not ask for is filled with the choice's actor. Limits that depend on each
    other may be broken: such a wish is refused, and the play goes on.
    """
    rules = ruleset.rules[ruleset.current]()
    decoder = msgspec.json.Decoder(Union[rules.commands])  # noqa: UP007 - the members are known at run time
    kinds = {str(kind.__struct_config__.tag): kind for kind in rules.commands}

    def wander(state: Any, chance: Random) -> Command | None:
        wishes = [
            option.command for question in ruleset.record.questions(state) for option in question.options
        ]
        offered = rules.choices(state, GM)
        for _ in range(MOST_WISHES):
            if wishes and chance.random() < 0.8:
                wish = chance.choice(wishes)
            elif offered:
                choice = chance.choice(offered)
                wish = _wish(choice, kinds[choice.type], chance)
            else:
                return None
            try:
                command: Command = decoder.decode(msgspec.json.encode(wish))
            except msgspec.ValidationError:
                continue
            return command
        return None

    return wander


def _wish(choice: Choice, kind: type[Command], chance: Random) -> dict[str, Any]:
    """A command within the limits of a choice, as it would be sent."""
    filled = {
        each.name: _value(each, chance) for each in choice.fields if each.required or chance.random() < 0.5
    }
    missing = [each.encode_name for each in msgspec.structs.fields(kind) if each.required]
    actor = {} if choice.actor is None else dict.fromkeys(missing, choice.actor)
    return {"type": choice.type, **actor, **filled}


def _value(asked: Field, chance: Random) -> Any:
    """A value within the limits of one field."""
    lowest = asked.minimum or 0
    match asked.kind:
        case "number":
            return chance.randint(lowest, lowest + 5 if asked.maximum is None else max(lowest, asked.maximum))
        case "one":
            return chance.choice(asked.options) if asked.options else None
        case "many":
            return chance.sample(asked.options, chance.randint(0, len(asked.options)))
        case "flag":
            return chance.random() < 0.5
        case "text":
            return f"word-{chance.randrange(10**9)}"  # an id if need be, and no word said before
