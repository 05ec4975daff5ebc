"""Undo, redo and amend: look ahead, refuse what is touched with what to type next, correct, say what came of it."""

import json
import shlex

import pytest
from scene_files import FORGOTTEN, GIFT, WITHOUT_GIFT
from server_process import environment, serving

MANEUVER = "Zadie maneuvers with 4 dice (1 competence, 2 action, 1 gift from Mira)"
LOOKED = """\
  5  Zadie maneuvers with 4 dice (1 competence, 2 action, 1 gift from Mira): 4 6 1 2, gains 1 strike and 1 charge
       → is undone

Later actions it touches
  6  Round 1 ends, Group Competence 1 -> 2
       → changes: it goes on otherwise
       → now: Round 1 ends

The table would be otherwise
  Conflict: group competence 2 → 1
  Conflict, pools, pcs: action 8 → 11
  Conflict, pools, pcs: strike 1 → 0
  Conflict, pools, pcs: charge 1 → 0
  Zadie: action 4 → 6
  Zadie: strike 1 → 0
  Zadie: charge 1 → 0
  Zadie: competence 2 → 1
  Mira: action 4 → 5
  Mira: competence 2 → 1

Nothing was changed.
"""

STRICTLY = LOOKED.replace(
    "Nothing was changed.",
    "As it stands, in the mode strict, it would be refused, since later actions are touched: --mode rebase takes them "
    "along, --mode cascade undoes them too.\nNothing was changed.",
)


@pytest.fixture
def scene(folder):
    path = folder / "gift.toml"
    path.write_text(GIFT)
    return path.name


@pytest.fixture
def gift(tabletape, scene):
    """A session in which Mira gives Zadie a die (5) and the round ends (6)."""
    return json.loads(tabletape("play", scene, "--db", "tabletape.db", "--json").out)["session"]


def table(tabletape, session, *where):
    return json.loads(tabletape("state", session, "--json", *where).out)["state"]["characters"]


def test_a_strict_undo_shows_what_it_would_touch_and_what_to_type_next(tabletape, gift):
    before = tabletape("timeline", gift).out
    refused = tabletape("undo", gift, 5)
    assert refused.code == 4
    assert refused.out == (
        "It would touch later actions\n"
        "  6  Round 1 ends, Group Competence 1 -> 2\n"
        "       → changes: it goes on otherwise\n"
        "       → now: Round 1 ends\n"
    )
    assert f"\n  tabletape undo {gift} 5 --mode rebase --dry-run\n" in refused.err
    assert "--mode cascade" in refused.err
    assert tabletape("timeline", gift).out == before


def test_a_dry_run_shows_the_same_and_the_table_and_changes_nothing(tabletape, gift):
    before = tabletape("timeline", gift).out
    for mode, shown in (("strict", STRICTLY), ("rebase", LOOKED)):
        looked = tabletape("undo", gift, 5, "--mode", mode, "--dry-run")
        assert (looked.code, looked.out) == (0, shown)
    assert "it would be refused" not in tabletape("undo", gift, 6, "--dry-run").out
    assert tabletape("timeline", gift).out == before


def test_an_undo_takes_later_actions_along_and_says_what_came_of_it(tabletape, gift):
    done = tabletape("undo", gift, 5, "--mode", "rebase", "--reason", "not there yet")
    assert done.code == 0
    assert done.out.startswith("7  The GM undoes action 5; goes otherwise: action 6\nOn the table\n")
    assert "  Mira: action 4 → 5\n" in done.out
    told = tabletape("timeline", gift).out
    assert "gains 1 strike and 1 charge  [undone by 7]\n" in told
    assert "“not there yet”" in told
    assert tabletape("redo", gift, 5).out.startswith("8  The GM takes back correction 7: action 5 again")
    assert table(tabletape, gift)["mira"]["action"] == 4


