"""A running server, and a table with everybody at it."""

from collections.abc import Iterator

import pytest
from serving import ADMIN_KEY, Server, Table, seated, with_secrets


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with an admin key."""
    server = Server(admin_key=ADMIN_KEY)
    yield server
    server.close()


@pytest.fixture
def table(server: Server) -> Table:
    """A duel that has begun."""
    return seated(server)


@pytest.fixture
def secret_table(table: Table) -> Table:
    """A duel with something hidden."""
    with_secrets(table)
    return table
