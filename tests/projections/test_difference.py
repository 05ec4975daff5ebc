"""The difference of two tables: a patch that makes one of the other, and what changed in words."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitting import ADA, EVERYBODY, OBSERVER, Sitting, written
from test_worked_examples import SCENES, played

from eventlog.history.points import tape_at
from projections.difference import Difference, difference
from projections.table import TableDocument, state_document
from rulesets.people import GM, Viewer

FIXTURES = Path(__file__).parents[2] / "fixtures"


def after(sitting: Sitting, action: int, viewer: Viewer = GM) -> TableDocument:
    return state_document(tape_at(sitting.store, sitting.session, action), viewer)


def between(sitting: Sitting, first: int, last: int, viewer: Viewer = GM) -> Difference:
    return difference(after(sitting, first, viewer), after(sitting, last, viewer))


def applied(patch: list[dict[str, Any]], document: Any) -> Any:
    """RFC 6902, as far as a difference uses it."""
    document = json.loads(json.dumps(document))
    for step in patch:
        value = taken(document, step["from"]) if step["op"] == "move" else step.get("value")
        if step["op"] in ("remove", "replace"):
            taken(document, step["path"])
        if step["op"] != "remove":
            place, key = found(document, step["path"])
            if isinstance(place, list):
                place.insert(len(place) if key == "-" else int(key), value)
            else:
                place[key] = value
    return document


def found(document: Any, pointer: str) -> tuple[Any, str]:
    *way, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in way:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document, last


def taken(document: Any, pointer: str) -> Any:
    place, key = found(document, pointer)
    return place.pop(int(key) if isinstance(place, list) else key)


def spelled(value: Any) -> str:
    """JSON in which 1, 1.0 and true are three things."""
    return json.dumps(value, sort_keys=True)


def table(state: Any, at: int = 0) -> TableDocument:
    return TableDocument(at=at, version=at, state=state, state_hash="")


# --- the patch ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_patch_leads_from_each_table_of_a_worked_example_to_the_next(
    sitting: Sitting, path: Path
) -> None:
    played(sitting, path)
    for viewer in (GM, OBSERVER):
        shown = [after(sitting, action, viewer) for action in range(sitting.tape.action + 1)]
        for one, other in [
            *pairwise(shown),
            (shown[0], shown[-1]),
            (shown[-1], shown[0]),
        ]:
            found = difference(one, other)
            patch = json.loads(written(found))["patch"]
            assert spelled(applied(patch, json.loads(written(one.state)))) == spelled(
                json.loads(written(other.state))
            )
            assert bool(found.lines) == bool(patch)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "ada", "ben", "a/b", "~"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc/~"), inner, max_size=4),
    max_leaves=12,
)
STATES = st.dictionaries(st.sampled_from(["people", "things", "round", "order", "a~b/c"]), VALUES, max_size=4)


@given(STATES, STATES)
def test_any_two_states_have_a_patch_between_them_and_words_for_it(one: Any, other: Any) -> None:
    found = difference(table(one), table(other))
    assert spelled(applied(json.loads(written(found))["patch"], one)) == spelled(other)
    assert all(line and "\n" not in line for line in found.lines)
    assert difference(table(one), table(other)) == found
    assert difference(table(one), table(one)).lines == ()


def test_a_difference_says_between_which_actions() -> None:
    found = difference(table({"round": 1}, 3), table({"round": 2}, 5))
    assert json.loads(written(found)) == {
        "from": 3, "to": 5, "patch": [{"op": "replace", "path": "/round", "value": 2}], "lines": ["Round: 1 → 2"],
    }  # fmt: skip


def test_a_value_that_became_nothing_is_in_the_patch() -> None:
    found = difference(table({"turn": "pcs"}), table({"turn": None}))
    assert json.loads(written(found))["patch"] == [{"op": "replace", "path": "/turn", "value": None}]


# --- the words ----------------------------------------------------------------------------------------------


def test_wounds_goals_and_rounds_are_told_as_people_say_them(sitting: Sitting) -> None:
    played(sitting, FIXTURES / "anima_prime" / "caravan.toml")
    told = [
        line
        for action in range(1, sitting.tape.action + 1)
        for line in between(sitting, action - 1, action).lines
    ]
    for line in (
        "Zadie: new at the table",
        "Zadie: wounds 0 → 1",
        "Demonic bull: defense 6 → 4",
        "Goal “Overcome the armored hide”: new",
        "Goal “Overcome the armored hide”: open → achieved",
        "Goal “Overcome the armored hide”: achieved by none → Rasheem",
        "Conflict: round 1 → 2",
        "Conflict: gift given no → yes",
        "Mira, Steady hands: marked yes → no",
        "Open roll: gone",
    ):
        assert line in told


def test_the_duel_is_told_by_the_same_rules(sitting: Sitting) -> None:
    played(sitting, FIXTURES / "duel" / "dawn-in-the-courtyard.toml")
    assert between(sitting, 2, 3).lines == ("Corbeau: new at the table", "Order: + Corbeau")
    assert between(sitting, 3, 4).lines == ("Current: none → Renard", "Round: 0 → 1")
    assert "Blanche: hp 8 → 3" in between(sitting, 4, 8).lines
    assert "Renard: stamina 3 → 2.5" in between(sitting, 4, 5).lines
    assert "Corbeau: gone from the table" in between(sitting, 3, 2).lines


@pytest.mark.parametrize(
    "one,other,line",
    [
        ({"current": "ada"}, {"current": "ben"}, "Current: Ada → Ben"),
        ({"order": ["ada", "ben"]}, {"order": ["ben", "ada"]}, "Order: Ada, Ben → Ben, Ada"),
        ({"order": ["ada", "ada"]}, {"order": ["ada"]}, "Order: \N{MINUS SIGN} Ada"),
        ({"zone": {"light": "dim"}}, {"zone": {"light": "dark"}}, "Zone: light dim → dark"),
        ({"zone": {"hit_by": "ada"}}, {"zone": {"hit_by": None}}, "Zone: hit by Ada → none"),
        ({"rules": {"strike": {"most": 6}, "gm": 1}}, {"rules": {"strike": {"most": 8}, "gm": 1}}, "Rules, strike: most 6 → 8"),
        ({"blow": None}, {"blow": {"attacker": "ada", "low": True}}, "Blow: new, attacker Ada"),
        ({"blow": {"attacker": "ada"}}, {"blow": None}, "Blow: gone"),
        ({"cities": {"x": {"name": "X", "size": 1}}}, {"cities": {"x": {"name": "X", "size": 2}}}, "City “X”: size 1 → 2"),
        ({"cities": {}}, {"cities": {"x": {"size": 2}}}, "City “x”: new"),
        ({"light": 0.1}, {"light": 0.30000000000000004}, "Light: 0.1 → 0.3"),
        ({"told": "one\ntwo"}, {"told": ""}, "Told: one two → none"),
    ],
)  # fmt: skip
def test_the_words_follow_from_the_shape_of_a_table(one: Any, other: Any, line: str) -> None:
    people = {"people": {"ada": {"name": "Ada"}, "ben": {"name": "Ben"}}}
    assert difference(table({**people, **one}), table({**people, **other})).lines == (line,)


def test_somebody_renamed_is_called_by_the_new_name() -> None:
    one, other = ({"people": {"ada": {"name": name, "hp": hp}}} for name, hp in (("Ada", 1), ("Countess", 2)))
    assert difference(table(one), table(other)).lines == (
        "Countess: name Ada → Countess",
        "Countess: hp 1 → 2",
    )


def test_a_thing_with_the_id_of_a_person_keeps_its_own_name() -> None:
    one = {
        "people": {"ada": {"name": "Ada"}},
        "goals": {"ada": {"name": "Find her", "by": None, "status": "open"}},
    }
    other = {**one, "goals": {"ada": {"name": "Find her", "by": "ada", "status": "done"}}}
    assert difference(table(one), table(other)).lines == (
        "Goal “Find her”: by none → Ada",
        "Goal “Find her”: open → done",
    )


def test_who_is_gone_stands_where_they_stood() -> None:
    people = {each: {"name": each.title()} for each in ("ada", "ben", "cay", "dan")}
    one = {"people": people}
    other = {"people": {each: {**people[each], "hp": 1} for each in ("ada", "cay", "dan")}}
    assert [line.partition(":")[0] for line in difference(table(one), table(other)).lines] == [
        "Ada",
        "Ben",
        "Cay",
        "Dan",
    ]


def test_what_is_hidden_from_somebody_is_in_no_difference_of_theirs(duel: Sitting) -> None:
    duel.act("add_duellist", id="canary", name="The Canary", side="blue", skill=9, secret=True)
    for name, viewer in EVERYBODY.items():
        assert ("anary" in written(between(duel, 2, 4, viewer))) == (name == "gm")
    assert between(duel, 3, 4, ADA).lines == ()


def test_the_words_say_which_way_a_number_went(duel: Sitting) -> None:
    """A log that writes damage as repair is worse than none: the arrow has the same sign as the table."""
    for change in (-3, 2, -1):
        before = duel.tape.state.duellists["ben"].hp
        number = duel.act("adjust", duellist="ben", hp=change, reason="x").tape.action
        assert between(duel, number - 1, number).lines == (f"Ben: hp {before} → {before + change}",)
