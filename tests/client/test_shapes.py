"""The client's shapes are the server's: every field of every answer, and every route."""

import inspect
from typing import Any, get_args

import msgspec
import pytest

from api.app import create_app
from api.openapi.document import completed
from api.settings import ServerSettings
from tabletape.client import AsyncClient, Client, ReplayFrame
from tabletape.client.shapes import audit, checked, corrections, events, sessions, table, timeline, webhooks

READ_BY: dict[str, tuple[str, type[msgspec.Struct] | None]] = {
    "open_session": ("open_session", sessions.Opened),
    "fork_session": ("fork", sessions.Opened),
    "list_sessions": ("sessions", sessions.SessionList),
    "show_session": ("session", sessions.Session),
    "remove_session": ("remove_session", sessions.SessionRemoved),
    "take_action": ("insert", corrections.Corrected),
    "list_actions": ("timeline", timeline.Timeline),
    "show_action": ("action", timeline.Entry),
    "show_state": ("state", table.Table),
    "show_difference": ("difference", corrections.Difference),
    "undo_last": ("undo", corrections.Corrected),
    "undo_action": ("undo", corrections.Corrected),
    "redo_action": ("redo", corrections.Corrected),
    "amend_action": ("amend", corrections.Corrected),
    "show_undo_requests": ("undo_requests", corrections.UndoRequests),
    "ask_for_undo": ("ask_for_undo", events.Accepted),
    "settle_undo_request": ("settle_undo_request", corrections.Corrected),
    "show_choices": ("choices", table.Choices),
    "show_odds": ("odds", table.Odds),
    "list_events": ("events", events.EventPage),
    "show_statistics": ("statistics", checked.Statistics),
    "show_audit": ("audit", audit.Audit),
    "show_verification": ("verification", checked.Verification),
    "write_note": ("note", events.Accepted),
    "redact": ("redact", events.Accepted),
    "close": ("close", events.Accepted),
    "change_settings": ("change_settings", sessions.SettingsNow),
    "invite": ("invite", sessions.Invited),
    "list_invites": ("invites", sessions.InviteList),
    "rotate_invite": ("rotate_invite", sessions.Invited),
    "revoke_invite": ("revoke_invite", sessions.InviteRevoked),
    "issue_token": ("add_tool", sessions.ToolToken),
    "list_tokens": ("tools", sessions.ToolList),
    "rotate_token": ("rotate_tool", sessions.ToolToken),
    "revoke_token": ("revoke_tool", sessions.ToolRevoked),
    "export": ("export", None),
    "import_session": ("import_session", sessions.Imported),
    "list_rulesets": ("rulesets", sessions.RulesetList),
    "show_ruleset": ("ruleset", sessions.RulesetShown),
}
"""For each route, the method of the client and the shape of its answer."""

WEBHOOKS: dict[str, tuple[str, type[msgspec.Struct]]] = {
    "register{}webhook": ("add_webhook", webhooks.Webhook),
    "list{}webhooks": ("webhooks", webhooks.WebhookList),
    "show{}webhook": ("webhook", webhooks.Webhook),
    "change{}webhook": ("change_webhook", webhooks.Webhook),
    "remove{}webhook": ("remove_webhook", webhooks.WebhookRemoved),
    "rotate{}webhook_secret": ("rotate_webhook_secret", webhooks.Webhook),
    "test{}webhook": ("try_webhook", webhooks.Delivery),
    "pause{}webhook": ("pause_webhook", webhooks.Webhook),
    "resume{}webhook": ("resume_webhook", webhooks.Webhook),
    "redeliver{}webhook": ("redeliver_webhook", webhooks.Webhook),
    "list{}webhook_deliveries": ("webhook_deliveries", webhooks.DeliveryList),
    "list{}webhook_dead_letters": ("webhook_dead_letters", webhooks.DeadLetterList),
}
READ_BY |= {name.format(whose): read_by for name, read_by in WEBHOOKS.items() for whose in ("_", "_server_")}
SHOWN_WHERE_DRAWN = {"Webhook.secret", "WebhookList.webhooks.secret"}
"""The one shape that serves for two: its secret comes only where it was drawn just now."""

FOLLOWED = {"session_feed": "feed", "server_feed": "feed_of_all", "replay_session": "replay"}
"""Feeds and the replay are followed, and not called."""

