"""What every command has in common."""

from __future__ import annotations

import msgspec


class Asked(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """Something asked for at the table, named by its `type`; a field nobody knows is refused."""
