"""Who sees an event: fixed when it is appended, asked in one place."""

import msgspec
import pytest

from eventlog.audience import narrower, visible
from eventlog.core import VisibleTo
from rulesets.people import EVERYONE, GM, GM_ONLY, OBSERVER, Audience, Viewer

DARIA = Viewer(role="player", name="Daria", characters=("rasheem",))
TOM = Viewer(role="player", name="Tom", characters=("zadie",))
TOOL = Viewer(role="tool")
IMPOSTOR = Viewer(role="observer", name="Daria", characters=("rasheem",))
PEOPLE = {"gm": GM, "daria": DARIA, "tom": TOM, "observer": OBSERVER, "tool": TOOL, "impostor": IMPOSTOR}


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    audience: Audience


def those_who_see(audience: Audience) -> set[str]:
    return {name for name, viewer in PEOPLE.items() if visible(viewer, [Thing(audience=audience)])}


@pytest.mark.parametrize(
    "audience,seen_by",
    [
        (EVERYONE, set(PEOPLE)),
        (GM_ONLY, {"gm"}),
        (("player:Daria",), {"daria"}),
        (("gm", "player:Daria"), {"gm", "daria"}),
        (("character:zadie", "gm"), {"gm", "tom"}),
        ((), set()),
    ],
)
def test_an_audience_names_those_who_see(audience: Audience, seen_by: set[str]) -> None:
    assert those_who_see(audience) == seen_by


@pytest.mark.parametrize(
    "visible_to,seen_by",
    [
        ("everyone", set(PEOPLE)),
        ("gm", {"gm"}),
        ("self", {"daria"}),
        ("self+gm", {"gm", "daria"}),
    ],
)
def test_a_player_may_narrow_what_they_roll(visible_to: VisibleTo, seen_by: set[str]) -> None:
    """Public, blind, self and private: the exact matrix of foundryvtt#14258."""
    assert those_who_see(narrower(EVERYONE, visible_to, DARIA)) == seen_by


@pytest.mark.parametrize("visible_to", ["gm", "self", "self+gm"])
def test_what_the_gm_hides_the_gm_sees(visible_to: VisibleTo) -> None:
    assert those_who_see(narrower(EVERYONE, visible_to, GM)) == {"gm"}


@pytest.mark.parametrize("visible_to", ["everyone", "gm", "self", "self+gm"])
@pytest.mark.parametrize(
    "audience",
    [EVERYONE, GM_ONLY, ("character:zadie", "gm"), ("character:rasheem", "gm"), ("gm", "player:Tom")],
)
@pytest.mark.parametrize("issuer", [GM, DARIA, TOM])
def test_asking_for_privacy_never_widens(audience: Audience, visible_to: VisibleTo, issuer: Viewer) -> None:
    assert those_who_see(narrower(audience, visible_to, issuer)) <= those_who_see(audience)


def test_order_is_kept() -> None:
    things = [Thing(audience=EVERYONE), Thing(audience=GM_ONLY), Thing(audience=("gm", "everyone"))]
    assert visible(OBSERVER, things) == [things[0], things[2]]
