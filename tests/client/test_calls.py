"""Every call of the client, against a real server."""

import asyncio
import inspect

import msgspec
import pytest
from lines import ADMIN_KEY

from tabletape.client import AsyncClient, Client, Opened, Problem, Receipt
from tabletape.client.calls import acting, copies, history, hooks, hosting, looking
from tabletape.client.shapes.sessions import ForkedFrom


def test_a_session_is_opened_looked_at_and_found(admin: Client, opened: Opened) -> None:
    assert opened.gm_token.startswith("tt_")
    session = admin.with_token(opened.gm_token).session(opened.id)
    assert (session.title, session.ruleset, session.version, session.closed) == ("At dawn", "duel", 1, False)
    assert (session.you.role, session.settings.table_dice) == ("gm", "all")
    assert opened.id in [each.id for each in admin.sessions(search="dawn").sessions]
    assert len(admin.sessions(limit=1).sessions) == 1


def test_somebody_joins_with_their_token_and_acts_for_their_own(gm: Client, opened: Opened) -> None:
    invited = gm.invite(opened.id, "player", "Mina", characters=["ada"])
    mina = gm.with_token(invited.token)
    you = mina.session(opened.id).you
    assert (you.role, you.name, you.characters) == ("player", "Mina", ("ada",))
    accepted = mina.act(opened.id, "attack", attacker="ada", target="ben", dice=[3, 3, 3])
    assert accepted.action == 4
    assert accepted.events[0].type == "core.action-taken"
    with pytest.raises(Problem) as refused:
        mina.close(opened.id)
    assert (refused.value.code, refused.value.status, refused.value.fields["needs"]) == (
        "not-allowed",
        403,
        ["gm"],
    )


def test_a_command_is_given_by_name_as_a_mapping_or_as_a_struct(gm: Client, opened: Opened) -> None:
    class Roll(msgspec.Struct, tag="roll", tag_field="type"):
        count: int
        purpose: str

    for accepted in (
        gm.act(opened.id, "roll", count=2, purpose="the weather"),
        gm.act(opened.id, {"type": "roll", "count": 2, "purpose": "the weather"}),
        gm.act(opened.id, Roll(count=2, purpose="the weather")),
    ):
        data = accepted.events[0].data
        assert data is not None
        assert data["command"] == {"type": "roll", "count": 2, "purpose": "the weather"}
    with pytest.raises(TypeError, match="give purpose in the command itself"):
        gm.act(opened.id, {"type": "roll", "count": 2}, purpose="lost")


def test_questions_are_answered_with_the_action_or_later(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "attack", attacker="ada", target="ben", dice=[3, 3, 3])
    (question,) = gm.state(opened.id).state["open"]
    assert question["asks"] == ["ben"]
    gm.act(opened.id, question["options"][0]["command"])
    assert gm.action(opened.id, 4).answers[0] == 5


def test_what_was_hidden_shows_its_place_and_no_more(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "roll", count=1, purpose="the ambush", visible_to="gm")
    watcher = gm.with_token(gm.invite(opened.id, "observer", "Watcher").token)
    *_, last = watcher.events(opened.id).events
    assert (last.hidden, last.type, last.data, len(last.digest or "")) == (True, "", None, 64)
    assert not gm.events(opened.id).events[-1].hidden


def test_looking_at_the_table_the_log_and_the_luck(gm: Client, opened: Opened) -> None:
    gm.act(opened.id, "roll", count=2, purpose="luck", dice=[2, 6])
    now = gm.state(opened.id)
    assert (now.at, now.version, len(now.state_hash)) == (4, gm.session(opened.id).version, 64)
    assert gm.state(opened.id, at=1).at == 1
    assert "attack" in [choice.type for choice in gm.choices(opened.id).choices]
    odds = gm.odds(opened.id, "attack", attacker="ada", target="ben")
    assert odds.version == now.version
    page = gm.timeline(opened.id, kind="roll")
    assert [(entry.number, entry.rolls[0].purpose) for entry in page.actions] == [(4, "luck")]
    assert [die.face for die in page.actions[0].rolls[0].dice] == [2, 6]
    first = gm.timeline(opened.id, limit=2)
    assert (first.next, gm.timeline(opened.id, after=first.next).actions[0].number) == (1, 2)
    events = gm.events(opened.id, limit=3)
    assert events.next == events.events[-1].cursor
    assert (
        gm.events(opened.id, after=events.next, types=["core.dice-rolled"]).events[0].type
        == "core.dice-rolled"
    )
    statistics = gm.statistics(opened.id)
    assert (statistics.rolls.table, statistics.dice) == (1, 2)
    assert [die.face for die in gm.audit(opened.id).dice] == [2, 6]
    assert gm.verification(opened.id).ok


