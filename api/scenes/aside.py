"""A scene played aside, in memory, and taken into a store whole: all of its story is there, or nothing of it."""

from __future__ import annotations

from msgspec.structs import replace

from api.scenes.local import LocalTable
from api.scenes.running import run_steps
from api.scenes.steps import Scene
from eventlog.recorder import Recorder
from eventlog.sqlite.store import SqliteStore
from eventlog.store import Append, Opening, Outcome, Store


async def play_in(recorder: Recorder, scene: Scene, session: str) -> Outcome:
    """Play a scene and store it under this id in one commit; `Conflict` where the id is not free.

    Whoever stops in the middle, were it the power, leaves nothing behind. The scene has to come out as it says.
    """
    return await recorder.take_in(await _told(scene, session))


async def _told(scene: Scene, session: str) -> Append:
    aside = SqliteStore.open(":memory:")
    recorder = Recorder(aside)
    try:
        table = LocalTable(aside, recorder)
        await table.open(scene, session)
        failure = await run_steps(scene, table)
        if failure is not None:
            raise RuntimeError(f"step {failure.step.number} of {scene.path}: {failure.message}")
        return _whole(aside, session)
    finally:
        await recorder.aclose()
        aside.close()


def _whole(store: Store, session: str) -> Append:
    """Everything a store has of a session, with the seed it was played from, so that its dice stay provable."""
    head = store.head(session)
    return Append(
        session=session,
        expected=0,
        events=tuple(replace(event, position=0) for event in store.envelopes(session)),
        opening=Opening(ruleset=head.ruleset, rules=head.rules, title=head.title, seed=store.seed(session)),
        closes=head.closed_at is not None,
    )
