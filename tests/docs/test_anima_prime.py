"""The page on Anima Prime: its round is played, its examples are commands, and nothing is missing or stale."""

import json
import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
import reference

from api.explanations import sections
from api.routes.actions import TakeAction
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import Changes, Command, EndToken, GoalRuling, HelpAsked, StartingCondition
from rulesets.anima_prime.permits import PlayersOwn
from rulesets.anima_prime.rulings import RULINGS
from rulesets.anima_prime.sheet import Bonus, Condition, Effect, Power, SheetChanges

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "anima_prime.md").read_text()
RULES = RULESET.rules[RULESET.current]()

COMMANDS = {str(command.__struct_config__.tag): command for command in RULES.commands}
PARTS = {
    "A helper": HelpAsked,
    "Bonus dice": Bonus,
    "A power of your own": Power,
    "A condition of your own": Condition,
    "A condition at the start": StartingCondition,
    "A last use of tokens": EndToken,
    "A word on a goal": GoalRuling,
    "A correction": Changes,
}


def section(title: str) -> str:
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[2]


def explained(title: str) -> dict[str, bool]:
    """Every field a section explains, and whether it is needed: what stands before the first colon of an item."""
    heads = re.findall(r"^- ([^:]+):", section(title), re.MULTILINE)
    return {
        name: bool(needed) for head in heads for name, needed in re.findall(r"`(\w+)`( \(needed\))?", head)
    }


def fields(kind: type[msgspec.Struct]) -> dict[str, bool]:
    return {field.encode_name: field.required for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_field_of_a_command_is_explained_and_no_other(name: str) -> None:
    assert explained(f"`{name}`") == fields(COMMANDS[name])


@pytest.mark.parametrize("title", PARTS)
def test_every_field_of_a_part_is_explained_and_no_other(title: str) -> None:
    assert explained(title) == fields(PARTS[title])


def test_no_command_is_explained_that_is_not_there() -> None:
    assert set(re.findall(r"^#### `(\w+)`", PAGE, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_players_may_send_and_what_passes_at_any_time_is_marked(name: str) -> None:
    told = section(f"`{name}`")
    assert ("**P**" in told) == (COMMANDS[name] in get_args(PlayersOwn))
    assert ("any time." in told.lower()) == (COMMANDS[name] in RULES.at_any_time)


def test_everything_a_sheet_can_be_given_is_named() -> None:
    (told,) = re.findall(
        r"^- `set`.*?(?=^\n|^#)", section("`edit_character`") + "\n#", re.DOTALL | re.MULTILINE
    )
    named = set(re.findall(r"`(\w+)`", told)) - {"set"}
    assert named == set(fields(SheetChanges))


def test_every_kind_of_effect_has_an_example() -> None:
    shown = re.findall(r"^- `(\{.*?\})`", section("An effect of a goal"), re.MULTILINE)
    assert {type(msgspec.json.decode(each, type=Effect)) for each in shown} == set(get_args(Effect))


@pytest.mark.parametrize("example", re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
def test_every_example_is_a_command_or_a_request(example: str) -> None:
    if "command" in json.loads(example):
        asked = msgspec.json.decode(example, type=TakeAction)
        for each in (asked.command, *asked.answers):
            msgspec.json.decode(bytes(each), type=Command)
    else:
        msgspec.json.decode(example, type=Command)


def test_the_round_goes_as_it_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    import api.cli

    found = re.search(r"```toml\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)
    assert found
    (tmp_path / "round.toml").write_text(found[1])
    assert api.cli.run(["play", str(tmp_path / "round.toml")]) == 0
    assert capfd.readouterr().out.strip("\n") == found[2].strip("\n")


def test_the_generated_tables_are_up_to_date() -> None:
    for name in ("conditions", "powers", "parameters", "rulings", "codes", "events"):
        assert f"<!-- {name} -->" in PAGE
    assert reference.page(PAGE) == PAGE, "run: python docs/reference.py"


def test_every_code_of_the_game_is_in_the_table() -> None:
    codes = {row[0].strip("`") for row in [*reference.codes()][1:]}
    assert codes >= set(sections()["Anima Prime"]) | set(sections()["Every game"])


def test_what_can_be_overruled_at_times_is_explained() -> None:
    at_times = {row[0].strip("`") for row in reference.codes() if row[2] == "at times"}
    told = re.findall(r"^- (`[a-z-]+`(?:, `[a-z-]+`)*):", section("What can be refused"), re.MULTILINE)
    assert {code for codes in told for code in re.findall(r"`([a-z-]+)`", codes)} == at_times


def test_the_table_reads_the_code_right() -> None:
    """One said outright, one that says nothing, one handed to a function, one that is both."""
    known = {row[0].strip("`"): row[2] for row in reference.codes()}
    assert known["already-acted"] == "yes"
    assert known["not-enough-charge"] == "no"
    assert known["gift-other-side"] == "yes"
    assert known["no-action-dice"] == "at times"


def test_every_reading_says_what_it_decides_and_how_sure_it_is() -> None:
    rows = [*reference.parameters()][1:]
    assert len(rows) > 50
    sure = re.compile(r"stated|likely|weak|ruling|ours|first edition|house rules", re.IGNORECASE)
    assert [row for row in rows if not sure.search(row[3])] == []


def test_every_parameter_beside_an_open_point_is_there() -> None:
    names = {row[0].strip("`") for row in reference.parameters()}
    assert {row.parameter for row in RULINGS if row.parameter} <= names


def test_the_credit_stands_where_the_rules_come_from() -> None:
    credit = "Anima Prime, Christian Griffen, Berengad Games; first edition text CC BY-SA 3.0"
    assert credit in section("Where the rules come from")