def test_notes_settings_redaction_and_the_close(gm: Client, opened: Opened) -> None:
    noted = gm.note(opened.id, "a real name", about=3, visible_to="gm")
    gm.redact(opened.id, noted.events[-1].seq, reason="private")
    assert gm.events(opened.id).events[noted.version - 1].redacted
    changed = gm.change_settings(opened.id, table_dice="off", undo="gm")
    assert (changed.settings.table_dice, changed.settings.undo) == ("off", "gm")
    closed = gm.close(opened.id, text="good night")
    assert "core.session-closed" in [event.type for event in closed.events]
    assert gm.session(opened.id).closed


def test_seats_are_listed_rotated_and_taken_away(gm: Client, opened: Opened) -> None:
    invited = gm.invite(opened.id, "tool", "overlay")
    assert [seat.role for seat in gm.invites(opened.id).invites] == ["gm", "tool"]
    rotated = gm.rotate_invite(opened.id, invited.id)
    assert gm.with_token(rotated.token).session(opened.id).you.name == "overlay"
    with pytest.raises(Problem, match="not-identified"):
        gm.with_token(invited.token).session(opened.id)
    assert gm.revoke_invite(opened.id, invited.id).revoked
    with pytest.raises(Problem, match="unknown-invite"):
        gm.revoke_invite(opened.id, invited.id)


def test_a_tool_of_the_whole_server_gets_a_token_and_loses_it(admin: Client, opened: Opened) -> None:
    added = admin.add_tool(f"overlay of {opened.id}")
    assert admin.with_token(added.token).session(opened.id).you.role == "tool"
    rotated = admin.rotate_tool(added.id)
    assert (rotated.id, rotated.token != added.token) == (added.id, True)
    assert added.id in [tool.id for tool in admin.tools().tools]
    assert admin.revoke_tool(added.id).revoked
    with pytest.raises(Problem, match="not-identified"):
        admin.with_token(rotated.token).session(opened.id)


def test_copies_go_out_and_come_in(admin: Client, gm: Client, opened: Opened) -> None:
    copy = gm.export(opened.id)
    assert copy.startswith(b'{"tabletape":1')
    assert gm.export(opened.id, format="markdown").startswith(b"# At dawn\n")
    foreseen = admin.import_session(copy, dry_run=True)
    assert (foreseen.id, foreseen.added, foreseen.dry_run) == (opened.id, 0, True)
    removed = admin.remove_session(opened.id)
    assert removed.version == gm_version(copy)
    with pytest.raises(Problem) as refused:
        admin.import_session(copy)
    assert (refused.value.code, refused.value.fields["reason"]) == ("import-refused", "removed")


def gm_version(copy: bytes) -> int:
    header: dict[str, int] = msgspec.json.decode(copy.splitlines()[0])
    return header["version"]


def test_the_games_of_a_server(admin: Client) -> None:
    assert {"duel", "anima-prime"} <= {each.slug for each in admin.rulesets().rulesets}
    game = admin.ruleset("anima-prime")
    assert "maneuver" in game.commands
    assert "settle" in game.answers


# --- corrections --------------------------------------------------------------------------------------------


def test_an_action_is_undone_redone_and_amended(gm: Client, opened: Opened) -> None:
    rolled = gm.act(opened.id, "roll", count=2, purpose="luck", dice=[2, 5]).action
    foreseen = gm.undo(opened.id, rolled, dry_run=True)
    assert (foreseen.dry_run, [each.action for each in foreseen.targets]) == (True, [rolled])
    undone = gm.undo(opened.id, reason="the wrong dice")
    assert undone.action == rolled + 1
    assert gm.action(opened.id, rolled).status == "undone"
    gm.redo(opened.id, rolled)
    gm.amend(opened.id, rolled, dice=[6, 6])
    entry = gm.action(opened.id, rolled)
    assert (entry.status, [die.face for die in entry.rolls[0].dice]) == ("standing", [6, 6])
    assert [die.face for die in entry.earlier[0].dice] == [2, 5]


