"""What goes wrong is one sentence on the standard error, and an exit code."""

import os
import signal
import subprocess
import sys

import pytest
from scene_files import DUEL
from server_process import COMMAND, environment, serving

import api.cli
from api.cli.screen import console
from eventlog.sqlite.store import SqliteStore


@pytest.mark.parametrize(
    "arguments, code, sentence",
    [
        (("timeline", "nope"), 3, "There is no session nope"),
        (("state", "nope"), 3, "There is no session nope"),
        (("verify", "nope"), 3, "There is no session nope"),
        (("export", "nope"), 3, "There is no session nope"),
        (("token", "nope"), 3, "There is no session nope"),
        (("state", "ID", "--at", "99"), 3, "There is no action 99 here"),
        (("timeline", "ID", "--as", "nobody"), 3, "nobody called 'nobody' is in this session"),
        (("sessions", "--db", "none.db"), 3, "there is no database at none.db: name another with --db"),
        (("import", "none.jsonl"), 3, "none.jsonl: No such file or directory"),
        (("import", "tabletape.db"), 4, "Line 1: "),
        (("play", "none.toml"), 3, "there is no scene file none.toml: check its name and folder"),
        (("play", "notes.txt"), 2, "notes.txt:1: this is not TOML"),
        (("play", "noise.toml"), 2, "noise.toml:2: the file cannot be read: it is not UTF-8 text here"),
        (("play", "folder"), 2, "folder: the file cannot be read: Is a directory"),
        (
            ("export", "ID", "-o", "none/copy.jsonl"),
            3,
            "none/copy.jsonl cannot be written: there is no folder none",
        ),
        (("export", "ID", "-o", "/proc/copy"), 5, "/proc/copy cannot be written: No such file or directory"),
        (("backup", "none/copy.db"), 3, "none/copy.db cannot be written: there is no folder none"),
        (("backup", "/proc/copy.db"), 5, "The database cannot be opened: see that its folder exists"),
        (
            ("serve", "--port", "0", "--db", "/proc/mine.db"),
            5,
            "/proc/mine.db cannot be written, since its folder takes no mine.db.lock (No such file or directory)",
        ),
        (("sessions", "--db", "notes.txt"), 5, "The file is no SQLite database"),
        (("play", DUEL, "--url", "http://127.0.0.1:9"), 6, "No server answers at http://127.0.0.1:9"),
        (("play", DUEL, "--url", "nonsense"), 6, "No server answers at nonsense"),
        (("token", "ID", "--url", "http://127.0.0.1:9"), 2, "a running server gives out a new token only"),
        (
            ("serve", "--host", "203.0.113.7", "--admin-key", "long and random"),
            5,
            "203.0.113.7 cannot be listened to",
        ),
        (
            ("serve", "--host", "203.0.113.8", "--port", "0"),
            2,
            "A server on 203.0.113.8 can be reached from other machines",
        ),
    ],
)
def test_one_sentence_and_a_code(tabletape, evening, folder, arguments, code, sentence):
    (folder / "notes.txt").write_text("These are no sessions, only some notes about the next one." * 20)
    (folder / "noise.toml").write_bytes(b'ruleset = "duel"\ntitle = "\xff"\n')
    (folder / "folder").mkdir()
    failed = tabletape(*(evening if argument == "ID" else argument for argument in arguments))
    assert (failed.code, failed.out) == (code, "")
    assert failed.err.startswith(f"tabletape: {sentence}")
    assert failed.err.count("\n") == 1


def test_whom_a_server_does_not_let_in_is_told_the_options_of_the_command(tabletape, evening, folder):
    assert tabletape("export", evening, "-o", "copy.jsonl").code == 0
    with serving("--db", folder / "other.db", env=environment()) as (said, _):
        at = ("--url", said["url"])
        for arguments, code, words in (
            (("undo", evening, 1, *at), 4, "give a --token of this session (the GM hands them out)\n"),
            (("replay", evening, *at, "--token", "tt_no"), 4, "give a --token of this session"),
            (
                ("import", "copy.jsonl", *at),
                2,
                "give its --admin-key, or, where it has none, stop it and use --db\n",
            ),
            (
                ("import", "copy.jsonl", *at, "--admin-key", "no"),
                4,
                "where it has no admin key, stop it and use --db",
            ),
            (
                ("webhooks", evening, *at, "--token", "tt_no"),
                4,
                "of this session (the GM hands them out), or give",
            ),
        ):
            failed = tabletape(*arguments)
            assert (failed.code, words in failed.err, "Bearer" in failed.err) == (code, True, False), (
                failed.err
            )


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ("amend", "ID", 2, "--overrule", "not-your-turn"),
            "another --command, other --answer, other --dice",
        ),
        (("undo", "ID", 9, "--with", '{"action": 2}'), "--with speaks of action 2"),
        (("undo", "ID", 9, "--with", '{"action": 2}'), "A look ahead (--dry-run) without"),
    ],
)
def test_a_refusal_names_options_and_no_fields_of_a_body(tabletape, evening, arguments, words):
    failed = tabletape(*(evening if each == "ID" else each for each in arguments))
    assert (failed.code, words in failed.err, "`" in failed.err) == (4, True, False), failed.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("state",),
        ("state", "ID", "--at", "x"),
        ("play",),
        ("play", "a", "--db", "b", "--url", "c"),
    ],
)
def test_a_command_line_that_cannot_be_read(tabletape, arguments):
    failed = tabletape(*arguments)
    assert (failed.code, failed.out) == (2, "")
    assert failed.err.startswith("Usage: tabletape")


