"""Random sessions of any installed game, recorded, with corrections at random places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Self
from unittest.mock import patch

import msgspec
from anima_prime.play import Player
from dueling import Table, wanted

from eventlog.errors import EventLogError
from eventlog.requests import OpenRequest, Recorded, Request
from rulesets.contract import RuleViolation
from rulesets.installed import installed, ruleset_named
from rulesets.testing import from_choices

GAMES = sorted(installed())
MODES = ("strict", "rebase", "cascade")


class Sitting(Table):
    """A table at which any game is played by chance; `by_hand` is how often dice are thrown at the table."""

    by_hand = 0.2

    def __init__(self, game: str, seed: int, path: str | Path = ":memory:", **settings: Any) -> None:
        super().__init__(path)
        self.random = Random(seed)
        self.game = game
        ruleset = ruleset_named(game)
        self._wander = from_choices(ruleset)
        self._player = Player(self.random) if game == "anima-prime" else None
        request = OpenRequest(ruleset=game, title="By chance", session=f"chance-{seed}", **settings)
        with patch("eventlog.recorder.secrets.token_bytes", self.random.randbytes):  # the same dice again
            self.session = self.do(lambda: self.recorder.open(request)).tape.session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tape(self) -> Any:
        return self.do(lambda: self.recorder.tape(self.session))

    def play(self, actions: int) -> None:
        """So many accepted commands; refused wishes are passed over."""
        accepted = 0
        for _ in range(actions * 30):
            if accepted == actions:
                return
            accepted += self._move()

    def _move(self) -> bool:
        if self.random.random() < 0.1:
            eyes = self.random.choice(["everyone", "everyone", "gm"])
            asked = wanted("roll", {"count": self.random.randint(1, 3), "purpose": "chance"}, visible_to=eyes)
        else:
            command = (
                self._player.next(self.tape.state)
                if self._player
                else self._wander(self.tape.state, self.random)
            )
            if command is None:
                return False
            asked = Request(command=msgspec.json.encode(command))
        try:
            return not self.ask(asked, typed=self.random.random() < self.by_hand).ignored
        except (RuleViolation, EventLogError):
            return False

    def ask(self, asked: Request, *, typed: bool = False) -> Recorded:
        """Record it; `typed` with faces thrown by hand, as many as are wanted."""
        if not typed:
            return self.do(lambda: self.recorder.record(self.session, asked))
        faces: tuple[int, ...] = ()
        for _ in range(6):
            by_hand = msgspec.structs.replace(asked, dice=faces)
            try:
                return self.do(lambda: self.recorder.record(self.session, by_hand))  # noqa: B023 - called at once
            except RuleViolation as refusal:
                missing = refusal.fields.get("wanted", 0) - refusal.fields.get("given", 0)
                if refusal.code != "dice-count-mismatch" or missing < 1:
                    raise
                faces += tuple(self.random.randint(1, 6) for _ in range(missing))
        return self.ask(asked)

    def slots(self) -> list[int]:
        """Every slot there ever was."""
        events = self.store.envelopes(self.session)
        return sorted({event.slot for event in events if event.slot is not None})

    def correct(self, type: str, **fields: Any) -> Recorded:  # noqa: A002 - the field's own name
        return self.act(type, **fields)

    def any_correction(self) -> dict[str, Any]:
        """A correction that may be refused."""
        numbers, mode = [*self.slots(), self.tape.action], self.random.choice(MODES)
        target = self.random.choice([*numbers, self.random.randint(1, self.tape.action)])
        kind = self.random.choice(["undo", "undo", "redo", "amend", "insert", "last", "through"])
        match kind:
            case "last":
                return {"type": "undo", "mode": mode}
            case "through":
                return {"type": "undo", "target": max(numbers[-5:][0], 1), "through": True}
            case "amend":
                return {"type": "amend", "target": target, "mode": mode, **self._amendment()}
            case "insert":
                return {"type": "insert", "before": target, "mode": mode, "command": self._some_command()}
            case _:
                return {"type": kind, "target": target, "mode": mode}

    def _amendment(self) -> dict[str, Any]:
        """Another command, or the same with no answers, or only other faces."""
        return self.random.choice([{"command": self._some_command()}, {"answers": []}, {}])

    def _some_command(self) -> dict[str, Any]:
        """A command that was given before, or a roll."""
        taken = [
            json.loads(event.data or b"{}")["command"]
            for event in self.store.envelopes(self.session)
            if event.type == "core.action-taken" and event.slot is not None
        ]
        return self.random.choice([*taken, {"type": "roll", "count": 2, "purpose": "chance"}])

    def try_corrections(self, count: int) -> Iterator[tuple[dict[str, Any], Recorded | None]]:
        """Random corrections, each with what came of it (`None` where it was refused)."""
        for _ in range(count):
            command = self.any_correction()
            asked = Request(command=msgspec.json.encode(command))
            by_hand = command["type"] in ("amend", "insert") and self.random.random() < 0.3
            try:
                yield command, self.ask(asked, typed=by_hand)
            except (RuleViolation, EventLogError):
                yield command, None


class Fumbling(Sitting):
    """A table at which answers and typed dice are mistaken as often as deeds, and put right."""

    by_hand = 0.7

    def any_correction(self) -> dict[str, Any]:
        """Any of the others, or one of the last few deeds and answers: other answers, other dice, or out with it."""
        if self.random.random() < 0.3:
            return super().any_correction()
        target = self.random.randint(max(1, self.tape.action - 5), self.tape.action)
        mode = self.random.choice(MODES)
        if self.random.random() < 0.4:
            return {"type": self.random.choice(["undo", "undo", "redo"]), "target": target, "mode": mode}
        return {"type": "amend", "target": target, "mode": mode, **self._amendment()}

    def _amendment(self) -> dict[str, Any]:
        """Answers given before, or for their dice alone, or another command."""
        answers = self._answers()
        if answers and self.random.random() < 0.5:
            several = self.random.sample(answers, min(len(answers), self.random.randint(1, 2)))
            return self.random.choice([{"answers": several}, {"command": several[0]}])
        return super()._amendment()

    def _answers(self) -> list[dict[str, Any]]:
        """What was ever said after the action whose slot it joined."""
        return [
            json.loads(event.data or b"{}")["command"]
            for event in self.store.envelopes(self.session)
            if event.type == "core.action-taken" and event.slot not in (None, event.action)
        ]
