"""Every worked example of the rules, read as each person at the table may read it."""

import re
from pathlib import Path

import pytest
from sitting import EVERYBODY, Sitting, written

from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.steps import CommandStep
from projections.events import event_page
from projections.statistics import statistics
from projections.table import choices_for, state_document
from projections.timeline import timeline, timeline_entry
from rulesets.people import GM, OBSERVER, Viewer

CORRECTS = re.compile(r"^(undo|redo|amend|before)\b", re.MULTILINE)
FIXTURES = Path(__file__).parents[2] / "fixtures"
SCENES = [path for path in sorted(FIXTURES.glob("*/*.toml")) if not CORRECTS.search(path.read_text())]


def played(sitting: Sitting, path: Path) -> Sitting:
    """The scene, recorded step by step into the sitting's store."""
    scene, local = read_scene(path), LocalTable(sitting.store, sitting.recorder)
    sitting.session = sitting.do(lambda: local.open(scene)).session
    for step in scene.steps:
        if isinstance(step, CommandStep):
            sitting.do(lambda step=step: local.act(step))
    return sitting


def everybody(sitting: Sitting) -> list[Viewer]:
    """The GM, an observer, and for each character in sight somebody who plays it alone."""
    seen = state_document(sitting.tape, GM).state.get("characters", {})
    return [GM, OBSERVER, *(Viewer(role="player", name=f"of {each}", characters=(each,)) for each in seen)]


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_everybody_can_read_what_happened(sitting: Sitting, path: Path) -> None:
    table = played(sitting, path)
    store, session = table.store, table.session
    for viewer in everybody(table):
        page = timeline(store, session, viewer, limit=200)
        assert all(entry.line and "\n" not in entry.line for entry in page.actions)
        assert all(timeline_entry(store, session, viewer, entry.number) == entry for entry in page.actions)
        dice = [die for entry in page.actions for roll in entry.rolls for die in roll.dice]
        counted = statistics(store, session, viewer)
        assert counted.dice == len(dice)
        assert sum(sum(each.counts.values()) for each in counted.faces) == len(dice)
        state_document(table.tape, viewer)
        choices_for(table.tape, viewer)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_each_roll_of_the_log_is_in_exactly_one_line(sitting: Sitting, path: Path) -> None:
    table = played(sitting, path)
    entries = timeline(table.store, table.session, GM, limit=200).actions
    rolls = [roll.roll for entry in entries for roll in entry.rolls]
    assert rolls == list(range(1, table.tape.next_roll))


def test_a_character_in_the_dark_is_in_nothing_the_others_read() -> None:
    hidden = {"id": "canary", "name": "Canary", "side": "adversity", "kind": "individual", "secret": True}
    table = Sitting("anima-prime")
    table.act("add_character", **hidden, action=5, defense=3, max_wounds=3)
    table.act("add_goal", id="nest", name="The Canary's nest", difficulty=4, secret=True)
    table.act("adjust", character="canary", changes={"action": -1}, reason="a canary with a cough")
    table.act("note", text="the canary sings", request={"visible_to": "gm"})
    for name, viewer in EVERYBODY.items():
        read = "".join(
            (
                written(state_document(table.tape, viewer)),
                written(choices_for(table.tape, viewer)),
                written(timeline(table.store, table.session, viewer)),
                written(event_page(table.store, table.session, viewer)),
                written(statistics(table.store, table.session, viewer)),
            )
        )
        assert ("anary" in read) is (name == "gm")
    table.close()
