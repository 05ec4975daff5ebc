"""Logs outlive the rules they were played by, and decide the same way anywhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LOGS = sorted((HERE.parents[1] / "fixtures" / "golden").glob("*.jsonl"))

ENVIRONMENTS = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"},
]


def run(script: str, environment: dict[str, str] | None = None) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", HERE / script, *LOGS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **(environment or {})},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_there_are_golden_logs_of_every_ruleset_of_ours() -> None:
    assert {log.name.split("-1-")[0] for log in LOGS} == {"anima-prime", "duel"}


def test_some_of_them_were_corrected_in_every_way() -> None:
    """Undone, redone, amended, put in between: kept as they were written, like everything released."""
    corrected = [log.read_text() for log in LOGS if log.name.endswith("-corrected.jsonl")]
    assert len(corrected) == 2
    for kind in ("undone", "redone", "amended", "inserted", "revised"):
        assert any(f"core.action-{kind}" in text for text in corrected), kind
    assert any('"redraws":' in text for text in corrected)


def test_with_the_rules_gone_every_golden_log_still_folds_to_its_golden_table() -> None:
    assert run("without_rules.py") == [log.name for log in LOGS]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda environment: environment["TZ"])
def test_the_same_commands_and_dice_give_the_same_bytes_anywhere(environment: dict[str, str]) -> None:
    """Another process, hash seed, time zone and locale change no byte of an event (OpenRCT2#23649)."""
    lines = run("deciding_again.py", environment)
    assert len(lines) == len(LOGS)
    assert all(" True Checked(" in line and line.endswith(" None") for line in lines), lines
    assert all("redecided=0" not in line for line in lines)
