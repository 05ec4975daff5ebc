"""Writes the generated tables of docs/anima_prime.md and docs/http.md from the code.

python docs/reference.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
from refusals_overruled import overrulable

from api.app import create_app
from api.explanations import explanations
from api.settings import ServerSettings
from eventlog.codec import type_name
from eventlog.settings import Settings
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.conditions import ROWS as CONDITIONS
from rulesets.anima_prime.powers import ROWS as POWERS
from rulesets.anima_prime.powers import Deed, PrintedPower
from rulesets.anima_prime.rulings import RULINGS
from rulesets.anima_prime.sheet import Condition, DiceByType

FOLDER = Path(__file__).parent
PAGES = tuple(FOLDER / name for name in ("anima_prime.md", "http.md"))


def page(text: str) -> str:
    """A page with every generated table as the code has it now."""
    for name, part in PARTS.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if begin in text:
            before, _, rest = text.partition(begin)
            text = "\n".join((before + begin, *table(*part()), end + rest.partition(end)[2]))
    return text


def table(*rows: Iterable[str]) -> Iterator[str]:
    """Rows as Markdown, the first of them the heading."""
    for number, row in enumerate(rows):
        cells = [" ".join(cell.split()).replace("|", "\\|") for cell in row]
        yield f"| {' | '.join(cells)} |".replace("  ", " ")
        if not number:
            yield "|---" * len(cells) + "|"


def first_words(thing: Any) -> str:
    """The first paragraph of a docstring."""
    return (inspect.getdoc(thing) or "").split("\n\n")[0]


# --- the HTTP API -------------------------------------------------------------------------------------------

WHO = {
    ("gm", "player", "observer", "tool", "admin"): "everybody at the table",
    ("gm", "player", "observer", "tool", "admin", "overlay"): "everybody at the table, overlays",
    ("tool", "admin"): "the admin, tools of the whole server",
    ("gm", "player"): "the GM, players",
    ("gm",): "the GM",
    ("player",): "players",
    ("gm", "admin"): "the GM, the admin",
    ("admin",): "the admin",
}


def routes() -> Iterator[tuple[str, ...]]:
    """A row for each route: who may call it, and what for."""
    yield "route", "for", "what it does"
    app = create_app(ServerSettings(db=":memory:"))
    handlers = {
        each.handler_name: each for route in app.routes for each in getattr(route, "route_handlers", ())
    }
    for path, operations in app.openapi_schema.to_schema()["paths"].items():
        for method, operation in operations.items():
            who = _who(handlers[operation["operationId"]])
            yield f"`{method.upper()} {path}`", who, operation["description"]


def _who(handler: Any) -> str:
    guard = handler.before_request
    if guard is None:
        return "anybody"
    known = inspect.getclosurevars(getattr(guard, "func", guard)).nonlocals
    return WHO[tuple(known.get("roles", ("admin",)))]


def settings() -> Iterator[tuple[str, ...]]:
    """A row for each setting of a session."""
    yield "setting", "values", "when left out", "what it decides"
    for name, values, default, words in _described(Settings):
        yield f"`{name}`", values, default, f"{words}."


# --- Anima Prime --------------------------------------------------------------------------------------------


def events() -> Iterator[tuple[str, ...]]:
    """A row for each fact."""
    yield "event", "what happened"
    for event in RULESET.record.events:
        yield f"`{type_name(RULESET.slug, event)}`", first_words(event)


def parameters() -> Iterator[tuple[str, ...]]:
    """A row for each reading."""
    yield "parameter", "values", "default", "what it decides, and how sure it is"
    for name, values, default, words in _described(RULESET.record.parameters):
        yield f"`{name}`", values, default, words


def rulings() -> Iterator[tuple[str, ...]]:
    """A row for each open point of the texts."""
    yield "section", "what the texts leave open", "how it is played here", "parameter"
    for row in RULINGS:
        yield row.section, row.question, row.answer, f"`{row.parameter}`" if row.parameter else ""


def codes() -> Iterator[tuple[str, ...]]:
    """A row for each refusal."""
    yield "code", "what it means and what to do", "GM may overrule"
    words = explanations()
    for code, overruled in sorted(overrulable().items()):
        yield f"`{code}`", words[code], overruled


def conditions() -> Iterator[tuple[str, ...]]:
    """A row for each printed condition."""
    yield "condition", "what it does to whoever bears it"
    for row in CONDITIONS:
        yield row.name, "; ".join(_touch(row))


def _touch(row: Condition) -> Iterator[str]:
    where = " and ".join(f"{join}s" for join in row.joins) or "every roll"
    words = {
        "dice": f"{row.dice:+} die in {where}",
        "basic_dice": f"{row.basic_dice:+} basic die in maneuvers",
        "defense": f"{row.defense:+} defense",
        "opponent_defense": f"{row.opponent_defense:+} defense of everybody they strike at",
        "power_cost": f"{row.power_cost:+} charge die for every power",
        "action_loss": f"loses {row.action_loss} action die at the start of each own turn, and ends without any left",
        "no_healing": "cannot heal wounds",
        "wards": f"not touched by {' and '.join(row.wards)}",
    }
    return (said for field, said in words.items() if getattr(row, field))


def powers() -> Iterator[tuple[str, ...]]:
    """A row for each printed power."""
    yield "power", "kind", "charge dice", "what it does"
    for row in POWERS:
        yield f"`{row.id}`", row.kind, str(row.cost or ""), "; ".join(_effects(row))


ACTIONS = {"maneuver": "a maneuver", "strike": "a strike", "achieve": "an achievement"}


def _effects(row: PrintedPower) -> Iterator[str]:
    if isinstance(row.dice, DiceByType):
        yield ", ".join(
            f"+{count} dice against {kind}s" for kind, count in msgspec.structs.asdict(row.dice).items()
        )
    elif row.dice:
        yield f"+{row.dice} dice"
    if row.joins:
        yield f"with {' or '.join(ACTIONS[join] for join in row.joins)}"
    limits = {
        "strike_limit": "strike dice in a strike",
        "achieve_limit": "strike dice in an achievement",
        "solo_earn": "dice earned in a maneuver alone",
        "combined_earn": "dice earned in a combined maneuver",
        "combined_achieve": "strike dice in a combined achievement",
    }
    yield from (f"{getattr(row, name)} more {words}" for name, words in limits.items() if getattr(row, name))
    if row.deed:
        yield from _deed(row.deed)


def _deed(deed: Deed) -> Iterator[str]:
    healed = {"actor": "the user", "second": "the second target", "target": "the target"}
    words = {
        "gives": f"puts {deed.gives} on {'any number of targets' if deed.targets == 0 else 'the target'}",
        "removes": f"takes {', '.join(deed.removes)} off the target",
        "action_dice": f"{deed.action_dice} action dice for the target, up to its maximum",
        "drains": f"moves up to {deed.drains} action dice from the target to the user",
        "wounds": f"{deed.wounds} wound on the{' first' if deed.targets == 2 else ''} target, whatever its defense",
        "heals": f"heals a wound of {healed.get(deed.heals or '')}",
        "revives": "brings somebody defeated back",
    }
    return (words[field.name] for field in fields(deed) if field.name in words and getattr(deed, field.name))


# --- readings and settings ----------------------------------------------------------------------------------


def _described(kind: type[msgspec.Struct], path: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Dotted name, values, default and explanation of every field, down to the last chapter."""
    for field, told in zip(msgspec.structs.fields(kind), _told(kind), strict=True):
        if isinstance(field.default, msgspec.Struct):
            yield from _described(type(field.default), f"{path}{field.name}.")
        else:
            yield (
                f"{path}{field.name}",
                _values(told),
                f"`{msgspec.json.encode(field.default).decode()}`",
                _why(told),
            )


