"""What the player shows: the lines around the present action, its dice, what changed, and everybody's pools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from api.cli.layout import folded
from api.cli.player.playing import Playing
from api.scenes.report import marked
from projections.changes import changes
from projections.entries import Entry
from projections.replay import ReplayFrame

KEYS = "space play or pause · ← → step · g go to an action · + - speed · q quit"
LINES_BEFORE = 3
CHANGES_SHOWN = 8
GAP = 3
"""Blanks between two columns."""


def stage(console: Console, title: str, frames: Sequence[ReplayFrame], playing: Playing) -> Group:
    """The whole screen, as large as it is at the moment."""
    at = playing.at
    head: list[RenderableType] = [_head(title, frames, playing), Rule(style="dim")]
    dice = [*_dice(frames[at].entry), Rule(style="dim")]
    pools = list(_pools(console.width, frames[at].state, frames[at - 1].state if at else {}))
    present = _line(frames[at].entry, present=True)
    room = console.height - 1 - _height(console, [*head, present, *dice])
    pools = pools if _height(console, pools) < room else []
    room -= _height(console, pools)
    changed = list(_changes(_changed(frames, at), max(1, min(CHANGES_SHOWN, room))))
    earlier = _earlier(console, frames, at, room - len(changed))
    return Group(*head, *earlier, present, *dice, *changed, *pools, _foot(playing))


def _head(title: str, frames: Sequence[ReplayFrame], playing: Playing) -> Table:
    frame = frames[playing.at]
    moment = "" if frame.entry.moment is None else f"round {frame.entry.moment.round} · "
    sign = "▶" if playing.runs else "■" if playing.is_last else "‖"
    where = f"{moment}action {frame.action} ({playing.at + 1} of {len(frames)}) · {sign} {playing.speed:g}\N{MULTIPLICATION SIGN}"
    grid = Table.grid(expand=True)
    grid.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(Text(title, style="bold"), Text(where, style="cyan"))
    return grid


def _earlier(console: Console, frames: Sequence[ReplayFrame], at: int, room: int) -> list[RenderableType]:
    """The lines before the present one, as many as there is room for."""
    shown: list[RenderableType] = []
    for frame in reversed(frames[max(0, at - LINES_BEFORE) : at]):
        line = _line(frame.entry, present=False)
        room -= _height(console, [line])
        if room < 0:
            break
        shown.insert(0, line)
    return shown


def _line(entry: Entry, *, present: bool) -> Table:
    words = Text(entry.line, style="bold" if present else "dim")
    words.append(marked(entry), style="yellow")
    for note in entry.notes:
        words.append(f"\n“{note.text}”", style="italic" if present else "italic dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(min_width=1)
    grid.add_column(justify="right", style="dim", min_width=3)
    grid.add_column(overflow="fold")
    grid.add_row(Text("▸" if present else " ", style="bold cyan"), str(entry.number), words)
    return grid


def _dice(entry: Entry) -> Iterator[RenderableType]:
    """The dice of an action, those of one origin together."""
    for roll in entry.rolls:
        origins: dict[str, list[str]] = {}
        for die in roll.dice:
            origins.setdefault(die.origin, []).append(str(die.face))
        text = Text(f"{roll.purpose}  ", style="dim")
        for origin, faces in origins.items():
            text.append(" ".join(f"[{face}]" for face in faces), style="bold")
            text.append(f" {origin}   ", style="dim")
        yield Padding(text, (0, 0, 0, 6))


def _changed(frames: Sequence[ReplayFrame], at: int) -> list[str]:
    if not at:
        return []
    old, new = (msgspec.json.decode(msgspec.json.encode(frame.state)) for frame in frames[at - 1 : at + 1])
    return list(changes(old, new))


def _changes(lines: Sequence[str], most: int) -> Iterator[RenderableType]:
    shown = lines if len(lines) <= most else lines[: most - 1]
    for line in shown:
        yield Text(f"  {line}", style="green", overflow="ellipsis", no_wrap=True)
    if len(shown) < len(lines):
        yield Text(f"  {len(lines) - len(shown)} {'more ' if shown else ''}changes", style="dim")


def _pools(width: int, state: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Everybody with what they have in numbers; what just changed stands out."""
    part, people = _people(state)
    if not people:
        return
    rows = {each: dict(folded(thing)) for each, thing in people.items()}
    names = [str(thing.get("name") or each) for each, thing in people.items()]
    counted = _fitting(width - max(map(cell_len, names)), _counted(people, rows), rows)
    earlier = {each: dict(folded(thing)) for each, thing in before.get(part, {}).items()}
    table = Table(box=None, padding=(0, GAP, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("")
    for key in counted:
        table.add_column(key.replace("_", " "), justify="right")
    for name, (each, row) in zip(names, rows.items(), strict=True):
        cells = [_cell(row.get(key, ""), earlier.get(each, {}).get(key)) for key in counted]
        table.add_row(Text(name), *cells)
    yield Text("")
    yield table


def _counted(people: Mapping[str, Any], rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The parts that are numbers, of anybody."""
    parts = dict.fromkeys(key for row in rows.values() for key in row)
    return [key for key in parts if any(type(thing.get(key)) is int for thing in people.values())]


def _fitting(room: int, keys: Sequence[str], rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    """As many columns as the screen is wide enough for."""
    fitting = []
    for key in keys:
        room -= GAP + max(len(key), *(cell_len(row.get(key, "")) for row in rows.values()))
        if room < 0:
            break
        fitting.append(key)
    return fitting


def _cell(value: str, before: str | None) -> Text:
    return Text(value, style="" if before in (None, value) else "bold reverse")


def _people(state: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The first collection of things with names: those at the table."""
    for part, things in state.items():
        alike = (
            isinstance(things, Mapping)
            and things
            and all(isinstance(one, Mapping) for one in things.values())
        )
        if alike and any("name" in one for one in things.values()):
            return part, things
    return "", {}


def _foot(playing: Playing) -> Text:
    if playing.typed is not None:
        return Text(f"go to action {playing.typed}_   enter goes, esc stays", style="bold cyan")
    return Text(KEYS, style="dim", overflow="ellipsis", no_wrap=True)


def _height(console: Console, parts: Sequence[RenderableType]) -> int:
    """How many lines of the screen these take."""
    return sum(len(console.render_lines(part, pad=False)) for part in parts)
