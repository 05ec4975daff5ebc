"""A table of any game on a screen: what is alike goes into columns, what is single stands by its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from api.cli.screen import at_terminal, print_line, print_rows

UNSHOWN = frozenset({"parameters"})
"""The readings of a session fill a screen and never change; `--json` has them."""
EMPTY: tuple[Any, ...] = (None, "", [], (), {})


def print_state(state: Mapping[str, Any]) -> None:
    """The table, part by part; what is empty is left out."""
    single = {key: value for key, value in state.items() if not isinstance(value, Mapping | list | tuple)}
    _print_pairs(single)
    for key, value in state.items():
        if key in single or key in UNSHOWN or value in EMPTY:
            continue
        print_line()
        print_line(_words(key).capitalize(), style="bold cyan")
        if isinstance(value, Mapping) and not all(isinstance(each, Mapping) for each in value.values()):
            _print_pairs(value)
        elif isinstance(value, Mapping):
            _print_alike([{"id": name, **each} for name, each in value.items()])
        elif all(isinstance(each, Mapping) for each in value):
            _print_alike(value)
        else:
            print_line(f"  {compact(value)}")


def _print_pairs(pairs: Mapping[str, Any]) -> None:
    shown = {_words(key): compact(value) for key, value in _spread(pairs) if value not in EMPTY}
    width = max(map(len, shown), default=0)
    for key, value in shown.items():
        print_line(f"  {key:{width}}  {value}")


def _spread(pairs: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parts one by one; a part that has several of its own (the pools of each side) a line for each."""
    for key, value in pairs.items():
        if isinstance(value, Mapping) and all(isinstance(each, Mapping) for each in value.values()):
            yield from ((f"{key}, {name}", each) for name, each in value.items())
        else:
            yield key, value


def _print_alike(things: Sequence[Mapping[str, Any]]) -> None:
    """Things with the same parts, a row each; parts that none of them has are left out."""
    told = [dict(folded(thing)) for thing in things]
    columns = [key for key in dict.fromkeys(key for row in told for key in row) if _any(told, key)]
    rows = [[row.get(key, "") for key in columns] for row in told]
    headers = [_words(key) for key in columns]
    if not at_terminal():
        _print_aligned([headers, *rows])
    else:
        print_rows(headers, rows)


def _print_aligned(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        print_line(f"  {'  '.join(cells)}".rstrip())


def _any(rows: Iterable[Mapping[str, str]], key: str) -> bool:
    return any(row.get(key, "") not in ("", "no") for row in rows)


def folded(thing: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The parts of a thing in words: a pool together with its most, a base only where it differs."""
    for key, value in thing.items():
        owner = key.removeprefix("max_").removesuffix("_max").removeprefix("base_")
        if owner != key and owner in thing and (value is None or key.startswith("base_")):
            if value not in (None, thing[owner]):
                yield key, compact(value)
        elif owner == key or owner not in thing:
            most = thing.get(f"{key}_max", thing.get(f"max_{key}"))
            yield key, compact(value) if most is None else f"{compact(value)}/{compact(most)}"


def compact(value: Any) -> str:
    """A value on one line, as somebody would say it."""
    if value in EMPTY or isinstance(value, bool):
        return ("yes" if value else "no") if isinstance(value, bool) else ""
    if isinstance(value, Mapping):
        return _thing(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(compact, value))
    return str(value)


def _thing(value: Mapping[str, Any]) -> str:
    """A thing by its name, with what is true of it: `Sharpshooter (marked)`."""
    name = value.get("name", value.get("id"))
    true = [_words(key) for key, each in value.items() if each is True]
    if name is not None:
        return f"{name} ({', '.join(true)})" if true else str(name)
    return ", ".join(_part(key, each) for key, each in value.items() if each not in EMPTY)


def _part(key: str, value: Any) -> str:
    return (
        f"{_words(key)} ({compact(value)})"
        if isinstance(value, Mapping)
        else f"{_words(key)} {compact(value)}"
    )


def _words(key: str) -> str:
    return key.replace("_", " ")