def test_without_a_number_the_last_action_is_undone_and_nothing_else(tabletape, gift):
    assert tabletape("undo", gift, "--dry-run").out.startswith("  6  Round 1 ends")
    assert tabletape("amend", gift, 5, "--dice", "4 6 1 1", "--mode", "rebase", "--yes").code == 0
    assert tabletape("undo", gift, "--dry-run").out.startswith("  6  Round 1 ends")
    assert tabletape("undo", gift, 7, "--mode", "rebase", "--yes").out.startswith(
        "8  The GM takes back correction 7"
    )
    assert tabletape("undo", gift).out.startswith("9  The GM undoes action 6\n")
    assert tabletape("undo", gift, 4, "--through").out.startswith("10  The GM undoes actions 4, 5\n")


def test_an_action_goes_on_with_another_command_or_other_faces(tabletape, gift):
    amended = tabletape("amend", gift, 5, "--dice", "3 4, 5 6")
    assert amended.out.startswith(
        f"7  The GM amends action 5: “{MANEUVER}: 4 6 1 2, gains 1 strike and 1 charge” is now “"
    )
    assert f"” is now “{MANEUVER}: 3 4 5 6, gains 3 strike and 1 charge”\nOn the table\n" in amended.out
    assert table(tabletape, gift)["zadie"]["strike"] == 3
    refused = tabletape("amend", gift, 5, "--command", WITHOUT_GIFT, "--dice", "3 4 5 6")
    assert f"tabletape amend {gift} 5 --command '{WITHOUT_GIFT}' --dice '3 4 5 6' --mode" in refused.err
    cascaded = tabletape(
        "amend", gift, 5, "--command", WITHOUT_GIFT, "--dice", "3 4 5 6", "--mode", "cascade"
    )
    assert cascaded.out.startswith("8  The GM amends action 5: “")
    assert "”; with it goes action 6\n" in cascaded.out
    assert table(tabletape, gift)["mira"]["action"] == 5


def test_a_look_ahead_at_an_amendment_shows_the_old_words_and_the_new(tabletape, gift):
    looked = tabletape("amend", gift, 5, "--dice", "3 4 5 6", "--dry-run")
    assert looked.out.startswith(
        f"  5  {MANEUVER}: 4 6 1 2, gains 1 strike and 1 charge\n"
        "       → is amended\n"
        f"       → now: {MANEUVER}: 3 4 5 6, gains 3 strike and 1 charge\n"
        "No later action is touched.\n"
    )


def test_what_the_rules_refuse_can_be_overruled(tabletape, gift):
    four = WITHOUT_GIFT.replace("3", "4")
    refused = tabletape("amend", gift, 5, "--command", four, "--dice", "3 4 5 6 3", "--mode", "rebase")
    assert (refused.code, "too-many-action-dice" in refused.err) == (4, True)
    passed = tabletape(
        *("amend", gift, 5, "--command", four, "--dice", "3 4 5 6 3", "--mode", "rebase"),
        *("--overrule", "too-many-action-dice", "--reason", "a big swing"),
    )
    assert passed.code == 0
    assert "allowed by the GM against too-many-action-dice" in tabletape("timeline", gift).out


def test_faces_that_a_later_action_lacks_come_with_it(tabletape, folder):
    maneuver = '[[step]]\ntype = "maneuver"\nactor = "zadie"\naction_dice = 1\ndice = [3, 6]\n'
    alone = GIFT.replace('gifts = ["mira"]\n', "").replace("dice = [4, 6, 1, 2]", "dice = [4, 6, 1]")
    (folder / "alone.toml").write_text(f"{alone}\n{maneuver}")
    session = json.loads(tabletape("play", "alone.toml", "--db", "tabletape.db", "--json").out)["session"]
    gift = '{"type": "maneuver", "actor": "zadie", "action_dice": 2, "gifts": ["mira"]}'
    amend = ("amend", session, 5, "--command", gift, "--dice", "4 6 1 2", "--mode", "rebase")
    lacking = tabletape(*amend)
    assert (lacking.code, "now wants 1 more" in lacking.err) == (4, True)
    assert 'for 1 competence die. Add\n  --with \'{"action": 7, "dice": […]}\'' in lacking.err
    given = tabletape(*amend, "--with", '{"action": 7, "dice": [5]}')
    assert given.out.startswith("8  The GM amends action 5: “")
    assert "”; goes otherwise: actions 6, 7\n" in given.out
    assert table(tabletape, session)["zadie"]["strike"] == 3
    malformed = tabletape(*amend, "--with", '{"acton": 7}')
    assert (malformed.code, "--with takes JSON" in malformed.err) == (2, True)


