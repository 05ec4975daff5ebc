"""A player asks for an undo on the command line, and the game master answers, in the file or through the server."""

import json

import pytest
from scene_files import GIFT
from server_process import environment, serving

from tabletape.client import Client

NOBODY_ASKS = "No request for an undo is open.\n"


@pytest.fixture
def play(tabletape, folder):
    """Plays the gift at a server: its id, and how its game master and a player reach it."""

    def played(url):
        (folder / "gift.toml").write_text(GIFT)
        told = json.loads(tabletape("play", "gift.toml", "--url", url, "--json").out)
        with Client(url, told["gm_token"]) as client:
            player = client.invite(told["session"], "player", "mina", characters=["mira"]).token
        return told["session"], ("--url", url, "--token", told["gm_token"]), ("--url", url, "--token", player)

    return played


def test_a_player_asks_and_the_game_master_answers_through_the_server(tabletape, folder, play):
    with serving("--db", folder / "tabletape.db", env=environment()) as (said, _):
        session, gm, mina = play(said["url"])
        assert tabletape("settle", session, *gm) == (0, NOBODY_ASKS, "")
        asked = tabletape("ask-undo", session, 5, "--reason", "I gave none", *mina)
        assert (asked.code, asked.out) == (0, "7  mina asks the GM to undo action 5\n"), asked.err
        again = tabletape("ask-undo", session, 6, *mina)
        assert (again.code, "one at a time" in again.err) == (4, True)
        assert tabletape("settle", session, *mina).out == "7  mina asks the GM to undo action 5\n"

        for verdict in ("approve", "deny"):
            assert tabletape("settle", session, verdict, *mina).code == 4
        denied = tabletape("settle", session, "deny", "--reason", "you did", *gm)
        assert denied.out == "8  The GM denies the request made as action 7\nThe table stays as it is.\n"
        asked = json.loads(tabletape("ask-undo", session, 5, "--json", *mina).out)
        assert asked["action"] == 9
        cancelled = tabletape("settle", session, "cancel", *mina)
        assert cancelled.out.startswith("10  mina cancels the request made as action 9\n")

        assert tabletape("ask-undo", session, 5, *mina).code == 0
        touching = tabletape("settle", session, "approve", *gm)
        assert (touching.code, "It would touch later actions" in touching.out) == (4, True)
        assert f"  tabletape settle {session} approve --url {said['url']} --mode rebase --yes" in touching.err
        looked = tabletape("settle", session, "approve", "--mode", "rebase", "--dry-run", *gm)
        assert looked.out.endswith("Nothing was changed.\n")
        approved = tabletape("settle", session, "approve", "--mode", "rebase", *gm)
        heading, *changes = approved.out.splitlines()
        assert heading == (
            "12  The GM undoes action 5; goes otherwise: action 6; approves the request made as action 11"
        )
        assert "  Mira: action 4 → 5" in changes
        assert tabletape("settle", session, *gm).out == NOBODY_ASKS


def test_whoever_has_the_file_answers_what_was_asked_at_the_server(tabletape, folder, play):
    with serving("--db", folder / "tabletape.db", env=environment()) as (said, _):
        session, _, mina = play(said["url"])
        assert tabletape("ask-undo", session, 6, *mina).code == 0
    shown = json.loads(tabletape("settle", session, "--json").out)
    assert shown == {"request": {"number": 7, "target": 6, "by": "mina"}}
    approved = tabletape("settle", session, "approve", "--reason", "so be it")
    assert approved.out.startswith("8  The GM undoes action 6; approves the request made as action 7\n")
    assert tabletape("settle", session) == (0, NOBODY_ASKS, "")
    nothing = tabletape("settle", session, "deny")
    assert (nothing.code, nothing.err) == (
        4,
        f"tabletape: no request for an undo is open in session {session}\n",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("settle", "x", "refuse"),
        ("settle", "x", "deny", "--mode", "rebase"),
        ("settle", "x", "cancel", "--dry-run"),
        ("settle", "x", "--with", '{"action": 1}'),
        ("ask-undo", "x", "1"),
    ],
)
def test_a_verdict_or_a_request_that_cannot_be_read(tabletape, arguments):
    assert tabletape(*arguments).code == 2
