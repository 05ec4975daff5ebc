"""A seed gives the same dice for ever, under every Python: these were computed with the openssl command line."""

import importlib.util
from pathlib import Path

import pytest

from eventlog.dice import face

ROOT = Path(__file__).parents[2]
SEED, LABEL, ROLL = bytes(range(32)), "golden", 1
GOLDEN = [line.split() for line in (ROOT / "fixtures" / "golden" / "dice.txt").read_text().splitlines()]


def test_there_are_a_hundred_dice_of_each_kind() -> None:
    assert [(kind, len(faces)) for kind, *faces in GOLDEN] == [
        (f"d{sides}", 100) for sides in (4, 6, 20, 100)
    ]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row[0])
def test_the_same_seed_gives_the_same_dice_under_every_python(row: list[str]) -> None:
    """Library random functions change between versions; a HMAC does not (worldengine#145)."""
    sides = int(row[0][1:])
    assert [str(face(SEED, LABEL, ROLL, index, sides)) for index in range(1, 101)] == row[1:]


def test_the_script_for_players_has_the_same_dice() -> None:
    spec = importlib.util.spec_from_file_location("check_tape", ROOT / "verifier" / "check_tape.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for kind, *faces in GOLDEN:
        sides = int(kind[1:])
        assert [str(script.face(SEED, LABEL, ROLL, index, sides)) for index in range(1, 101)] == faces
