"""Writes the generated parts of docs/anima_prime.md from the ruleset itself.

python docs/reference.py
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from rulesets.anima_prime import RULESET
from rulesets.anima_prime.conditions import ROWS as CONDITIONS
from rulesets.anima_prime.powers import ROWS as POWERS
from rulesets.anima_prime.rulings import RULINGS

PAGE = Path(__file__).with_name("anima_prime.md")
SOURCE = Path(inspect.getfile(type(RULESET))).parent / "anima_prime"
KEBAB = re.compile(r"[a-z]+(-[a-z]+)+")


def commands() -> Iterator[str]:
    """A row for each command: its type, what it is for, its fields."""
    yield "| command | what it does | fields |\n|---|---|---|"
    for command in RULESET.rules[RULESET.current]().commands:
        info: Any = msgspec.inspect.type_info(command)
        fields = ", ".join(
            f"`{field.encode_name}`" + ("" if field.required else "?") for field in info.fields
        )
        yield f"| `{info.tag}` | {_first(command)} | {fields} |"


def events() -> Iterator[str]:
    """A row for each event type."""
    yield "| event | what happened |\n|---|---|"
    for event in RULESET.record.events:
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()
        yield f"| `anima-prime.{name}` | {_first(event)} |"


def codes() -> Iterator[str]:
    """A row for each refusal, with the words a person reads; `…` stands for what differs."""
    yield "| code | what is said |\n|---|---|"
    said: dict[str, str] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and len(call.args) >= 2 and _is_code(call.args[0]):
                words = _words(call.args[1])
                if words:
                    said.setdefault(ast.literal_eval(call.args[0]), words)
    for code, words in sorted(said.items()):
        yield f"| `{code}` | {_cell(words)} |"


def parameters() -> Iterator[str]:
    """A row for each reading: its name, its default, and why."""
    yield "| parameter | default | what it decides |\n|---|---|---|"
    defaults = msgspec.to_builtins(RULESET.record.parameters())
    yield from _parameters(msgspec.json.schema(RULESET.record.parameters), defaults, "")


def rulings() -> Iterator[str]:
    """A row for each open point of the texts."""
    yield "| section | question | how it is played here | parameter |\n|---|---|---|---|"
    for row in RULINGS:
        parameter = f"`{row.parameter}`" if row.parameter else ""
        yield f"| {row.section} | {_cell(row.question)} | {_cell(row.answer)} | {parameter} |"


def conditions() -> Iterator[str]:
    """A row for each printed condition."""
    yield "| condition | what it changes |\n|---|---|"
    for row in CONDITIONS:
        changed = ", ".join(
            f"{field.replace('_', ' ')} {_value(value)}" for field, value in _said(row) if field != "name"
        )
        yield f"| {row.name} | {changed} |"


def powers() -> Iterator[str]:
    """A row for each power of the table."""
    yield "| power | kind | charge dice | joins | bonus dice |\n|---|---|---|---|---|"
    for row in POWERS:
        dice = row.dice if isinstance(row.dice, int) else ", ".join(_parts(row.dice))
        yield f"| `{row.id}` | {row.kind} | {row.cost} | {', '.join(row.joins)} | {dice or ''} |"


def _parts(dice: msgspec.Struct) -> Iterator[str]:
    return (f"{count} against {target}s" for target, count in msgspec.structs.asdict(dice).items())


PARTS = {part.__name__: part for part in (commands, events, codes, parameters, rulings, conditions, powers)}


def page(text: str) -> str:
    """The page with every generated part as the ruleset has it now."""
    for name, part in PARTS.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        body = "\n".join(part())
        text = re.sub(
            f"{begin}.*?{end}",
            lambda _, body=body, b=begin, e=end: f"{b}\n{body}\n{e}",
            text,
            flags=re.DOTALL,
        )
    return text


def _parameters(schema: dict[str, Any], defaults: Any, prefix: str) -> Iterator[str]:
    definitions = schema["$defs"]

    def walk(name: str, values: dict[str, Any], path: str) -> Iterator[str]:
        for field, described in definitions[name]["properties"].items():
            inner = described.get("$ref") or next((each["$ref"] for each in described.get("allOf", ())), None)
            if inner and isinstance(values[field], dict):
                yield from walk(inner.rpartition("/")[2], values[field], f"{path}{field}.")
            else:
                yield f"| `{path}{field}` | `{msgspec.json.encode(values[field]).decode()}` | {_cell(described.get('description', ''))} |"

    yield from walk(schema["$ref"].rpartition("/")[2], defaults, prefix)


def _first(kind: type) -> str:
    return _cell((kind.__doc__ or "").split("\n\n")[0])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _said(row: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    return (
        (field, value)
        for field, value in msgspec.to_builtins(row).items()
        if value not in (None, (), [], 0, False)
    )


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is True else f"{value:+d}" if isinstance(value, int) else str(value)


def _is_code(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(KEBAB.fullmatch(node.value))
    )


def _words(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