@pytest.mark.parametrize("arguments", [("play", DUEL, "--db"), ("import", "copy.jsonl", "--db")])
def test_writing_beside_another_writer_is_refused(tabletape, evening, arguments):
    tabletape("export", evening, "-o", "copy.jsonl")
    writer = SqliteStore.open("tabletape.db")
    try:
        failed = tabletape(*arguments, "tabletape.db")
    finally:
        writer.close()
    assert failed.code == 5
    assert "go through it with --url" in failed.err


def test_a_mistake_of_ours_is_no_traceback(tabletape, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("api.cli.rulesets.installed", broken)
    failed = tabletape("rulesets")
    assert failed.code == 70
    assert failed.err.startswith("tabletape: something broke inside Tabletape (ZeroDivisionError: by nought)")
    monkeypatch.setenv("TABLETAPE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        api.cli.run(["rulesets"])


def test_ctrl_c_is_quiet(tabletape, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("api.cli.rulesets.installed", interrupted)
    assert tabletape("rulesets") == (130, "", "")


def test_a_reader_that_stops_reading_is_no_fault(environment, evening):
    command = [*COMMAND, "export", evening]
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(command, env=environment, stdout=writing, stderr=subprocess.PIPE) as exporting:
        os.close(writing)
        _, err = exporting.communicate(timeout=60)
    assert (exporting.returncode, err) == (128 + signal.SIGPIPE, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ("timeline", "ID"),
        ("timeline", "ID", "--json"),
        ("export", "ID"),
        ("sessions",),
        ("play", DUEL),
        ("--help",),
    ],
)
def test_a_closed_output_is_a_reader_that_stopped_reading(environment, evening, arguments):
    command = [*COMMAND, *(evening if argument == "ID" else str(argument) for argument in arguments)]
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command], check=False, env=environment, stderr=subprocess.PIPE
    )
    assert (closed.returncode, closed.stderr) == (141, b"")


@pytest.mark.parametrize("arguments, code", [(("timeline", "nope"), 3), (("frobnicate",), 2)])
@pytest.mark.parametrize("heard", ["2>&-", "2>/dev/full", ">&- 2>&- <&-"])
def test_the_code_says_what_went_wrong_where_nobody_hears_it(environment, evening, arguments, code, heard):
    command = ["sh", "-c", f'exec "$@" {heard}', "sh", *COMMAND, *arguments]
    assert subprocess.run(command, check=False, env=environment).returncode == code


def test_a_table_at_a_terminal_whose_reader_is_gone(monkeypatch, tabletape, evening):
    monkeypatch.setattr("api.cli.sessions.at_terminal", lambda: True)
    monkeypatch.setattr("api.cli.screen.at_terminal", lambda: True)
    monkeypatch.setattr("api.cli.stop_writing", lambda: None)
    console.cache_clear()
    monkeypatch.setattr(console(), "_write_buffer", lambda: console().on_broken_pipe())
    assert tabletape("sessions").code == 141
    console.cache_clear()


def test_help_comes_at_once_and_names_every_command(process):
    shown = process("--help")
    assert shown.returncode == 0
    for name in (
        "serve",
        "play",
        "sessions",
        "timeline",
        "state",
        "verify",
        "export",
        "import",
        "backup",
        "token",
    ):
        assert f"\n  {name} " in shown.stdout


def test_help_loads_nothing_heavy(environment):
    asked = "import sys, api.cli; api.cli.run(['--help']); print([m for m in ('litestar', 'httpx', 'rich', 'sqlite3', 'msgspec') if m in sys.modules], file=sys.stderr)"
    shown = subprocess.run(
        [sys.executable, "-c", asked],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert shown.stderr.strip() == "[]"


def test_the_version(tabletape):
    assert tabletape("--version").out.startswith("tabletape ")
