"""Canonical JSON: one spelling for one value, so that a hash means something.

Sorted keys, no spaces, UTF-8, strings, booleans, null and integers below 2⁵³. It is what
`json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)` writes.
"""

from __future__ import annotations

from typing import Any

import msgspec

LARGEST_INTEGER = 2**53 - 1

encode = msgspec.json.Encoder(order="sorted").encode
"""A value in canonical JSON, as bytes."""


def canonical_copy(raw: bytes) -> bytes:
    """The canonical spelling of a JSON text. Raises `ValueError` for a number no event may hold."""
    value = msgspec.json.decode(raw)
    refuse_numbers(value)
    return encode(value)


def refuse_numbers(value: Any) -> None:
    """Raise `ValueError` where a value holds a fraction or an integer of 2⁵³ or more."""
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > LARGEST_INTEGER):
        raise ValueError(f"{value!r} is not a whole number below 2^53")
    if isinstance(value, dict):
        for part in value.values():
            refuse_numbers(part)
    elif isinstance(value, list):
        for part in value:
            refuse_numbers(part)
