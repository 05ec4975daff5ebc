"""The check that a log outlives the rules it was played by."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points

import msgspec

from rulesets.installed import GROUP
from rulesets.testing.plays import Play, Subject
from rulesets.testing.reading import Reading, Shelf, encode


class FreshInterpreterFailed(Exception):
    """Python itself said no; the last line of what it printed says why."""


def record_stands_alone(subject: Subject) -> Iterator[str]:
    """With the rules half unimportable, every play still folds to the same table and can be shown."""
    where = subject.where or _entry_point(subject.ruleset.slug)
    if where is None:
        yield f"no entry point {subject.ruleset.slug!r} in the group {GROUP!r}: say where the ruleset is"
        return
    try:
        blocked = msgspec.json.decode(_fresh("modules", where), type=tuple[str, ...])
        if not blocked:
            yield f"importing {where} imports its rules: import them inside the functions of Ruleset.rules"
        shelf = Shelf(blocked=blocked, plays=tuple(_reading(play) for play in subject.plays))
        if _fresh("fold", where, encode(shelf)) != encode(tuple(play.state for play in subject.plays)):
            yield "the plays fold to other tables when their rules are gone"
    except FreshInterpreterFailed as error:
        yield f"with its rules gone, the record half fails: {error}"


def _entry_point(slug: str) -> str | None:
    return next((point.value for point in entry_points(group=GROUP, name=slug)), None)


def _reading(play: Play) -> Reading:
    events = tuple(
        (type(event).__name__, msgspec.Raw(msgspec.json.encode(event)))
        for action in play.actions
        for event in action.events
    )
    parameters = msgspec.Raw(msgspec.json.encode(play.parameters))
    return Reading(parameters=parameters, events=events)


def _fresh(mode: str, where: str, stdin: bytes = b"") -> bytes:
    """What `rulesets.testing.reading` prints, run in an interpreter that has imported nothing yet."""
    done = subprocess.run(  # noqa: S603 - our own module, in our own interpreter
        [sys.executable, "-m", "rulesets.testing.reading", mode, where],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if done.returncode:
        raise FreshInterpreterFailed((done.stderr.decode().strip().splitlines() or ["no word"])[-1])
    return done.stdout
