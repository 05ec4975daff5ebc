"""Values that come back are encoded once, and never one for another."""

import msgspec

from api.answers import Spelled, encode
from rulesets.contract import Choice


def choice(number: int) -> Choice:
    return Choice(type="settle", text=f"Settle roll {number}")


def test_what_stands_for_a_value_is_its_json() -> None:
    spelled, first = Spelled(), choice(1)
    for _ in range(2):
        assert encode(
            {"choices": [spelled.spelled(first), spelled.spelled(choice(2))]}
        ) == msgspec.json.encode({"choices": [first, choice(2)]})


def test_values_that_are_forgotten_are_encoded_again_as_they_are() -> None:
    spelled = Spelled(most=3)
    for number in range(50):  # each takes the place in memory of one that is gone
        assert encode(spelled.spelled(choice(number))) == msgspec.json.encode(choice(number))
