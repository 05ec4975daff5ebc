"""What a query asks is answered or refused, never ignored; and every path that is read tells its headers alone."""

import re
from typing import Any

import pytest
from serving import ADMIN_KEY, ROUTES, Called, Server, Table, call, problem

READ = [route for route in ROUTES if route.method == "GET"]


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_parameter_nobody_knows_is_refused_on_every_route(table: Table, route: Called) -> None:
    before = table.log()
    path = re.sub(r"\{(?!session)\w+\}", "1", route.path).format(session=table.id)
    token = table.tokens[route.allowed[0]]
    refused = problem(
        table.server.ask(route.method, f"{path}?frobnicate=1", token), 422, "unknown-query-parameter"
    )
    assert refused["parameter"] == "frobnicate"
    assert "no query parameter 'frobnicate' here" in refused["detail"]
    assert table.log() == before


def test_a_slip_of_the_pen_is_told_what_was_meant(table: Table) -> None:
    refused = problem(table.ask("GET", "/actions", params={"limt": "3"}), 422, "unknown-query-parameter")
    assert refused["detail"].endswith("did you mean 'limit'?")
    assert {"after", "before", "limit", "text"} <= set(refused["known"])
    # The name a parameter is sent under, not the one it has in the code.
    assert table.ask("GET", "/events", params={"type": "core.session-opened"}).status_code == 200
    problem(table.ask("GET", "/events", params={"types": "x"}), 422, "unknown-query-parameter")


def test_a_parameter_that_comes_twice_is_refused(table: Table) -> None:
    refused = problem(table.ask("GET", "/state?at=1&at=2"), 422, "malformed-parameter")
    assert refused["parameter"] == "at"


@pytest.mark.parametrize(
    "asked, named",
    [
        ("/feed?format=xml", "format"),
        ("/export?format=xml", "format"),
        ("/audit?format=xml", "format"),
        ("/diff?from=x", "from"),
        ("/actions?limit=0", "limit"),
    ],
)
def test_a_parameter_out_of_bounds_is_called_what_it_is_sent_under(
    table: Table, asked: str, named: str
) -> None:
    refused = problem(table.ask("GET", asked), 422, "malformed-parameter")
    assert refused["detail"].startswith(f"{named}: ")


def test_who_has_no_seat_learns_nothing_of_parameters(table: Table) -> None:
    problem(table.ask("GET", "/state?frobnicate=1", "none"), 401, "not-identified")


@pytest.mark.parametrize("route", READ, ids=str)
def test_every_path_that_is_read_tells_its_headers_alone(table: Table, route: Called) -> None:
    def asked(method: str) -> Any:
        return call(table, Called(method, route.path, route.allowed, params=route.params), route.allowed[0])

    head, full = asked("HEAD"), asked("GET")
    assert (head.status_code, head.content) == (200, b"")
    alike = {"cache-control", "content-type", "etag", "vary", "content-disposition"}
    assert {name: head.headers.get(name) for name in alike} == {
        name: full.headers.get(name) for name in alike
    }
    assert full.content


def test_a_head_is_refused_as_a_get_is(table: Table) -> None:
    assert table.ask("HEAD", "/state", "none").status_code == 401
    assert table.ask("HEAD", "/odds").status_code == 405
    assert table.server.ask("HEAD", "/nowhere").status_code == 404
    assert table.ask("HEAD", "/state", headers={"If-None-Match": f'"{table.version}"'}).status_code == 304


def test_allow_names_head_where_there_is_get(table: Table) -> None:
    for method in ("PUT", "OPTIONS"):
        reads, asks = (
            set(table.ask(method, part).headers["allow"].split(", ")) for part in ("/state", "/odds")
        )
        assert (reads, asks) == ({"GET", "HEAD", "OPTIONS"}, {"POST", "OPTIONS"})


def test_a_head_is_counted_as_one(server: Server) -> None:
    server.ask("HEAD", "/sessions", ADMIN_KEY)
    assert 'method="HEAD"' in server.ask("GET", "/metrics").text
