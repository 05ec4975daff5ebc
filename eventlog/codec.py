"""Events to stored text and back: by type name, with a schema version and upcasters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from eventlog.canonical import encode
from eventlog.core import CORE, CORE_EVENTS
from eventlog.envelope import Envelope, Row
from eventlog.errors import EventUnreadable, UnknownEventType
from rulesets.contract import Event, Record, Ruleset, kebab

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


_CORE_PREFIX = f"{CORE}."


def type_name(slug: str, event: type[Event]) -> str:
    """What an event type is stored as: `anima-prime.dice-rolled`."""
    return f"{slug}.{kebab(event.__name__)}"


def core_type(event: type[Event]) -> str:
    """What one of the recorder's own event types is stored as: `core.note-added`."""
    return type_name(CORE, event)


def is_core(stored_type: str) -> bool:
    """Whether a stored type is the recorder's own, and not the game's."""
    return stored_type.startswith(_CORE_PREFIX)


class Codec:
    """Reads and writes the events of one ruleset and of the recorder itself."""

    def __init__(
        self, slug: str, events: tuple[type[Event], ...], upcasters: Mapping[tuple[str, int], Upcaster]
    ) -> None:
        self._upcasters = {(f"{slug}.{name}", version): lift for (name, version), lift in upcasters.items()}
        self._names: dict[type[Event], tuple[str, int]] = {}
        self._classes: dict[str, tuple[type[Event], int]] = {}
        self._decoders: dict[tuple[str, int], Callable[[bytes], Event]] = {}
        for prefix, classes in ((CORE, CORE_EVENTS), (slug, events)):
            for event in classes:
                name, version = type_name(prefix, event), getattr(event, "schema_version", 1)
                self._names[event] = name, version
                self._classes[name] = event, version
                self._decoders[name, version] = msgspec.json.Decoder(event).decode

    def write(self, event: Event) -> tuple[str, int, bytes]:
        """The type name, schema version and canonical JSON of an event."""
        name, version = self._names[type(event)]
        return name, version, encode(event)

    def read(self, name: str, version: int, data: bytes, seq: int = 0) -> Event:
        """The event of stored text. Raises `UnknownEventType` or `EventUnreadable`, naming the place."""
        decoder = self._decoders.get((name, version))
        try:
            return decoder(data) if decoder else self._lift(name, version, data, seq)
        except UnknownEventType:
            raise
        except Exception as error:  # an upcaster meets whatever an old log, or a forged one, says
            raise EventUnreadable(
                f"Event {seq} ({name} v{version}) cannot be read: {error}", seq=seq, type=name
            ) from error

    def newest(self, name: str) -> int | None:
        """The newest schema version of an event type that can be read here; `None` where the type is unknown."""
        known = self._classes.get(name)
        return None if known is None else known[1]

    def event(self, stored: Envelope | Row) -> Event | None:
        """The event of a stored one; `None` where its words were removed. Raises like `read`."""
        if stored.data is None:
            return None
        return self.read(stored.type, stored.v, stored.data, stored.seq)

    def _lift(self, name: str, version: int, data: bytes, seq: int) -> Event:
        known = self._classes.get(name)
        if known is None or version > known[1]:
            raise UnknownEventType(
                f"Event {seq} is of type {name!r} version {version}, which this installation does not know: "
                "it was written by a newer version, or by another ruleset",
                seq=seq,
                type=name,
                v=version,
            )
        value: dict[str, Any] = msgspec.json.decode(data)
        for step in range(version, known[1]):
            lift = self._upcasters.get((name, step))
            if lift is None:
                raise ValueError(f"nothing was ever written in version {step}")
            value = lift(value)
        return msgspec.convert(value, known[0])


_made: dict[str, tuple[Record[Any], Codec]] = {}


def codec_for(ruleset: Ruleset[Any]) -> Codec:
    """The codec of a ruleset, made once."""
    record, codec = _made.get(ruleset.slug, (None, None))
    if codec is None or record is not ruleset.record:
        codec = Codec(ruleset.slug, ruleset.record.events, ruleset.record.upcasters)
        _made[ruleset.slug] = ruleset.record, codec
    return codec