def _told(kind: type[msgspec.Struct]) -> Iterator[Any]:
    return (field.type for field in msgspec.inspect.type_info(kind).fields)  # type: ignore[attr-defined]  # a struct


def _why(told: Any) -> str:
    return (
        str((told.extra_json_schema or {}).get("description", ""))
        if isinstance(told, msgspec.inspect.Metadata)
        else ""
    )


def _values(told: Any) -> str:
    plain = told.type if isinstance(told, msgspec.inspect.Metadata) else told
    match plain:
        case msgspec.inspect.LiteralType(values=values):
            return ", ".join(f"`{json}`" for json in (msgspec.json.encode(each).decode() for each in values))
        case msgspec.inspect.BoolType():
            return "`true`, `false`"
        case msgspec.inspect.IntType(ge=least, le=most):
            return "number" if least is None else f"{least} to {most}"
        case msgspec.inspect.UnionType(types=types):
            return " or ".join(
                "`null`" if isinstance(each, msgspec.inspect.NoneType) else _values(each) for each in types
            )
        case msgspec.inspect.VarTupleType(item_type=item):
            return f"list of {_values(item)}"
    raise TypeError(f"{plain} is not told yet")


PARTS = {
    part.__name__: part for part in (routes, settings, events, parameters, rulings, codes, conditions, powers)
}


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(page(path.read_text(encoding="utf-8")), encoding="utf-8")
