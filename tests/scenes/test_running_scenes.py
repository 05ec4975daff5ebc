"""A scene ends at the first step that does not come out as it says, and tells what was expected and found."""

from api.scenes.reading import parse_scene

DUEL = """\
ruleset = "duel"
title = "At dawn"

[[step]]
type = "add_duellist"
id = "renard"
side = "guard"
skill = 11

[[step]]
type = "add_duellist"
id = "blanche"
side = "masks"
skill = 12

[[step]]
type = "add_duellist"
id = "shadow"
side = "masks"
skill = 9
secret = true

[[step]]
type = "begin"
text = "Ten paces, then turn"
"""

EXPECTED = """\
dawn.toml:26: step 5: the table is not as expected

                          expected                          found
  order                   ["blanche", "renard", "shadow"]   ["renard", "blanche"]
  duellists.renard.hp     12                                10
  duellists.renard.down   true                              false
  duellists.crow          {}                                nothing
  round                   nothing                           1

The timeline so far
  0  The GM opens the session “At dawn”
  1  Renard enters
  2  Blanche enters
  3  Shadow enters  [private]
  4  The duel begins: Renard, Blanche
       “Ten paces, then turn”"""


def failed(reported, steps):
    return reported(parse_scene(DUEL + steps, "dawn.toml"))


def first_line(reported, steps):
    return failed(reported, steps).partition("\n")[0]


def test_the_report_puts_expected_beside_found_and_tells_what_happened(reported):
    found = failed(
        reported,
        """\
[[step]]
absent = ["round"]

[step.expect]
order = ["blanche", "renard", "shadow"]
duellists = { renard = { hp = 12, down = true }, crow = {} }
""",
    )
    assert found == EXPECTED


def test_a_command_that_is_refused_fails_with_the_words_of_the_refusal(reported):
    found = first_line(reported, '[[step]]\ntype = "attack"\nattacker = "blanche"\ntarget = "renard"\n')
    assert found == "dawn.toml:26: step 5: attack was refused (not-your-turn): Wait for your turn."


def test_a_refusal_that_does_not_come_fails(reported):
    found = first_line(reported, '[[step]]\ntype = "end_turn"\nrefused = "not-your-turn"\n')
    assert found == "dawn.toml:26: step 5: end_turn should be refused (not-your-turn), but it was accepted"


def test_a_refusal_for_another_reason_fails(reported):
    found = first_line(reported, '[[step]]\ntype = "begin"\nrefused = "no-opposition"\n')
    assert found == (
        "dawn.toml:26: step 5: begin should be refused (no-opposition), but it was refused (duel-running): "
        "The duel has begun."
    )


def test_the_refusal_that_was_expected_passes_and_leaves_no_trace(reported):
    assert failed(reported, '[[step]]\ntype = "begin"\nrefused = "duel-running"\n') == ""


def test_the_recorder_refuses_as_well_as_the_rules(reported):
    strict = '[[step]]\ntype = "change_setting"\nname = "table_dice"\nvalue = "off"\n'
    typed = '[[step]]\ntype = "roll"\ncount = 1\npurpose = "luck"\ndice = [1]\nrefused = "table-dice-off"\n'
    assert failed(reported, strict + typed) == ""


def test_a_viewers_table_is_named_in_the_failure(reported):
    found = first_line(reported, '[[step]]\nexpect = { duellists = { shadow = {} } }\nas = "renard"\n')
    assert found == "dawn.toml:26: step 5: the table in the eyes of renard is not as expected"


def test_what_is_hidden_is_there_for_its_player_only(reported):
    seen = '[[step]]\nexpect = { duellists = { shadow = { skill = 9 } } }\nas = "shadow"\n'
    unseen = '[[step]]\nabsent = ["duellists.shadow"]\nas = "observer"\n'
    assert failed(reported, seen + unseen) == ""


def test_a_scene_goes_on_in_a_fork(reported):
    """What happened after the fork is not in it, and what was there before is corrected by nobody else."""
    steps = """\
[[step]]
type = "adjust"
duellist = "renard"
hp = -3
reason = "a thorn"

[[step]]
fork = 4
title = "Without the thorn"

[[step]]
expect = { duellists = { renard = { hp = 10 } } }
as = "renard"

[[step]]
fork = 99
refused = "unknown-action"

[[step]]
fork = 2
as = "sequel"
refused = "malformed-command"

[[step]]
type = "close"

[[step]]
type = "end_turn"
refused = "session-closed"

[[step]]
fork = "last"
as = "sequel"

[[step]]
type = "end_turn"

[[step]]
expect = { turn = "nobody" }
"""
    found = failed(reported, steps)
    assert found.startswith("dawn.toml:63: step 14: the table is not as expected")
    assert [line.split(maxsplit=1)[1] for line in found.splitlines()[-4:]] == [
        "The GM forks the session after action 4: “Without the thorn”",
        "The GM closes the session and the dice are revealed",
        "The GM goes on in a sequel: “Without the thorn (sequel)”",
        "Round 1: the turn is Blanche's",
    ]


def test_a_fork_that_is_refused_fails_with_the_words_of_the_refusal(reported):
    found = first_line(reported, "[[step]]\nfork = 99\n")
    assert found.startswith("dawn.toml:26: step 5: fork was refused (unknown-action): There is no action 99")


def test_a_correction_that_is_refused_fails_with_the_words_of_the_refusal(reported):
    found = first_line(reported, "[[step]]\nundo = 9\n")
    assert found == ("dawn.toml:26: step 5: undo was refused (unknown-action): There is no action 9 here")


def test_a_correction_that_touches_what_the_scene_does_not_say_fails(reported):
    found = failed(reported, '[[step]]\nundo = 2\nmode = "rebase"\ntouched = []\nfalls = []\n')
    assert found.partition("\n\nThe timeline")[0] == (
        "dawn.toml:26: step 5: undo does not touch what the scene says\n\n"
        "            expected   found\n"
        "  touched   []         [4]\n"
        "  falls     []         [4]"
    )


def test_what_a_refused_correction_would_touch_can_be_said(reported):
    refused = '[[step]]\nundo = 2\nrefused = "history-conflict"\n'
    assert failed(reported, refused + "touched = [4]\nfalls = [4]\n") == ""
    assert "touched   [3]        [4]" in failed(reported, refused + "touched = [3]\n")


def test_a_player_takes_back_their_own_and_the_timeline_says_so(reported):
    noted = '[[step]]\ntype = "conceal_dagger"\nduellist = "renard"\nas = "renard"\n'
    own = '[[step]]\ntype = "change_setting"\nname = "undo"\nvalue = "own_last"\n'
    found = failed(reported, own + noted + '[[step]]\nundo = "last"\nas = "renard"\n[[step]]\nundo = 6\n')
    assert "6  Renard hides a dagger  [private, undone by 7]" in found
    assert found.startswith("dawn.toml:37: step 8: undo was refused (already-undone)")


def test_with_what_was_forgotten_the_story_is_told_in_order(reported):
    crow = """\
[[step]]
type = "add_duellist"
id = "crow"
side = "guard"
skill = 12
before = 4
mode = "rebase"
touched = [4]
"""
    order = '[[step]]\nexpect = { order = ["crow", "blanche", "renard"] }\n'
    assert failed(reported, crow + "[[step]]\nexpect = { duellists = { crow = { skill = 12 } } }\n") == ""
    assert "order" in failed(reported, crow + order)
