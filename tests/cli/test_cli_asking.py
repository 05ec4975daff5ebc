"""At a terminal a correction that touches later actions is shown and asked about: `y` makes it, all else makes nothing."""

import json
import os
import pty
import subprocess
from signal import SIGINT

import pytest
from scene_files import FORGOTTEN, GIFT, WITHOUT_GIFT
from server_process import COMMAND, environment, serving

STUMBLED = FORGOTTEN.replace("-4", "-5")
CORRECTIONS = [
    ("undo", "5", "--mode", "rebase"),
    ("redo", "5", "--mode", "cascade"),
    ("amend", "5", "--command", WITHOUT_GIFT, "--dice", "3 4 5 6", "--mode", "cascade"),
    ("insert", "5", "--command", STUMBLED, "--mode", "rebase"),
]
CTRL_C, CTRL_D = "\x03", "\x04"


def answered(answer, name, session, *arguments):
    """Run one command at a terminal and answer its question; how it ends, and all it shows."""
    primary, secondary = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, name, session, *map(str, arguments)],
        env=environment(TERM="dumb"),
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
    ) as asked:
        os.close(secondary)
        shown = b""
        while b"Go on?" not in shown:
            shown += os.read(primary, 65536)
        if answer == CTRL_C:
            asked.send_signal(SIGINT)
        else:
            os.write(primary, answer.encode())
        try:
            while part := os.read(primary, 65536):
                shown += part
        except OSError:  # that is how a terminal ends
            pass
        code = asked.wait(60)
    os.close(primary)
    return code, shown.decode().replace("\r\n", "\n")


@pytest.fixture
def played(tabletape, folder):
    """Plays the gift, here or at a server; its id, and what else a command needs to reach it."""

    def play(url=None):
        (folder / "gift.toml").write_text(GIFT)
        place = ("--db", "tabletape.db") if url is None else ("--url", url)
        told = json.loads(tabletape("play", "gift.toml", *place, "--json").out)
        return told["session"], () if url is None else (*place, "--token", told["gm_token"])

    return play


def refuses_and_makes(tabletape, session, place, name, *arguments):
    if name == "redo":
        assert tabletape("undo", session, 5, "--mode", "rebase", "--yes", *place).code == 0
    before = tabletape("timeline", session).out
    code, shown = answered("n\n", name, session, *arguments, *place)
    assert (code, shown.endswith("tabletape: nothing was changed\n")) == (4, True), shown
    assert "Later actions it touches" in shown
    assert tabletape("timeline", session).out == before

    code, shown = answered("y\n", name, session, *arguments, *place)
    assert code == 0, shown
    added = tabletape("timeline", session).out.splitlines()[-1]
    assert added not in before
    made = shown.split("Go on? [y/N]: y\n")[1]
    assert " ".join(added.split()).startswith(" ".join(made.split()))


@pytest.mark.parametrize("correction", CORRECTIONS, ids=lambda each: each[0])
def test_it_asks_before_it_corrects_a_file(tabletape, played, correction):
    session, place = played()
    refuses_and_makes(tabletape, session, place, *correction)


def test_it_asks_before_it_corrects_through_a_server(tabletape, played, folder):
    with serving("--db", folder / "tabletape.db", env=environment()) as (said, _):
        for correction in CORRECTIONS:
            session, place = played(said["url"])
            refuses_and_makes(tabletape, session, place, *correction)


@pytest.mark.parametrize(
    "answer, code", [("\n", 4), ("no\n", 4), ("yesterday\n", 4), (CTRL_D, 4), (CTRL_C, 130)]
)
def test_all_but_yes_makes_nothing(tabletape, played, answer, code):
    session, _ = played()
    before = tabletape("timeline", session).out
    ended, shown = answered(answer, *("undo", session, "5", "--mode", "rebase"))
    assert ended == code, shown
    assert "something broke" not in shown
    assert tabletape("timeline", session).out == before


@pytest.mark.parametrize("answer", ["Yes\n", " Y \n"])
def test_yes_in_any_writing_makes_it(tabletape, played, answer):
    session, _ = played()
    ended, shown = answered(answer, *("undo", session, "5", "--mode", "rebase"))
    assert ended == 0, shown
    assert "The GM undoes action 5" in tabletape("timeline", session).out
