"""Every code is explained, every explanation is of a code, and docs/errors.md says the same."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from serving import Server, Table, problem

from api import faults, problems
from api.explanations import errors_page, explanations, sections
from eventlog import errors
from eventlog.history import errors as history_errors
from rulesets import errors as ruleset_errors

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[a-z]+(-[a-z]+)+")


def of_classes(module: ModuleType) -> Iterator[str]:
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, Exception) and kind.__module__ == module.__name__ and hasattr(kind, "code"):
            yield kind.code


def of_violations() -> Iterator[str]:
    """First arguments of `RuleViolation(…)`, and every code-like word where rules are refused."""
    for package in ("api", "eventlog", "projections", "rulesets"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RuleViolation":
                    yield from (each.value for each in node.args[:1] if isinstance(each, ast.Constant))
                elif "refusals" in path.parts and isinstance(node, ast.Constant):
                    yield from (
                        each for each in [node.value] if isinstance(each, str) and CODE.fullmatch(each)
                    )


def all_codes() -> set[str]:
    framework = {code for code, _ in problems.ANSWERED.values()} | {
        "server-error",
        "malformed-parameter",
        "bad-request",
    }
    return {
        *of_classes(faults),
        *of_classes(errors),
        *of_classes(history_errors),
        *of_classes(ruleset_errors),
        *problems.CODES.values(),
        *of_violations(),
        *framework,
    }


def test_every_code_is_explained() -> None:
    assert all_codes() - set(explanations()) == set()


def test_nothing_is_explained_that_is_no_code() -> None:
    assert set(explanations()) - all_codes() == set()


def test_a_code_is_explained_once() -> None:
    assert len(explanations()) == sum(map(len, sections().values()))


def test_every_fault_of_the_log_has_a_status() -> None:
    found = inspect.getmembers(errors, inspect.isclass) + inspect.getmembers(history_errors, inspect.isclass)
    for _, kind in found:
        if issubclass(kind, errors.EventLogError):
            status, document = problems.problem_of(kind("words", seq=3))
            assert 400 <= status <= 599
            assert (document["code"], document["seq"]) == (kind.code, 3)


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == errors_page()


def test_a_game_tells_what_its_refusals_mean(server: Server) -> None:
    """A game of somebody else's, too, which has no place on the page of ours."""
    told = {
        slug: server.ask("GET", f"/rulesets/{slug}").json()["refusals"] for slug in ("duel", "anima-prime")
    }
    assert told["duel"]["unknown-duellist"] == "There is no duellist of that id, as far as you may know."
    assert told["anima-prime"] == sections()["Anima Prime"]
    assert "The Duel" not in sections()


def test_a_fault_of_the_server_says_nothing_of_itself() -> None:
    status, document = problems.problem_of(KeyError("a secret seed"))
    assert (status, document["code"]) == (500, "server-error")
    assert "secret" not in str(document)


def test_a_field_never_replaces_the_words_of_the_problem(table: Table) -> None:
    _, document = problems.problem_of(errors.Busy("wait", code="other", status=1, title="no"))
    assert (document["code"], document["status"], document["title"]) == ("busy", 409, "Busy")
    assert problem(table.act({"type": "reveal", "duellist": "x"}), 422, "unknown-duellist")["duellist"] == "x"
