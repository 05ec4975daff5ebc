"""What a look ahead says of others: whether anything becomes of them, and whether a strict correction would be refused."""

import pytest

from api.cli.touching import print_foreseen, refused_in_strict, touches_others
from api.foresight import Foreseen, Touched


def foreseen(target, *consequences):
    return Foreseen(dry_run=True, version=9, targets=(target,), consequences=consequences, difference=None)


BACK = Touched(action=4, outcome="redone")
WITHOUT_6 = Touched(action=4, outcome="redone", line="Zadie strikes", dropped=(6,))
AMENDED = Touched(action=4, outcome="amended", dropped=(6,))
LATER_BACK, LATER_OPEN, LATER_CHANGES, LATER_FALLS = (
    Touched(action=7, outcome=outcome) for outcome in ("redone", "open", "changes", "falls")
)


@pytest.mark.parametrize(
    "found, touches, refused",
    [
        (foreseen(BACK), False, False),
        (foreseen(WITHOUT_6), True, True),
        (foreseen(AMENDED), False, False),
        (foreseen(BACK, LATER_BACK), True, False),
        (foreseen(BACK, LATER_OPEN), True, True),
        (foreseen(BACK, LATER_CHANGES), True, True),
        (foreseen(BACK, LATER_FALLS), True, True),
    ],
)
def test_answers_that_lose_their_place_are_touched_and_what_comes_back_refuses_nothing(
    found, touches, refused
):
    assert (touches_others(found), refused_in_strict(found)) == (touches, refused)


def test_no_later_action_is_said_to_be_touched_only_where_that_is_so(capsys):
    print_foreseen(foreseen(BACK))
    assert "No later action is touched." in capsys.readouterr().out
    print_foreseen(foreseen(WITHOUT_6))
    out = capsys.readouterr().out
    assert "No later action is touched." not in out
    assert "loses what was done in it as action 6" in out
