"""Commands that read, and what they print into a pipe."""

import json
import sqlite3

import pytest
from forging import chained_anew, lines_of

from eventlog.sqlite.store import SqliteStore
from rulesets.errors import RulesetNotInstalled, RulesNotDecided


def test_sessions_are_rows_with_tabs(tabletape, evening):
    columns = tabletape("sessions").out.removesuffix("\n").split("\t")
    assert (columns[0], columns[1], columns[4], columns[5]) == (evening, "duel", "open", "Behind the arras")


def test_sessions_are_found_by_words(tabletape, evening):
    assert evening in tabletape("sessions", "behind", "the").out
    assert tabletape("sessions", "elsewhere") == (0, "", "")


def test_sessions_as_json(tabletape, evening):
    (session,) = json.loads(tabletape("sessions", "--json").out)["sessions"]
    assert (session["id"], session["actions"], session["closed_at"]) == (evening, 9, None)


def test_the_timeline_is_an_action_a_line(tabletape, evening):
    lines = tabletape("timeline", evening).out.splitlines()
    assert lines[0].split() == ["0", "The", "GM", "opens", "the", "session", "“Behind", "the", "arras”"]
    assert "  3  A shadow enters  [private]" in lines
    assert "A shadow steps out of hiding" in lines[-1]


def test_the_timeline_through_a_players_eyes(tabletape, evening):
    out = tabletape("timeline", evening, "--as", "renard").out
    assert "A shadow enters" not in out
    assert "A shadow steps out of hiding" in out


def test_the_timeline_as_json(tabletape, evening):
    actions = json.loads(tabletape("timeline", evening, "--json").out)["actions"]
    assert [action["number"] for action in actions] == [0, 1, 2, 3, 4, 5, 6, 8, 9, 10][: len(actions)]


def test_the_state_now_and_then(tabletape, evening):
    now = json.loads(tabletape("state", evening, "--json").out)
    then = json.loads(tabletape("state", evening, "--at", "2", "--json").out)
    assert (now["at"], list(now["state"]["duellists"])) == (9, ["renard", "blanche", "shadow"])
    assert (then["at"], list(then["state"]["duellists"])) == (2, ["renard", "blanche"])


def test_the_state_in_words(tabletape, evening):
    out = tabletape("state", evening, "--at", "3").out
    assert out.startswith("Behind the arras, after action 3 of 9\n")
    rows = [line.split() for line in out.splitlines()]
    assert ["renard", "Renard", "guard", "18", "10", "3.0", "none"] in rows
    assert ["shadow", "A", "shadow", "masks", "9", "10", "3.0", "none"] in rows


def test_the_state_through_an_observers_eyes(tabletape, evening):
    document = json.loads(tabletape("state", evening, "--at", "3", "--as", "observer", "--json").out)
    assert list(document["state"]["duellists"]) == ["renard", "blanche"]


def test_a_log_that_is_whole(tabletape, evening):
    found = tabletape("verify", evening)
    assert found.code == 0
    assert found.out.startswith(f"{evening} is whole.\n")
    assert json.loads(tabletape("verify", evening, "--json").out)["ok"] is True


def test_a_log_that_was_changed_is_told_with_the_place(tabletape, evening):
    db = sqlite3.connect("tabletape.db")
    db.execute("DROP TRIGGER forbid_update_on_events")
    db.execute("UPDATE events SET data = replace(data, '\"skill\":18', '\"skill\":17') WHERE seq = 3")
    db.commit()
    db.close()
    found = tabletape("verify", evening)
    assert found.code == 1
    assert f"{evening} is not the log that was recorded." in found.out
    assert "The first thing wrong is at event 3 of action 1" in found.out


def test_a_copy_verifies_without_a_database(tabletape, evening, folder):
    assert tabletape("export", evening, "-o", "copy.jsonl") == (0, "", "")
    assert tabletape("export", evening, "--as", "renard", "-o", "his.jsonl").code == 0
    (folder / "tabletape.db").unlink()
    assert "copy.jsonl is whole" in tabletape("verify", "copy.jsonl").out
    hidden = tabletape("verify", "his.jsonl")
    assert (hidden.code, "Some events are hidden" in hidden.out) == (0, True)
    assert hidden.out.startswith("his.jsonl is whole as far as this copy shows it: it hides events")


def test_a_copy_whose_header_lies_does_not_verify(tabletape, evening, folder):
    tabletape("export", evening, "-o", "copy.jsonl")
    header, lines = (folder / "copy.jsonl").read_text().split("\n", 1)
    for name, value in (
        ("title", "x"),
        ("rules", 2),
        ("ruleset", "chess"),
        ("exported_for", {"role": "observer"}),
    ):
        (folder / "copy.jsonl").write_text(json.dumps({**json.loads(header), name: value}) + "\n" + lines)
        found = tabletape("verify", "copy.jsonl")
        assert found.code == 1
        assert f"The first thing wrong is in the header, line 1 (header.{name}): " in found.out
        assert tabletape("import", "copy.jsonl", "--dry-run", "--db", "other.db").code == 4


