"""Commands that write: scenes, copies, backups, tokens."""

import json
import re
from hashlib import sha256

import pytest
from scene_files import DUEL

from eventlog.sqlite.store import SqliteStore

FAILING = """\
ruleset = "duel"
title = "Wrong on purpose"

[[step]]
type = "add_duellist"
id = "renard"
side = "guard"
skill = 11

[[step]]
expect = { duellists = { renard = { hp = 12, down = false } } }
"""


@pytest.fixture
def failing(folder):
    path = folder / "wrong.toml"
    path.write_text(FAILING)
    return path.name


def test_a_scene_in_memory_leaves_nothing_behind(tabletape, folder):
    played = tabletape("play", DUEL)
    assert played.code == 0
    assert "A shadow steps out of hiding" in played.out
    assert "all as the scene says: 18 steps, 6 looks at the table and 3 refusals" in played.out
    assert list(folder.iterdir()) == []


def test_a_scene_that_cannot_be_told_still_says_where_it_is_and_whose(tabletape, folder, monkeypatch):
    async def told(_table):
        raise IndexError("a mistake of ours")

    with monkeypatch.context() as broken:
        broken.setattr("api.scenes.local.LocalTable.timeline", told)
        played = tabletape("play", DUEL, "--db", "kept.db")
    assert played.code == 70
    assert "something broke inside Tabletape" in played.err
    [session] = [line.split("\t")[0] for line in tabletape("sessions", "--db", "kept.db").out.splitlines()]
    assert (
        f"session {session} could not be played and told to its end; what was played until then is"
        in played.err
    )
    assert "the game master's token, shown only now: " in played.err


def test_the_database_of_the_environment_is_not_played_into(tabletape, folder, monkeypatch):
    monkeypatch.setenv("TABLETAPE_DB", "mine.db")
    assert tabletape("play", DUEL).code == 0
    assert list(folder.iterdir()) == []


def test_a_scene_that_fails(tabletape, failing):
    played = tabletape("play", failing)
    assert played.code == 1
    assert (
        played.out
        == """
Wrong on purpose
  0  The GM opens the session “Wrong on purpose”
  1  Renard enters

FAILED wrong.toml:10: step 2: the table is not as expected
                        expected   found
  duellists.renard.hp   12         10
"""
    )


def test_one_that_fails_does_not_keep_the_next_from_being_played(tabletape, failing):
    played = tabletape("play", failing, DUEL)
    assert (played.code, played.out.splitlines()[-1]) == (1, "2 scenes, 1 failed")
    assert tabletape("play", DUEL, DUEL).out.splitlines()[-1] == "2 scenes, all as they say"


def test_a_scene_as_json(tabletape, failing):
    passed = json.loads(tabletape("play", DUEL, "--json").out)
    assert (passed["passed"], passed["failure"], passed["state"]["round"]) == (True, None, 1)
    failed = json.loads(tabletape("play", failing, "--json").out)
    assert (failed["passed"], failed["failure"]["step"], failed["failure"]["line"]) == (False, 2, 10)
    assert failed["failure"]["differences"] == [
        {"path": "duellists.renard.hp", "expected": "12", "found": "10"}
    ]
    both = tabletape("play", failing, DUEL, "--json").out.splitlines()
    assert [json.loads(line)["passed"] for line in both] == [False, True]


def test_a_scene_recorded_for_good_gives_the_game_masters_token(tabletape):
    played = json.loads(tabletape("play", DUEL, "--db", "mine.db", "--json").out)
    store = SqliteStore.open("mine.db", read_only=True)
    token = store.token(sha256(played["gm_token"].encode()).digest())
    store.close()
    assert token is not None
    assert (token.session, token.role) == (played["session"], "gm")


