"""The command line. Only what a command needs is loaded, so that help comes at once."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from api.cli.commands import tabletape
from api.cli.exits import Ended, Exit
from api.cli.streams import fill_the_gaps, stop_writing


def main() -> None:
    """Run the command line and exit, without a traceback whatever happens."""
    fill_the_gaps()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; its exit code."""
    try:
        # Not through click's own `main`, which has exit codes of its own for Ctrl-C and for a closed pipe.
        with tabletape.make_context("tabletape", list(arguments)) as context:
            result = tabletape.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        with suppress(OSError):  # nobody hears it; the exit code still says it
            error.show()
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        stop_writing()
        return Exit.READER_GONE
    except Exception as error:  # noqa: BLE001 - whatever it is, the person gets a sentence
        return _told(error, arguments)
    return result if isinstance(result, int) else Exit.OK


def _told(error: Exception, arguments: list[str]) -> int:
    """Say in one sentence what went wrong; the exit code."""
    from api.cli.faults import ended_by

    if os.environ.get("TABLETAPE_DEBUG"):
        raise error
    ended = ended_by(error, arguments) or Ended(
        f"something broke inside Tabletape ({type(error).__name__}: {error}); "
        "nothing was half stored. Set TABLETAPE_DEBUG=1 to see where, and report it",
        Exit.BROKEN,
    )
    with suppress(OSError):  # nobody hears it; the exit code still says it
        click.echo(f"tabletape: {ended.message}", err=True)
    return ended.code
