"""`tabletape play`: scene files, in memory, into a database, or at a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from api.cli import options
from api.cli.database import writing
from api.cli.exits import Ended, Exit
from api.cli.screen import print_json, print_line, progress
from api.cli.telling import print_timeline
from api.scenes.local import LocalTable
from api.scenes.reading import read_scene
from api.scenes.remote import RemoteTable
from api.scenes.report import difference_lines, headline
from api.scenes.running import Failure, run_steps
from api.scenes.steps import ExpectStep, Scene
from api.scenes.table import Opened, TableUnderTest
from eventlog.recorder import Recorder
from projections.entries import Entry
from rulesets.people import GM
from tabletape.client import AsyncClient


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """Where scenes are played: in a file, at a server, or in memory and nowhere else."""

    db: str | None
    url: str | None
    admin_key: str | None

    @property
    def kept(self) -> bool:
        """Whether what is played stays."""
        return self.db is not None or self.url is not None


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How a scene came out: the table and the timeline at its end, or where it failed."""

    scene: Scene
    opened: Opened
    failure: Failure | None
    state: dict[str, Any]
    timeline: tuple[Entry, ...]


@click.command("play")
@click.argument("scenes", nargs=-1, required=True, metavar="SCENE...", type=click.Path())
@click.option("--db", metavar="FILE", help="Record into this database for good, instead of in memory.")
@options.url
@options.admin_key
@options.as_json
def command(
    scenes: tuple[str, ...], db: str | None, url: str | None, admin_key: str | None, *, as_json: bool
) -> int:
    """Play scene files, print what happened, and check what they expect.

    Without --db or --url nothing is kept. Ends with 1 when an expectation does not hold.
    """
    if db is not None and url is not None:
        raise click.UsageError("A scene is recorded in a file (--db) or at a server (--url), not in both.")
    missing = next((path for path in scenes if not Path(path).exists()), None)
    if missing is not None:
        raise Ended(f"there is no scene file {missing}: check its name and folder", Exit.NOT_FOUND)
    read = [read_scene(path) for path in scenes]
    return asyncio.run(_play_all(read, Where(db=db, url=url, admin_key=admin_key), as_json=as_json))


async def _play_all(scenes: Sequence[Scene], where: Where, *, as_json: bool) -> Exit:
    failed = 0
    async with _table(where) as table:
        for scene in scenes:
            played = await _play(scene, table, kept=where.kept)
            failed += played.failure is not None
            if as_json:
                print_json(_document(played), indent=2 if len(scenes) == 1 else 0)
            else:
                _print(played, kept=where.kept)
    if not as_json and len(scenes) > 1:
        print_line()
        print_line(
            f"{len(scenes)} scenes, {failed} failed" if failed else f"{len(scenes)} scenes, all as they say"
        )
    return Exit.FAILED if failed else Exit.OK


@asynccontextmanager
async def _table(where: Where) -> AsyncIterator[TableUnderTest]:
    if where.url is not None:
        async with AsyncClient(where.url, where.admin_key, patience=options.AT_A_PROMPT) as client:
            yield RemoteTable(client)
        return
    from api.tokens import issue_gm_token

    with writing(where.db or ":memory:", made=True) as store:
        recorder = Recorder(store)
        try:
            yield LocalTable(store, recorder, issue_gm_token if where.kept else None)
        finally:
            await recorder.aclose()


async def _play(scene: Scene, table: TableUnderTest, *, kept: bool) -> Played:
    await table.open(scene)
    try:
        with progress(scene.title, len(scene.steps)) as step:
            failure = await run_steps(scene, table, step)
        return Played(
            scene=scene,
            opened=table.opened,
            failure=failure,
            state=await table.state(GM),
            timeline=await table.timeline(),
        )
    except BaseException:
        _cannot_tell(scene, table.opened, kept=kept)
        raise


# --- printing -----------------------------------------------------------------------------------------------


def _cannot_tell(scene: Scene, opened: Opened, *, kept: bool) -> None:
    """What is left to say of a scene whose playing or telling broke off: where it is, and whose it is."""
    where = "what was played until then is recorded in it" if kept else "nothing of it is kept"
    click.echo(
        f"{scene.title}: session {opened.session} could not be played and told to its end; {where}", err=True
    )
    if opened.gm_token:
        click.echo(f"  the game master's token, shown only now: {opened.gm_token}", err=True)


def _print(played: Played, *, kept: bool) -> None:
    scene, failure = played.scene, played.failure
    print_line()
    print_line(scene.title, style="bold")
    print_timeline(played.timeline)
    print_line()
    if failure is None:
        print_line(f"  {_checked(scene)}", style="green")
    else:
        print_line(f"FAILED {headline(scene, failure)}", style="bold red")
        for line in difference_lines(failure.differences):
            print_line(line)
    if kept:
        print_line(f"  recorded as session {played.opened.session}")
    if played.opened.gm_token:
        print_line(f"  the game master's token, shown only now: {played.opened.gm_token}")


def _checked(scene: Scene) -> str:
    looked = sum(isinstance(step, ExpectStep) for step in scene.steps)
    refused = sum(getattr(step, "refused", None) is not None for step in scene.steps)
    parts = [f"{looked} {'look' if looked == 1 else 'looks'} at the table"]
    if refused:
        parts.append(f"{refused} {'refusal' if refused == 1 else 'refusals'}")
    return f"all as the scene says: {len(scene.steps)} steps, {' and '.join(parts)}"


def _document(played: Played) -> dict[str, Any]:
    failure = played.failure
    found = failure and {
        "step": failure.step.number,
        "line": failure.step.line,
        "message": failure.message,
        "differences": failure.differences,
    }
    return {
        "scene": played.scene.path,
        "title": played.scene.title,
        "session": played.opened.session,
        "gm_token": played.opened.gm_token,
        "passed": failure is None,
        "failure": found,
        "actions": played.timeline[-1].number if played.timeline else 0,
        "state": played.state,
    }
