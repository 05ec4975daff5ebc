"""Webhooks on the command line: listed, added, removed, in the file or through its server."""

import json

import pytest
import server_process
from receiving import receiving

from eventlog.sqlite.store import SqliteStore

ADMIN_KEY = "the key under the mat"


def test_a_webhook_is_added_listed_and_removed(tabletape, evening):
    added = tabletape("webhooks", evening, "--add", "https://bot.example/in?key=canary", "--name", "The bot")
    assert added.code == 0
    hook, secret = added.out.split()[0], added.out.splitlines()[-1]
    assert secret.startswith("whsec_")
    assert (
        tabletape("webhooks", evening).out == f"{hook}\tstandard\tactive\t0\thttps://bot.example/…\tThe bot\n"
    )
    assert tabletape("webhooks").out == ""
    listed = json.loads(tabletape("webhooks", evening, "--json").out)["webhooks"]
    assert (listed[0]["id"], listed[0]["audience"]["role"]) == (hook, "observer")
    assert "canary" not in json.dumps(listed)
    assert secret not in json.dumps(listed)
    assert tabletape("webhooks", evening, "--remove", hook).out == f"{hook} is told nothing any more.\n"
    assert tabletape("webhooks", evening, "--remove", hook).code == 3
    assert tabletape("webhooks", evening).out == ""


def test_one_for_all_sessions_is_for_those_that_come(tabletape, evening):
    added = json.loads(
        tabletape("webhooks", "--add", "https://x.example", "--format", "discord", "--json").out
    )
    assert (added["session"], added["format"], added["secret"]) == (None, "discord", None)
    store = SqliteStore.open("tabletape.db", read_only=True)
    assert [each.session for each in store.hooks.standings(added["id"])] == [evening]
    store.close()
    assert tabletape("webhooks", evening, "--remove", added["id"]).code == 3


@pytest.mark.parametrize(
    "arguments,code",
    [
        (["--add", "ftp://x.example"], 4),
        (["--add", "https://x.example", "--remove", "abc"], 2),
        (["nowhere"], 3),
        (["nowhere", "--add", "https://x.example"], 3),
        (["--url", "http://127.0.0.1:9"], 2),
        (["--url", "http://127.0.0.1:9", "--admin-key", "x"], 6),
    ],
)
def test_what_does_not_work_is_said_in_one_sentence(tabletape, evening, arguments, code):
    ended = tabletape("webhooks", *arguments)
    assert ended.code == code
    assert ended.err.strip()
    assert "Traceback" not in ended.err


def test_a_running_server_is_asked(tabletape, folder):
    env = server_process.environment(TABLETAPE_ADMIN_KEY=ADMIN_KEY)
    with (
        receiving() as receiver,
        server_process.serving("--allow-webhook-to", "127.0.0.1", env=env) as (said, _),
    ):
        asked = ("--url", said["url"], "--admin-key", ADMIN_KEY)
        added = json.loads(tabletape("webhooks", "--add", receiver.url, *asked, "--json").out)
        assert tabletape("webhooks", *asked).out.startswith(f"{added['id']}\tstandard\tactive\t0\t")
        assert tabletape("webhooks", "--add", "https://10.0.0.1/", *asked).code == 4
        assert tabletape("webhooks", "--remove", added["id"], *asked).code == 0
        assert tabletape("webhooks", *asked).out == ""
