"""Replay: all lines at once in a pipe, a player with keys at a terminal; from a database, a server or a file."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest
from scene_files import DUEL
from server_process import COMMAND, environment, serving

from api.cli.player.keyboard import keys
from api.cli.player.playing import FASTEST, SLOWEST, Playing

NUMBERS = [0, 1, 2, 4, 7]
TIMES = [f"2026-12-01T20:00:0{second}.000000Z" for second in (0, 2, 4, 6, 8)]


# --- what the keys do -----------------------------------------------------------------------------------------


@pytest.fixture
def playing():
    """Five frames, two seconds apart; it is ten o'clock."""
    return Playing(NUMBERS, TIMES, 1.0, now=10.0)


def pressed(playing, *names, now=10.0):
    for name in names:
        playing.press(name, now)
    return playing.at


def test_it_goes_on_by_itself_at_the_pace_it_was_played(playing):
    assert (playing.left(10.0), playing.left(11.5)) == (2.0, 0.5)
    assert not playing.tick(11.5)
    assert playing.tick(12.0)
    assert (playing.at, playing.left(12.0)) == (1, 2.0)


def test_three_steps_forward_and_one_back_and_space_plays_on(playing):
    assert pressed(playing, "forward", "forward", "forward") == 3
    assert pressed(playing, "back") == 2
    assert (playing.runs, playing.left(99.0)) == (False, None)
    pressed(playing, "space", now=20.0)
    assert (playing.runs, playing.left(20.0)) == (True, 2.0)
    pressed(playing, "space")
    assert not playing.runs


def test_it_stays_between_the_first_and_the_last(playing):
    assert pressed(playing, "back", "back") == 0
    assert pressed(playing, "last", "forward") == 4
    assert (playing.is_last, playing.left(99.0)) == (True, None)
    assert pressed(playing, "space") == 0  # again from the beginning
    assert playing.runs
    assert pressed(playing, "last", "first") == 0


def test_speed_is_doubled_and_halved_within_limits(playing):
    pressed(playing, "faster")
    assert (playing.speed, playing.left(10.0)) == (2.0, 1.0)
    pressed(playing, *["slower"] * 20)
    assert playing.speed == SLOWEST
    pressed(playing, *["faster"] * 20)
    assert playing.speed == FASTEST


@pytest.mark.parametrize(
    "typed, at",
    [
        (("4", "enter"), 3),
        (("5", "enter"), 4),  # hidden from this reader: the next there is
        (("9", "9", "enter"), 4),
        (("2", "1", "erase", "enter"), 2),
        (("2", "escape"), 0),
        (("enter",), 0),
        (("q", "x", "2", "enter"), 2),
    ],
)
def test_go_takes_the_number_of_an_action(playing, typed, at):
    assert pressed(playing, "go", *typed) == at
    assert (playing.typed, playing.over) == (None, False)


def test_while_a_number_is_typed_nothing_moves(playing):
    pressed(playing, "go", "4", "forward")
    assert (playing.at, playing.typed, playing.left(99.0)) == (0, "4", None)
    assert pressed(playing, "quit") == 0
    assert playing.over


def test_keys_are_read_however_a_terminal_sends_them():
    assert list(keys(" \x1b[C\x1bOD\x1b[Hng12\r+-q\x1b[A\x1bé")) == [
        *(
            "space",
            "forward",
            "back",
            "first",
            "forward",
            "go",
            "1",
            "2",
            "enter",
            "faster",
            "slower",
            "quit",
        ),
        *("escape", "escape"),
    ]


# --- the command ----------------------------------------------------------------------------------------------

LINES = """\
  0  The GM opens the session “Behind the arras”
  1  Renard enters
  2  Blanche enters
  3  A shadow enters  [private]
  4  The duel begins: Renard, Blanche
"""


def test_in_a_pipe_all_lines_come_at_once(tabletape, evening):
    assert tabletape("replay", evening, "--to", 4).out == LINES
    assert tabletape("replay", evening, "--from", 9).out == "  9  A shadow steps out of hiding\n"
    assert tabletape("replay", evening, "--to", 4, "--as", "renard").out == LINES.replace(
        "  3  A shadow enters  [private]\n", ""
    )


def test_undone_actions_are_told_unless_the_history_is_asked_for(tabletape, evening):
    assert tabletape("undo", evening, 9).code == 0
    assert tabletape("replay", evening, "--from", 9).out == (
        "   9  A shadow steps out of hiding\n  10  The GM undoes action 9\n"
    )
    assert tabletape("replay", evening, "--from", 8, "--corrected").out.startswith("  8  Renard attacks")
    assert "shadow steps" not in tabletape("replay", evening, "--corrected").out


def test_as_json_each_action_comes_with_its_table(tabletape, evening):
    frames = [json.loads(line) for line in tabletape("replay", evening, "--json").out.splitlines()]
    assert [frame["action"] for frame in frames] == list(range(10))
    state = json.loads(tabletape("state", evening, "--at", 6, "--json").out)
    assert (frames[6]["state"], frames[6]["state_hash"]) == (state["state"], state["state_hash"])


