"""An expectation is a part of the table."""

import pytest

from api.scenes.differences import Difference, differences, present

TABLE = {
    "round": 2,
    "open": [],
    "turn": None,
    "who": {"zadie": {"acted": True, "traits": [{"name": "a", "marked": 1}]}},
}


def found(expected):
    return [(each.path, each.expected, each.found) for each in differences(expected, TABLE)]


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"round": 2},
        {"who": {"zadie": {"acted": True}}},
        {"open": []},
        {"who": {"zadie": {"traits": [{"name": "a"}]}}},
    ],
)
def test_a_part_of_the_table_fits(part):
    assert found(part) == []


@pytest.mark.parametrize(
    "part, path, expected, actual",
    [
        ({"round": 3}, "round", "3", "2"),
        ({"round": True}, "round", "true", "2"),
        ({"who": {"zadie": {"acted": 1}}}, "who.zadie.acted", "1", "true"),
        ({"who": {"mira": {}}}, "who.mira", "{}", "nothing"),
        ({"open": ["q1"]}, "open", '["q1"]', "[]"),
        ({"turn": "pcs"}, "turn", '"pcs"', "null"),
        ({"who": {"zadie": {"traits": [{"name": "b"}]}}}, "who.zadie.traits[0].name", '"b"', '"a"'),
        ({"who": 1}, "who", "1", '{"zadie": {"acted": true, "traits": [{"name": "a", "marked": 1}]}}'),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(part, path, expected, actual):
    assert found(part) == [(path, expected, actual)]


def test_nothing_is_what_is_missing_null_or_empty():
    assert list(present(("open", "turn", "who.mira", "who.mira.acted", "round.deeper"), TABLE)) == []
    assert list(present(("round", "who.zadie.acted"), TABLE)) == [
        Difference(path="round", expected="nothing", found="2"),
        Difference(path="who.zadie.acted", expected="nothing", found="true"),
    ]
