"""What a table may decide for itself before the first blow."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Parameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of the duel; the defaults are the recommended readings."""

    attack_cost: Annotated[
        int, msgspec.Meta(ge=0, le=20, description="Stamina an attack costs, in half points")
    ] = 1
    dodge_cost: Annotated[
        int, msgspec.Meta(ge=0, le=20, description="Stamina a dodge costs, in half points")
    ] = 2
    interpose_cost: Annotated[
        int, msgspec.Meta(ge=0, le=20, description="Stamina it costs to step between, in half points")
    ] = 3
    dodge_target: Annotated[
        int, msgspec.Meta(ge=3, le=18, description="A dodge succeeds on this or less")
    ] = 10
    dagger_damage: Annotated[int, msgspec.Meta(ge=0, le=20, description="What a drawn dagger adds")] = 2
    low_blows_count: Annotated[bool, msgspec.Meta(description="The ruling recommended on a low blow")] = True
