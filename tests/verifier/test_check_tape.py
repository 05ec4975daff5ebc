"""The script for sceptical players: what holds passes, whatever was done to a copy is found, and it stands alone."""

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import handmade as by_hand
import pytest
from handmade import Said, chained, closed, die, evening, event, forked, header, opened, roll, thrown

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "verifier" / "check_tape.py"
GOLDEN = sorted((ROOT / "fixtures" / "golden").glob("*.jsonl"))

spec = importlib.util.spec_from_file_location("check_tape", SCRIPT)
assert spec is not None
assert spec.loader is not None
check_tape = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_tape)


class Found(NamedTuple):
    code: int
    out: str


Check = Callable[..., Found]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Checks a file, or events written to one: `check(events, "--receipt", …)`."""

    def run(log: Path | Sequence[Said], *options: str, first: Said | None = None) -> Found:
        if not isinstance(log, Path):
            log = by_hand.write(tmp_path / "log.jsonl", first or header(log), log)
        monkeypatch.setattr(sys, "argv", ["check_tape.py", str(log), *options])
        try:
            code = check_tape.main()
        except SystemExit as ended:  # that is how a command line is refused
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return Found(code, shown.out + shown.err)

    return run


def fault(found: Found) -> int:
    """The event a fault was found at."""
    assert found.code == 1, found.out
    words = found.out.split()
    assert words[:3] == ["FAULT", "at", "event"]
    assert len(words) > 5
    return int(words[3].rstrip(":"))


# --- what it is ---------------------------------------------------------------------------------------------


def test_it_is_one_file_of_fewer_than_two_hundred_lines() -> None:
    assert len(SCRIPT.read_text().splitlines()) < 200
    assert [path.name for path in SCRIPT.parent.iterdir() if path.name != "__pycache__"] == [SCRIPT.name]


def test_it_says_how_it_is_used(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What each option is, and how it ends."""
    monkeypatch.setattr(sys, "argv", ["check_tape.py", "--help"])
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        check_tape.main()
    said = capsys.readouterr().out
    assert ended.value.code == 0
    for option, words in (
        ("log", "the copy, as `export` wrote it"),
        ("--receipt SEQ:HASH", "the version and head hash of an answer you kept"),
        ("--seed HEX", "the seed of a session this one was forked from"),
        ("-h, --help", "show this help"),
    ):
        assert any(line.strip().startswith(option) and words in line for line in said.splitlines()), option
    assert "with 1 at the first fault" in said


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.walk(ast.parse(SCRIPT.read_text()))
    named = [node for node in tree if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {name.name for node in named if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module or "" for node in named if isinstance(node, ast.ImportFrom)}
    assert modules <= sys.stdlib_module_names
    assert modules >= {"hashlib", "hmac", "json"}


def test_it_runs_without_anything_installed(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", SCRIPT, GOLDEN[0]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


# --- what holds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_hold(check: Check, path: Path) -> None:
    found = check(path)
    assert found.code == 0
    assert f"{len(path.read_bytes().splitlines()) - 1} events" in found.out


def test_a_log_written_by_independent_code_holds_and_every_die_is_thrown_again(check: Check) -> None:
    found = check(chained(evening()))
    assert found.code == 0
    assert found.out.splitlines() == [
        f"Checked: 11 events; each follows from the one before, up to the head {chained(evening())[-1]['hash']}.",
        "Not checked: what 0 hidden events say, and 0 whose words are gone.",
        f"Checked: 7 server dice, each thrown again from the seed promised as {by_hand.PROMISE_A};",
        "not checked: 0 dice whose seed is not out, 2 typed in by people.",
    ]


def test_while_the_seed_is_secret_the_dice_wait(check: Check) -> None:
    found = check(chained(evening()[:-2]))
    assert found.code == 0
    assert "Checked: 0 server dice" in found.out
    assert "not checked: 7 dice whose seed is not out, 2 typed" in found.out


def test_what_is_hidden_keeps_the_chain_and_may_hide_a_roll(check: Check) -> None:
    events = evening()
    events[3]["hidden"] = events[4]["hidden"] = True
    found = check(chained(events))
    assert found.code == 0
    assert "what 2 hidden events say" in found.out
    assert "Checked: 5 server dice" in found.out


def test_removed_words_that_were_recorded_as_removed_hold(check: Check) -> None:
    note = {**event("core.note-added", {"text": "a real name"}, action=5), "gone": True}
    events = [*evening()[:-2], note, event("core.text-redacted", {"seq": 10}, action=6)]
    found = check(chained(events))
    assert (found.code, "1 whose words are gone" in found.out) == (0, True)


def test_a_receipt_that_was_kept_fits(check: Check) -> None:
    events = chained(evening())
    receipts = [f"--receipt={each['seq']}:{each['hash']}" for each in events]
    assert check(events, *receipts).code == 0


def test_a_revised_roll_throws_the_dice_of_its_addresses_again(check: Check) -> None:
    revised = thrown(3, 2, die(4, address="2.2"), die(2, address="1.3"), slot=2, revision=2)
    events = [*evening()[:5], *revised, *closed(4)]
    assert check(chained(events)).code == 0


def test_a_redrawn_roll_throws_the_dice_of_an_emptied_slot_again(check: Check) -> None:
    again = thrown(3, 2, die(1), die(4))
    again[0]["data"]["redraws"] = 2
    assert check(chained([*evening()[:5], *again, *closed(4)])).code == 0


def test_a_die_added_to_a_roll_of_an_earlier_seed_takes_a_number_of_its_own(check: Check) -> None:
    taken_in = event("core.session-imported", {"dice_commitment": by_hand.PROMISE_C}, action=3)
    revised = thrown(4, 2, die(1), die(4), die(1, address="3.1"), die(5, address="4.1"), slot=2, revision=2)
    events = [*evening()[:5], taken_in, *revised, *closed(5, by_hand.SEED_C)]
    assert "Checked: 2 server dice" in check(chained(events)).out


def test_typed_faces_come_back_in_a_revision(check: Check) -> None:
    events = [
        opened(),
        *thrown(1, 1, die(6), source="table"),
        *thrown(2, 1, die(6), source="table", slot=1, revision=2),
    ]
    assert check(chained(events)).code == 0


def test_a_revised_roll_takes_new_dice_at_the_next_places_of_its_roll(check: Check) -> None:
    events = [
        opened(),
        *thrown(1, 1, die(3), die(2)),
        *thrown(2, 1, die(2), die(2, address="1.3"), slot=1, revision=2),
    ]
    events[-1]["data"]["roll"]["dice"][0]["address"] = "1.2"
    assert check(chained([*events, *closed(3)])).code == 0


# --- sessions that go on from others ------------------------------------------------------------------------


def fork() -> list[Said]:
    """Rolls 1 and 2 of the parent, then rolls 3 and 4 of the fork."""
    own = [*thrown(4, 3, die(3), die(2)), *thrown(5, 4, die(2)), *closed(6, by_hand.SEED_B)]
    return [*evening()[:5], forked(2, 3), *({**each, "session": "hedge"} for each in own)]


def test_the_dice_of_a_fork_follow_its_own_id_and_seed(check: Check) -> None:
    events = chained(fork())
    found = check(events, first=header(events, "hedge"))
    assert found.code == 0
    assert (
        f"Checked: 3 server dice, each thrown again from the seed promised as {by_hand.PROMISE_B}"
        in found.out
    )
    assert "not checked: 6 dice whose seed is not out, 0 typed" in found.out


def test_the_dice_before_a_fork_are_thrown_again_with_the_seed_of_the_parent(check: Check) -> None:
    events = chained(fork())
    found = check(events, "--seed", by_hand.SEED_A, first=header(events, "hedge"))
    assert found.code == 0
    assert "Checked: 6 server dice" in found.out


def test_a_fork_whose_copy_names_itself_throughout_holds(check: Check) -> None:
    events = chained([{**each, "session": "hedge"} for each in fork()])
    assert check(events, first=header(events, "hedge")).code == 0


def test_a_sequel_goes_on_from_a_closed_session(check: Check) -> None:
    own = [forked(5, 5, kind="sequel"), *thrown(7, 5, die(1), source="table")]
    events = chained([*evening(), *({**each, "session": "hedge"} for each in own)])
    found = check(events, first=header(events, "hedge"))
    assert (found.code, "Checked: 7 server dice" in found.out) == (0, True)


@pytest.mark.parametrize("gone,code", [(4, 0), (6, 1)], ids=["shared", "its own"])
def test_shared_words_may_have_been_removed_in_the_parent(check: Check, gone: int, code: int) -> None:
    note = {**event("core.note-added", {"text": "a real name"}, action=2), "gone": True}
    events = [*evening()[:5], forked(2, 3, version=5)]
    events.insert(gone, note if gone < 5 else {**note, "action": 3, "session": "hedge"})
    found = check(chained(events), first=header(chained(events), "hedge"))
    assert found.code == code


def test_a_wrong_die_of_a_fork_is_found(check: Check) -> None:
    forged = fork()
    forged[7]["data"] = roll(3, die(3), die(3))
    events = chained(forged)
    assert fault(check(events, first=header(events, "hedge"))) == 8


def test_a_fork_cannot_claim_rolls_of_its_parent(check: Check) -> None:
    forged = fork()
    forged[5] = forked(2, 2)
    events = chained(forged)
    assert fault(check(events, first=header(events, "hedge"))) == 6


def test_an_imported_log_goes_on_under_a_new_promise(check: Check) -> None:
    taken_in = event("core.session-imported", {"dice_commitment": by_hand.PROMISE_C}, action=3)
    own = [taken_in, *thrown(4, 3, die(1), die(3)), *thrown(5, 4, die(5)), *closed(6, by_hand.SEED_C)]
    found = check(chained([*evening()[:5], *own]))
    assert found.code == 0
    assert (
        f"Checked: 3 server dice, each thrown again from the seed promised as {by_hand.PROMISE_C}"
        in found.out
    )
    assert "not checked: 6 dice whose seed is not out, 0 typed" in found.out


def test_a_seed_nobody_promised_is_refused(check: Check) -> None:
    """Whoever named the wrong seed is told so, and no event is blamed."""
    found = check(chained(evening()), "--seed", by_hand.SEED_C)
    assert (found.code, "FAULT" in found.out) == (2, False)
    assert "the seed is not the one promised before its dice" in found.out
    forged = chained([*evening()[:-1], closed(6, by_hand.SEED_C)[1]])
    assert fault(check(forged)) == 11


# --- a copy that was changed --------------------------------------------------------------------------------


def spoilt(events: list[Said], seq: int, said: Said) -> list[Said]:
    return [{**each, **said} if each["seq"] == seq else each for each in events]


@pytest.mark.parametrize(
    "said",
    [
        {"data": roll(1, die(6), die(2), die(2), die(1))}, {"data": {}}, {"data": None}, {"salt": "00" * 16},
        {"at": "2026-11-30T20:00:01.500000Z"}, {"by": {"role": "player", "name": "zadie"}}, {"action": 2},
        {"slot": None}, {"revision": 2}, {"type": "game.dice-thrown"}, {"v": 2}, {"audience": ["gm"]},
        {"hash": "0" * 64}, {"session": "elsewhere"}, {"seq": 4}, {"seq": None},
    ],
)  # fmt: skip
def test_a_change_in_any_part_of_an_event_is_found_there(check: Check, said: Said) -> None:
    events = chained(evening())
    assert fault(check(spoilt(events, 3, said), first=header(events))) == 3


@pytest.mark.parametrize("seq", range(1, 11))
def test_a_removed_event_is_found_at_its_place(check: Check, seq: int) -> None:
    events = chained(evening())
    assert fault(check([*events[: seq - 1], *events[seq:]], first=header(events))) == seq


def test_exchanged_events_are_found_at_the_first(check: Check) -> None:
    events = chained(evening())
    assert fault(check([*events[:3], events[4], events[3], *events[5:]], first=header(events))) == 4


def test_an_event_pushed_in_between_is_found(check: Check) -> None:
    events = chained(evening())
    assert fault(check([*events[:3], events[2], *events[3:]], first=header(events))) == 4


def test_a_cut_off_end_is_found(check: Check) -> None:
    events = chained(evening())
    assert fault(check(events[:6], first=header(events))) == 6


def test_a_digest_of_a_hidden_event_cannot_be_exchanged(check: Check) -> None:
    events = evening()
    events[3]["hidden"] = events[4]["hidden"] = True
    made = chained(events)
    assert fault(check(spoilt(made, 4, {"digest": "0" * 64}), first=header(made))) == 4


def test_a_line_that_cannot_be_read_is_found_at_its_place(check: Check, tmp_path: Path) -> None:
    events = chained(evening())
    path = by_hand.write(tmp_path / "log.jsonl", header(events), events)
    lines = path.read_bytes().splitlines(keepends=True)
    for broken in (b"{\n", b"[]\n", b"\xff\xfe\n", lines[4].replace(b'"v": 1', b'"v": 1.0'),
                   lines[4].replace(b'"v": 1', b'"v": 1, "v": 1')):  # fmt: skip
        path.write_bytes(b"".join([*lines[:4], broken, *lines[5:]]))
        assert fault(check(path)) == 4


# --- a log that was written anew, its chain with it ---------------------------------------------------------


def with_events(*events: Said | list[Said]) -> list[Said]:
    flat: list[Said] = [opened()]
    for each in events:
        flat += each if isinstance(each, list) else [each]
    return flat


FORGED = {
    "a face its seed does not give": (evening()[:3] + thrown(2, 2, die(1), die(5)) + closed(3), 5),
    "a seed that was not promised": (evening()[:3] + closed(2, by_hand.SEED_B), 5),
    "a roll left out": (evening()[:3] + thrown(2, 3, die(4, 20)), 5),
    "a roll thrown twice": (evening()[:3] + thrown(2, 1, die(3)), 5),
    "a roll with number 0": (with_events(thrown(1, 0, die(3))), 3),
    "a second face at an address": (evening()[:3] + thrown(2, 1, die(6), slot=1, revision=2), 5),
    "another number of sides at an address": (evening()[:3] + thrown(2, 1, die(3, 8), slot=1, revision=2), 5),
    "one die twice in a roll": (evening()[:3] + thrown(2, 2, die(3), die(3, address="2.1")), 5),
    "a die of a roll to come": (evening()[:3] + thrown(2, 2, die(3), die(3, address="4.1")), 5),
    "a die picked from further on": (evening()[:3] + thrown(2, 2, die(1), die(4, address="1.9")), 5),
    "an address that is none": (evening()[:3] + thrown(2, 2, die(1, address="1")), 5),
    "more than the sides allow": (with_events(thrown(1, 1, die(7))), 3),
    "less than one": (with_events(thrown(1, 1, die(0))), 3),
    "a server die that became a typed one": ([*evening()[:3], *thrown(2, 1, die(6), source="table", slot=1, revision=2)], 5),
    "a die that is said to be typed in": ([*evening()[:3], *thrown(2, 2, die(6))[:1], *thrown(2, 2, die(6), source="table")[1:]], 5),
    "an old die in a new roll": ([*evening()[:3], *thrown(2, 2, die(1), die(3, address="1.1"))], 5),
    "a face beyond the sides, typed in": (with_events(thrown(1, 1, die(7), source="table")), 3),
    "something after the close": (evening() + thrown(6, 5, die(1), source="table"), 12),
    "something hidden after the close": ([*evening(), {**event("x.y", {}, action=6), "hidden": True}], 12),
    "a second opening": ([*evening()[:3], event("core.session-opened", opened()["data"], action=2)], 4),
    "another beginning": (evening()[1:], 1),
    "a hidden opening": ([{**opened(), "hidden": True}, *evening()[1:]], 1),
    "an action left out": (with_events(thrown(2, 1, die(3))), 2),
    "an action that goes back": (evening()[:5] + thrown(1, 3, die(4, 20)), 6),
    "a place not made yet": (with_events(event("game.hit", {}, action=1, slot=2)), 2),
    "time that runs backwards": (
        with_events({**event("game.hit", {}, action=1), "at": "2026-11-30T19:59:59.000000Z"}), 2),
    "words gone that nobody removed": ([*evening()[:3], {**event("core.note-added", {}, action=2), "gone": True}], 4),
    "an opening that promises nothing": ([event("core.session-opened", {}, action=0)], 1),
    "a roll that is none": (with_events(event("game.hit", {"roll": 3}, action=1)), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_chain_made_anew_does_not_hide(check: Check, name: str) -> None:
    events, seq = FORGED[name]
    assert fault(check(chained(events))) == seq


def test_nothing_may_be_hidden_in_a_complete_copy(check: Check) -> None:
    events = evening()
    events[3]["hidden"] = True
    made = chained(events)
    assert fault(check(made, first=header(made, copy="complete"))) == 4


def test_a_header_of_another_session_is_found(check: Check) -> None:
    events = chained(evening())
    assert fault(check(events, first=header(events, "hedge"))) == 1


def test_a_receipt_shows_a_log_that_was_rewritten_whole(check: Check) -> None:
    kept = chained(evening())[5]
    forged = evening()
    forged[2]["data"] = roll(1, die(6), die(2), die(2), die(1))
    assert check(chained(forged[:-2])).code == 0, "nothing but a receipt or the seed can tell"
    assert fault(check(chained(forged[:-2]), f"--receipt=6:{kept['hash']}")) == 6


def test_a_receipt_shows_that_the_end_was_cut_off(check: Check) -> None:
    events = chained(evening())
    assert fault(check(events[:6], f"--receipt=9:{events[8]['hash']}")) == 6


# --- what is no copy ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "\n", "{}", "hello", '{"tabletape": 2}', "[1]"])
def test_a_file_that_is_no_copy_is_not_judged(check: Check, tmp_path: Path, text: str) -> None:
    (tmp_path / "log.jsonl").write_text(text)
    found = check(tmp_path / "log.jsonl")
    assert (found.code, "unpack" in found.out) == (2, False)
    if text in {"", "\n", "{}", '{"tabletape": 2}'}:
        assert found.out.endswith("is not checked: it is no copy of a log, or one of a newer form\n")


def test_a_file_that_is_not_there_is_not_judged(check: Check, tmp_path: Path) -> None:
    assert check(tmp_path / "nowhere.jsonl").code == 2


@pytest.mark.parametrize(
    "option",
    [
        *(f"--receipt={each}" for each in ("7", "abc", "x:y", ":", "7:ab:c", "7:ab", "")),
        "--seed=zz",
        "--seed=0",
    ],
)
def test_an_option_that_cannot_be_read_is_no_fault_of_the_log(check: Check, option: str) -> None:
    found = check(chained(evening()), option)
    assert (found.code, "FAULT" in found.out) == (2, False)
    assert found.out.endswith(
        "a receipt is SEQ:HASH, a seed is HEX, and both of these are 64 digits 0-9 a-f\n"
    )


def test_a_header_without_events_is_found_wanting(check: Check) -> None:
    assert fault(check([])) == 1


def test_a_change_of_any_event_of_a_real_evening_is_found_there(check: Check, tmp_path: Path) -> None:
    golden = GOLDEN[-1].read_bytes().splitlines(keepends=True)
    for number in range(1, len(golden)):
        said = json.loads(golden[number])
        said["data"]["x"] = 1
        path = tmp_path / "log.jsonl"
        path.write_bytes(
            b"".join([*golden[:number], json.dumps(said).encode() + b"\n", *golden[number + 1 :]])
        )
        assert fault(check(path)) == number
