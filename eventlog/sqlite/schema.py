"""The tables of a database file, as named steps: each is taken once, in order, and recorded in the file.

`events` is append-only by its triggers, whoever opens the file. Sessions and event types are numbers in it
and names in tables of their own, which keeps the file small.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from eventlog.sqlite import hook_tables

STEPS = Migrations("tabletape")


@STEPS()
def create_sessions(db: Database) -> None:
    """Where each session stands. `found_by` is what a search looks through. Seeds lie apart, unlisted."""
    columns = {
        "number": int,
        "id": str,
        "title": str,
        "ruleset": str,
        "rules": int,
        "version": int,
        "action": int,
        "hash": bytes,
        "opened_at": str,
        "changed_at": str,
        "closed_at": str,
        "found_by": str,
    }
    sessions = db.table("sessions")
    sessions.create(columns, pk="number", not_null=columns.keys() - {"number", "closed_at"})
    sessions.create_index(["id"], unique=True)
    seeds = {"session": int, "seed": bytes}
    db.table("seeds").create(seeds, pk="session", not_null={"seed"})
    removed = {
        "session": str,
        "number": int,
        "version": int,
        "hash": bytes,
        "removed_at": str,
        "position": int,
    }
    db.table("removed").create(removed, pk="session", not_null=removed.keys())
    db.table("removed").create_index(["number"], unique=True)


@STEPS()
def create_events(db: Database) -> None:
    """The log itself."""
    db.table("types").create({"number": int, "name": str}, pk="number", not_null={"name"})
    db.table("types").create_index(["name"], unique=True)
    columns = {
        "position": int,
        "session": int,
        "seq": int,
        "action": int,
        "slot": int,
        "revision": int,
        "type": int,
        "v": int,
        "at": str,
        "by": str,
        "audience": str,
        "data": str,
        "salt": bytes,
        "hash": bytes,
        "digest": bytes,
    }
    events = db.table("events")
    events.create(
        columns,
        pk="position",
        not_null=columns.keys() - {"position", "slot", "data", "salt", "digest"},
        foreign_keys=[("session", "sessions", "number"), ("type", "types", "number")],
    )
    events.create_index(["session", "seq"], unique=True)
    events.create_index(["session", "action"])


@STEPS()
def create_keys_checkpoints_and_tokens(db: Database) -> None:
    """What stands around the log: idempotency keys, cached tapes, and who may come in."""
    keys = {"scope": str, "key": str, "session": int, "action": int, "fingerprint": bytes, "at": str}
    db.table("keys").create(keys, pk=("scope", "key"), not_null=keys.keys())
    checkpoints = {"session": int, "action": int, "version": int, "tape": bytes}
    db.table("checkpoints").create(checkpoints, pk=("session", "action"), not_null=checkpoints.keys())
    tokens = {
        "number": int,
        "id": str,
        "session": int,
        "role": str,
        "name": str,
        "characters": str,
        "key_hash": bytes,
        "created_at": str,
        "revoked_at": str,
    }
    table = db.table("tokens")
    table.create(tokens, pk="number", not_null=tokens.keys() - {"number", "session", "revoked_at"})
    for column in ("id", "key_hash"):
        table.create_index([column], unique=True)
    table.create_index(["session"])


@STEPS()
def forbid_rewriting(db: Database) -> None:
    """Events are added at the end and stay; but for redaction, and for a session that left its tombstone.

    The insert trigger also stops `INSERT OR REPLACE`, which deletes without asking the delete trigger.
    """
    kept = ("position", "session", "seq", "action", "slot", "revision", "type", "v", "at", "by", "audience")
    equal = " AND ".join(f'NEW."{column}" IS OLD."{column}"' for column in (*kept, "hash"))
    _refuse(
        db,
        "INSERT ON events",
        """NEW.position <= coalesce((SELECT max(position) FROM events), 0)
           OR NEW.seq <> coalesce((SELECT max(seq) FROM events WHERE session = NEW.session), 0) + 1""",
        "events are appended at the end, without a gap",
    )
    _refuse(
        db,
        "UPDATE ON events",
        f"""NOT ({equal} AND OLD.data IS NOT NULL AND OLD.digest IS NULL
            AND NEW.data IS NULL AND NEW.salt IS NULL AND coalesce(length(NEW.digest), 0) = 32)""",
        "events are never changed",
    )
    _refuse(
        db,
        "DELETE ON events",
        "NOT EXISTS (SELECT 1 FROM removed WHERE number = OLD.session)",
        "events are never deleted",
    )
    _refuse(
        db,
        "INSERT ON sessions",
        """EXISTS (SELECT 1 FROM removed WHERE session = NEW.id OR number = NEW.number)
           OR EXISTS (SELECT 1 FROM sessions WHERE id = NEW.id OR number = NEW.number)""",
        "the id of a session is never used again",
    )
    _refuse(
        db,
        "DELETE ON sessions",
        "NOT EXISTS (SELECT 1 FROM removed WHERE number = OLD.number)",
        "a session is never deleted without its tombstone",
    )
    _refuse(
        db,
        "INSERT ON removed",
        "EXISTS (SELECT 1 FROM removed WHERE session = NEW.session OR number = NEW.number)",
        "a tombstone stays",
    )
    _refuse(db, "UPDATE ON removed", "1", "a tombstone stays")
    _refuse(db, "DELETE ON removed", "1", "a tombstone stays")


@STEPS()
def index_notes(db: Database) -> None:
    """Notes are found by the action they speak of, however long the session."""
    db.execute(
        """CREATE INDEX idx_events_notes ON events (session, json_extract(data, '$.about'))
           WHERE slot IS NULL AND json_extract(data, '$.about') IS NOT NULL"""
    )


@STEPS()
def keep_corrected_tables(db: Database) -> None:
    """Tables of the history as corrections left it, and a way to what they wrote anew."""
    corrected = {"session": int, "slot": int, "version": int, "tape": bytes}
    db.table("corrected").create(corrected, pk=("session", "slot"), not_null=corrected.keys())
    db.execute("CREATE INDEX idx_events_revised ON events (session, slot) WHERE revision > 1")


@STEPS()
def create_webhooks(db: Database) -> None:
    """Who is told of what happens, how far, and what was tried."""
    hook_tables.create(db)


@STEPS()
def share_beginnings(db: Database) -> None:
    """Sessions that begin as others: `base` is the one whose events they share, none where they hold their own."""
    columns = {
        "session": int,
        "log": str,
        "parent": str,
        "at": int,
        "version": int,
        "kind": str,
        "base": int,
    }
    forks = db.table("forks")
    forks.create(columns, pk="session", not_null=columns.keys() - {"session", "base"})
    forks.create_index(["parent"])
    forks.create_index(["base"])
    db.create_view(
        "heads",
        """SELECT sessions.*, forks.log, forks.parent, forks.at, forks.version AS begun_after, forks.kind, forks.base,
                  holders.id AS held_by
           FROM sessions LEFT JOIN forks ON forks.session = sessions.number
                         LEFT JOIN sessions AS holders ON holders.number = forks.base""",
    )
    db.execute("DROP TRIGGER forbid_insert_on_events")
    _refuse(
        db,
        "INSERT ON events",
        """NEW.position <= coalesce((SELECT max(position) FROM events), 0)
           OR NEW.seq <> 1 + coalesce(
               (SELECT max(seq) FROM events WHERE session = NEW.session),
               (SELECT version FROM forks WHERE session = NEW.session AND base IS NOT NULL), 0)""",
        "events are appended at the end, without a gap",
    )
    _refuse(
        db,
        "INSERT ON forks",
        """EXISTS (SELECT 1 FROM events WHERE session = NEW.session)
           OR EXISTS (SELECT 1 FROM forks WHERE session = NEW.session)""",
        "where a log begins never changes",
    )
    _refuse(db, "UPDATE ON forks", "1", "where a log begins never changes")
    _refuse(
        db,
        "DELETE ON forks",
        "NOT EXISTS (SELECT 1 FROM removed WHERE number = OLD.session)",
        "where a log begins never changes",
    )
    db.execute("DROP TRIGGER forbid_insert_on_removed")
    _refuse(
        db,
        "INSERT ON removed",
        """EXISTS (SELECT 1 FROM removed WHERE session = NEW.session OR number = NEW.number)
           OR EXISTS (SELECT 1 FROM forks WHERE base = NEW.number)""",
        "a tombstone stays, and what is shared has none",
    )


@STEPS()
def keep_keys_alone(db: Database) -> None:
    """A key may also stand for a request that had nothing left to do; then it stands at an action and led to none."""
    db.table("keys").add_column("ignored", int, not_null_default=0)


def _refuse(db: Database, what: str, when: str, message: str) -> None:
    name = what.lower().replace(" ", "_")
    db.execute(
        f"CREATE TRIGGER forbid_{name} BEFORE {what} WHEN {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )
