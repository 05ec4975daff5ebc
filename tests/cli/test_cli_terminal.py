"""At a terminal there are colours and tables; in a pipe, or with NO_COLOR, there are none."""

import os
import pty
import re
import subprocess

import pytest
from scene_files import DUEL
from server_process import COMMAND

BOLD_CYAN, RULE = "\x1b[1;36m", "───"


def unstyled(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.fixture
def at_terminal(environment):
    """Runs one command at a terminal of a width; what it shows."""

    def run(*arguments, width=120, **more):
        ours, theirs = pty.openpty()
        command = [*COMMAND, *map(str, arguments)]
        settings = {**environment, "COLUMNS": str(width), **more}
        settings.pop("NO_COLOR" if "NO_COLOR" not in more else "", None)
        with subprocess.Popen(command, env=settings, stdin=theirs, stdout=theirs, stderr=theirs) as shown:
            os.close(theirs)
            text = b""
            try:
                while part := os.read(ours, 65536):
                    text += part
            except OSError:  # the other end is closed: that is how a terminal ends
                pass
            assert shown.wait(60) == 0
        os.close(ours)
        return text.decode().replace("\r\n", "\n")

    return run


def test_a_terminal_gets_a_table_and_a_pipe_gets_tabs(at_terminal, tabletape, evening):
    shown = at_terminal("sessions")
    assert RULE in shown
    assert "TITLE" in shown
    assert "\t" not in shown
    piped = tabletape("sessions").out
    assert RULE not in piped
    assert "\x1b" not in piped


def test_the_timeline_has_a_heading_for_each_round(at_terminal, tabletape, evening):
    shown = at_terminal("timeline", evening)
    assert f"{BOLD_CYAN}  Round 1" in shown
    assert "\x1b" not in tabletape("timeline", evening).out


def test_the_audit_is_a_table_for_each_part(at_terminal, evening):
    shown = at_terminal("audit", evening, width=100)
    assert f"{BOLD_CYAN}Dice" in shown
    assert RULE in shown
    assert ["die", "face", "of", "from", "for", "by", "action"] in [
        line.split() for line in unstyled(shown).splitlines()
    ]


def test_long_lines_are_wrapped_below_their_words(at_terminal, evening):
    lines = unstyled(at_terminal("timeline", evening, width=40)).splitlines()
    assert all(len(line.rstrip()) <= 40 for line in lines)
    assert any(line.startswith("       ") and line.strip() for line in lines)


def test_no_color_means_none(at_terminal, evening):
    for arguments in (("timeline", evening), ("state", evening), ("sessions",), ("play", DUEL)):
        shown = at_terminal(*arguments, NO_COLOR="1")
        assert not [code for code in ("\x1b[3", "\x1b[1;3", "\x1b[9") if code in shown]


def test_a_table_too_wide_for_the_screen_is_shown_one_by_one(at_terminal, evening):
    wide, narrow = (unstyled(at_terminal("state", evening, width=width)) for width in (120, 40))
    assert RULE in wide
    assert RULE not in narrow
    assert "hp 10" in narrow
    assert all(len(line) <= 40 for line in narrow.splitlines())


def test_the_sessions_can_be_read_on_a_narrow_screen(at_terminal, evening):
    lines = unstyled(at_terminal("sessions", width=30)).splitlines()
    assert lines[0].strip() == evening
    assert all(len(line) <= 30 for line in lines)
    words = " ".join(" ".join(lines).split())
    assert "game duel · actions 9 · last 20" in words
    assert words.endswith("open · title Behind the arras")
