"""Codes that a refusal has in every game alike; what the others mean, each ruleset says in `Rules.explanations`."""

from __future__ import annotations

from collections.abc import Mapping

EVERY_GAME: Mapping[str, str] = {
    "dice-count-mismatch": "The faces do not fit what is thrown: `wanted`, `given`, and how many of each origin.",
    "face-out-of-range": "A die cannot show that face.",
    "question-open": "Something waits for an answer first; `awaited` names whose.",
}
"""What they mean and what to do about them."""

THE_RECORDERS = frozenset({"not-allowed", "pool-below-zero"})
"""Codes that rules may use as the recorder does, which explains them."""
