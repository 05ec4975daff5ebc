"""A real server to talk to, and clients of it."""

from collections.abc import Iterator

import pytest
from lines import ADMIN_KEY
from server_process import environment, serving

from tabletape.client import Client, Opened


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server is."""
    folder, env = tmp_path_factory.mktemp("server"), environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with serving("--db", folder / "client.db", "--allow-webhook-to", "127.0.0.1", env=env) as (said, _):
        yield said["url"]


@pytest.fixture
def admin(url: str) -> Iterator[Client]:
    """The keeper of the server."""
    with Client(url, ADMIN_KEY) as client:
        yield client


@pytest.fixture
def opened(admin: Client) -> Opened:
    """A duel that was just opened."""
    return admin.open_session("duel", "At dawn", settings={"table_dice": "all"})


@pytest.fixture
def gm(admin: Client, opened: Opened) -> Client:
    """The game master of the duel, with Ada and Ben at the table and Ada to act."""
    client = admin.with_token(opened.gm_token)
    client.act(opened.id, "add_duellist", id="ada", side="red", skill=12)
    client.act(opened.id, "add_duellist", id="ben", side="blue", skill=11)
    client.act(opened.id, "begin")
    return client
