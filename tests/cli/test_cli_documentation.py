"""The documents say what there is: every command, option and exit code, and an example that plays."""

import re
from pathlib import Path

import click
import pytest

from api.cli.commands import COMMANDS
from api.cli.commands import tabletape as group
from api.cli.exits import Exit

ROOT = Path(__file__).parents[2]
CLI = (ROOT / "docs" / "cli.md").read_text()
SCENES = (ROOT / "docs" / "scenes.md").read_text()
COMMON = CLI.partition("\n## ")[0]


def section(name):
    return CLI.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def synopsis(name):
    return next(line for line in section(name).splitlines() if line.startswith(f"`tabletape {name}"))


def loaded(name):
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented_with_its_options(name):
    written = section(name) + COMMON
    for parameter in loaded(name).params:
        if isinstance(parameter, click.Option):
            missing = [each for each in parameter.opts if each not in written]
            assert missing == []
            assert any(each in synopsis(name) for each in parameter.opts)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_is_documented_that_is_not_there(name):
    known = {each for parameter in loaded(name).params for each in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", synopsis(name))) <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_the_overview_says_what_the_command_says(name):
    assert loaded(name).name == name
    assert loaded(name).help


@pytest.mark.parametrize("name", COMMANDS)
def test_what_stands_in_capitals_in_the_help_is_what_the_usage_calls_so(name):
    command = loaded(name)
    options = [each for each in command.params if isinstance(each, click.Option)]
    said = " ".join((command.help, *(each.help or "" for each in options)))
    called = " ".join(each.metavar or each.name.upper() for each in command.params)
    words = set(re.findall(r"(?<![\w-])[A-Z]+(?![\w-])", said)) - {"A", "GM", "JSON"}
    assert words <= set(re.findall(r"[A-Z]+", called))


def test_every_exit_code_is_documented():
    rows = re.findall(r"^\| (\d+) \|", section("Exit codes"), re.MULTILINE)
    assert [int(row) for row in rows] == sorted(map(int, Exit))


def test_the_example_plays(tabletape, folder):
    example = re.search(r"```toml\n(.*?)```", SCENES, re.DOTALL)
    assert example is not None
    (folder / "example.toml").write_text(example[1])
    assert tabletape("play", "example.toml").code == 0


@pytest.mark.parametrize(
    "key",
    [
        *("as", "dice", "answers", "overrule", "visible_to", "refused", "expect", "absent"),
        *("undo", "redo", "amend", "through", "before", "mode", "with", "touched", "falls"),
    ],
)
def test_every_key_around_a_step_is_documented(key):
    from api.scenes.reading_corrections import CORRECTING, INSERTING
    from api.scenes.reading_steps import AROUND, EXPECTATION

    assert key in AROUND | EXPECTATION | CORRECTING | INSERTING
    assert f"| `{key}` |" in SCENES


def test_no_key_around_a_step_is_left_out():
    from api.scenes.reading import KEYS
    from api.scenes.reading_corrections import CORRECTING, INSERTING
    from api.scenes.reading_steps import AROUND, EXPECTATION, FORKING, WORDS

    written = set(re.findall(r"`\[*([a-z_]+)\]*`", SCENES))
    assert AROUND | EXPECTATION | CORRECTING | INSERTING | FORKING | KEYS | set(WORDS) <= written
