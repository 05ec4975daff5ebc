"""The difference of two tables in words, for any game: people and things are called as the table calls them.

A view is read by its shape alone. An object whose parts are all objects is a collection, and the first one in
the view holds the people at the table; whatever has a `name` is called by it, and an id that is somebody's is
said as their name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

Thing = Mapping[str, Any]

NOTHING = "none"
MINUS = "\N{MINUS SIGN}"
STATUS = "status"
"""The one part that goes without its own name: a goal is open → achieved."""


def changes(before: Thing, after: Thing) -> Iterator[str]:
    """A line for each change, in the order in which the table after it shows things."""
    words = _Words(before, after)
    for part in _either(before, after):
        old, new = before.get(part), after.get(part)
        if old == new:
            continue
        if (old or new) and all(each in (None, {}) or _is_collection(each) for each in (old, new)):
            yield from words.collection(part, old or {}, new or {})
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from words.thing(_title(part), old, new)
        else:
            yield from words.part("", part, old, new)


class _Words:
    """Says what changed, with the names of both tables."""

    def __init__(self, before: Thing, after: Thing) -> None:
        found = [
            (part, each, thing["name"])
            for table in (before, after)
            for part, things in table.items()
            if _is_collection(things)
            for each, thing in things.items()
            if isinstance(thing.get("name"), str)
        ]
        self.people = next((part for part in _either(before, after) if part in {one[0] for one in found}), "")
        # What has the id of somebody at the table is taken for them.
        found.sort(key=lambda one: one[0] == self.people)
        self.names: dict[str, str] = {each: name for _, each, name in found}

    def collection(self, part: str, old: Thing, new: Thing) -> Iterator[str]:
        """Who came and went, and what changed about those who stayed."""
        people = part == self.people
        for each in _either(old, new):
            who = self._called(part, (new if each in new else old)[each].get("name") or each)
            if each not in old:
                yield f"{who}: new{' at the table' if people else ''}"
            elif each not in new:
                yield f"{who}: gone{' from the table' if people else ''}"
            else:
                yield from self.thing(who, old[each], new[each])

    def thing(self, who: str, old: Thing, new: Thing) -> Iterator[str]:
        """What changed about one thing, part by part."""
        for part in _either(old, new):
            if old.get(part) != new.get(part):
                yield from self.part(who, part, old.get(part), new.get(part))

    def part(self, who: str, part: str, old: Any, new: Any) -> Iterator[str]:
        """One part that changed: a value, a list by what came and went, an object by its own parts."""
        if isinstance(old or new, list) and isinstance(new or old, list):
            yield from self._list(who, part, old or [], new or [])
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from self.thing(_joined(who, self._word(part)), old, new)
        elif isinstance(old or new, dict) and (old is None or new is None):
            begun = _begun(who, self._word(part))
            yield f"{begun} gone" if new is None else f"{begun} new, {self._said(new)}"
        elif part == STATUS and who:
            yield f"{who}: {self._said(old)} → {self._said(new)}"
        else:
            yield f"{_begun(who, self._word(part))} {self._said(old)} → {self._said(new)}"

    def _list(self, who: str, part: str, old: list[Any], new: list[Any]) -> Iterator[str]:
        was, now = _by_label(old), _by_label(new)
        begun = _begun(who, self._word(part))
        if set(was) == set(now) and all(was[each] == now[each] for each in now):
            yield f"{begun} {self._said(old)} → {self._said(new)}"
            return
        for each in _either(was, now):
            if each not in was:
                yield f"{begun} + {self._said(now[each])}"
            elif each not in now:
                yield f"{begun} {MINUS} {self._said(was[each])}"
            elif was[each] != now[each]:
                called = _joined(who, self._said(now[each]))
                yield from self.thing(called, was[each], now[each])

    # --- what things are called -----------------------------------------------------------------------------

    def _called(self, part: str, name: str) -> str:
        """Somebody by name; a thing by what it is and its name."""
        return name if part == self.people else f"{_title(_singular(part))} “{name}”"

    def _word(self, part: str) -> str:
        return self.names.get(part) or part.replace("_", " ")

    def _said(self, value: Any) -> str:
        """A value on one line."""
        if value is None or value in ("", [], {}):
            return NOTHING
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return self.names.get(value, " ".join(value.split()))
        if isinstance(value, list):
            return ", ".join(map(self._said, value))
        return self._described(value) if isinstance(value, dict) else f"{value:.12g}"

    def _described(self, thing: Thing) -> str:
        """A thing by its name, or by what can be said of it in a word each."""
        parts = (f"{self._word(part)} {self._said(each)}" for part, each in thing.items() if _is_plain(each))
        return _label(thing) or ", ".join(parts) or "something"


def _is_collection(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(each, dict) for each in value.values())


def _is_plain(value: Any) -> bool:
    """Whether a value says something on one line of a longer description."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""


def _either(old: Thing, new: Thing) -> list[str]:
    """The parts of both: those of the table now in its order, what is gone after what it stood behind."""
    parts = list(new)
    for place, part in enumerate(old):
        if part not in new:
            before = list(old)[:place]
            at = max((parts.index(each) + 1 for each in before if each in parts), default=0)
            parts.insert(at, part)
    return parts


def _by_label(things: list[Any]) -> dict[str, Any]:
    """The things of a list by what tells them apart; a second of the same gets a number."""
    found, seen = dict[str, Any](), Counter[str]()
    for each in things:
        label = (str(each.get("id") or "") or _label(each)) if isinstance(each, dict) else ""
        key = label or repr(each)
        seen[key] += 1
        found[f"{key} {seen[key]}"] = each
    return found


def _label(thing: Thing) -> str:
    """What a thing is called: its name, or the words it shows."""
    return next(
        (thing[key] for key in ("name", "text") if isinstance(thing.get(key), str) and thing[key]), ""
    )


def _title(part: str) -> str:
    return part.replace("_", " ").capitalize()


def _singular(part: str) -> str:
    if part.endswith("ies"):
        return f"{part[:-3]}y"
    return part.removesuffix("s")


def _joined(who: str, part: str) -> str:
    """A thing that belongs to another: `Conflict, pools`, `Zadie, Sharpshooter`."""
    return f"{who}, {part}" if who else _title(part)


def _begun(who: str, part: str) -> str:
    return f"{who}: {part}" if who else f"{_title(part)}:"