def test_a_file_is_replayed_without_any_database(tabletape, evening, folder):
    tabletape("export", evening, "-o", "copy.jsonl")
    tabletape("export", evening, "-o", "part.jsonl", "--as", "observer")
    (folder / "tabletape.db").unlink()
    assert tabletape("replay", "copy.jsonl", "--to", 4).out == LINES
    assert "shadow" not in tabletape("replay", "copy.jsonl", "--to", 4, "--as", "renard").out
    part = tabletape("replay", "part.jsonl")
    assert (part.code, "replay the game master's copy" in part.err) == (4, True)


def test_at_a_server_with_a_token(tabletape, folder):
    with serving("--db", folder / "tabletape.db", env=environment()) as (said, _):
        played = json.loads(tabletape("play", DUEL, "--url", said["url"], "--json").out)
        key = ("--url", said["url"], "--token", played["gm_token"])
        assert tabletape("replay", played["session"], "--to", 4, *key).out == LINES
        assert tabletape("replay", played["session"], "--to", 4).out == LINES  # beside it, from the file
        assert tabletape("replay", played["session"], "--from", 99, *key).code == 3
        assert tabletape("replay", played["session"], "--as", "renard", *key).code == 2
        assert tabletape("replay", played["session"], *key[:2], "--token", "tt_no").code == 4


@pytest.mark.parametrize("arguments", [("ID", "--from", 99), ("nobody",), ("ID", "--as", "nobody")])
def test_what_is_not_there_is_not_replayed(tabletape, evening, arguments):
    ended = tabletape("replay", *(evening if each == "ID" else each for each in arguments))
    assert (ended.code, ended.out) == (3, "")


def test_nothing_lies_between_a_later_action_and_an_earlier_one(tabletape, evening):
    refused = tabletape("replay", evening, "--from", 9, "--to", 3)
    assert (refused.code, refused.out) == (2, "")
    assert "--from 9 comes after --to 3" in refused.err
    assert tabletape("replay", evening, "--from", 3, "--to", 3).code == 0


# --- at a terminal --------------------------------------------------------------------------------------------


class Terminal:
    """A terminal with somebody at it; `screen` is what it shows at the moment, line by line."""

    def __init__(self, *arguments):
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs
        env = environment(TERM="xterm-256color", COLUMNS="100", LINES="30")
        command = [*COMMAND, *map(str, arguments)]
        self._process = subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
        self._shown = ""

    def press(self, text):
        os.write(self._ours, text.encode())

    def wait_for(self, words):
        """Read on until the screen, drawn anew, shows these words; what was drawn."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if select.select([self._ours], [], [], 0.2)[0]:
                self._shown += os.read(self._ours, 65536).decode(errors="ignore")
                continue
            drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._shown).split("─" * 100)
            if words in "".join(drawn[-3:]):
                return "".join(drawn[-3:])
        raise AssertionError(f"{words!r} was not shown: {self._shown[-2000:]!r}")

    def interrupt(self):
        """What Ctrl-C does at a terminal of one's own."""
        self._process.send_signal(signal.SIGINT)

    def ended(self):
        """The exit code, and whether the terminal is as it was."""
        return self._process.wait(30), termios.tcgetattr(self._theirs) == self.before

    def close(self):
        self._process.kill()
        self._process.wait(30)
        os.close(self._theirs)
        os.close(self._ours)


@pytest.fixture
def at_terminal():
    """Starts a command at a terminal."""
    opened = []

    def start(*arguments):
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


def test_the_player_is_stepped_through_with_keys(at_terminal, evening):
    terminal = at_terminal("replay", evening)
    terminal.wait_for("■")  # it was played within a second, and plays as fast
    terminal.press("\x1b[H")
    terminal.wait_for("action 0 (1 of 10) · ‖")
    terminal.press("g4\n")
    assert "The duel begins: Renard, Blanche" in terminal.wait_for("action 4 (5 of 10)")
    terminal.press("nn")
    shown = terminal.wait_for("action 6 (7 of 10)")
    assert "attack  [" in shown
    assert "Renard attacks Blanche" in shown
    terminal.press("\x1b[D")
    terminal.wait_for("action 5 (6 of 10)")
    terminal.press("+")
    terminal.wait_for("2\N{MULTIPLICATION SIGN}")
    terminal.press("q")
    assert terminal.ended() == (0, True)


def test_it_plays_by_itself_to_the_end(at_terminal, evening):
    terminal = at_terminal("replay", evening, "--speed", 64)
    terminal.wait_for("■")
    terminal.press("q")
    assert terminal.ended() == (0, True)


def test_ctrl_c_leaves_the_terminal_as_it_was(at_terminal, evening):
    terminal = at_terminal("replay", evening)
    terminal.wait_for("■")
    terminal.interrupt()
    assert terminal.ended() == (130, True)
