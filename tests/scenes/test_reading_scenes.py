"""Scene files are read strictly; every mistake is told with the line to look at."""

import msgspec
import pytest

from api.scenes.errors import SceneError
from api.scenes.reading import parse_scene, read_scene
from eventlog.settings import Settings
from rulesets.people import GM, OBSERVER, Viewer

DUEL = """\
ruleset = "duel"
title = "At dawn"

[[step]]
type = "add_duellist"
id = "renard"
side = "guard"
skill = 11
"""


def mistake(text):
    with pytest.raises(SceneError) as caught:
        parse_scene(text, "dawn.toml")
    return str(caught.value)


def test_a_step_is_a_command_with_what_goes_around_it():
    scene = parse_scene(
        DUEL
        + """
[[step]]
type = "attack"
attacker = "renard"
target = "blanche"
as = "renard"
dice = [1, 2, 3]
answers = [{ type = "pass_by", question = "q1", ally = "blanche" }]
text = "A lunge"
refused = "duel-not-begun"
""",
        "dawn.toml",
    )
    step = scene.steps[1]
    assert (step.number, step.line, step.type) == (2, 10, "attack")
    assert msgspec.json.decode(step.command) == {"type": "attack", "attacker": "renard", "target": "blanche"}
    assert [msgspec.json.decode(answer)["type"] for answer in step.answers] == ["pass_by"]
    assert (step.dice, step.text, step.refused) == ((1, 2, 3), "A lunge", "duel-not-begun")
    assert step.issuer == Viewer(role="player", name="renard", characters=("renard",))


def test_words_belong_to_the_command_where_it_has_the_field():
    text = DUEL + '[[step]]\ntype = "adjust"\nduellist = "renard"\nreason = "Rain"\ntext = "It pours"\n'
    step = parse_scene(text, "dawn.toml").steps[1]
    assert (msgspec.json.decode(step.command)["reason"], step.text) == ("Rain", "It pours")


def test_a_reason_goes_along_where_the_command_has_no_such_field():
    step = parse_scene(DUEL + '[[step]]\ntype = "begin"\nreason = "So be it"\n', "dawn.toml").steps[1]
    assert (msgspec.json.decode(step.command), step.text) == ({"type": "begin"}, "So be it")


def test_in_a_scene_everybody_may_type_in_dice_unless_it_says_otherwise():
    assert parse_scene(DUEL, "dawn.toml").settings == Settings(table_dice="all")
    strict = DUEL.replace("[[step]]", '[settings]\ntable_dice = "off"\n[[step]]')
    assert parse_scene(strict, "dawn.toml").settings == Settings(table_dice="off")


def test_who_may_be_named():
    text = """\
ruleset = "anima-prime"
[[step]]
type = "add_character"
id = "zadie"
side = "pcs"
kind = "pc"
action = 6
defense = 2
max_wounds = 3
player = "Nora"
[[step]]
type = "add_character"
id = "cat"
side = "pcs"
kind = "pc"
action = 6
defense = 2
max_wounds = 3
player = "Nora"
"""
    nora = Viewer(role="player", name="Nora", characters=("zadie", "cat"))
    for name, viewer in (("zadie", nora), ("Nora", nora), ("gm", GM), ("observer", OBSERVER)):
        step = parse_scene(f'{text}[[step]]\nexpect = {{}}\nas = "{name}"\n', "cats.toml").steps[-1]
        assert step.viewer == viewer


def test_the_name_of_the_file_is_the_title_where_there_is_none(tmp_path):
    path = tmp_path / "first-blood.toml"
    path.write_text('ruleset = "duel"\n')
    assert read_scene(path).title == "first-blood"


