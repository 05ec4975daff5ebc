"""A replay at a terminal, from the first key to the last."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from time import monotonic

from rich.live import Live

from api.cli.player.film import Film
from api.cli.player.keyboard import Keyboard, keyboard
from api.cli.player.playing import Playing
from api.cli.player.reel import Reel
from api.cli.player.stage import stage
from api.cli.screen import console
from projections.replay import ReplayFrame

LOOKS = 0.5
"""Seconds after which the screen is drawn again at the latest: it may have another size by then."""


def show(reel: Reel, speed: float) -> None:
    """Play it until somebody quits. At the end it stays."""
    with closing(Film(reel.frames)) as film:
        if not film:
            return
        playing = Playing(film.numbers, film.times, speed, monotonic())
        with keyboard() as keys, Live(console=console(), screen=True, auto_refresh=False) as live:
            _play(keys, live, reel.title, film, playing)


def _play(keys: Keyboard, live: Live, title: str, frames: Sequence[ReplayFrame], playing: Playing) -> None:
    while not playing.over:
        live.update(stage(live.console, title, frames, playing), refresh=True)
        left = playing.left(monotonic())
        pressed = keys.pressed(LOOKS if left is None else min(left, LOOKS))
        for key in pressed:
            playing.press(key, monotonic())
        if not pressed:
            playing.tick(monotonic())