def test_a_session_is_forked_and_gone_on_with(gm: Client, opened: Opened) -> None:
    forked = gm.fork(opened.id, 2, title="What if")
    master = gm.with_token(forked.gm_token)
    assert master.session(forked.id).parent == ForkedFrom(session=opened.id, at=2, kind="fork")
    assert [(fork.session, fork.title, fork.at) for fork in gm.session(opened.id).forks] == [
        (forked.id, "What if", 2)
    ]
    gm.close(opened.id)
    sequel = gm.fork(opened.id, kind="sequel")
    assert gm.with_token(sequel.gm_token).act(sequel.id, "end_turn").action == 6
    assert master.act(forked.id, "begin").action == 4


def test_the_feed_of_a_fork_begins_with_its_parent(gm: Client, opened: Opened) -> None:
    forked = gm.fork(opened.id)
    master = gm.with_token(forked.gm_token)
    master.act(forked.id, "end_turn")
    wanted = master.events(forked.id).events
    feed = master.feed(forked.id, after=0)
    found = [next(feed) for _ in wanted]
    feed.stop()
    assert [(event.seq, event.type, event.hash) for event in found] == [
        (event.seq, event.type, event.hash) for event in wanted
    ]
    assert {event.session for event in found} == {forked.id}
    assert "core.session-forked" in [event.type for event in found]


def test_what_a_correction_would_touch_is_told(gm: Client, opened: Opened) -> None:
    with pytest.raises(Problem) as refused:
        gm.undo(opened.id, 1)
    assert refused.value.code == "history-conflict"
    assert refused.value.fields["touched"][0]["action"] == 3
    assert "Ada" in refused.value.fields["touched"][0]["line"]


def test_a_forgotten_action_is_put_in(gm: Client, opened: Opened) -> None:
    late = {"type": "add_duellist", "id": "cleo", "side": "blue", "skill": 9}
    inserted = gm.insert(opened.id, 3, late, mode="rebase")
    assert inserted.action == 4
    assert "cleo" in gm.state(opened.id).state["duellists"]


def test_a_player_asks_for_an_undo_and_the_gm_settles_it(gm: Client, opened: Opened) -> None:
    mina = gm.with_token(gm.invite(opened.id, "player", "Mina", characters=["ada"]).token)
    attack = mina.act(opened.id, "attack", attacker="ada", target="ben", dice=[6, 6, 6]).action
    asked = mina.ask_for_undo(opened.id, attack, reason="I meant to wait")
    waiting = gm.undo_requests(opened.id).request
    assert waiting is not None
    assert (waiting.number, waiting.target) == (asked.action, attack)
    gm.settle_undo_request(opened.id, waiting.number, "approve")
    assert gm.undo_requests(opened.id).request is None
    assert gm.action(opened.id, attack).status == "undone"


def test_what_changed_between_two_actions(gm: Client, opened: Opened) -> None:
    changed = gm.difference(opened.id, 1, to=2)
    assert (changed.from_, changed.to) == (1, 2)
    assert changed.patch[0].op == "add"
    assert any("Ben" in line or "ben" in line for line in changed.lines)


# --- webhooks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole_server", [False, True])
def test_a_webhook_is_added_looked_at_changed_and_removed(
    admin: Client, gm: Client, opened: Opened, *, whole_server: bool
) -> None:
    client, session = (admin, None) if whole_server else (gm, opened.id)
    added = client.add_webhook("http://127.0.0.1:9/hook", session=session, name="bot")
    assert added.secret
    assert client.pause_webhook(added.id, session=session).status == "paused"
    assert client.change_webhook(added.id, session=session, name="robot").name == "robot"
    again = client.rotate_webhook_secret(added.id, session=session)
    assert again.secret not in (None, added.secret)
    assert client.webhook(added.id, session=session).secret is None
    assert added.id in [each.id for each in client.webhooks(session=session).webhooks]
    client.redeliver_webhook(added.id, "0", session=session, of=opened.id if whole_server else None)
    assert client.webhook_deliveries(added.id, session=session).deliveries == ()
    assert client.webhook_dead_letters(added.id, session=session).dead_letters == ()
    assert client.remove_webhook(added.id, session=session).removed


# --- refusals -----------------------------------------------------------------------------------------------


def test_a_refusal_carries_its_code_its_fields_and_where_the_session_stands(
    gm: Client, opened: Opened
) -> None:
    with pytest.raises(Problem) as refused:
        gm.act(opened.id, "attack", attacker="ben", target="ada", dice=[3, 3, 3])
    problem = refused.value
    assert (problem.code, problem.status, problem.overrulable) == ("not-your-turn", 422, True)
    assert problem.version == gm.session(opened.id).version
    assert problem.message
    assert str(problem) == f"{problem.message} (not-your-turn)"


