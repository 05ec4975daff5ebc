"""A log whose rules the installed ruleset has forgotten is read for ever; only its last action can be undone."""

from collections.abc import Iterator

import pytest
from dueling import Table
from test_history_outcomes import dagger

from eventlog import commands
from eventlog.verification import verify
from projections.table import choices_for, state_document
from projections.timeline import timeline
from rulesets.contract import Rules
from rulesets.errors import RulesNotDecided
from rulesets.people import GM


@pytest.fixture
def forgotten(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """An evening with corrections, and then the package decides other rules only."""
    dagger(table)
    table.act("undo", target=4, mode="rebase")
    table.act("conceal_dagger", duellist="ada")

    def only_newer(slug: str, number: int) -> Rules:
        raise RulesNotDecided(slug, number)

    for module in (
        "eventlog.commands", "eventlog.decision", "eventlog.history.recording", "eventlog.history.permission",
        "eventlog.verification.walking", "eventlog.verification.decided_again", "projections.table",
        "projections.reading", "projections.foretold",
    ):  # fmt: skip
        monkeypatch.setattr(f"{module}.rules_of", only_newer)
    commands._decoder.cache_clear()
    table.recorder.forget(table.session)
    yield table
    commands._decoder.cache_clear()


def test_it_is_read_like_any_other(forgotten: Table) -> None:
    assert forgotten.state.duellists["ben"].hp == 2
    assert len(timeline(forgotten.store, forgotten.session, GM).actions) == 11
    assert state_document(forgotten.tape, GM).state
    assert choices_for(forgotten.tape, GM) == ()
    found = verify(forgotten.store, forgotten.session)
    assert found.ok
    assert any("not checked" in note for note in found.notes)


def test_its_last_action_is_undone_and_then_the_one_before(forgotten: Table) -> None:
    forgotten.act("undo")
    assert forgotten.state.duellists["ada"].dagger == "none"
    forgotten.act("undo")
    assert forgotten.state.duellists["ben"].hp == 6
    forgotten.act("note", text="and that is all")


@pytest.mark.parametrize(
    "kind, fields",
    [
        ("undo", {"target": 6}),
        ("undo", {"target": 6, "mode": "cascade"}),
        ("redo", {"target": 4, "mode": "rebase"}),
        ("amend", {"target": 8, "command": {"type": "end_turn"}}),
        ("insert", {"before": 8, "command": {"type": "end_turn"}}),
        ("end_turn", {}),
    ],
)
def test_anything_else_would_have_to_be_decided_and_says_so(
    forgotten: Table, kind: str, fields: dict[str, object]
) -> None:
    before = forgotten.log()
    with pytest.raises(RulesNotDecided, match="its last action undone, and no more"):
        forgotten.act(kind, **fields)
    assert forgotten.log() == before
