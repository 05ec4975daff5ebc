"""The script for sceptical players reads what this store exports, for everybody at the table."""

import subprocess
import sys
from pathlib import Path

import pytest
from copies import ADA, an_evening
from dueling import Table
from random_history import GAMES, Sitting

from eventlog.archive import export_lines
from eventlog.requests import ForkRequest
from rulesets.people import GM, OBSERVER, Viewer

SCRIPT = Path(__file__).parents[2] / "verifier" / "check_tape.py"


@pytest.mark.parametrize(
    "viewer,hidden,dice", [(GM, 0, 5), (ADA, 4, 5), (OBSERVER, 6, 2)], ids=["gm", "ada", "observer"]
)
def test_everybodys_copy_of_an_evening_holds_without_the_server(
    table: Table, tmp_path: Path, viewer: Viewer, hidden: int, dice: int
) -> None:
    an_evening(table)
    table.act("close")
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(export_lines(table.store, table.session, viewer)))
    head = table.store.head(table.session)
    receipt = f"--receipt={head.version}:{head.hash.hex()}"
    command = [sys.executable, "-I", "-S", SCRIPT, path, receipt]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Checked: {head.version} events" in done.stdout
    assert f"what {hidden} hidden events say, and 1 whose words are gone" in done.stdout
    assert f"Checked: {dice} server dice" in done.stdout


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_log_full_of_corrections_holds_without_the_server(tmp_path: Path, game: str, seed: int) -> None:
    with Sitting(game, seed) as sitting:
        sitting.play(20)
        for _ in sitting.try_corrections(12):
            sitting.play(1)
        sitting.act("close")
        for viewer in (GM, OBSERVER):
            path = tmp_path / f"{viewer.role}.jsonl"
            path.write_bytes(b"".join(export_lines(sitting.store, sitting.session, viewer)))
            done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout
            assert "not checked: 0 dice whose seed is not out" in done.stdout


@pytest.mark.parametrize("closed", [False, True], ids=["a fork", "a sequel"])
@pytest.mark.parametrize("viewer", [GM, ADA, OBSERVER], ids=["gm", "ada", "observer"])
def test_a_session_that_goes_on_from_another_holds_without_the_server(
    table: Table, tmp_path: Path, viewer: Viewer, closed: bool
) -> None:
    an_evening(table)
    luck = table.act("roll", count=3, purpose="luck").tape.action
    seq = table.act("note", text="a real name").events[-1].seq
    if closed:
        table.act("close")
    request = ForkRequest(parent=table.session, kind="sequel" if closed else "fork")
    parent, table.session = table.session, table.do(lambda: table.recorder.fork(request)).tape.session
    more = table.act("roll", count=4, purpose="luck").tape.action
    for target, count in ((luck, 5), (more, 6)):
        table.act("amend", target=target, command={"type": "roll", "count": count, "purpose": "luck"})
    table.act("undo", target=more)
    table.act("roll", count=3, sides=20, purpose="the weather")
    table.act("close")
    child, table.session = table.session, parent
    if not closed:
        table.act("redact", seq=seq)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(export_lines(table.store, child, viewer)))
    seeds = [] if closed else ["--seed", table.store.seed(parent).hex()]
    command = [sys.executable, "-I", "-S", SCRIPT, path, *seeds]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "not checked: 0 dice whose seed is not out" in done.stdout
