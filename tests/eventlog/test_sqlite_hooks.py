"""Webhooks in a SQLite file: what only a file with one writer can promise."""

from pathlib import Path

from eventlog.sqlite.store import SqliteStore
from eventlog.testing import opened
from eventlog.testing.building import AT
from eventlog.testing.hooks import SOON, hook


def test_the_leases_of_a_server_that_was_killed_are_nobodys(tmp_path: Path) -> None:
    """Nobody waits for them to run out: while the file was locked, no other server could have had any."""
    store = SqliteStore.open(tmp_path / "log.db")
    store.append([opened("log", 2)])
    store.hooks.add(hook("zoe", "log"), 0)
    assert len(store.hooks.lease("killed", AT, SOON, 9)) == 1
    assert store.hooks.lease("other", AT, SOON, 9) == []
    reader = SqliteStore.open(tmp_path / "log.db", read_only=True)
    reader.close()
    assert store.hooks.lease("other", AT, SOON, 9) == []
    store.close()
    store = SqliteStore.open(tmp_path / "log.db")
    assert [lease.owner for lease in store.hooks.lease("next", AT, SOON, 9)] == ["next"]
    store.close()


def test_a_removed_webhook_leaves_no_secret_in_the_file(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "log.db")
    store.append([opened("log")])
    store.hooks.add(hook("zoe", "log", url="https://canary.example/in"))
    store.hooks.drop("id-zoe")
    assert all(b"canary.example" not in file.read_bytes() for file in tmp_path.iterdir())
    store.close()
