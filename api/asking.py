"""What bodies that ask for something have in common: commands, faces, and how a correction is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from eventlog.corrections import MOST_ANSWERS, MOST_DICE, Mode, Otherwise
from rulesets.writing import END

Command = Annotated[
    msgspec.Raw,
    msgspec.Meta(
        description="A command of the session's ruleset, or one of the recorder's own, named by its `type`",
        extra_json_schema={"$ref": "#/components/schemas/Command"},
    ),
]
Code = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]{0,59}" + END, description="A refusal's code")]
TypedFace = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
ActionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1, description="The number of an action")]

ModeOf = Annotated[
    Mode,
    msgspec.Meta(
        description="What becomes of later actions it touches: `strict` refuses, `rebase` takes them along in "
        "changed form and empties what is no longer legal, `cascade` empties them all"
    ),
]
Looking = Annotated[
    bool, msgspec.Meta(description="Only tell what it would do: nothing is drawn and nothing recorded")
]


class With(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a later action goes on with where the correction changes it: other answers, faces it lacks."""

    action: ActionNumber
    answers: Annotated[tuple[Command, ...], msgspec.Meta(max_length=MOST_ANSWERS)] | None = None
    dice: Annotated[tuple[TypedFace, ...], msgspec.Meta(max_length=MOST_DICE)] | None = None


Withs = Annotated[tuple[With, ...], msgspec.Meta(max_length=100)]


def read_withs(withs: Sequence[With]) -> tuple[Otherwise, ...]:
    """The same as the log takes it."""
    return tuple(
        Otherwise(
            action=each.action,
            answers=None if each.answers is None else tuple(map(msgspec.Raw, each.answers)),
            dice=each.dice,
        )
        for each in withs
    )
