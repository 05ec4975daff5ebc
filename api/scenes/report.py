"""What went wrong in a scene, and what happened until then, as plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.scenes.differences import Difference
from api.scenes.running import Failure
from api.scenes.steps import Scene
from projections.entries import Entry


def headline(scene: Scene, failure: Failure) -> str:
    """The file, the line, the step, and what is wrong, in one sentence."""
    place = scene.path if failure.step.line is None else f"{scene.path}:{failure.step.line}"
    return f"{place}: step {failure.step.number}: {failure.message}"


def difference_lines(found: Sequence[Difference]) -> Iterator[str]:
    """What was expected beside what was found, one place a line, in columns."""
    if not found:
        return
    path = max(len(each.path) for each in found)
    expected = max(len("expected"), *(len(each.expected) for each in found))
    yield f"  {'':{path}}   {'expected':{expected}}   found"
    for each in found:
        yield f"  {each.path:{path}}   {each.expected:{expected}}   {each.found}"


def timeline_lines(timeline: Sequence[Entry]) -> Iterator[str]:
    """What happened, one action a line, with what sets it apart and the words that went with it."""
    width = max((len(str(entry.number)) for entry in timeline), default=1)
    for entry in timeline:
        yield f"  {entry.number:{width}}  {entry.line}{marked(entry)}"
        for note in entry.notes:
            yield from (f"  {'':{width}}    “{line}”" for line in note.text.splitlines())


def marked(entry: Entry) -> str:
    """What sets an action apart, in brackets. That its dice were typed in goes without saying in a scene."""
    marks = [mark for mark in entry.marks if mark != "table-dice"]
    if entry.status == "undone":
        marks.append(f"undone by {entry.changed_by[-1]}" if entry.changed_by else "undone")
    elif entry.changed_by:
        marks.append(f"changed by {', '.join(map(str, entry.changed_by))}")
    return f"  [{', '.join(marks)}]" if marks else ""
