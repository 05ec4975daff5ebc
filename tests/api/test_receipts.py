"""`Prefer: return=minimal`: the receipt of an action, without what it led to."""

import pytest
from serving import Table, problem, with_a_settled_roll

ROLL = {"type": "roll", "count": 3, "purpose": "luck"}
MINIMAL = {"Prefer": "return=minimal"}


def test_a_receipt_says_that_the_action_is_recorded_and_no_more(table: Table) -> None:
    answer = table.act(ROLL, headers=MINIMAL)
    assert answer.status_code == 201
    assert answer.headers["preference-applied"] == "return=minimal"
    last = table.server.store.envelopes(table.id)[-1]
    assert answer.json() == {"action": last.action, "version": last.seq, "head_hash": last.hash.hex()}
    assert answer.headers["etag"] == f'"{last.seq}"'


def test_what_is_recorded_is_the_same(table: Table) -> None:
    table.act(ROLL)
    table.act(ROLL, headers=MINIMAL)
    types = [envelope.type for envelope in table.server.store.envelopes(table.id)]
    assert types[-4:] == ["core.action-taken", "core.dice-rolled"] * 2


@pytest.mark.parametrize(
    "prefer,applied",
    [
        ("return=minimal", True),
        ('RETURN = "minimal"', True),
        ("respond-async, return=minimal; wait=10", True),
        ("handling=lenient,return=minimal", True),
        ("return=representation", False),
        ("return=minimalist", False),
        ("my-return=minimal", False),
        ("", False),
    ],
)
def test_other_preferences_are_passed_over(table: Table, prefer: str, applied: bool) -> None:
    answer = table.act(ROLL, headers={"Prefer": prefer})
    assert answer.status_code == 201
    assert ("preference-applied" in answer.headers) is applied
    assert ("events" not in answer.json()) is applied
    assert ("choices" not in answer.json()) is applied


def test_a_repeat_is_answered_as_it_is_preferred_then(table: Table) -> None:
    """The preference is no part of what was asked: a lost receipt can be asked for again in full."""
    key = {"Idempotency-Key": "once"}
    receipt = table.act(ROLL, headers={**key, **MINIMAL})
    again = table.act(ROLL, headers={**key, **MINIMAL})
    whole = table.act(ROLL, headers=key)
    assert again.json() == receipt.json()
    assert {answer.headers["idempotent-replayed"] for answer in (again, whole)} == {"true"}
    assert receipt.json().items() <= whole.json().items()
    assert [each["type"] for each in whole.json()["events"]] == ["core.action-taken", "core.dice-rolled"]


def test_a_refusal_is_told_in_full(table: Table) -> None:
    problem(table.act({"type": "no-such-thing"}, headers=MINIMAL), 422, "malformed-command")


def test_what_had_nothing_left_to_do_is_told(table: Table) -> None:
    anima = with_a_settled_roll(table.server)
    before = anima.log()
    answer = anima.act({"type": "settle"}, headers=MINIMAL)
    assert (answer.status_code, answer.json()["ignored"]) == (200, True)
    assert anima.log() == before
