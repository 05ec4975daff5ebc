"""The OpenAPI description: whole, exact, and with examples that hold."""

import json
import re
from typing import Any

import httpx
import jsonschema_rs
import pytest
from serving import ROUTES, Server, Table, call, seated

from api.openapi.document import operations
from api.openapi.examples import ANSWERS, REQUESTS
from rulesets.installed import installed

REFUSED = {"schema": {"$ref": "#/components/schemas/Problem"}}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    server = Server()
    try:
        answer = server.ask("GET", "/schema/openapi.json")
        assert answer.headers["content-type"].startswith("application/vnd.oai.openapi+json")
        described: dict[str, Any] = answer.json()
        return described
    finally:
        server.close()


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Any:
    return jsonschema_rs.validator_for({**schema, "components": document["components"]})


def test_it_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == "Tabletape"


def test_every_route_is_described(document: dict[str, Any]) -> None:
    described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    assert described == {
        (route.method, route.path) for route in ROUTES if not route.path.startswith("/schema")
    }


def test_every_operation_has_words_and_says_how_it_refuses(document: dict[str, Any]) -> None:
    for operation in operations(document):
        assert len(operation["description"]) > 10, operation["operationId"]
        assert operation["summary"]
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Refused"}


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(document["components"]["schemas"])


def test_every_command_of_every_ruleset_is_one_of_its_slug(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert {each["$ref"].rpartition("/")[2] for each in schemas["Command"]["anyOf"]} == {"core", *installed()}
    for slug, ruleset in installed().items():
        commands = ruleset.rules[ruleset.current]().commands
        assert len(schemas[slug]["oneOf"]) == len(commands)
        tags = {str(command.__struct_config__.tag) for command in commands}
        assert set(schemas[slug]["discriminator"]["mapping"]) == tags


@pytest.mark.parametrize("name", sorted(REQUESTS))
def test_an_example_of_a_request_fits_its_schema(document: dict[str, Any], name: str) -> None:
    operation = next(each for each in operations(document) if each["operationId"] == name)
    content = operation["requestBody"]["content"]["application/json"]
    assert content["examples"]
    for example in content["examples"].values():
        validator(document, content["schema"]).validate(example["value"])
        with pytest.raises(jsonschema_rs.ValidationError):
            validator(document, content["schema"]).validate({**example["value"], "unknown": 1})


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_an_example_of_an_answer_fits_its_schema(document: dict[str, Any], name: str) -> None:
    operation = next(each for each in operations(document) if each["operationId"] == name)
    content = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))[
        "content"
    ]["application/json"]
    for example in content["examples"].values():
        validator(document, content["schema"]).validate(example["value"])


def test_every_answer_fits_its_schema(document: dict[str, Any], secret_table: Table) -> None:
    for route in ROUTES:
        # Frames of feeds are compared with their own description in tests/feeds/test_asyncapi.py.
        elsewhere = route.path.startswith("/schema") or route.path.endswith(("/metrics", "/import", "/feed"))
        if not elsewhere:
            operation = document["paths"][route.path][route.method.lower()]
            answer = call(secret_table, route, "admin" if route.allowed == ("admin",) else "gm")
            described = operation["responses"].get(str(answer.status_code))
            content = described["content"].values() if described else [REFUSED]
            for schema in (each.get("schema") for each in content):
                if schema:
                    validator(document, schema).validate(_said(answer))
        if route.path.endswith("/close") or route.method == "DELETE":
            secret_table = _again(secret_table)


def _said(answer: httpx.Response) -> Any:
    return answer.json() if answer.headers["content-type"].endswith("json") else answer.text


def _again(table: Table) -> Table:
    return seated(table.server)


def test_every_form_of_export_is_described(document: dict[str, Any]) -> None:
    content = document["paths"]["/sessions/{session}/export"]["get"]["responses"]["200"]["content"]
    assert list(content) == [
        "application/x-ndjson",
        "text/csv; header=present",
        "text/markdown",
        "text/plain",
    ]


def test_the_page_needs_nothing_from_elsewhere(server: Server) -> None:
    page = server.ask("GET", "/schema")
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    outside_of_examples = re.sub(r"<pre>[^<]*</pre>", "", page.text)
    assert "http://" not in outside_of_examples
    assert "https://" not in outside_of_examples
    for route in ROUTES:
        if not route.path.startswith("/schema"):
            assert f"{route.method} {route.path}" in page.text
