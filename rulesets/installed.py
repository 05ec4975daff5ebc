"""Which rulesets this installation can record: ours are found like anyone's, through their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any, NamedTuple

from rulesets.contract import Ruleset
from rulesets.errors import RulesetBroken, RulesetNotInstalled

GROUP = "tabletape.rulesets"
OURS = "tabletape"


class Package(NamedTuple):
    """What is installed with pip: its name there and its version."""

    name: str
    version: str


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def installed() -> dict[str, Ruleset[Any]]:
    """Every installed ruleset by slug. Raises `RulesetBroken` when one cannot be loaded or lies about its slug."""
    return {slug: ruleset_named(slug) for slug in _entry_points()}


@cache
def ruleset_named(slug: str) -> Ruleset[Any]:
    """The ruleset of that slug. Raises `RulesetNotInstalled`, naming those that are, or `RulesetBroken`."""
    point = _entry_points().get(slug)
    if point is None:
        raise RulesetNotInstalled(slug, tuple(_entry_points()))
    try:
        ruleset = point.load()
    except Exception as error:
        raise RulesetBroken(f"The ruleset {slug!r} ({point.value}) cannot be loaded: {error}") from error
    if not isinstance(ruleset, Ruleset) or ruleset.slug != slug:
        raise RulesetBroken(f"The entry point {slug!r} ({point.value}) is not a ruleset of that slug")
    return ruleset


def package_of(slug: str) -> Package:
    """The package that brings a ruleset; of the recorder's own events, and where none says so, Tabletape's."""
    point = _entry_points().get(slug)
    if point is None or point.dist is None:
        return Package(OURS, version(OURS))
    return Package(point.dist.name, point.dist.version)
