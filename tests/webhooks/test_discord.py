"""Discord: readable lines, edited when they change, within its limits."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from discord_stand_in import Discord, discord, invalid, units
from msgspec.structs import replace
from telling import Hall

from api.webhooks.discord import embeds
from api.webhooks.discord.lines import Line
from api.webhooks.discord.words import cut, plain, struck
from eventlog.envelope import By
from eventlog.hooks import Hook
from eventlog.sealing import now
from eventlog.testing import opened
from projections.entries import Entry, EntryDie, EntryNote, EntryRoll
from rulesets.contract import Moment
from rulesets.people import GM, Viewer

GM_BY = By(role="gm", name="gm")
LONG = "A*b_c~d`e|f>g[h]i\\ 🎲" * 400


@pytest.fixture
def channel() -> Iterator[Discord]:
    with discord() as stand_in:
        yield stand_in


async def duel(hall: Hall) -> str:
    session = await hall.open("A *duel* at dawn")
    await hall.act(session, {"type": "add_duellist", "id": "ada", "side": "red", "skill": 12})
    await hall.act(session, {"type": "add_duellist", "id": "ben", "side": "blue", "skill": 11})
    await hall.act(session, {"type": "begin"})
    return session


def told(channel: Discord, play: Any, **fields: Any) -> Any:
    """Let somebody play with a hook for the channel."""

    async def evening() -> Any:
        hall = Hall()
        session = await duel(hall)
        hook = hall.hook(channel.url, session, 0, format="discord", secrets=(), **fields)
        try:
            return await play(hall, hook, session)
        finally:
            await hall.aclose()

    return asyncio.run(evening())


def test_each_action_is_a_message_with_its_line_and_dice(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "roll", "count": 3, "purpose": "the weather"}, dice=(4, 6, 1))
        await hall.tell(hook)

    told(channel, play)
    assert len(channel.messages) == 5
    assert [each.method for each in channel.got] == ["POST"] * 5
    assert all(each.path.endswith("?wait=true") for each in channel.got)
    last = list(channel.messages.values())[-1]
    (shown,) = last["embeds"]
    assert "rolls 3d6 for the weather" in shown["description"]
    assert shown["fields"] == [
        {"name": "🎲 the weather (thrown at the table)", "value": "4 6 1", "inline": False}
    ]
    assert shown["author"] == {"name": "The GM"}
    assert shown["footer"]["text"].startswith("A *duel* at dawn · action 4")
    assert last["allowed_mentions"] == {"parse": []}
    assert shown["color"] == embeds.GAME_MASTER
    assert channel.lines[0] == "The GM opens the session “A \\*duel\\* at dawn”"


def test_what_a_roll_is_for_formats_nothing(channel: Discord) -> None:
    """The name of a field is read as formatting too, like the line above it."""

    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "roll", "count": 1, "purpose": "||*luck*||"}, dice=(4,))
        await hall.tell(hook)

    told(channel, play)
    (shown,) = list(channel.messages.values())[-1]["embeds"]
    assert "\\|\\|\\*luck\\*\\|\\|" in shown["description"]
    assert shown["fields"][0]["name"] == "🎲 \\|\\|\\*luck\\*\\|\\| (thrown at the table)"


def test_an_undone_action_is_struck_through_and_says_by_whom_and_comes_back(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> Sequence[Any]:
        await hall.tell(hook)
        before = dict(channel.messages)
        await hall.act(session, {"type": "undo", "target": 3})
        await hall.tell(hook)
        struck_out = dict(channel.messages)
        await hall.act(session, {"type": "redo", "target": 4})
        await hall.tell(hook)
        return before, struck_out, dict(channel.messages)

    before, struck_out, after = told(channel, play)
    assert list(before) == ["2000", "2001", "2002", "2003"]
    line = before["2003"]["embeds"][0]["description"]
    gone = struck_out["2003"]["embeds"][0]
    assert gone["description"] == f"~~{line}~~"
    assert gone["footer"]["text"].endswith("undone by The GM")
    assert gone["color"] == embeds.UNDONE
    assert struck_out["2004"]["embeds"][0]["description"] == "The GM undoes action 3"
    back = after["2003"]["embeds"][0]
    assert back["description"] == line
    assert back["footer"]["text"].endswith("restored by The GM")
    undoing = after["2004"]["embeds"][0]
    assert undoing["description"] == "~~The GM undoes action 3~~"
    assert undoing["footer"]["text"].endswith("taken back by The GM")
    assert {name: after[name] for name in ("2000", "2001", "2002")} == {
        name: before[name] for name in ("2000", "2001", "2002")
    }
    assert channel.edits == 3


def test_what_falls_with_an_undone_action_is_struck_through_too(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.tell(hook)
        await hall.act(session, {"type": "undo", "target": 2, "mode": "cascade"})
        await hall.tell(hook)

    told(channel, play)
    assert [line.startswith("~~") for line in channel.lines] == [False, False, True, True, False]
    for name in ("2002", "2003"):
        assert channel.messages[name]["embeds"][0]["footer"]["text"].endswith("undone by The GM")


def test_an_amended_action_has_its_new_line_and_says_who_amended_it(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.tell(hook)
        other = {"type": "add_duellist", "id": "ada", "name": "Ada the Bold", "side": "red", "skill": 13}
        await hall.act(session, {"type": "amend", "target": 1, "command": other, "mode": "rebase"})
        await hall.tell(hook)

    told(channel, play)
    amended = channel.messages["2001"]["embeds"][0]
    assert "Ada the Bold" in amended["description"]
    assert amended["footer"]["text"].endswith("amended by The GM")
    edits = [each for each in channel.got if each.method == "PATCH"]
    assert edits[0].path.endswith("/messages/2001")


def test_a_forgotten_action_is_a_line_of_its_own(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.tell(hook)
        cleo = {"type": "add_duellist", "id": "cleo", "side": "red", "skill": 10}
        await hall.act(session, {"type": "insert", "before": 3, "command": cleo, "mode": "rebase"})
        await hall.tell(hook)

    told(channel, play)
    assert "Cleo" in channel.lines[-1]
    assert channel.messages["2004"]["embeds"][0]["footer"]["text"].endswith("inserted by The GM")


def test_an_answer_goes_into_the_message_of_the_action_that_asked(channel: Discord) -> None:
    async def evening() -> None:
        hall = Hall()
        session = await hall.open("The hedge", "anima-prime")
        hook = hall.hook(channel.url, session, format="discord", secrets=())
        zadie = {"id": "zadie", "name": "Zadie", "side": "pcs", "kind": "pc", "action": 6, "defense": 2}
        critters = {"id": "critters", "side": "adversity", "kind": "swarm", "action": 6, "defense": 2}
        sharp = [{"name": "Sharpshooter", "marked": True}]
        await hall.act(session, {"type": "add_character", **zadie, "max_wounds": 3, "traits": sharp})
        await hall.act(session, {"type": "add_character", **critters, "max_wounds": 2})
        await hall.act(session, {"type": "start_conflict", "first": "pcs"})
        await hall.act(session, {"type": "maneuver", "actor": "zadie", "action_dice": 2}, dice=(4, 1, 1))
        await hall.tell(hook)
        asked = channel.messages["2003"]["embeds"][0]
        await hall.act(session, {"type": "reroll", "trait": "Sharpshooter"}, dice=(6, 5))
        await hall.tell(hook)
        answered = channel.messages["2003"]["embeds"][0]
        assert [each["value"] for each in asked["fields"]] != [each["value"] for each in answered["fields"]]
        assert len(answered["fields"]) == 2
        await hall.aclose()

    asyncio.run(evening())
    assert len(channel.messages) == 4
    assert channel.edits == 1


def test_removed_words_go_from_the_message_too(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        seq = await hall.act(session, {"type": "note", "text": "Nora is ill"})
        await hall.tell(hook)
        assert "Nora is ill" in channel.lines[-1]
        await hall.act(session, {"type": "redact", "seq": seq})
        await hall.tell(hook)

    told(channel, play)
    assert "Nora" not in json.dumps(channel.messages)
    assert "words removed" in channel.lines[-2]


def test_removed_words_go_from_the_message_of_an_amendment_too(channel: Discord) -> None:
    """It said what the action was and what it is, and so repeated the reason of a ruling."""

    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "end_turn"})
        blow = {"type": "attack", "attacker": "ada", "target": "ben"}
        reason = {"overrule": ("not-your-turn",), "text": "Nora is ill"}
        await hall.act(session, blow, dice=(3, 3, 3), **reason)
        await hall.act(session, {"type": "amend", "target": 5}, dice=(1, 3, 3))
        await hall.tell(hook)
        assert sum("Nora is ill" in line for line in channel.lines) == 2
        rulings = [each.seq for each in hall.store.envelopes(session) if each.type == "core.ruling-made"]
        for seq in reversed(rulings):
            await hall.act(session, {"type": "redact", "seq": seq})
            await hall.tell(hook)

    told(channel, play)
    assert "Nora" not in json.dumps(channel.messages)


def test_what_is_hidden_is_not_posted(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "note", "text": "the canary"}, visible_to="gm")
        hidden = {"type": "add_duellist", "id": "canary", "side": "red", "skill": 9, "secret": True}
        await hall.act(session, hidden)
        await hall.note(session)
        await hall.tell(hook)

    told(channel, play)
    assert "canary" not in str([each.body for each in channel.got])
    assert len(channel.messages) == 5


def test_a_hook_of_the_gm_posts_what_the_gm_sees(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "note", "text": "the canary"}, visible_to="gm")
        await hall.tell(hook)

    told(channel, play, viewer=GM)
    assert "canary" in channel.lines[-1]


def test_types_choose_the_actions_that_are_posted(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.act(session, {"type": "roll", "count": 1, "purpose": "luck"})
        await hall.note(session)
        await hall.tell(hook)

    told(channel, play, types=("core.dice-rolled",))
    (line,) = channel.lines
    assert "luck" in line


def test_within_its_limits_discord_never_has_to_refuse() -> None:
    """X-RateLimit-Remaining: 0 is waited out."""
    with discord(limit=3, window=1.2) as channel:

        async def play(hall: Hall, hook: Hook, session: str) -> float:
            await hall.note(session, 5)
            started = time.monotonic()
            await hall.tell(hook)
            return time.monotonic() - started

        seconds = told(channel, play)
        assert len(channel.messages) == 9
        assert channel.limited == 0
        assert seconds >= 2 * 1.0


def test_a_429_is_waited_out_and_nothing_is_lost_or_doubled() -> None:
    with discord(limit=2, window=1.2) as channel:
        real = channel._take

        def without_headers() -> Any:
            headers = real()
            return None if headers is None else ()

        channel._take = without_headers  # type: ignore[method-assign]  # a proxy that drops the headers

        async def play(hall: Hall, hook: Hook, session: str) -> list[str]:
            await hall.note(session, 1)
            await hall.tell(hook)
            return [each.attempt.outcome for each in hall.store.hooks.attempts(hook.id)]

        outcomes = told(channel, play)
        assert len(channel.messages) == 5
        assert channel.limited >= 2
        assert channel.limited == outcomes.count("held") <= 4
        assert set(outcomes) == {"held", "delivered"}


def test_a_message_somebody_deleted_is_left_deleted(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.tell(hook)
        del channel.messages["2003"]
        await hall.act(session, {"type": "undo", "target": 3})
        await hall.tell(hook)
        await hall.act(session, {"type": "redo", "target": 4})
        await hall.tell(hook)

    told(channel, play)
    assert list(channel.messages) == ["2000", "2001", "2002", "2004", "2005"]


def test_telling_it_again_edits_what_is_there_and_posts_what_is_not(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        await hall.tell(hook)
        del channel.messages["2002"]
        hall.store.hooks.rewind(hook.id, session, 0)
        await hall.tell(hook)

    told(channel, play)
    assert list(channel.messages) == ["2000", "2001", "2003", "2004"]
    assert channel.edits == 3


def test_a_webhook_deleted_in_discord_pauses_the_hook(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> str | None:
        hall.store.hooks.change(hook.id, lambda kept: replace(kept, url=kept.url + "x"))
        courier = hall.courier()
        courier.start()
        await hall.until(lambda: hall.store.hooks.hook(hook.id).paused is not None)
        await courier.aclose()
        return hall.store.hooks.hook(hook.id).paused

    assert told(channel, play) == "gone"
    assert channel.messages == {}


def test_a_thread_of_the_channel_stays_the_thread(channel: Discord) -> None:
    async def evening() -> None:
        hall = Hall()
        session = await duel(hall)
        hook = hall.hook(channel.url + "?thread_id=77", session, 0, format="discord", secrets=())
        await hall.tell(hook)
        await hall.act(session, {"type": "undo", "target": 3})
        await hall.tell(hook)
        await hall.aclose()

    asyncio.run(evening())
    assert channel.got[0].path.endswith("?wait=true&thread_id=77")
    assert channel.got[-2].path.endswith("/messages/2003?thread_id=77")


def test_a_session_whose_game_is_not_installed_is_given_up_line_by_line(channel: Discord) -> None:
    async def evening() -> list[str | None]:
        hall = Hall()
        hall.store.append([opened("trial", 2)])
        hook = hall.hook(channel.url, "trial", 0, format="discord", secrets=())
        await hall.tell(hook)
        letters = [letter.error for _, letter in hall.store.hooks.dead_letters(hook.id)]
        await hall.aclose()
        return letters

    assert asyncio.run(evening()) == ["ruleset-not-installed"]
    assert channel.got == []


def line(text: str, rolls: tuple[EntryRoll, ...] = (), **fields: Any) -> Entry:
    given: dict[str, Any] = {
        "marks": ("overruled", "table-dice"),
        "moment": Moment(conflict=1, round=3),
        **fields,
    }
    return Entry(
        number=7, slot=7, type="maneuver", by=By(role="player", name=LONG), at=now(), line=text, rolls=rolls,
        events=(1, 2), **given,
    )  # fmt: skip


@pytest.mark.parametrize("struck_out", [False, True])
def test_however_long_everything_is_discord_takes_it(struck_out: bool) -> None:
    dice = tuple(EntryDie(face=face, origin=f"action:{LONG[:face]}", sides=6) for face in range(1, 200))
    rolls = tuple(EntryRoll(roll=number, source="table", purpose=LONG, dice=dice) for number in range(40))
    notes = tuple(EntryNote(number=7, by=GM_BY, at=now(), text=LONG) for _ in range(9))
    status: Any = "undone" if struck_out else "standing"
    entry = line(LONG, rolls, notes=notes, status=status)
    sent = json.loads(embeds.body(Line(entry=entry, title=LONG, changed=f"undone by {LONG}")))
    assert invalid(sent) == ""
    assert sent["embeds"][0]["color"] == (embeds.UNDONE if struck_out else embeds.OVERRULED)
    empty = EntryRoll(roll=1, source="server", purpose="nothing", dice=())
    assert invalid(json.loads(embeds.body(Line(entry=line("", (empty,)), title="")))) == ""


def test_names_are_words_and_nothing_else() -> None:
    assert plain("*bold* <@1> @everyone [a](b)", 200) == "\\*bold\\* \\<\\@1\\> \\@everyone \\[a\\]\\(b\\)"
    assert plain("see https://example.org/a_b_c now", 200) == "see https://example.org/a_b_c now"
    assert plain("http://a.example<[x](http://b.example)", 200) == (
        "http://a.example\\<\\[x\\]\\(http://b.example)"
    )
    assert struck("a~~b", 200) == "~~a\\~\\~b~~"


@pytest.mark.parametrize("limit", range(1, 60))
def test_a_cut_text_fits_and_ends_with_a_whole_letter(limit: int) -> None:
    for shown in (plain(LONG, limit), cut(LONG, limit)):
        assert units(shown) <= limit
        assert shown.endswith("…")
    assert plain("_" * 100, limit).replace("\\_", "").replace("…", "") == ""
    assert cut("short", 5) == "short"


def test_whose_eyes_a_line_is_written_for(channel: Discord) -> None:
    async def play(hall: Hall, hook: Hook, session: str) -> None:
        hall.seat(session, "mina", "ada")
        await hall.act(session, {"type": "conceal_dagger", "duellist": "ada"})
        await hall.tell(hook)

    told(channel, play, viewer=Viewer(role="player", name="mina", characters=("ada",)))
    assert len(channel.messages) == 5
