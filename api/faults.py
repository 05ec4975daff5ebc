"""Faults of a request that have nothing to do with its session: its form, its sender, its size, its route."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar


class ApiProblem(Exception):
    """A fault of a request that has nothing to do with its session: its form, its sender, its size."""

    code: ClassVar[str] = "bad-request"
    status: ClassVar[int] = 400
    headers: ClassVar[dict[str, str]] = {}

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fields: dict[str, Any] = fields


ASK_THE_GM = "Send the token of this session: `Authorization: Bearer tt_…`; ask the GM for one"
ONLY_AN_OVERLAY = (
    "In an address only the token of an overlay of this session counts; ask the GM for an invite of the role"
    " `overlay`. Every other token goes into a header: `Authorization: Bearer tt_…`"
)


class NotIdentified(ApiProblem):
    """No token, or one that opens nothing here. The answer does not tell which, nor whether there is a session."""

    code = "not-identified"
    status = 401
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": "Bearer"}

    def __init__(self, message: str = ASK_THE_GM) -> None:
        super().__init__(message)


class Forbidden(ApiProblem):
    """The token is good, and its role may not do this."""

    code = "not-allowed"
    status = 403

    def __init__(self, role: str, needs: tuple[str, ...]) -> None:
        super().__init__(
            f"A token of the role {role!r} may not do this; it takes {' or '.join(needs)}", needs=list(needs)
        )


class HostUnknown(ApiProblem):
    """The `Host` header is no name of this server."""

    code = "unknown-host"
    status = 421


class NotJson(ApiProblem):
    """The body is something else than it has to be."""

    code = "unsupported-media-type"
    status = 415


class JsonBroken(ApiProblem):
    """The body is no JSON at all."""

    code = "malformed-json"
    status = 400


class BodyMalformed(ApiProblem):
    """The body is JSON, and not what this route takes."""

    code = "malformed-body"
    status = 422


class HeaderMalformed(ApiProblem):
    """A header that steers the request cannot be read."""

    code = "malformed-header"
    status = 400


class QueryUnknown(ApiProblem):
    """The route does not know a query parameter, so that its answer would not be the one asked for."""

    code = "unknown-query-parameter"
    status = 422

    def __init__(self, name: str, known: Iterable[str], hint: str) -> None:
        super().__init__(
            f"There is no query parameter {name!r} here: {hint}", parameter=name, known=sorted(known)
        )


class QueryTwice(ApiProblem):
    """A query parameter comes twice, and only one of them could count."""

    code = "malformed-parameter"
    status = 422

    def __init__(self, name: str) -> None:
        super().__init__(f"The query parameter {name!r} comes twice: keep one", parameter=name)


class Disconnected(ApiProblem):
    """Whoever sent the request left before all of it was here."""

    code = "disconnected"
    status = 400

    def __init__(self) -> None:
        super().__init__("The connection ended before the body did; nothing was recorded")


class ParameterMalformed(ApiProblem):
    """Query parameters that mean nothing together."""

    code = "malformed-parameter"
    status = 422


class RulesetUnknown(ApiProblem):
    """No ruleset of that slug is installed here."""

    code = "unknown-ruleset"
    status = 404


class RulesetNotHere(ApiProblem):
    """A session cannot be opened under a ruleset that is not installed."""

    code = "ruleset-not-installed"
    status = 422


class InviteUnknown(ApiProblem):
    """The session has no invite of that id."""

    code = "unknown-invite"
    status = 404


class TokenUnknown(ApiProblem):
    """The server has given out no token of that id to a tool."""

    code = "unknown-token"
    status = 404


class GameMasterStays(ApiProblem):
    """A session keeps its game master; without one nobody could give out seats."""

    code = "gm-stays"
    status = 409

    def __init__(self) -> None:
        super().__init__("A session keeps its GM; to make an old GM token useless, rotate it")


class NameTaken(ApiProblem):
    """Somebody sits at the table under that name already."""

    code = "name-taken"
    status = 409


class PlayerUnknown(ApiProblem):
    """No player has that seat at the table, or not with these characters."""

    code = "unknown-player"
    status = 422


class WebhookUnknown(ApiProblem):
    """There is no webhook of that id here."""

    code = "unknown-webhook"
    status = 404


class WebhookAddressRefused(ApiProblem):
    """Nothing is sent to that address."""

    code = "webhook-address-refused"
    status = 422


class TooManyWebhooks(ApiProblem):
    """Enough others are told already."""

    code = "too-many-webhooks"
    status = 409


class TooManySecrets(ApiProblem):
    """A webhook's secret was replaced so often that an older one would end before its time."""

    code = "too-many-secrets"
    status = 409


class WebhookUnsigned(ApiProblem):
    """Messages of this webhook carry no signature, so that there is no secret to replace."""

    code = "webhook-unsigned"
    status = 409


class SessionGone(ApiProblem):
    """The session was removed; its id and last receipt are all that is left."""

    code = "session-removed"
    status = 410


class TooManyFeeds(ApiProblem):
    """A seat has as many feeds open as one may have; those go on."""

    code = "too-many-feeds"
    status = 429
    headers: ClassVar[dict[str, str]] = {"Retry-After": "10"}

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"This token has {limit} feeds open, which is the limit; close one, or ask for a token of its own",
            limit=limit,
        )


class ServerStopping(ApiProblem):
    """The server is about to stop and begins nothing that lasts."""

    code = "server-stopping"
    status = 503
    headers: ClassVar[dict[str, str]] = {"Retry-After": "2"}

    def __init__(self) -> None:
        super().__init__("The server is stopping; come back in a moment")
