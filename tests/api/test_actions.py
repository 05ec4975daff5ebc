"""Actions: recorded whole, answered for the eyes of who asked, refused with what to do."""

import asyncio

import httpx
from serving import Table, problem, with_a_settled_roll

ATTACK = {"type": "attack", "attacker": "ada", "target": "ben"}


def test_an_action_is_answered_with_its_events_and_what_comes_next(table: Table) -> None:
    version = table.version
    answer = table.act({"type": "end_turn"}, "mina")
    assert answer.status_code == 201
    accepted = answer.json()
    assert set(accepted) == {"action", "version", "head_hash", "events", "choices"}
    assert [event["type"] for event in accepted["events"]] == ["core.action-taken", "duel.turn-ended"]
    assert accepted["events"][0]["by"] == {"role": "player", "name": "mina"}
    assert accepted["version"] == version + 2 == table.version
    assert answer.headers["etag"] == f'"{accepted["version"]}"'
    assert accepted["head_hash"] == accepted["events"][-1]["hash"]
    assert accepted["events"] == table.get("/events", "mina", params={"after": str(version)})["events"]
    assert accepted["choices"] == table.get("/choices", "mina")["choices"]


def test_faces_from_the_table_are_taken_in_order(table: Table) -> None:
    accepted = table.done(ATTACK, dice=[2, 3, 4])
    made = next(event for event in accepted["events"] if event["type"] == "duel.attack-made")
    assert [die["face"] for die in made["data"]["roll"]["dice"]] == [2, 3, 4]
    assert made["data"]["roll"]["source"] == "table"


def test_faces_that_do_not_fit_are_refused_with_how_many_are_wanted(table: Table) -> None:
    before = table.log()
    refused = problem(table.act(ATTACK, dice=[2]), 422, "dice-count-mismatch")
    assert (refused["wanted"], refused["given"], refused["overrulable"]) == (3, 1, False)
    problem(table.act(ATTACK, dice=[2, 3, 7]), 422, "face-out-of-range")
    problem(table.act(ATTACK, "mina", dice=[2, 3, 4]), 422, "table-dice-off")
    assert table.log() == before


def test_a_rule_that_refuses_says_its_code_the_version_and_whether_it_can_be_overruled(table: Table) -> None:
    before = table.log()
    refused = problem(table.act({**ATTACK, "attacker": "ben", "target": "ada"}, "noel"), 422, "not-your-turn")
    assert refused["overrulable"] is True
    assert refused["version"] == table.version
    assert refused["current"] == "ada"
    assert table.log() == before


def test_an_answer_that_is_awaited_is_named(table: Table) -> None:
    table.done(ATTACK, dice=[1, 1, 1])
    waiting = problem(table.act({"type": "end_turn"}), 422, "question-open")
    assert waiting["awaited"]


def test_a_session_moved_on_refuses_what_was_decided_before(table: Table) -> None:
    seen = f'"{table.version}"'
    assert table.act({"type": "end_turn"}, headers={"If-Match": seen}).status_code == 201
    before = table.log()
    refused = problem(table.act({"type": "end_turn"}, headers={"If-Match": seen}), 412, "version-mismatch")
    assert refused["version"] == table.version
    assert table.log() == before
    assert table.act({"type": "end_turn"}, headers={"If-Match": "*"}).status_code == 201


def test_of_many_at_once_with_the_same_version_one_is_recorded(table: Table) -> None:
    seen = f'"{table.version}"'

    async def all_at_once() -> list[httpx.Response]:
        headers = {"If-Match": seen, "Authorization": f"Bearer {table.tokens['gm']}"}
        path, note = f"/sessions/{table.id}/notes", {"text": "me first"}
        post = table.server.client.post
        return await asyncio.gather(*(post(path, json=note, headers=headers) for _ in range(20)))

    statuses = [answer.status_code for answer in table.server.do(all_at_once)]
    assert sorted(statuses) == [201] + [412] * 19


def test_of_many_at_once_without_a_version_all_are_recorded_in_some_order(table: Table) -> None:
    async def all_at_once() -> list[httpx.Response]:
        headers = {"Authorization": f"Bearer {table.tokens['gm']}"}
        post = table.server.client.post
        path = f"/sessions/{table.id}/notes"
        return await asyncio.gather(*(post(path, json={"text": f"n{n}"}, headers=headers) for n in range(20)))

    answers = table.server.do(all_at_once)
    assert {answer.status_code for answer in answers} == {201}
    numbers = [answer.json()["action"] for answer in answers]
    assert sorted(numbers) == list(range(min(numbers), min(numbers) + 20))


def test_a_command_with_nothing_left_to_do_is_ignored(table: Table) -> None:
    anima = with_a_settled_roll(table.server)
    before = anima.log()
    answer = anima.act({"type": "settle"})
    assert answer.status_code == 200
    assert answer.json()["ignored"] is True
    assert answer.json()["events"] == []
    assert anima.log() == before


def test_odds_are_told_without_drawing_a_die(table: Table) -> None:
    before = table.log()
    told = table.ask("POST", "/odds", "mina", json={"command": ATTACK})
    assert told.status_code == 200
    outcomes = told.json()["outcomes"]
    assert sum(each["numerator"] / each["denominator"] for each in outcomes) == 1
    problem(
        table.ask("POST", "/odds", "mina", json={"command": {**ATTACK, "attacker": "ben"}}),
        403,
        "not-allowed",
    )
    assert table.log() == before


def test_the_table_at_any_action_is_as_it_was_then(table: Table) -> None:
    then = table.get("/state")
    table.done({"type": "end_turn"})
    now = table.get("/state")
    assert now["at"] == then["at"] + 1
    assert table.get("/state", params={"at": then["at"]}) == then
    assert table.get("/state", params={"at": 0})["version"] == 1
    refused = problem(table.ask("GET", "/state", params={"at": 99}), 404, "unknown-action")
    assert (refused["action"], refused["detail"]) == (99, "There is no action 99 here")
