"""A table that duels, for whoever asks."""

from collections.abc import Iterator

import pytest
from dueling import Table


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.open()
    yield table
    table.close()
