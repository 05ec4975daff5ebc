"""The story of a session as text and as Markdown: headings, a line an action, dice, notes, what was undone."""

import re
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec.structs import replace
from sitting import ADA, BEN, Sitting

from eventlog.envelope import By
from projections.copies import copy_lines
from projections.entries import Entry, EntryDie, EntryNote, EntryRoll
from projections.story import Heading, Part, every_entry, story
from projections.story_markdown import markdown
from projections.story_text import plain_text
from rulesets.contract import Moment
from rulesets.people import GM, OBSERVER, Viewer

LINE = Entry(
    number=3, slot=3, type="attack", by=None, at="2026-12-01T19:00:00Z", line="Ada attacks", events=(5, 6)
)


def told(sitting: Sitting, form: Any, viewer: Viewer = GM) -> str:
    return b"".join(copy_lines(sitting.store, sitting.session, viewer, form)).decode()


def as_text(sitting: Sitting, *parts: Part) -> str:
    return "\n".join(plain_text(sitting.store.head(sitting.session), GM, parts))


def html(sitting: Sitting, *parts: Part) -> str:
    """The Markdown as a reader's program shows it."""
    source = "\n".join(markdown(sitting.store.head(sitting.session), GM, parts))
    return MarkdownIt().enable("strikethrough").render(source)


def at(conflict: int, round_number: int, number: int) -> Entry:
    return replace(LINE, number=number, moment=Moment(conflict=conflict, round=round_number))


def headings(*entries: Entry) -> list[tuple[int, str, bool]]:
    return [(part.depth, part.text, part.again) for part in story(entries) if isinstance(part, Heading)]


# --- headings -----------------------------------------------------------------------------------------------


def test_each_conflict_and_round_has_a_heading_and_nothing_is_left_out() -> None:
    entries = [
        replace(LINE, number=0),
        at(1, 1, 1),
        at(1, 1, 2),
        at(1, 2, 3),
        replace(LINE, number=4),
        at(2, 1, 5),
    ]
    assert headings(*entries) == [
        (0, "Before the first conflict", False),
        (0, "Conflict 1", False),
        (1, "Round 1", False),
        (1, "Round 2", False),
        (0, "Between conflicts", False),
        (0, "Conflict 2", False),
        (1, "Round 1", False),
    ]
    assert [part for part in story(entries) if isinstance(part, Entry)] == entries


def test_a_round_the_story_came_back_to_says_so() -> None:
    """The end of the round was undone, so the first round goes on."""
    assert headings(at(1, 1, 1), at(1, 2, 2), at(1, 1, 3))[-1] == (1, "Round 1", True)


def test_a_session_longer_than_a_page_is_told_whole(sitting: Sitting) -> None:
    for _ in range(520):
        sitting.act("note", text="one more")
    assert [entry.number for entry in every_entry(sitting.store, sitting.session, GM)] == list(range(521))


# --- a line an action ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_roll_keeps_its_purpose_every_die_and_who_threw_it(duel: Sitting, form: str) -> None:
    """What the roll was for and every single die are in the export (foundryvtt/dnd5e#2216)."""
    duel.act("roll", count=2, sides=20, purpose="stealth", request={"dice": (17, 4)})
    duel.act("roll", count=3, purpose="the weather")
    story = told(duel, form).replace("\\", "")
    assert "Roll 1 for stealth, 2d20 thrown at the table: 17 (" in story
    assert re.search(r"17 \([\w:]+\), 4 \([\w:]+\)", story)
    assert "Roll 2 for the weather, 3d6 thrown by the server: " in story


def test_new_totals_are_in_the_story_as_the_timeline_names_them(duel: Sitting) -> None:
    """Every line of the timeline is in the text word for word (Obsidian-TTRPG-Community/initiative-tracker#293)."""
    duel.blow()
    duel.act("add_duellist", id="late", side="blue", skill=9)
    story = told(duel, "text")
    lines = [entry.line for entry in every_entry(duel.store, duel.session, GM)]
    assert [line for line in lines if line not in story] == []
    assert any("Ben loses 4" in line for line in lines)


def test_notes_stand_under_their_line_with_their_line_breaks(duel: Sitting) -> None:
    duel.act("note", text="First he smiled.\nThen he did not.", about=3, by=BEN)
    duel.act("end_turn", request={"text": "With a bow"})
    text = told(duel, "text")
    assert "\n      “First he smiled.\n       Then he did not.”\n" in text
    assert "\n      “With a bow”\n" in text
    shown = MarkdownIt().render(told(duel, "markdown"))
    assert "<blockquote>\n<p>First he smiled.<br />\nThen he did not.</p>\n</blockquote>" in shown


