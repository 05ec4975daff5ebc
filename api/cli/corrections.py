"""What `undo`, `redo` and `amend` have in common: look ahead, ask, correct, say what came of it."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args

import click
import msgspec

from api.cli import options
from api.cli.corrected import AtServer, Done, InFile, Place, TouchesOthers
from api.cli.exits import Ended, Exit
from api.cli.screen import at_terminal, print_json, print_line
from api.cli.touching import print_changes, print_foreseen, print_touched
from api.correcting import Correction
from eventlog.corrections import Mode, Otherwise

F = TypeVar("F", bound=Callable[..., Any])


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """How a correction is asked for on the command line; `words` are those it was typed with, to type it again."""

    session: str
    words: tuple[str, ...]
    mode: Mode
    reason: str
    dry_run: bool
    sure: bool
    db: str
    url: str | None
    token: str | None
    as_json: bool

    @property
    def place(self) -> Place:
        """Where the session is."""
        if self.url is None:
            return InFile(self.db, self.session)
        return AtServer(self.url, self.session, self.token)


def correcting(command: F) -> F:
    """The options of every correction."""
    for option in reversed(
        (
            click.option(
                "--mode",
                type=click.Choice(get_args(Mode)),
                default="strict",
                show_default=True,
                help="Later actions it touches: refuse (strict), take them along (rebase), undo them too (cascade).",
            ),
            click.option(
                "--with",
                "others",
                multiple=True,
                metavar="JSON",
                help="What a later action goes on with: answers, or faces for dice it lacks.",
            ),
            click.option("--reason", default="", metavar="WORDS", help="Why; it stands in the timeline."),
            click.option("--dry-run", is_flag=True, help="Only show what it would do."),
            click.option("--yes", "sure", is_flag=True, help="Do not ask before later actions are touched."),
            options.db,
            options.url,
            options.token,
            options.as_json,
        )
    ):
        command = option(command)
    return command


def asked(name: str, words: Sequence[str], given: dict[str, Any]) -> Asked:
    """The options of a correction; `words` are those of the command that are its own."""
    where = ["--db", given["db"]] if given["db"] != options.DEFAULT_DB else []
    if given["url"] is not None:
        where = ["--url", given["url"]]
    typed = (name, given["session"], *words, *where)
    kept = {each: given[each] for each in Asked.__struct_fields__ if each in given}
    return Asked(words=typed, **kept)


def otherwise(given: Sequence[str]) -> tuple[Otherwise, ...]:
    """What `--with` says."""
    try:
        return tuple(msgspec.json.decode(each, type=Otherwise) for each in given)
    except msgspec.MsgspecError as error:
        raise click.UsageError(f'--with takes JSON such as {{"action": 7, "dice": [5]}}: {error}') from error


def json_object(option: str, text: str) -> msgspec.Raw:
    """A command or an answer as it was typed, which has to be a JSON object."""
    try:
        msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise click.UsageError(
            f'{option} takes a JSON object such as {{"type": "settle"}}: {error}'
        ) from error
    return msgspec.Raw(text.encode())


def carry_out(asked: Asked, correction: Correction) -> None:
    """Look ahead where that is asked for, or correct. Ends the command where it is refused."""
    asyncio.run(_carry_out(asked, correction))


async def _carry_out(asked: Asked, correction: Correction) -> None:
    place, version, shown = asked.place, None, False
    if asked.dry_run or (asked.mode != "strict" and at_terminal() and not asked.as_json):
        found = await place.foresee(correction)
        if asked.as_json:
            print_json(found)
            return
        print_foreseen(found)
        shown, version = True, found.version
        if asked.dry_run:
            print_line()
            print_line("Nothing was changed.")
            return
        _ask(asked, touches=bool(found.consequences))
    try:
        done = await place.correct(correction, version)
    except TouchesOthers as refused:
        raise _refused(asked, refused) from refused
    _print(asked, done, shown=shown)


def _ask(asked: Asked, *, touches: bool) -> None:
    """Let somebody who sees what is touched think again."""
    print_line()
    if touches and not asked.sure and sys.stdin.isatty() and not click.confirm("Go on?", default=False):
        raise Ended("nothing was changed", Exit.REFUSED)


def _print(asked: Asked, done: Done, *, shown: bool) -> None:
    if asked.as_json:
        print_json(done.answer)
        return
    print_line(f"{done.action}  {done.line}", style="bold")
    if not shown:
        print_changes("On the table", done.changes)


def _refused(asked: Asked, refused: TouchesOthers) -> Ended:
    """Show what a strict correction would touch, and say what to type next."""
    if asked.as_json:
        print_json({"code": "history-conflict", "detail": refused.message, "touched": refused.touched})
    else:
        print_line("It would touch later actions", style="bold")
        print_touched(refused.touched)
    again = shlex.join(("tabletape", *asked.words))
    return Ended(
        f"later actions are touched, so nothing was changed. Look first with\n"
        f"  {again} --mode rebase --dry-run\n"
        f"then take them along with --mode rebase, or undo them too with --mode cascade",
        Exit.REFUSED,
    )
