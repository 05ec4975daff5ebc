"""The contract, checked: run a ruleset through plays and hear of everything that breaks its word."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets.contract import Command, Ruleset
from rulesets.testing import at_the_table, declared, halves, hidden, histories, refused, throws
from rulesets.testing.plays import Example, Play, Subject, Wander, run_example, run_random
from rulesets.testing.steps import Step

CHECKS: Mapping[str, Callable[[Subject], Iterator[str]]] = {
    "plays": histories.plays,
    "names": declared.names,
    "structs": declared.structs,
    "no-floats": declared.no_floats,
    "parameters": declared.parameters,
    "upcasters": declared.upcasters,
    "by-hand": declared.by_hand,
    "round-trips": histories.round_trips,
    "tables-survive": histories.tables_survive,
    "folding-is-pure": histories.folding_is_pure,
    "deciding-is-pure": histories.deciding_is_pure,
    "unknown-facts": histories.unknown_facts,
    "tallies": histories.tallies,
    "rolls-are-told": throws.rolls_are_told,
    "anything-anywhere": throws.anything_anywhere,
    "odds": throws.odds,
    "explanations": refused.explanations,
    "audiences": hidden.audiences,
    "hidden-things-stay-hidden": hidden.hidden_things_stay_hidden,
    "hidden-ids-are-unknown": hidden.hidden_ids_are_unknown,
    "views": at_the_table.views,
    "lines": at_the_table.lines,
    "questions": at_the_table.questions,
    "recommended-answers": at_the_table.recommended_answers,
    "choices": at_the_table.choices,
    "record-stands-alone": halves.record_stands_alone,
}
"""Every clause of the contract that can be checked, by name, with the function that finds its breaches."""

MOST_FAULTS = 5
"""How many breaches of one clause are told; the rest are most likely the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One way in which a ruleset breaks its contract: the clause, and what was seen."""

    check: str
    text: str


class ContractBroken(AssertionError):
    """A ruleset breaks its contract; `faults` says where."""

    def __init__(self, slug: str, faults: Sequence[Fault]) -> None:
        super().__init__(
            "\n".join([f"{slug} breaks its contract:", *(f"- {each.check}: {each.text}" for each in faults)])
        )
        self.faults = tuple(faults)


def check_ruleset(  # noqa: PLR0913 - what to check, and how hard to look
    ruleset: Ruleset[Any],
    examples: Iterable[Example | Sequence[Command | Step]],
    *,
    wander: Wander | None = None,
    seeds: Iterable[int] = range(3),
    where: str | None = None,
    only: Collection[str] = tuple(CHECKS),
) -> None:
    """Check everything the contract asks of a ruleset. Raises `ContractBroken`, naming every fault.

    `examples` are plays that show the game; what they never show is not checked. `wander` goes on at random from
    somewhere in one of them, for each of `seeds`, for sixty commands. `where` is `module:NAME` of the
    ruleset when it has no entry point. `only` names the checks to run, of `CHECKS`.
    """
    scripted = [each if isinstance(each, Example) else Example(steps=tuple(each)) for each in examples]
    faults, plays = list[Fault](), list[Play]()
    try:
        plays += [run_example(ruleset, each) for each in scripted]
        if wander is not None:
            plays += [run_random(ruleset, tuple(plays), wander, seed, 60) for seed in seeds]
    except Exception as error:  # noqa: BLE001 - whatever a ruleset raises is its fault and must be told
        faults.append(Fault(check="plays", text=f"there is no table to begin with: {error!r}"))
    rules = ruleset.rules[ruleset.current]()
    subject = Subject(ruleset=ruleset, rules=rules, plays=tuple(plays), where=where)
    faults += [fault for name in only for fault in _faults(name, subject)]
    if faults:
        raise ContractBroken(ruleset.slug, faults)


def _faults(name: str, subject: Subject) -> list[Fault]:
    """The breaches of one clause, each told once."""
    found: dict[str, None] = {}
    try:
        for text in CHECKS[name](subject):
            found[text] = None
            if len(found) == MOST_FAULTS:
                break
    except Exception as error:  # noqa: BLE001 - whatever a ruleset raises is its fault and must be told
        found[f"raised {error!r}"] = None
    return [Fault(check=name, text=text) for text in found]