def test_what_was_undone_is_struck_through_and_stays(sitting: Sitting) -> None:
    undone = replace(LINE, status="undone", changed_by=(9,), line="Ada attacks ~Ben~")
    assert as_text(sitting, undone).endswith("   3  Ada attacks ~Ben~ [undone] [changed by 9]")
    assert "<s>Ada attacks ~Ben~</s> <em>(undone)</em> <em>(changed by 9)</em>" in html(sitting, undone)


def test_an_undone_action_is_struck_through_in_a_real_session(duel: Sitting) -> None:
    number = duel.act("roll", count=2, purpose="luck", request={"dice": (2, 5)}).tape.action
    duel.act("undo", target=number)
    line = f"{number:>4}  The GM rolls 2d6 for luck: 2 5 [undone] [changed by {number + 1}]"
    assert line in told(duel, "text")
    assert "<s>The GM rolls 2d6 for luck: 2 5</s>" in MarkdownIt().enable("strikethrough").render(
        told(duel, "markdown")
    )


def test_dice_a_line_had_before_it_was_amended_are_told_as_such(duel: Sitting) -> None:
    number = duel.act("roll", count=2, purpose="luck", request={"dice": (2, 5)}).tape.action
    duel.act("amend", target=number, request={"dice": (3, 5)})
    story = told(duel, "text")
    assert "Roll 2 for luck, 2d6 thrown at the table: 3 (gm), 5 (gm)\n" in story
    assert "Roll 1 for luck, 2d6 thrown at the table: 2 (gm), 5 (gm) (no longer part of it)\n" in story


def test_what_was_overruled_or_private_says_so(sitting: Sitting) -> None:
    marked = replace(LINE, marks=("overruled", "table-dice", "private"))
    assert as_text(sitting, marked).endswith("Ada attacks [overruled] [private]")


@pytest.mark.parametrize(
    "words",
    [
        "*not* _bold_ `code` ~~gone~~",
        "<script>alert(1)</script>",
        "[a link](http://example.org) ![a picture](x)",
        "# no heading",
        "- no list",
        "+ no list",
        "12. no list",
        "> no quote",
        "===",
        "---",
        "&lt; stays as it is",
        "a | b",
        "back\\slash",
        "    no code",
    ],
)
def test_somebodys_words_are_never_taken_for_markdown(sitting: Sitting, words: str) -> None:
    note = EntryNote(number=3, by=By(role="gm"), at=LINE.at, text=f"x\n{words}")
    shown = html(sitting, replace(LINE, line=words.strip(), notes=(note,)))
    plain = words.strip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<li><strong>3</strong> {plain}\n<blockquote>\n<p>x<br />\n{plain}</p>" in shown


def test_dice_of_several_kinds_are_counted_apart(sitting: Sitting) -> None:
    dice = (
        EntryDie(face=9, origin="a", sides=10),
        EntryDie(face=2, origin="b", sides=6),
        EntryDie(face=1, origin="a", sides=10),
    )
    roll = EntryRoll(roll=4, source="server", purpose="a chase", dice=dice)
    assert "Roll 4 for a chase, 2d10 and 1d6 thrown by the server: 9 (a), 2 (b), 1 (a)" in as_text(
        sitting, replace(LINE, rolls=(roll,))
    )


# --- for whom -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "markdown", "csv"])
def test_a_story_tells_its_reader_no_more_than_they_may_see(duel: Sitting, form: str) -> None:
    duel.act("add_duellist", id="canary", side="blue", skill=9, secret=True)
    duel.act("note", text="the canary sings", request={"visible_to": "gm"})
    duel.act("roll", count=3, purpose="canary reinforcements", request={"visible_to": "gm"})
    duel.act("roll", count=1, purpose="my own luck", by=ADA, request={"visible_to": "self+gm"})
    assert "canary" in told(duel, form).lower()
    for viewer in (ADA, BEN, OBSERVER):
        assert "canary" not in told(duel, form, viewer).lower()
        assert ("my own luck" in told(duel, form, viewer)) == (viewer is ADA)


def test_the_head_says_what_it_is_and_whose_eyes_it_is_seen_through(duel: Sitting) -> None:
    assert told(duel, "text", ADA).splitlines()[:2] == ["At dawn", "======="]
    assert f"Session {duel.session}, duel, opened " in told(duel, "text", ADA)
    assert "as Ada's player may see it" in told(duel, "text", ADA)
    assert "as the observer may see it" in told(duel, "markdown", OBSERVER)
