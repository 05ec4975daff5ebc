"""`tabletape rulesets`: the games that are installed."""

from __future__ import annotations

import click

from api.cli import options
from api.cli.screen import print_json, print_rows
from rulesets.installed import installed


@click.command("rulesets")
@options.as_json
def command(*, as_json: bool) -> None:
    """List the games that can be played here, with the number of their rules."""
    games = list(installed().values())
    if as_json:
        found = [
            {"slug": game.slug, "name": game.name, "version": str(game.current), "summary": game.summary}
            for game in games
        ]
        print_json({"rulesets": found})
        return
    rows = [(game.slug, game.name, str(game.current), game.summary) for game in games]
    print_rows(("ID", "NAME", "RULES", "WHAT IT IS"), rows, words_last=True)