def test_acting_on_an_old_version_is_refused_with_the_new_one(gm: Client, opened: Opened) -> None:
    with pytest.raises(Problem) as refused:
        gm.act(opened.id, "end_turn", if_match=2)
    assert (refused.value.code, refused.value.version, refused.value.fields["expected"]) == (
        "version-mismatch",
        7,
        2,
    )
    assert gm.act(opened.id, "end_turn", if_match=7).version > 7


def test_the_same_key_records_once(gm: Client, opened: Opened) -> None:
    first, again = (gm.act(opened.id, "roll", count=3, purpose="luck", key="mine") for _ in range(2))
    assert first.events == again.events
    with pytest.raises(Problem, match="idempotency-key-reused"):
        gm.act(opened.id, "roll", count=2, purpose="luck", key="mine")


# --- both clients -------------------------------------------------------------------------------------------


def test_both_clients_have_every_call() -> None:
    modules = (acting, copies, history, hooks, hosting, looking)
    calls = {
        name: call
        for module in modules
        for name, call in inspect.getmembers(module, inspect.isfunction)
        if call.__module__ == module.__name__ and not name.startswith("_") and name != "command_of"
    }
    assert len(calls) > 25
    for name, call in calls.items():
        for client in (Client, AsyncClient):
            method = getattr(client, name)
            assert (method.__wrapped__, method.__doc__) == (call, call.__doc__)


def test_the_awaited_client_does_the_same(url: str) -> None:
    async def evening() -> tuple[int, ...]:
        async with AsyncClient(url, ADMIN_KEY) as admin:
            opened = await admin.open_session("duel", "Awaited")
            gm = admin.with_token(opened.gm_token)
            rolls = [gm.act(opened.id, "roll", count=1, purpose="luck") for _ in range(5)]
            accepted = await asyncio.gather(*rolls)
            with pytest.raises(Problem, match="no-such-question"):
                await gm.act(opened.id, "defend", question="q9", defense="none")
            assert (await gm.verification(opened.id)).ok
            return tuple(sorted(each.action for each in accepted))

    assert asyncio.run(evening()) == (1, 2, 3, 4, 5)


# --- receipts, own words, and what is meant -------------------------------------------------------------------


def test_a_receipt_alone_is_asked_for(url: str, gm: Client, opened: Opened) -> None:
    receipt = gm.act(opened.id, "roll", count=1, purpose="luck", receipt=True)
    head = gm.session(opened.id)
    assert receipt == Receipt(action=head.action, version=head.version, head_hash=head.head_hash)

    async def awaited() -> Receipt:
        async with AsyncClient(url, opened.gm_token) as client:
            return await client.act(opened.id, "roll", count=1, purpose="luck", receipt=True)

    assert asyncio.run(awaited()).action == receipt.action + 1


def test_a_commands_own_text_is_sent_in_it(gm: Client, opened: Opened) -> None:
    """The words of a note are its own, and so is any field that is named with `_` at its end."""
    noted = gm.act(opened.id, "note", text="its own words")
    assert noted.events[-1].data == {"text": "its own words"}
    also = gm.act(opened.id, "note", text_="its own, too")
    assert also.events[-1].data == {"text": "its own, too"}
    both = gm.act(opened.id, "roll", count=1, purpose="luck", text="sent along")
    assert both.events[1].data == {"text": "sent along", "about": both.action}


def test_a_plain_string_is_one_type_and_a_number_a_place(gm: Client, opened: Opened) -> None:
    gm.note(opened.id, "well")
    gm.close(opened.id)
    assert [event.type for event in gm.feed(opened.id, after=0, types="core.note-added")] == [
        "core.note-added"
    ]
    assert len(gm.events(opened.id, types="core.note-added").events) == 1
    made = gm.add_webhook("http://127.0.0.1:9/in", session=opened.id, types="core.note-added", after=0)
    assert made.types == ("core.note-added",)


def test_a_webhook_of_a_type_no_event_has_is_told_which_there_are(gm: Client, opened: Opened) -> None:
    with pytest.raises(Problem) as refused:
        gm.add_webhook("http://127.0.0.1:9/in", session=opened.id, types=["nope"])
    assert "core.note-added" in refused.value.fields["known"]
