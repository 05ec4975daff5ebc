"""Reads plays in a fresh interpreter, with or without the rules half: `python -m rulesets.testing.reading`.

`modules WHERE` prints the modules only the rules half loads. `fold WHERE` reads a `Shelf` from standard input,
makes those modules unimportable, folds every play and prints the last tables.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import msgspec

from rulesets.contract import Record, Ruleset
from rulesets.people import OBSERVER

encode = msgspec.json.Encoder(order="deterministic").encode
"""One spelling for one table."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A stored play: its parameters, and each event as its class name and its JSON."""

    parameters: msgspec.Raw
    events: tuple[tuple[str, msgspec.Raw], ...]


class Shelf(msgspec.Struct, frozen=True, kw_only=True):
    """Stored plays, and the modules they have to be read without."""

    blocked: tuple[str, ...]
    plays: tuple[Reading, ...]


class Forgotten(MetaPathFinder):
    """An importer that knows of some modules only that they are not there any more."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - asked for by importlib
        target: ModuleType | None = None,  # noqa: ARG002 - asked for by importlib
    ) -> ModuleSpec | None:
        """Refuse the forgotten modules; leave all others to the importers after this one."""
        if fullname in self._names:
            raise ModuleNotFoundError(f"{fullname} belongs to the rules half, which is gone", name=fullname)
        return None


def loaded_by_rules(where: str) -> list[str]:
    """The modules that come in only when the rules are loaded, the standard library apart."""
    ruleset = _ruleset_at(where)
    before = set(sys.modules)
    for load in ruleset.rules.values():
        load()
    new = set(sys.modules) - before
    return sorted(name for name in new if name.partition(".")[0] not in sys.stdlib_module_names)


def fold(where: str, shelf: Shelf) -> bytes:
    """The last tables of stored plays, read and shown without their rules."""
    sys.meta_path.insert(0, Forgotten(shelf.blocked))
    record = _ruleset_at(where).record
    return encode(tuple(_last_table(record, reading) for reading in shelf.plays))


def _last_table(record: Record[Any], reading: Reading) -> Any:
    kinds = {kind.__name__: kind for kind in record.events}
    state = record.start(msgspec.json.decode(reading.parameters, type=record.parameters))
    for name, data in reading.events:
        event = msgspec.json.decode(data, type=kinds[name])
        state = record.evolve(state, event)
        record.audience(state, event)
        record.describe(state, (event,))
        tuple(record.tally(state, event))
        record.questions(state)
    record.view(state, OBSERVER)
    return state


def _ruleset_at(where: str) -> Ruleset[Any]:
    module, _, name = where.partition(":")
    found: Ruleset[Any] = getattr(import_module(module), name)
    return found


def main() -> None:
    """Do what the first argument says, for the ruleset the second names."""
    mode, where = sys.argv[1:]
    if mode == "modules":
        sys.stdout.buffer.write(encode(loaded_by_rules(where)))
    else:
        sys.stdout.buffer.write(fold(where, msgspec.json.decode(sys.stdin.buffer.read(), type=Shelf)))


if __name__ == "__main__":
    main()