def test_a_new_token_replaces_the_lost_one(tabletape):
    played = json.loads(tabletape("play", DUEL, "--db", "tabletape.db", "--json").out)
    issued = json.loads(tabletape("token", played["session"], "--json").out)
    store = SqliteStore.open("tabletape.db", read_only=True)
    lost, new = (store.token(sha256(each["gm_token"].encode()).digest()) for each in (played, issued))
    store.close()
    assert lost is not None
    assert new is not None
    assert (bool(lost.revoked_at), bool(new.revoked_at), new.role) == (True, False, "gm")


def test_a_tool_gets_a_token_for_every_session(tabletape, evening):
    first, again = (json.loads(tabletape("token", "--tool", "bridge", "--json").out) for _ in range(2))
    store = SqliteStore.open("tabletape.db", read_only=True)
    lost, new = (store.token(sha256(each["token"].encode()).digest()) for each in (first, again))
    store.close()
    assert (lost.revoked_at is None, new.revoked_at) == (False, None)
    assert (new.role, new.name, new.session) == ("tool", "bridge", None)
    assert tabletape("token", "--tool", "bridge").out.startswith(
        "The token of the tool bridge, shown only now:\ntt_"
    )


@pytest.mark.parametrize(
    "arguments, code, sentence",
    [
        ((), 2, "Say whose token: the ID of a session for its game master, or --tool NAME."),
        (("ID", "--tool", "bridge"), 2, "Say whose token"),
        (("--tool", " "), 2, "--tool takes the name of a tool: Expected a name on one line that can be seen"),
        (("--tool", "gm"), 4, "'gm' already means somebody"),
        (("--tool", "bridge", "--db", "none.db"), 3, "there is no database at none.db"),
    ],
)
def test_a_token_is_somebodys(tabletape, evening, arguments, code, sentence):
    refused = tabletape("token", *arguments)
    assert refused.code == code
    assert sentence in refused.err


def test_a_copy_is_taken_in_once(tabletape, evening):
    tabletape("export", evening, "-o", "copy.jsonl")
    first = json.loads(tabletape("import", "copy.jsonl", "--db", "other.db", "--json").out)
    assert (first["id"], first["added"], first["gm_token"][:3]) == (evening, first["version"], "tt_")
    again = tabletape("import", "copy.jsonl", "--db", "other.db")
    assert again.out == f"Session {evening} is here already; nothing was added.\n"
    ours, theirs = (
        tabletape("state", evening, "--db", db, "--json").out for db in ("tabletape.db", "other.db")
    )
    assert json.loads(ours)["state"] == json.loads(theirs)["state"]


def test_a_dry_run_says_what_would_be_taken_in_and_leaves_no_file(tabletape, evening, folder):
    tabletape("export", evening, "-o", "copy.jsonl")
    planned = tabletape("import", "copy.jsonl", "--dry-run", "--db", "other.db")
    assert planned.code == 0
    assert "the copy is complete and whole" in planned.out
    assert not (folder / "other.db").exists()
    foreseen = json.loads(tabletape("import", "copy.jsonl", "--dry-run", "--db", "other.db", "--json").out)
    taken = json.loads(tabletape("import", "copy.jsonl", "--db", "other.db", "--json").out)
    assert foreseen == {**taken, "gm_token": None, "dry_run": True}
    again = tabletape("import", "copy.jsonl", "--dry-run", "--db", "other.db")
    assert "It is here already; nothing was stored." in again.out


def test_a_dry_run_looks_beside_a_running_server(tabletape, evening):
    tabletape("export", evening, "-o", "copy.jsonl")
    writer = SqliteStore.open("tabletape.db")
    try:
        assert "It is here already" in tabletape("import", "copy.jsonl", "--dry-run").out
    finally:
        writer.close()


def test_a_dry_run_refuses_what_would_be_refused(tabletape, evening, folder):
    tabletape("export", evening, "--as", "observer", "-o", "copy.jsonl")
    refused = tabletape("import", "copy.jsonl", "--dry-run", "--db", "other.db")
    assert refused.code == 4
    assert not (folder / "other.db").exists()


