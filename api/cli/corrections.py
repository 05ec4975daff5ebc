"""What `undo`, `redo`, `amend` and `insert` have in common: look ahead, ask, correct, say what came of it."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

import click
import msgspec

from api.cli import options
from api.cli.corrected import AtServer, Done, InFile, Place, TouchesOthers
from api.cli.exits import Ended, Exit
from api.cli.screen import at_terminal, print_json, print_line
from api.cli.touching import print_changes, print_foreseen, print_touched, refused_in_strict, touches_others
from api.correcting import Correction
from api.plain import plainly
from eventlog.corrections import Mode, Otherwise
from eventlog.history.errors import DiceNeeded
from tabletape.client import Problem

F = TypeVar("F", bound=Callable[..., Any])


REFUSED_AS_IT_STANDS = (
    "As it stands, in the mode strict, it would be refused, since later actions are touched: --mode rebase takes them "
    "along, --mode cascade undoes them too."
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """How a correction is asked for on the command line.

    `words` are those it was typed with, to type it again, `sent` those that speak of later actions.
    """

    session: str
    words: tuple[str, ...]
    sent: tuple[str, ...]
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
    why = ["--reason", given["reason"]] if given["reason"] else []
    sent = tuple(word for each in given["others"] for word in ("--with", each))
    typed = (name, given["session"], *words, *why, *where)
    kept = {each: given[each] for each in Asked.__struct_fields__ if each in given}
    return Asked(words=typed, sent=sent, **kept)


def otherwise(given: Sequence[str]) -> tuple[Otherwise, ...]:
    """What `--with` says."""
    try:
        return tuple(msgspec.json.decode(each, type=Otherwise) for each in given)
    except msgspec.MsgspecError as error:
        wrong = plainly(Otherwise, error) if isinstance(error, msgspec.ValidationError) else str(error)
        raise click.UsageError(f'--with takes JSON such as {{"action": 7, "dice": [5]}}: {wrong}') from error


def carry_out(asked: Asked, correction: Correction) -> None:
    """Look ahead where that is asked for, or correct. Ends the command where it is refused."""
    try:
        _looked_and_made(asked, correction)
    except (DiceNeeded, Problem) as refused:
        if refused.code != DiceNeeded.code:
            raise
        raise _lacking(refused.message, refused.fields) from refused


def _lacking(message: str, fields: Mapping[str, Any]) -> Ended:
    """Dice of the table that are missing, with what to add to the command."""
    faces = ", ".join(["…"] * int(fields["wanted"]))
    return Ended(
        f'{message}. Add\n  --with \'{{"action": {fields["action"]}, "dice": [{faces}]}}\'', Exit.REFUSED
    )


def _looked_and_made(asked: Asked, correction: Correction) -> None:
    place, version, shown = asked.place, None, False
    if asked.dry_run or (asked.mode != "strict" and at_terminal() and not asked.as_json):
        found = asyncio.run(place.foresee(correction))
        if asked.as_json:
            print_json(found)
            return
        print_foreseen(found)
        shown, version = True, found.version
        if asked.dry_run:
            print_line()
            if asked.mode == "strict" and refused_in_strict(found):
                print_line(REFUSED_AS_IT_STANDS)
            print_line("Nothing was changed.")
            return
        _ask(asked, touches=touches_others(found))
    try:
        done = asyncio.run(place.correct(correction, version))
    except TouchesOthers as refused:
        raise _refused(asked, refused) from refused
    _print(asked, done, shown=shown)


def _ask(asked: Asked, *, touches: bool) -> None:
    """Let somebody who sees what is touched think again."""
    print_line()
    if touches and not asked.sure and sys.stdin.isatty() and not _goes_on():
        raise Ended("nothing was changed", Exit.REFUSED)


def _goes_on() -> bool:
    """Whether the answer is yes; anything else, also the end of the input, is no. Ctrl-C ends the command."""
    click.echo("Go on? [y/N]: ", nl=False)
    said = sys.stdin.readline()
    if not said.endswith("\n"):
        click.echo()
    return said.strip().casefold() in {"y", "yes"}


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
    again, sent = shlex.join(("tabletape", *asked.words)), shlex.join(asked.sent)
    along = f"{again} {sent}" if sent else again
    token = ", each with your --token" if asked.url is not None and asked.token is not None else ""
    return Ended(
        f"later actions are touched, so nothing was changed. Look first{token}:\n"
        f"  {along} --mode rebase --dry-run\n"
        f"then take them along:\n"
        f"  {along} --mode rebase --yes\n"
        f"or undo them too:\n"
        f"  {again} --mode cascade --yes",
        Exit.REFUSED,
    )
