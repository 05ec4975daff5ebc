"""What a line of the timeline says of a number is what the table did."""

from itertools import pairwise
from pathlib import Path

import pytest
from sitting import Sitting
from test_worked_examples import FIXTURES, played

from eventlog.history.points import tape_at
from projections.table import state_document
from projections.timeline import timeline
from rulesets.people import GM

SCENES = sorted((FIXTURES / "anima_prime").glob("*.toml"))


def wounds(sitting: Sitting, action: int) -> dict[str, tuple[str, int]]:
    """Name and wounds of everybody after an action."""
    shown = state_document(tape_at(sitting.store, sitting.session, action), GM).state["characters"]
    return {who: (each["name"], each["wounds"]) for who, each in shown.items()}


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_wound_is_told_with_the_number_before_and_after(sitting: Sitting, path: Path) -> None:
    """Damage was written as repair and repair as damage (compcon#2562): here both numbers stand, in their order."""
    played(sitting, path)
    for entry in timeline(sitting.store, sitting.session, GM, limit=500).actions:
        if entry.number and entry.status == "standing":
            last = max((entry.number, *entry.answers))
            before, after = wounds(sitting, entry.number - 1), wounds(sitting, last)
            for who, (name, now) in after.items():
                was = before.get(who, (name, now))[1]
                if now != was:
                    assert name in entry.line
                    assert f"wounds {was} -> {now} of" in entry.line


def test_the_scenes_wound_and_heal(sitting: Sitting) -> None:
    played(sitting, FIXTURES / "anima_prime" / "caravan.toml")
    found = [wounds(sitting, action) for action in range(sitting.tape.action + 1)]
    steps = {
        (now > was) - (now < was)
        for one, other in pairwise(found)
        for who, (_, now) in other.items()
        for _, was in [one.get(who, ("", now))]
    }
    assert steps == {-1, 0, 1}
