"""Which rulesets this installation can record: ours are found like anyone's, through their entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from rulesets.contract import Ruleset
from rulesets.errors import RulesetBroken, RulesetNotInstalled

GROUP = "tabletape.rulesets"


@cache
def installed() -> dict[str, Ruleset[Any]]:
    """Every installed ruleset by slug. Raises `RulesetBroken` when one cannot be loaded or lies about its slug."""
    found: dict[str, Ruleset[Any]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            ruleset = point.load()
        except Exception as error:
            raise RulesetBroken(
                f"The ruleset {point.name!r} ({point.value}) cannot be loaded: {error}"
            ) from error
        if not isinstance(ruleset, Ruleset) or ruleset.slug != point.name:
            raise RulesetBroken(
                f"The entry point {point.name!r} ({point.value}) is not a ruleset of that slug"
            )
        found[ruleset.slug] = ruleset
    return found


def ruleset_named(slug: str) -> Ruleset[Any]:
    """The ruleset of that slug. Raises `RulesetNotInstalled`, naming those that are."""
    try:
        return installed()[slug]
    except KeyError:
        raise RulesetNotInstalled(slug, tuple(installed())) from None