OPERATORS = {"welcome", "health", "ready", "metrics", "show_overlay"}
"""For people in front of a browser, and for those who run the server."""

OTHER_NAMES = {"from": {"since", "first"}, "to": {"to", "last"}, "type": {"types"}, "as": {"kind"}}
"""What a method calls a parameter of its route otherwise."""

NO_PARAMETERS = {
    (
        "session_feed",
        "format",
    ): "`tables` is the feed with `format=state`; an event is a struct, however it came",
    ("session_feed", "token"): "for browsers",
    ("server_feed", "format"): "as above",
    ("show_audit", "format"): "`export` gives the table of dice",
}
"""Parameters a client does not need, and why."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    app = create_app(ServerSettings(db=":memory:"))
    return completed(app, app.openapi_schema.to_schema())


def operations(document: dict[str, Any]) -> dict[str, Any]:
    return {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for operation in item.values()
    }


def test_every_route_has_its_method(document: dict[str, Any]) -> None:
    assert set(operations(document)) - OPERATORS == set(READ_BY) | set(FOLLOWED)
    methods = {method for method, _ in READ_BY.values()} | set(FOLLOWED.values())
    assert all(hasattr(client, method) for method in methods for client in (Client, AsyncClient))


def test_a_method_takes_every_parameter_of_its_route(document: dict[str, Any]) -> None:
    """Both clients take the same, and nothing that can be asked for is out of a bot's reach."""
    for name, method in (FOLLOWED | {name: method for name, (method, _) in READ_BY.items()}).items():
        taken = set(inspect.signature(getattr(Client, method)).parameters)
        assert taken == set(inspect.signature(getattr(AsyncClient, method)).parameters)
        for parameter in operations(document)[name].get("parameters", ()):
            if parameter["in"] == "query" and (name, parameter["name"]) not in NO_PARAMETERS:
                named = OTHER_NAMES.get(parameter["name"], {parameter["name"]})
                assert named & taken, (method, parameter["name"])


def test_a_frame_of_a_replay_has_every_field_and_no_other(document: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/ReplayFrame"}
    assert differences(document, schema, ReplayFrame, "ReplayFrame") == []


@pytest.mark.parametrize("name", [name for name, (_, shape) in READ_BY.items() if shape])
def test_a_shape_has_every_field_of_its_answer_and_no_other(document: dict[str, Any], name: str) -> None:
    answers = operations(document)[name]["responses"]
    answer = next(each for status, each in answers.items() if status.startswith("2"))
    schema = answer["content"]["application/json"]["schema"]
    shape = READ_BY[name][1]
    assert shape is not None
    found = set(differences(document, schema, shape, shape.__name__))
    assert found <= SHOWN_WHERE_DRAWN


def differences(document: dict[str, Any], schema: dict[str, Any], shape: Any, path: str) -> list[str]:
    """Where a shape and a schema part, all the way down."""
    schemas = described(document, schema)
    structs = [
        each
        for each in (shape, *flattened(shape))
        if isinstance(each, type) and issubclass(each, msgspec.Struct)
    ]
    if not structs or not schemas:
        return []
    ours = {field.encode_name: field.type for field in msgspec.structs.fields(structs[0])}
    theirs = {name: value for each in schemas for name, value in each.get("properties", {}).items()}
    found = [f"{path}.{name}" for name in ours.keys() ^ theirs.keys()]
    for name in ours.keys() & theirs.keys():
        found += differences(document, theirs[name], ours[name], f"{path}.{name}")
    return found


def described(document: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The object schemas behind a schema: references, lists, alternatives."""
    if "$ref" in schema:
        return described(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    parts = [*schema.get("anyOf", ()), *([schema["items"]] if isinstance(schema.get("items"), dict) else ())]
    if isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema:
        parts.append(schema["additionalProperties"])
    return (
        [schema] if "properties" in schema else [each for part in parts for each in described(document, part)]
    )


def flattened(shape: Any) -> list[Any]:
    return [each for part in get_args(shape) for each in (part, *flattened(part))]


def test_a_difference_is_found(document: dict[str, Any]) -> None:
    class Odd(msgspec.Struct):
        version: int
        luck: int
        outcomes: tuple[table.Choice, ...]

    found = differences(document, {"$ref": "#/components/schemas/Odds"}, Odd, "Odd")
    assert {"Odd.luck", "Odd.outcomes.numerator", "Odd.outcomes.actor"} <= set(found)
