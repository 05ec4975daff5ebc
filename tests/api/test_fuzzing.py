"""Requests made at random from the description: none breaks the server, every answer is as described."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import ADMIN_KEY, Server, Table, open_table, seated

from api.app import create_app
from api.openapi.document import operations
from api.settings import ServerSettings

EXAMPLES = 40
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
ENDS_THE_SESSION = frozenset({"close", "remove_session"})
"""Played on sessions of their own, since nothing can be tried on a session after them."""


def described() -> dict[str, Any]:
    server = Server()
    try:
        document: dict[str, Any] = server.ask("GET", "/schema/openapi.json").json()
        return document
    finally:
        server.close()


DOCUMENT = described()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = {each.ok().definition.raw["operationId"]: each.ok() for each in SCHEMA.get_all_operations()}


TRIALS = [
    (name, mode)
    for name, operation in sorted(OPERATIONS.items())
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    if mode is GenerationMode.POSITIVE or operation.body or operation.query or operation.headers
]
"""Every operation as described, and wrongly where there is something to get wrong."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server(admin_key=ADMIN_KEY)
    yield server
    server.close()


@pytest.fixture(scope="module")
def tables(server: Server) -> list[Table]:
    """A duel that has begun and a conflict of Anima Prime."""
    anima = open_table(server, "anima-prime")
    for name, side in (("zadie", "pcs"), ("bull", "adversity")):
        kind = "pc" if side == "pcs" else "individual"
        sheet = {"id": name, "side": side, "kind": kind, "action": 6, "defense": 2, "max_wounds": 3}
        anima.done({"type": "add_character", **sheet})
    anima.done({"type": "start_conflict", "first": "pcs"})
    return [seated(server), anima]


def test_every_operation_is_tried() -> None:
    assert set(OPERATIONS) == {each["operationId"] for each in operations(DOCUMENT)}


@pytest.mark.parametrize("name,mode", TRIALS, ids=[f"{name}-{mode.value}" for name, mode in TRIALS])
def test_no_request_breaks_the_server(
    server: Server, tables: list[Table], name: str, mode: GenerationMode
) -> None:
    operation = OPERATIONS[name]
    tried: list[int] = []

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def try_it(case: Any) -> None:
        table = tables[len(tried) % len(tables)]
        if name in ENDS_THE_SESSION:
            table = open_table(server, "anima-prime")
        if "session" in case.path_parameters and len(tried) % 4:
            case.path_parameters["session"] = table.id
        token = ADMIN_KEY if len(tried) % 3 == 0 else table.tokens["gm"]
        sent = case.as_transport_kwargs(base_url="http://localhost")
        steering = dict(sent["headers"]) if len(tried) % 2 else {}
        sent["headers"] = {**steering, **_media_type(sent), "Authorization": f"Bearer {token}"}
        answer = server.do(lambda: server.client.request(**_for_httpx(sent)))
        tried.append(answer.status_code)
        case.validate_response(answer, checks=CHECKS)

    try_it()
    assert tried
    assert max(tried) < 500
    if name == "take_action" and mode is GenerationMode.POSITIVE:
        assert {201, 422} <= set(tried)


def _media_type(sent: dict[str, Any]) -> dict[str, str]:
    return {name: value for name, value in sent["headers"].items() if name.lower() == "content-type"}


def _for_httpx(sent: dict[str, Any]) -> dict[str, Any]:
    """The arguments of requests, as httpx names them."""
    named = {
        name: sent[name]
        for name in ("method", "url", "headers", "params", "json")
        if sent.get(name) is not None
    }
    if sent.get("data") is not None:
        named["content"] = sent["data"]
    named["headers"] = {name: value for name, value in named["headers"].items() if value is not None}
    return named


def test_the_description_can_be_made_before_the_server_runs() -> None:
    assert create_app(ServerSettings()).openapi_schema.paths
