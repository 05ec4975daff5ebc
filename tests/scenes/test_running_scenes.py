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
