"""The demo is in a database whole or not at all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import ADMIN_KEY, Server

from api.demo import SESSION, prepared, scene_file
from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.steps import CommandStep
from eventlog.errors import SessionExists, SessionUnknown
from eventlog.verification import verify

ACCEPTED = sum(
    isinstance(step, CommandStep) and step.refused is None for step in read_scene(scene_file()).steps
)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "log.db", admin_key=ADMIN_KEY)
    yield server
    server.close()


def told(server: Server) -> Any:
    return server.do(lambda: prepared(server.app.state.desk))


@pytest.mark.parametrize("steps", [0, 1, 40])
def test_a_demo_that_is_stopped_in_the_middle_leaves_nothing_and_is_told_whole_the_next_time(
    running: Server, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    class Killed(BaseException):
        pass

    with monkeypatch.context() as broken:
        left, real = iter(range(steps)), LocalTable.act

        def act(*asked: Any) -> Any:
            if next(left, None) is None:
                raise Killed
            return real(*asked)

        broken.setattr(LocalTable, "act", act)
        with pytest.raises(Killed):
            told(running)
    with pytest.raises(SessionUnknown):
        running.store.head(SESSION)
    running.restart()
    assert told(running).last.number == running.store.head(SESSION).action == ACCEPTED


def test_the_demo_is_in_one_commit_and_its_dice_are_those_of_its_own_seed(
    running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits, real = [], running.store.append

    def append(items: Any) -> Any:
        commits.append(len(items))
        return real(items)

    monkeypatch.setattr(running.store, "append", append)
    told(running)
    assert commits == [1]
    assert verify(running.store, SESSION).ok
    token = told(running).gm_token
    roll = {"command": {"type": "roll", "count": 2, "purpose": "luck"}}
    assert running.ask("POST", f"/sessions/{SESSION}/actions", token, json=roll).status_code == 201
    assert running.ask("POST", f"/sessions/{SESSION}/close", token, json={}).status_code == 201
    found = verify(running.store, SESSION)
    assert found.ok
    assert found.checked.dice >= 2


def test_a_demo_that_was_removed_is_not_told_again(running: Server) -> None:
    told(running)
    assert running.ask("DELETE", f"/sessions/{SESSION}", ADMIN_KEY).status_code == 200
    with pytest.raises(SessionExists, match="leave --demo out"):
        told(running)
