"""A copy checked on its own, without any store: its log, and the header that says which log that is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from eventlog.archive.as_headed import misheaded, opening_in
from eventlog.archive.reading import read_archive
from eventlog.verification import Verification, verify_envelopes
from rulesets.contract import Ruleset
from rulesets.errors import RulesetNotInstalled
from rulesets.installed import ruleset_named


def verify_copy(lines: Iterable[bytes]) -> Verification:
    """Check a copy, complete or not. The game is the one that the log names, whatever its header says.

    Raises `ImportRefused` where a line cannot be read at all; whatever else is wrong is in the answer.
    """
    header, events = read_archive(lines)
    opened, end = opening_in(events), (header.version, bytes.fromhex(header.head_hash))
    ruleset = _installed(header.ruleset if opened is None else opened.ruleset)
    found = verify_envelopes(ruleset, header.session, events, end=end)
    fault = found.first_fault or misheaded(header, events)
    return replace(found, ok=fault is None, first_fault=fault)


def _installed(slug: str) -> Ruleset[Any] | None:
    try:
        return ruleset_named(slug)
    except RulesetNotInstalled:
        return None