def test_corrections_as_json(tabletape, gift):
    refused = tabletape("undo", gift, 5, "--json")
    document = json.loads(refused.out)
    assert (refused.code, document["code"]) == (4, "history-conflict")
    assert [(each["action"], each["outcome"]) for each in document["touched"]] == [(6, "changes")]
    looked = json.loads(tabletape("undo", gift, 5, "--dry-run", "--json").out)
    assert (looked["dry_run"], looked["consequences"], looked["difference"]["to"]) == (
        True,
        document["touched"],
        6,
    )
    done = json.loads(tabletape("undo", gift, 5, "--mode", "rebase", "--json").out)
    assert (done["action"], done["events"][1]["type"]) == (7, "core.action-undone")
    again = json.loads(tabletape("redo", gift, 5, "--json").out)
    assert again["events"][1]["type"] == "core.action-redone"
    amended = json.loads(tabletape("amend", gift, 5, "--dice", "3 3 3 3", "--json").out)
    assert amended["events"][1]["type"] == "core.action-amended"


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        (("undo", "ID", 99), 3, "There is no action 99"),
        (("undo", "nobody", 1), 3, "nobody"),
        (("redo", "ID", 5), 4, "there is nothing to redo"),
        (("undo", "ID", "--through"), 2, "--through goes with the number"),
        (("amend", "ID", 5), 2, "Say what it goes on with"),
        (("amend", "ID", 5, "--command", "{"), 2, "--command takes a JSON object"),
        (("amend", "ID", 5, "--answer", "[]"), 2, "--answer takes a JSON object"),
        (("amend", "ID", 5, "--dice", "4 6 x 1"), 2, 'such as "4 6 1", and “x” is none'),
        (("amend", "ID", 5, "--dice", "4 -6"), 2, "“-6” is none"),
        (("amend", "ID", 5, "--dice", "9" * 5000), 2, "--dice takes faces"),
        (("undo", "ID", 5, "--with", '{"action": "x"}'), 2, "`action` cannot be words in quotes: it takes"),
        (("undo", "ID", 5, "--with", '{"acton": 7}'), 2, "it has no `acton`"),
        (("undo", "ID", 5, "--url", "http://127.0.0.1:9", "--token", "x"), 6, "No server answers"),
    ],
)
def test_what_cannot_be_corrected_ends_with_a_sentence_and_a_code(tabletape, gift, arguments, code, words):
    ended = tabletape(*(gift if each == "ID" else each for each in arguments))
    assert (ended.code, words in ended.err) == (code, True), ended.err


