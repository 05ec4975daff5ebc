"""The secret seed is the one that was promised, or nothing more is thrown."""

import sqlite3
from pathlib import Path

import pytest
from dueling import Table

from eventlog.errors import SeedNotPromised

CHANGED = "UPDATE seeds SET seed = randomblob(32)"
LOST = "DELETE FROM seeds"


def with_file(path: Path, *statements: str) -> Table:
    """A duel whose file somebody laid hands on while its server slept."""
    table = Table(path)
    table.open()
    table.duellists()
    session = table.session
    table.close()
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()
    again = Table(path)
    again.session = session
    return again


@pytest.mark.parametrize("statement", [CHANGED, LOST])
def test_with_another_seed_nothing_more_is_recorded_and_the_table_can_be_read(
    tmp_path: Path, statement: str
) -> None:
    table = with_file(tmp_path / "log.db", statement)
    before = table.store.head(table.session)
    for command in ({"type": "roll", "count": 2, "purpose": "luck"}, {"type": "close"}):
        with pytest.raises(SeedNotPromised, match="Restore a backup"):
            table.act(**command)
    assert table.store.head(table.session) == before
    assert table.do(lambda: table.recorder.tape(table.session)).version == before.version
    table.close()


def test_the_seed_that_was_promised_goes_on(tmp_path: Path) -> None:
    table = with_file(tmp_path / "log.db")
    assert table.act("roll", count=2, purpose="luck").events
    table.close()