@pytest.mark.parametrize(
    "text, message",
    [
        ("ruleset = \n", "dawn.toml:1: this is not TOML"),
        ('title = "x"\n', 'dawn.toml: a scene says which game it is: ruleset = "anima-prime"'),
        ('# x\nruleset = "chess"\n', "dawn.toml:2: The ruleset 'chess' is not installed here"),
        ('ruleset = "duel"\ntitel = "x"\n', "dawn.toml:2: a scene has no 'titel': did you mean 'title'?"),
        ('ruleset = "duel"\ntitle = 3\n', "dawn.toml:2: `title` is a few words in quotes"),
        ('ruleset = "duel"\ntitle = "a\\u0007"\n', "dawn.toml:2: `title` is a few words in quotes"),
        ('ruleset = "duel"\nx = ' + "[" * 9999, "dawn.toml: lists and tables lie too deep"),
        ('ruleset = "duel"\n[parameters]\nhp = 1979-05-27\n', "dawn.toml:2: 'parameters' holds a date"),
        (DUEL + "weight = nan\n", "dawn.toml:9: 'weight' holds a date, a time, or a number that is none"),
        (DUEL + "[[step]]\nexpect = { at = [07:32:00] }\n", "dawn.toml:10: 'expect' holds a date, a time"),
        ('ruleset = "duel"\nstep = 3\n', "dawn.toml: `step` is not a list of steps"),
        ('ruleset = "duel"\n[parameters]\ndodge = 1\n', "dawn.toml:2: [parameters]: "),
        (
            'ruleset = "duel"\n[settings]\nundo = "maybe"\n',
            "dawn.toml:2: [settings]: `undo` cannot be 'maybe': it takes `off`, `gm`, `own_last` or `request`",
        ),
        (DUEL + "skil = 3\n", "dawn.toml:9: step 1: 'add_duellist' has no 'skil': did you mean 'skill'?"),
        (
            DUEL + '[[step]]\ntype = "atack"\n',
            "dawn.toml:10: step 2: there is no command 'atack' in this game: did",
        ),
        (
            DUEL + "[[step]]\nexpct = {}\n",
            'dawn.toml:9: step 2: a step is a command (type = "…"), a correction (undo, redo or amend), or',
        ),
        (
            DUEL + '[[step]]\nundo = "first"\n',
            "dawn.toml:10: step 2: `undo` cannot be 'first': it takes `last` or a whole number",
        ),
        (
            DUEL + "[[step]]\nundo = 1\nredo = 1\n",
            "dawn.toml:11: step 2: one step corrects one thing: undo or redo",
        ),
        (
            DUEL + '[[step]]\nundo = "last"\nthrough = true\n',
            "dawn.toml:11: step 2: `through` goes with the number of the action to undo to",
        ),
        (
            DUEL + "[[step]]\nredo = 1\nthrough = true\n",
            "dawn.toml:11: step 2: `through` goes with",
        ),
        (
            DUEL + "[[step]]\nundo = 1\ndice = [1]\n",
            "dawn.toml:11: step 2: a step that corrects (undo) has no 'dice'",
        ),
        (
            DUEL + "[[step]]\namend = { action = 1, comand = {} }\n",
            "dawn.toml:10: step 2: `amend` has no `comand`",
        ),
        (
            DUEL + "[[step]]\namend = { action = 1, command = {} }\n",
            "dawn.toml:10: step 2: a command says what it is",
        ),
        (
            DUEL + '[[step]]\namend = { action = 1, command = { type = "begin", x = 1 } }\n',
            "dawn.toml:10: step 2: the command 'begin' has no 'x'",
        ),
        (
            DUEL + '[[step]]\nundo = 1\nmode = "gentle"\n',
            "dawn.toml:11: step 2: `mode` cannot be 'gentle': it takes `strict`, `rebase` or `cascade`",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\nmode = "rebase"\n',
            "dawn.toml:11: step 2: 'begin' has no 'mode'",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\nbefore = 1\nvisible_to = "gm"\n',
            "dawn.toml:12: step 2: what is put in between is as visible as the rules make it",
        ),
        (
            DUEL + '[[step]]\nundo = 1\nas = "observer"\n',
            "dawn.toml:11: step 2: an observer only looks on",
        ),
        (
            DUEL + '[[step]]\nfork = "first"\n',
            "dawn.toml:10: step 2: `fork` cannot be 'first': it takes `last` or a whole number",
        ),
        (DUEL + "[[step]]\nfork = -1\n", "dawn.toml:10: step 2: `fork` takes a whole number >= 0"),
        (
            DUEL + "[[step]]\nfork = 1\nas = 'gm'\n",
            "dawn.toml:11: step 2: `as` cannot be 'gm': it takes `fork` or `sequel`",
        ),
        (DUEL + "[[step]]\nfork = 1\nat = 2\n", "dawn.toml:11: step 2: a fork has no 'at': there is as,"),
        (DUEL + "[[step]]\nexpect = {}\ndice = [1]\n", "dawn.toml:11: step 2: an expectation has no 'dice'"),
        (
            DUEL + '[[step]]\ntype = "begin"\nas = "blanche"\n',
            "dawn.toml:11: step 2: nobody called 'blanche'",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\nas = "observer"\n',
            "dawn.toml:11: step 2: an observer only looks on",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\ndice = ["six"]\n',
            "dawn.toml:11: step 2: `dice[0]` cannot be words in quotes: it takes a whole number",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\ntext = "a"\nreason = "b"\n',
            "dawn.toml:12: step 2: `text` and `reason`",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\ntext = 3\n',
            "dawn.toml:11: step 2: `text` is some words in quotes",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\nanswers = [{}]\n',
            "dawn.toml:11: step 2: an answer says what it is",
        ),
        (
            DUEL + '[[step]]\ntype = "begin"\nanswers = [{ type = "rule", count = 1 }]\n',
            "dawn.toml:11: step 2: the answer 'rule' has no 'count': did you mean 'counts'?",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(text, message):
    assert mistake(text).startswith(message)


def test_steps_written_as_a_list_are_played_but_not_pointed_at():
    text = 'ruleset = "duel"\nstep = [{ type = "begin", as = "x" }]\n'
    assert mistake(text).startswith("dawn.toml: step 1: nobody called 'x'")


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(SceneError, match="cannot be read: No such file"):
        read_scene(tmp_path / "none.toml")
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SceneError, match="it is not UTF-8 text"):
        read_scene(tmp_path / "noise.toml")
