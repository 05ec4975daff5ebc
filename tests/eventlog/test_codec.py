"""Events are stored under type names with schema versions, and lifted by upcasters when they are read."""

from typing import Any, ClassVar

import msgspec
import pytest

from eventlog.codec import Codec, codec_for
from eventlog.core import NoteAdded
from eventlog.errors import EventUnreadable, UnknownEventType
from rulesets.contract import kebab
from rulesets.installed import ruleset_named


class RollMade(msgspec.Struct, frozen=True, kw_only=True):
    schema_version: ClassVar[int] = 3
    visibility: str
    dice: int


def public_not_publicroll(old: dict[str, Any]) -> dict[str, Any]:
    return {**old, "visibility": old["visibility"].removesuffix("roll")}


def count_is_called_dice(old: dict[str, Any]) -> dict[str, Any]:
    return {"visibility": old["visibility"], "dice": old["count"]}


CODEC = Codec(
    "game", (RollMade,), {("roll-made", 1): public_not_publicroll, ("roll-made", 2): count_is_called_dice}
)


def test_a_class_name_is_stored_in_kebab_case() -> None:
    assert kebab("ManeuverDeclared") == "maneuver-declared"


def test_an_event_comes_back_as_it_was_written() -> None:
    event = RollMade(visibility="public", dice=4)
    assert CODEC.write(event) == ("game.roll-made", 3, b'{"dice":4,"visibility":"public"}')
    assert CODEC.read(*CODEC.write(event)) == event
    note = NoteAdded(text="Es zieht ein Sturm auf: ⚡")
    assert CODEC.read(*CODEC.write(note)) == note


@pytest.mark.parametrize(
    "version,data",
    [(1, b'{"visibility":"publicroll","count":4}'), (2, b'{"visibility":"public","count":4}'), (3, b'{"visibility":"public","dice":4}')],
)  # fmt: skip
def test_every_spelling_ever_written_is_read(version: int, data: bytes) -> None:
    """A renamed value is lifted when it is read; what is stored is never rewritten (SR5-FoundryVTT#1915)."""
    assert CODEC.read("game.roll-made", version, data) == RollMade(visibility="public", dice=4)


def test_an_unknown_type_names_its_place() -> None:
    with pytest.raises(UnknownEventType, match=r"Event 12 is of type 'game\.dragon-came'"):
        CODEC.read("game.dragon-came", 1, b"{}", 12)


def test_a_newer_version_is_not_guessed_at() -> None:
    with pytest.raises(UnknownEventType, match="newer version"):
        CODEC.read("game.roll-made", 4, b"{}", 12)


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"dice":4}', b'{"dice":"four","visibility":"public"}', b"\xff"]
)
def test_broken_data_names_its_place(data: bytes) -> None:
    with pytest.raises(EventUnreadable, match=r"Event 7 \(game.roll-made v3\) cannot be read"):
        CODEC.read("game.roll-made", 3, data, 7)


@pytest.mark.parametrize(
    "version,data", [(0, b"{}"), (1, b"{}"), (1, b"[]"), (1, b'{"visibility":[]}'), (2, b"7")]
)
def test_what_an_upcaster_stumbles_over_names_its_place(version: int, data: bytes) -> None:
    with pytest.raises(EventUnreadable, match=rf"Event 7 \(game.roll-made v{version}\) cannot be read"):
        CODEC.read("game.roll-made", version, data, 7)


def test_a_ruleset_has_one_codec() -> None:
    duel = ruleset_named("duel")
    assert codec_for(duel) is codec_for(duel)
