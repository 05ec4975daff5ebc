"""The description of the feeds: whole, and what frames really look like."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from listening import LINES, Ear, Heard, listen
from serving import ADMIN_KEY, Server, Table, seated, with_secrets

from api.feeds.frames import FRAMES
from api.routes import ROUTES

FORMATS = ("events", "cloudevents", "state")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    server = Server()
    try:
        answer = server.ask("GET", "/schema/asyncapi.json")
        assert answer.headers["content-type"] == "application/vnd.aai.asyncapi+json; version=3.0.0"
        described: dict[str, Any] = answer.json()
        return described
    finally:
        server.close()


def test_it_is_asyncapi_3(document: dict[str, Any]) -> None:
    assert document["asyncapi"] == "3.0.0"
    assert set(document) == {"asyncapi", "info", "defaultContentType", "channels", "operations", "components"}
    assert {"title", "version"} <= set(document["info"])


def test_every_feed_is_described(document: dict[str, Any]) -> None:
    feeds = {path.replace(":str", "") for route in ROUTES for path in route.paths if path.endswith("/feed")}
    assert {channel["address"] for channel in document["channels"].values()} == feeds
    for name, operation in document["operations"].items():
        assert operation["channel"] == {"$ref": f"#/channels/{name}"}
        assert operation["action"] == "send"


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for part in text.split('"$ref": "#/')[1:]:
        place: Any = document
        for name in part.partition('"')[0].split("/"):
            place = place[name]
        assert place


def test_every_kind_of_frame_is_described(document: dict[str, Any]) -> None:
    messages = document["components"]["messages"]
    assert {message["name"] for message in messages.values()} == set(FRAMES)
    used = {name for channel in document["channels"].values() for name in channel["messages"]}
    assert used == set(messages)
    assert all(len(message["summary"]) > 20 for message in messages.values())


def told(table: Table, form: dict[str, str]) -> Iterator[tuple[str, str, list[Heard]]]:
    """Every kind of frame, of both feeds, in every format: channel, format, frames."""
    ears = [
        ("session", each, listen(table, as_, headers=form, after="0", format=each))
        for each in FORMATS for as_ in ("gm", "mina")
    ]  # fmt: skip
    ears += [
        (
            "server",
            each,
            Ear(table.server, "/feed", ADMIN_KEY, params={"after": "0", "format": each}, headers=form),
        )
        for each in FORMATS[:2]
    ]
    for _, _, ear in ears:
        ear.hear("heartbeat")
    table.done({"type": "attack", "attacker": "ada", "target": "ben"})
    table.done({"type": "close"})
    for channel, _, ear in ears:
        if channel == "session":
            ear.end()
    table.server.app.state.desk.feeds.stop()
    for channel, each, ear in ears:
        yield channel, each, ear.end()


@pytest.mark.parametrize("form", [{}, LINES], ids=["sse", "lines"])
def test_frames_are_as_they_are_described(document: dict[str, Any], form: dict[str, str]) -> None:
    server = Server(admin_key=ADMIN_KEY, heartbeat=0.1)
    table = seated(server)
    with_secrets(table)
    found = set()
    try:
        for channel, shape, frames in told(table, form):
            for frame in frames:
                found.add(check(document, channel, shape, frame))
    finally:
        server.close()
    assert found == set(document["components"]["messages"])


def check(document: dict[str, Any], channel: str, shape: str, frame: Heard) -> str:
    """The name of the message a frame is."""
    messages = document["components"]["messages"]
    there = [
        name for name in document["channels"][channel]["messages"] if messages[name]["name"] == frame.kind
    ]
    if frame.kind == "event":
        there = ["CloudEvent"] if shape == "cloudevents" else ["EventFrame"]
    (name,) = there
    headers = messages[name]["headers"]
    jsonschema_rs.validator_for(headers).validate({"id": frame.id})
    schema = {**messages[name]["payload"], "components": document["components"]}
    data = frame.data
    if frame.kind == "heartbeat" and "cursor" not in data:  # on a line it is the cursor of the line
        data = {"cursor": frame.id}
    jsonschema_rs.validator_for(schema).validate(data)
    described = document["components"]["schemas"][name]["properties"]
    assert set(data) <= set(described), name
    return name
