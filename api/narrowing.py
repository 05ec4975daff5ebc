"""What a reader may narrow a feed, a page of events or a webhook by.

Types are those the session's game has, known to everybody. Whether there is a character of an id is not for
everybody to know, nor is it known what comes later: every id that could be one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from api.faults import ApiProblem, ParameterMalformed
from api.words import did_you_mean
from eventlog.codec import core_type, type_name
from eventlog.core import CORE_EVENTS
from eventlog.store import Store
from rulesets.installed import installed
from rulesets.writing import SLUG_PATTERN

CORE_TYPES = frozenset(map(core_type, CORE_EVENTS))

_is_id = re.compile(SLUG_PATTERN).match


def check_types(
    store: Store, session: str | None, types: Collection[str], fault: type[ApiProblem] = ParameterMalformed
) -> None:
    """Raise the fault for a type no event has, in that session or in any: whoever asks for it would wait in vain.

    Of a game that is not installed every type is taken, since nobody here can say which it has. Raises
    `SessionUnknown`.
    """
    if not types:
        return
    here = installed()
    games = set(here) if session is None else {store.head(session).ruleset}
    known = CORE_TYPES.union(*(_types_of(slug) for slug in games & set(here)))
    unsaid = tuple(f"{slug}." for slug in games - set(here))
    unknown = sorted(each for each in set(types) - known if not each.startswith(unsaid))
    if unknown:
        raise _no_such_type(unknown, known, fault)


def types_named(store: Store, session: str | None, text: str | None) -> frozenset[str] | None:
    """The types a query names, with commas between; `None` for none. Raises `ParameterMalformed`."""
    named = frozenset(text.split(",")) if text else None
    check_types(store, session, named or ())
    return named


def id_named(text: str | None) -> str | None:
    """The id a query names; `None` for none. Raises `ParameterMalformed` for what no id can be."""
    if text and not _is_id(text):
        raise ParameterMalformed(
            f"{text[:40]!r} is no id: ids are written with a-z, 0-9, _ and -, as in `GET …/state`, and are not"
            " the names that are shown",
            parameter="character",
        )
    return text or None


def _types_of(slug: str) -> frozenset[str]:
    return frozenset(type_name(slug, event) for event in installed()[slug].record.events)


def _no_such_type(unknown: list[str], known: Collection[str], fault: type[ApiProblem]) -> ApiProblem:
    wrong = unknown[0][:80]
    return fault(
        f"No event here is of the type {wrong!r}: {did_you_mean(wrong, known)}",
        types=[each[:80] for each in unknown],
        known=sorted(known),
    )
