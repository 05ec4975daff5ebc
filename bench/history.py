"""Correcting: an undo far back and at the end, beside deciding again what came after; verifying beside rebuilding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from bench.evening import Evening
from bench.measured import Figure, seconds
from eventlog.commands import read_command, rules_of
from eventlog.corrections import Mode, Redo, Undo
from eventlog.history.as_thrown import AsThrown
from eventlog.history.errors import HistoryConflict
from eventlog.history.points import table_before
from eventlog.history.reading import Past
from eventlog.history.slots import rolls_in_facts
from eventlog.playing import play_out
from eventlog.recorder import Recorder
from eventlog.requests import Recorded, Request
from eventlog.sqlite.store import SqliteStore
from eventlog.tape import fold
from eventlog.verification import verify
from rulesets.installed import ruleset_named

TRIES = 15


class Corrections:
    """One evening that is corrected over and over."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening

    async def foresee(self, target: int, mode: Mode) -> None:
        """Look ahead at an undo."""
        await self._evening.recorder.foresee(self._evening.session, _asked(Undo(target=target, mode=mode)))

    async def undo(self, target: int | None, mode: Mode = "strict") -> Recorded | None:
        """Undo an action; `None` where it touches others and the mode is strict."""
        try:
            return await self._record(Undo(target=target, mode=mode))
        except HistoryConflict:
            return None

    async def redo(self, correction: int) -> None:
        """Take an undo back."""
        await self._record(Redo(target=correction, mode="rebase"))

    async def _record(self, command: Undo | Redo) -> Recorded:
        return await self._evening.recorder.record(self._evening.session, _asked(command))


def _asked(command: Undo | Redo) -> Request:
    return Request(command=msgspec.json.encode(command))


async def far_back(path: Path, actions: int = 1000, target: int = 10) -> list[Figure]:
    """Undoing action 10 of 1,000: looked ahead at, strictly, and with everything after it taken along."""
    evening = await Evening.begin(Recorder(SqliteStore.open(path)))
    async for _ in evening.play(actions):
        pass
    corrections, looks, stricts, rebases = Corrections(evening), list[float](), list[float](), list[float]()
    for _ in range(TRIES):
        started = perf_counter()
        await corrections.foresee(target, "strict")
        looks.append(perf_counter() - started)
        started = perf_counter()
        done = await corrections.undo(target)
        stricts.append(perf_counter() - started)
        if done is None:
            started = perf_counter()
            done = await corrections.undo(target, "rebase")
            rebases.append(perf_counter() - started)
        if done is not None:
            await corrections.redo(done.tape.action)
    again = await _deciding_again(evening, target)
    await evening.recorder.aclose()
    rebase = median(rebases or stricts)
    return [
        Figure(
            name=f"dry run of undoing action {target} of {actions}",
            value=1e3 * median(looks),
            limit=50,
            unit="ms",
        ),
        Figure(
            name=f"strict undo of action {target} of {actions}",
            value=1e3 * median(stricts),
            limit=50,
            unit="ms",
        ),
        Figure(
            name="undo with rebase / deciding the later actions again",
            value=rebase / again,
            limit=3,
            unit="x",
            detail=f"{rebase * 1e3:.0f} ms, {again * 1e3:.0f} ms",
        ),
    ]


async def _deciding_again(evening: Evening, target: int) -> float:
    """Seconds to decide the later actions again in memory, on their own tables, with their own dice."""
    tape = await evening.recorder.tape(evening.session)
    past = Past(evening.recorder.store, tape)
    ruleset, rules = past.ruleset, rules_of(tape.ruleset, tape.rules)
    line, before = past.line(target), table_before(past, target)

    def again() -> None:
        state = before
        for content in line:
            for step in content.steps:
                dice = AsThrown(step.source, rolls_in_facts(step.facts))
                asked = read_command(tape.ruleset, tape.rules, bytes(step.command))
                state = play_out(ruleset, rules, state, (asked,), dice).state

    return seconds(again)


async def last_action(path: Path, actions: int = 10_000) -> Figure:
    """Undoing the last action in a session of 10,000 against one of 100."""
    evening = await Evening.begin(Recorder(SqliteStore.open(path)))
    early = await _at_the_end(evening, 100)
    late = await _at_the_end(evening, actions)
    await evening.recorder.aclose()
    return Figure(
        name=f"undo of the last action at {actions} / at 100",
        value=late / early,
        limit=1.2,
        unit="x",
        detail=f"{late * 1e3:.2f} ms",
    )


async def _at_the_end(evening: Evening, actions: int) -> float:
    async for _ in evening.play(actions):
        pass
    corrections, times = Corrections(evening), list[float]()
    for _ in range(4 * TRIES):
        await evening.send({"type": "roll", "count": 1, "purpose": "luck"})
        started = perf_counter()
        await corrections.undo(None)
        times.append(perf_counter() - started)
    return median(times)


def verifying(store: SqliteStore, session: str) -> Figure:
    """Checking a whole log, every command decided again, against only rebuilding it."""
    ruleset, head = ruleset_named("anima-prime"), store.head(session)

    def rebuild() -> object:
        return fold(ruleset, session, store.rows(session))

    def check() -> None:
        found = verify(store, session)
        assert found.ok, found.first_fault  # noqa: S101 - a figure of a broken log is worth nothing

    plain, whole = _once_more(rebuild), _once_more(check)
    return Figure(
        name=f"verification of {head.version} events / plain rebuilding",
        value=100 * plain / whole,
        limit=25,
        unit="%",
        at_least=True,
        detail=f"{whole:.1f} s, {plain:.1f} s",
    )


def _once_more(work: Callable[[], object]) -> float:
    return seconds(work, runs=3)
