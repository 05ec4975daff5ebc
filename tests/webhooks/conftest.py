"""A receiver, for whoever is told."""

from collections.abc import Iterator

import pytest
from receiving import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver
