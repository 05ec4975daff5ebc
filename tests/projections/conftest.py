"""A duel that has begun, and a fresh table of the game."""

from collections.abc import Iterator

import pytest
from sitting import Sitting


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    """A duel just opened."""
    sitting = Sitting()
    yield sitting
    sitting.close()


@pytest.fixture
def duel(sitting: Sitting) -> Sitting:
    """A duel in which Ada is to act; its last action is 3."""
    sitting.duellists()
    return sitting