def test_what_cannot_be_decided_here_is_said_in_the_first_line_and_the_exit_code(
    tabletape, evening, monkeypatch
):
    def forgotten(slug, number):
        raise RulesNotDecided(slug, number)

    monkeypatch.setattr("eventlog.verification.walking.rules_of", forgotten)
    found = tabletape("verify", evening)
    assert found.code == 7
    first, *_ = found.out.splitlines()
    assert first.startswith(f"{evening} is whole as far as it can be checked here: its rules are not known")
    assert json.loads(tabletape("verify", evening, "--json").out)["undecided"] == "rules"


def test_a_game_that_is_not_here_is_said_in_the_first_line_and_the_exit_code(tabletape, evening, monkeypatch):
    tabletape("export", evening, "-o", "copy.jsonl")

    def missing(slug):
        raise RulesetNotInstalled(slug, ())

    monkeypatch.setattr("eventlog.archive.verifying.ruleset_named", missing)
    found = tabletape("verify", "copy.jsonl")
    assert found.code == 7
    assert found.out.startswith(
        "copy.jsonl is whole as far as it can be checked here: its game is not installed"
    )


@pytest.mark.parametrize(
    "changed,says",
    [
        ({"v": 0}, "Line 3: this event cannot be read"),
        ({"at": "zzz"}, "Line 3: this event cannot be read"),
        ({"by": {"role": "wizard"}}, "Line 3: this event cannot be read"),
        ({"data": {"command": None}}, "Action 1, decided again, is refused"),
        ({"data": {"command": [1], "redraws": 1}}, "does not fit the table before it"),
        (
            {"type": "core.session-closed", "data": {"seed": 5}},
            "What event 2 says of the seed cannot be read",
        ),
        ({"type": "core.session-forked", "data": {"parent": 5}}, "Event 2 cannot be read"),
        ({"revision": 7}, "another revision of its place"),
    ],
)
def test_a_forged_copy_is_told_by_its_fault(tabletape, evening, folder, changed, says):
    """Its chain made anew, so that nothing else tells."""
    tabletape("export", evening, "-o", "copy.jsonl")
    header, opening, event, *rest = lines_of((folder / "copy.jsonl").read_bytes())
    forged = chained_anew([header, opening, {**event, **changed}, *rest])
    (folder / "copy.jsonl").write_bytes(forged)
    found = tabletape("verify", "copy.jsonl")
    assert found.code in {1, 4}
    assert says in " ".join((found.out + found.err).split())
    assert "Traceback" not in found.err


def test_a_copy_cut_short_does_not_verify(tabletape, evening, folder):
    tabletape("export", evening, "-o", "copy.jsonl")
    lines = (folder / "copy.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "copy.jsonl").write_bytes(b"".join(lines[:-1]))
    assert tabletape("verify", "copy.jsonl").code == 1


def test_an_export_goes_to_the_standard_output(tabletape, evening):
    header, *events = tabletape("export", evening).out.splitlines()
    assert (json.loads(header)["session"], json.loads(header)["copy"]) == (evening, "complete")
    assert json.loads(events[0])["type"] == "core.session-opened"


def test_games(tabletape):
    rows = [row.split("\t")[:3] for row in tabletape("rulesets").out.splitlines()]
    assert ["anima-prime", "Anima Prime", "1"] in rows
    assert {"duel", "anima-prime"} <= {
        game["slug"] for game in json.loads(tabletape("rulesets", "--json").out)["rulesets"]
    }


def test_reading_beside_a_writer(tabletape, evening):
    writer = SqliteStore.open("tabletape.db")
    try:
        assert tabletape("timeline", evening).code == 0
        assert tabletape("verify", evening).code == 0
        assert tabletape("backup", "copy.db").code == 0
    finally:
        writer.close()
    assert tabletape("timeline", evening, "--db", "copy.db").code == 0


@pytest.mark.parametrize("who", ["shadow", "renard", "gm", "observer"])
def test_whose_eyes(tabletape, evening, who):
    assert tabletape("state", evening, "--as", who).code == 0


@pytest.mark.parametrize(
    "form,begins",
    [
        ("jsonl", '{"tabletape":1'),
        ("csv", '\ufeff"roll","place","fell_in"'),
        ("markdown", "# Behind the arras\n"),
        ("text", "Behind the arras\n================\n"),
    ],
)
def test_a_session_is_written_in_the_form_asked_for(tabletape, evening, folder, form, begins):
    assert tabletape("export", evening, "--format", form, "-o", "file").code == 0
    assert (folder / "file").read_text(encoding="utf-8").startswith(begins)


def test_the_story_through_a_players_eyes(tabletape, evening):
    assert "A shadow enters" in tabletape("export", evening, "--format", "text").out
    assert "A shadow enters" not in tabletape("export", evening, "--format", "text", "--as", "renard").out


def test_a_form_nobody_knows_is_refused(tabletape, evening):
    assert tabletape("export", evening, "--format", "pdf").code == 2
