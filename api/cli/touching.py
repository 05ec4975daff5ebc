"""What a correction touches, as people read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from api.cli.screen import print_line
from api.foresight import Foreseen, Touched

STYLES = {"falls": "red", "undone": "red", "changes": "yellow", "open": "yellow"}

WORDS = {
    "undone": "is undone",
    "redone": "comes back",
    "amended": "is amended",
    "inserted": "is put in",
    "changes": "changes: it goes on otherwise",
    "falls": "falls: it is no longer possible",
    "open": "stays open: it depends on dice that are not thrown yet",
}

SHORTLY = {
    "undone": "undone",
    "redone": "coming back",
    "amended": "amended",
    "inserted": "put in",
    "changes": "changing",
    "falls": "falling",
    "open": "open",
}


def print_foreseen(found: Foreseen) -> None:
    """What a correction would do: to which actions, and to the table."""
    print_touched(found.targets)
    if found.consequences:
        print_line()
        print_line("Later actions it touches", style="bold")
        print_touched(found.consequences)
    elif not touches_others(found):
        print_line("No later action is touched.")
    print_line()
    if found.difference is None:
        print_line("How the table would be is open: dice would be thrown.")
    else:
        print_changes("The table would be otherwise", found.difference.lines)


def touches_others(found: Foreseen) -> bool:
    """Whether anything becomes of what nobody named: a later action, or an answer that loses its place."""
    return bool(found.consequences) or any(map(_takes_along, found.targets))


def refused_in_strict(found: Foreseen) -> bool:
    """Whether the mode `strict` refuses it as it stands."""
    conflicting = (each.outcome in {"changes", "falls", "open"} for each in found.consequences)
    return any(conflicting) or any(map(_takes_along, (*found.targets, *found.consequences)))


def _takes_along(touched: Touched) -> bool:
    """Whether what comes back has no place for answers given since."""
    return bool(touched.dropped) and touched.outcome in {"redone", "changes"}


def print_touched(touched: Sequence[Touched]) -> None:
    """Actions, each with what becomes of it below; of many, the rest in one line."""
    told = [each for each in touched if each.line is not None or each.outcome == "inserted"]
    width = max((len(str(each.action)) for each in told), default=1)
    for each in told:
        print_line(f"  {each.action:{width}}  {each.line or each.becomes or 'What was forgotten'}")
        for words in _outcome(each):
            print_line(f"  {'':{width}}    → {words}", style=STYLES.get(each.outcome, "green"))

    rest = Counter(SHORTLY[each.outcome] for each in touched if each not in told)
    if rest:
        counted = ", ".join(f"{count} {words}" for words, count in rest.items())
        print_line(f"  and {rest.total()} more: {counted} (--json tells which)")


def print_changes(heading: str, lines: Iterable[str]) -> None:
    """What is otherwise on the table."""
    lines = list(lines)
    if not lines:
        print_line("The table stays as it is.")
        return
    print_line(heading, style="bold")
    for line in lines:
        print_line(f"  {line}")


def _outcome(touched: Touched) -> Iterator[str]:
    if touched.message:
        yield f"falls: {touched.message} ({touched.code})"
    else:
        yield WORDS[touched.outcome]
    if touched.becomes and touched.line:
        yield f"now: {touched.becomes}"
    if touched.dropped:
        yield f"loses what was done in it as {', '.join(f'action {each}' for each in touched.dropped)}"
    if touched.replaced:
        yield "recommended answers stand in where none was given, or none fits any more"
    if touched.purpose:
        faces = " ".join("?" if face is None else str(face) for face in touched.dice)
        yield f"dice for {touched.purpose}: {faces} (each ? would be thrown)"