def test_a_players_copy_is_not_taken_in_and_leaves_no_new_database(tabletape, evening, folder):
    tabletape("export", evening, "--as", "observer", "-o", "copy.jsonl")
    refused = tabletape("import", "copy.jsonl", "--db", "other.db")
    assert refused.code == 4
    assert "made for somebody who may not see everything" in refused.err
    assert not [*folder.glob("other.db*")]


def test_a_copy_of_what_is_here_is_taken_in_as_a_fork(tabletape, evening):
    tabletape("export", evening, "-o", "copy.jsonl")
    made = json.loads(tabletape("import", "copy.jsonl", "--fork", "--json").out)
    assert made["id"] != evening
    assert made["gm_token"].startswith("tt_")
    ours, theirs = (tabletape("state", each, "--json").out for each in (evening, made["id"]))
    assert json.loads(ours)["state"] == json.loads(theirs)["state"]
    assert tabletape("verify", made["id"]).code == 0
    assert "events would be taken in" in tabletape("import", "copy.jsonl", "--fork", "--dry-run").out


def test_a_backup_is_a_whole_database(tabletape, evening):
    copied = tabletape("backup", "copy.db")
    assert copied.out.startswith("tabletape.db is copied to copy.db (")
    assert tabletape("verify", evening, "--db", "copy.db").code == 0
    assert json.loads(tabletape("backup", "copy2.db", "--json").out)["bytes"] > 4096


@pytest.mark.parametrize("arguments", [("backup", "there"), ("export", "ID", "-o", "there")])
def test_what_is_there_is_not_overwritten(tabletape, evening, folder, arguments):
    (folder / "there").write_text("precious")
    refused = tabletape(*(evening if argument == "ID" else argument for argument in arguments))
    assert (refused.code, refused.err) == (
        4,
        "tabletape: there is there already: name another file, or remove it first\n",
    )
    assert (folder / "there").read_text() == "precious"


def test_a_fork_begins_after_an_action(tabletape, evening):
    forked = tabletape("fork", evening, "--at", 3, "--title", "What if")
    assert forked.code == 0
    session = re.match(
        r"“What if” is session (\w+)\.\n  the game master's token, shown only now: tt_", forked.out
    )[1]
    told = tabletape("timeline", session).out.splitlines()
    assert told[:4] == tabletape("timeline", evening).out.splitlines()[:4]
    assert told[4].split(maxsplit=1)[1] == "The GM forks the session after action 3: “What if”"
    assert tabletape("verify", session).code == 0
    assert tabletape("sessions").out.split("\t")[0] == session


def test_a_sequel_goes_on_from_a_closed_session(tabletape, folder, failing):
    (folder / "wrong.toml").write_text(
        FAILING.partition("[[step]]\nexpect")[0] + '[[step]]\ntype = "close"\n'
    )
    assert tabletape("play", failing, "--db", "tabletape.db").code == 0
    evening = tabletape("sessions").out.split("\t")[0]
    document = json.loads(tabletape("fork", evening, "--sequel", "--json").out)
    assert document["title"] == "Wrong on purpose (sequel)"
    assert document["gm_token"].startswith("tt_")
    store = SqliteStore.open("tabletape.db", read_only=True)
    assert store.head(evening).closed_at is not None
    assert store.head(document["id"]).closed_at is None
    store.close()


@pytest.mark.parametrize(
    "arguments,code",
    [
        (("--at", 99), 3),
        (("--at", -1), 2),
        (("--at", 1, "--sequel"), 4),
        (("--title", "a\nb"), 2),
        (("--url", "http://127.0.0.1:9"), 2),
        (("--url", "http://127.0.0.1:9", "--token", "tt_x"), 6),
    ],
)
def test_a_fork_that_makes_no_sense_is_not_made(tabletape, evening, arguments, code):
    refused = tabletape("fork", evening, *arguments)
    assert refused.code == code, refused.err
    assert len(tabletape("sessions").out.splitlines()) == 1
    assert tabletape("fork", "nowhere").code == 3