def test_through_a_running_server_with_a_token(tabletape, scene, folder):
    env = environment()
    with serving("--db", folder / "tabletape.db", env=env) as (said, _):
        played = json.loads(tabletape("play", scene, "--url", said["url"], "--json").out)
        session, key = played["session"], ("--url", said["url"], "--token", played["gm_token"])
        alone = tabletape("undo", session, 5, "--mode", "rebase")
        assert (alone.code, "--url" in alone.err) == (5, True)
        assert tabletape("undo", session, 5, "--dry-run").out == STRICTLY
        assert tabletape("undo", session, 5, "--dry-run", *key).out == STRICTLY
        refused = tabletape("undo", session, 5, *key)
        assert (refused.code, "6  Round 1 ends" in refused.out) == (4, True)
        assert f"tabletape undo {session} 5 --url {said['url']} --mode rebase --dry-run" in refused.err
        done = tabletape("undo", session, 5, "--mode", "rebase", *key)
        assert done.out.startswith("7  The GM undoes action 5; goes otherwise: action 6\nOn the table\n")
        assert tabletape("redo", session, 5, *key).code == 0
        assert tabletape("amend", session, 5, "--dice", "3 3 3 3", *key).out.startswith(
            "9  The GM amends action 5"
        )
        insert = ("insert", session, 6, "--command", FORGOTTEN, *key)
        looked = tabletape(*insert, "--dry-run")
        assert (looked.code, "       → is put in\nNo later action is touched.\n" in looked.out) == (0, True)
        assert "(put in before action 6)\nOn the table\n" in tabletape(*insert).out
        refused = tabletape("undo", session, 5, *key)
        assert "Look first, each with your --token:" in refused.err
        stranger = tabletape("undo", session, 5, "--url", said["url"], "--token", "tt_no")
        assert (stranger.code, "token" in stranger.err) == (4, True)


def typed_again(refused):
    """The commands that a refusal says to type."""
    return [line.strip() for line in refused.err.splitlines() if line.startswith("  tabletape")]


def test_a_forgotten_action_is_put_in_after_a_look(tabletape, gift):
    before = tabletape("timeline", gift).out
    looked = tabletape("insert", gift, 6, "--command", FORGOTTEN, "--dry-run")
    assert looked.code == 0
    assert looked.out.startswith("  7  Mira action 4 -> 0")
    assert "       → is put in\nNo later action is touched.\n" in looked.out
    assert "  Mira: action 4 → 0\n" in looked.out
    assert looked.out.endswith("Nothing was changed.\n")
    assert tabletape("timeline", gift).out == before

    done = tabletape("insert", gift, 6, "--command", FORGOTTEN, "--reason", "we forgot")
    assert done.code == 0
    line, heading, *changes = done.out.splitlines()
    assert line.startswith("7  ")
    assert line.endswith("(put in before action 6)")
    assert heading == "On the table"
    assert "  Mira: action 4 → 0" in changes
    assert "we forgot" in tabletape("timeline", gift).out


def test_what_is_put_in_touches_what_comes_after_it(tabletape, gift):
    """Without her dice Mira gives none away: the maneuver falls, unless she has some."""
    stumble = FORGOTTEN.replace("-4", "-5")
    refused = tabletape("insert", gift, 5, "--command", stumble)
    assert refused.code == 4
    assert "gift-no-die" in refused.out
    look, rebase, cascade = typed_again(refused)
    assert look == f"tabletape insert {gift} 5 --command '{stumble}' --mode rebase --dry-run"
    assert rebase.endswith("--mode rebase --yes")
    assert cascade.endswith("--mode cascade --yes")
    assert tabletape("insert", gift, 5, "--command", stumble, "--mode", "rebase", "--yes").code == 0
    assert table(tabletape, gift)["zadie"]["strike"] == 0


def test_faces_and_rulings_go_with_what_is_put_in(tabletape, gift):
    roll = '{"type": "roll", "count": 2, "purpose": "the weather"}'
    assert (
        "rolls 2d6 for the weather: 5 3"
        in tabletape("insert", gift, 5, "--command", roll, "--dice", "5 3").out
    )
    again = '{"type": "maneuver", "actor": "zadie", "action_dice": 1}'
    refused = tabletape("insert", gift, 6, "--command", again, "--dice", "4 6")
    assert (refused.code, "already-acted" in refused.err) == (4, True)
    passed = tabletape(
        *("insert", gift, 6, "--command", again, "--dice", "4 6"),
        *("--overrule", "already-acted", "--overrule", "not-your-turn", "--reason", "she was quick"),
    )
    assert passed.code == 0, passed.err
    assert "allowed by the GM against already-acted" in tabletape("timeline", gift).out


