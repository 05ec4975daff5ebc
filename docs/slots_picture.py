"""Draws docs/slots.svg, the picture of slots and revisions, from a session that is really recorded and corrected.

python docs/slots_picture.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from eventlog.history.touching import Told
from eventlog.recorder import Recorder
from eventlog.requests import OpenRequest, Request
from eventlog.settings import Settings
from eventlog.sqlite.store import SqliteStore

HERE = Path(__file__).parent

SHEET = {"action": 6, "defense": 2, "max_wounds": 3}
COMMANDS: tuple[tuple[str, dict[str, Any], tuple[int, ...] | None], ...] = (
    ("Zadie", {"type": "add_character", "id": "zadie", "side": "pcs", "kind": "pc", **SHEET}, None),
    ("Rasheem", {"type": "add_character", "id": "rasheem", "side": "pcs", "kind": "pc", **SHEET}, None),
    ("the bull", {"type": "add_character", "id": "bull", "side": "adversity", "kind": "individual", **SHEET}, None),
    ("it begins", {"type": "start_conflict", "first": "pcs"}, None),
    ("maneuver", {"type": "maneuver", "actor": "zadie", "action_dice": 2, "gifts": ["rasheem"]}, (3, 4, 5, 3)),
    ("end of turn", {"type": "end_turn"}, None),
    ("end of turn", {"type": "end_turn"}, None),
    ("strike", {"type": "strike", "actor": "zadie", "targets": ["bull"], "strike_dice": 3}, (5, 5, 4)),
    ("maneuver", {"type": "maneuver", "actor": "rasheem", "action_dice": 2}, (3, 4, 6, 2)),
)  # fmt: skip
"""What is done in the example of docs/history.md, in a word or two each."""
UNDO = {"type": "undo", "target": 5, "mode": "rebase"}

BOX, GAP, HEIGHT, LEFT = 92, 10, 46, 108
COLOURS = {
    "as it was": ("#eef2f7", "#64748b", ""),
    "stands": ("#e3f1e6", "#3f7d4e", ""),
    "changes": ("#fdf0d5", "#a86a00", ""),
    "falls": ("#ffffff", "#b3261e", ' stroke-dasharray="5 4"'),
    "undone": ("#ffffff", "#b3261e", ' stroke-dasharray="5 4"'),
    "undo": ("#334155", "#334155", ""),
}


class Slot(NamedTuple):
    """A box of the picture: an action or its slot, what stands there, and how it came to."""

    number: int
    words: str
    kind: str
    revision: int | None = 1


async def _told() -> Told:
    """What the undo of the example does to every slot."""
    recorder = Recorder(SqliteStore.open(":memory:"))
    settings = Settings(table_dice="all")
    opened = await recorder.open(OpenRequest(ruleset="anima-prime", title="Wrong dice", settings=settings))
    session = opened.tape.session
    for _, command, dice in COMMANDS:
        await recorder.record(session, Request(command=msgspec.json.encode(command), dice=dice))
    _, told = await recorder.foresee(session, Request(command=msgspec.json.encode(UNDO)))
    await recorder.aclose()
    return told


def rows(told: Told) -> tuple[list[Slot], list[Slot]]:
    """The log with the correction at its end, and the slots as they are then."""
    done = [Slot(number, words, "as it was") for number, (words, _, _) in enumerate(COMMANDS, 1)]
    touched = {each.action: each for each in (*told.targets, *told.consequences)}
    slots = [
        one._replace(
            kind=touched[one.number].outcome if one.number in touched else "stands",
            revision=touched[one.number].after if one.number in touched else 1,
        )
        for one in done
    ]
    return [*done, Slot(len(done) + 1, f"undo {UNDO['target']}", "undo")], slots


def svg(log: list[Slot], slots: list[Slot]) -> str:
    """Three rows of boxes: the log, the history before the correction, and after it."""
    width = LEFT + len(log) * (BOX + GAP) + 12
    parts = [
        *_row("the log", "only grows", log, 34, told=False),
        *_row("the history", "before", [one for one in log if one.kind != "undo"], 124, told=False),
        *_row("the history", "after the undo", slots, 214, told=True),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 300" width="{width}" height="300" '
        'font-family="system-ui, sans-serif" font-size="13">\n'
        "<title>A session as its log and as its history, before and after an undo in the middle</title>\n"
        f'<rect width="{width}" height="300" rx="8" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _row(name: str, more: str, boxes: list[Slot], top: int, *, told: bool) -> Iterator[str]:
    yield _text(12, top + 20, name, "#0f172a", weight="600")
    yield _text(12, top + 37, more, "#64748b", size=11)
    for one in boxes:
        left = LEFT + (one.number - 1) * (BOX + GAP)
        fill, line, dashed = COLOURS[one.kind]
        yield (
            f'<rect x="{left}" y="{top}" width="{BOX}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="{line}"'
            f' stroke-width="1.5"{dashed}/>'
        )
        ink = "#ffffff" if one.kind == "undo" else "#0f172a"
        yield _text(left + 8, top + 18, str(one.number), ink, weight="600")
        yield _text(left + 8, top + 36, one.words if one.revision else "empty", ink, size=12)
        if one.revision and one.revision > 1:
            yield _text(left + BOX - 8, top + 18, f"revision {one.revision}", line, size=11, anchor="end")
        if told:
            yield _text(left + BOX / 2, top + HEIGHT + 18, one.kind, line, size=12, anchor="middle")


def _text(  # noqa: PLR0913 - where, what, and how it looks
    x: float, y: float, words: str, colour: str, *, size: int = 13, weight: str = "400", anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" font-weight="{weight}"'
        f' text-anchor="{anchor}">{escape(words)}</text>'
    )


def drawn() -> str:
    """The picture."""
    return svg(*rows(asyncio.run(_told())))


if __name__ == "__main__":
    (HERE / "slots.svg").write_text(drawn(), encoding="utf-8")
