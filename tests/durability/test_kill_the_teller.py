"""A server killed in the middle of telling others: what it told once may come twice, nothing is left out."""

import math
import random
import time
from itertools import pairwise
from pathlib import Path

import httpx
from receiving import Receiver, receiving
from server_process import environment, kill, serving

NOTES = 60
KILLS = 4
AT_A_TIME = 20


def test_a_server_killed_while_it_sends_goes_on_where_it_was(tmp_path: Path) -> None:
    """At least once, in order, under the same id each time; twice only what was under way at a kill."""
    chance = random.Random(3)
    with receiving() as receiver:
        receiver.delay = 0.02
        receiver.until = AT_A_TIME  # so that each kill comes before it was told of everything
        table = opened_and_killed(tmp_path / "table.db", receiver)
        for _ in range(KILLS - 1):
            count = len(receiver.taken)
            receiver.until = count + AT_A_TIME
            with serving(*arguments(tmp_path / "table.db"), env=environment()) as (_, server):
                receiver.wait_for(count + 5)
                time.sleep(chance.random() * 0.05)
                kill(server)
        receiver.until = math.inf
        with serving(*arguments(tmp_path / "table.db"), env=environment()) as (said, _):
            hook = f"{said['url']}/sessions/{table['id']}/webhooks/{table['hook']}"
            told = wait_until_told(hook, table["gm_token"])
    seqs = receiver.seqs
    assert told == table["version"] == 2 * NOTES + 1
    firsts = list(dict.fromkeys(seqs))
    assert firsts == list(range(1, told + 1))
    assert len(seqs) - len(firsts) <= KILLS
    assert all(after in {before, before + 1} for before, after in pairwise(seqs))
    ids = {each.seq: each.id for each in receiver.got}
    assert all(ids[each.seq] == each.id for each in receiver.got)
    assert all(each.verified(table["secret"]) for each in receiver.got)


def arguments(db: Path) -> tuple[object, ...]:
    return ("--db", db, "--allow-webhook-to", "127.0.0.0/8")


def opened_and_killed(db: Path, receiver: Receiver) -> dict[str, str]:
    """A session with a webhook and many notes, and the server that had them killed while it told of them."""
    with serving(*arguments(db), env=environment()) as (said, server):
        url = said["url"]
        table = httpx.post(f"{url}/sessions", json={"ruleset": "duel", "title": "Killed"}).json()
        session = f"{url}/sessions/{table['id']}"
        headers = {"Authorization": f"Bearer {table['gm_token']}"}
        hook = httpx.post(
            f"{session}/webhooks", json={"url": receiver.url, "after": "0"}, headers=headers
        ).json()
        for number in range(NOTES):
            answer = httpx.post(f"{session}/notes", json={"text": f"note {number}"}, headers=headers).json()
        kill(server)
    return {**table, "hook": hook["id"], "secret": hook["secret"], "version": answer["version"]}


def wait_until_told(hook: str, token: str) -> int:
    """Wait until the webhook was told of everything; up to which event that was."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        (standing,) = httpx.get(hook, headers={"Authorization": f"Bearer {token}"}).json()["sessions"]
        if standing["told"] == standing["version"]:
            return int(standing["told"])
        time.sleep(0.05)
    raise AssertionError(f"told up to {standing}")