@pytest.mark.parametrize(
    "given, said",
    [
        ((), "--command"),
        (("--command", "[1]"), "--command takes a JSON object"),
        (("--command", FORGOTTEN, "--dice", "x"), "--dice takes faces"),
        (("--command", FORGOTTEN, "--answer", "1"), "--answer takes a JSON object"),
    ],
)
def test_an_insertion_that_cannot_be_read(tabletape, gift, given, said):
    refused = tabletape("insert", gift, 5, *given)
    assert (refused.code, said in refused.err) == (2, True)


def test_the_advice_has_all_it_takes_to_go_on(tabletape, gift):
    """Each line it prints works as it stands, and loses neither the reason nor what was sent for later actions."""
    reason = ("--reason", "she gave none")
    refused = tabletape("amend", gift, 5, "--command", WITHOUT_GIFT, "--dice", "4 6 1 2", *reason)
    look, rebase, cascade = typed_again(refused)
    for line in (look, rebase, cascade):
        assert "--reason 'she gave none'" in line
    assert tabletape(*shlex.split(look)[1:]).code == 0
    assert tabletape(*shlex.split(rebase)[1:]).code == 0
    assert "“she gave none”" in tabletape("timeline", gift).out

    assert tabletape("undo", gift, 7).code == 0
    sent = ("--with", '{"action": 6, "answers": []}')
    refused = tabletape("undo", gift, 5, *sent)
    look, rebase, cascade = typed_again(refused)
    assert "--with" in look
    assert "--with" in rebase
    assert "--with" not in cascade  # what is undone goes on with nothing
    assert tabletape(*shlex.split(cascade)[1:]).code == 0


def test_what_is_otherwise_between_two_actions_is_told_in_lines(tabletape, gift):
    between = tabletape("diff", gift, 4, 5)
    assert (between.code, between.err) == (0, "")
    heading, *lines = between.out.splitlines()
    assert heading == "From action 4 to action 5"
    assert "  Mira: action 5 → 4" in lines
    assert tabletape("diff", gift, 4).out.startswith("From action 4 to action 6\n")
    assert tabletape("diff", gift, 6).out == "The table is the same.\n"
    document = json.loads(tabletape("diff", gift, 4, 5, "--json").out)
    assert document["lines"] == [line.removeprefix("  ") for line in lines]
    assert [each["op"] for each in document["patch"]]

    assert tabletape("undo", gift, 5, "--mode", "rebase", "--yes").code == 0
    assert tabletape("diff", gift, 4, 5).out == between.out
    assert tabletape("diff", gift, 4, 5, "--corrected").out == "The table is the same.\n"
    for options, action in (((), 4), (("--corrected",), 5)):
        assert table(tabletape, gift, "--at", 5, *options)["mira"]["action"] == action


def test_what_sets_a_fork_apart_is_told_in_lines(tabletape, gift):
    fork = json.loads(tabletape("fork", gift, "--at", 4, "--json").out)["id"]
    apart = tabletape("diff", gift, 6, "--against", fork).out.splitlines()
    assert apart[0] == f"From action 6 to action 5 of {fork}"
    assert "  Mira: action 4 → 5" in apart
    stranger = tabletape("diff", fork, 5, "--against", gift)
    assert (stranger.code, stranger.err) == (3, f"tabletape: no fork {gift} was made of session {fork}\n")


@pytest.mark.parametrize("numbers", [(99,), (4, 99)])
def test_there_is_no_difference_from_an_action_that_is_not_there(tabletape, gift, numbers):
    for options in ((), ("--corrected",)):
        ended = tabletape("diff", gift, *numbers, *options)
        assert (ended.code, ended.err) == (3, "tabletape: There is no action 99 here\n")
