"""Faults of a ruleset itself, apart from `RuleViolation`, which is a fault of a command."""


class RulesetError(Exception):
    """Something is wrong with an installed ruleset, not with what anybody asked for."""


class RulesetNotInstalled(RulesetError):
    """A log or a request names a ruleset that is not here."""

    def __init__(self, slug: str, installed: tuple[str, ...]) -> None:
        known = ", ".join(installed) or "none"
        super().__init__(
            f"The ruleset {slug!r} is not installed here (installed: {known}): install the package that brings it"
        )
        self.slug = slug
        self.installed = installed


class RulesetBroken(RulesetError):
    """An entry point that does not load, or a ruleset that breaks its contract."""


class RulesNotDecided(RulesetError):
    """The installed package decides the rules number a log was written under no longer, or not yet."""

    def __init__(self, slug: str, number: int, *, newer: bool = False) -> None:
        why = ", which a newer version of it plays by" if newer else ""
        super().__init__(
            f"This version of {slug!r} cannot decide rules number {number}{why}: the log can be read and its last "
            "action undone, and no more"
        )
        self.slug = slug
        self.number = number


class PoolBelowZero(RulesetError):
    """A fact would take more out of a pool than is in it: the log does not fit its history."""
