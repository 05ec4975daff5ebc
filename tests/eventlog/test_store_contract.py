"""The contract test every store passes, on the stores that come with the recorder."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eventlog.sqlite.store import SqliteStore
from eventlog.store import Store
from eventlog.testing import LASTING_PROMISES, PROMISES
from eventlog.testing.building import Opener, Promise, refused, same


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = SqliteStore.open(":memory:" if request.param == "memory" else tmp_path / "tabletape.db")
    yield opened
    opened.close()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
def test_a_store_keeps_its_promise(promise: Promise, store: Store) -> None:
    promise(store)


@pytest.mark.parametrize("promise", LASTING_PROMISES, ids=lambda promise: promise.__name__)
def test_a_file_keeps_its_promise(promise: Callable[[Opener], None], tmp_path: Path) -> None:
    promise(lambda: SqliteStore.open(tmp_path / "tabletape.db"))


def test_the_contract_test_notices_a_difference() -> None:
    with pytest.raises(AssertionError, match="promised"):
        same([1], [2])
    with pytest.raises(AssertionError, match="KeyError was promised"), refused(KeyError):
        pass
    with pytest.raises(ZeroDivisionError), refused(KeyError):
        _ = 1 // 0
