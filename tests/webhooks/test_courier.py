"""Messages arrive: once without faults, at least once with them, in order, under one id, and to nobody else."""

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from receiving import Receiver, Reply, receiving
from standardwebhooks.webhooks import WebhookVerificationError
from telling import NEVER, SOON, Hall, secret_of

from api.webhooks import courier as courier_module
from api.webhooks import sending
from api.webhooks.signing import message_id, replaced
from eventlog.errors import StoreUnusable
from eventlog.hooks import Hook
from eventlog.sealing import now
from rulesets.people import GM, Viewer


def test_every_event_is_sent_once_in_order_and_signed(receiver: Receiver) -> None:
    async def evening() -> tuple[Hook, str, int]:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        version = await hall.note(session, 5)
        await hall.tell(hook)
        await hall.aclose()
        return hook, session, version

    hook, session, version = asyncio.run(evening())
    assert receiver.seqs == list(range(1, version + 1))
    assert len(receiver.got) == version
    for each in receiver.got:
        document = each.verified(secret_of(hook))
        assert each.id == message_id(hook.id, session, document["data"]["seq"])
        assert document["type"] == document["data"]["type"]
        assert document["timestamp"] == document["data"]["at"]
        assert each.headers["content-type"] == "application/json"
    assert receiver.got[-1].document["data"]["data"]["text"] == "note 4"


def test_a_message_that_was_touched_on_the_way_is_not_verified(receiver: Receiver) -> None:
    async def evening() -> Hook:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        await hall.tell(hook)
        await hall.aclose()
        return hook

    hook = asyncio.run(evening())
    (got,) = receiver.got
    other = type(got)(got.method, got.path, got.headers, got.body.replace(b"At dawn", b"At dusk"))
    with pytest.raises(WebhookVerificationError):
        other.verified(secret_of(hook))


@pytest.mark.parametrize("fault", [500, "reset", 404, 302, Reply(503, (("Retry-After", "1"),))], ids=str)
def test_after_a_fault_the_same_message_comes_again_before_any_later_one(
    receiver: Receiver, fault: int | str | Reply
) -> None:
    async def evening() -> int:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        version = await hall.note(session, 3)
        receiver.faults.extend([fault, fault])
        await hall.tell(hook)
        tried = hall.store.hooks.attempts(hook.id)
        assert [each.attempt.attempt for each in tried[-3:]] == [3, 2, 1]
        assert [each.attempt.outcome for each in tried[-3:]] == ["delivered", "failed", "failed"]
        await hall.aclose()
        return version

    version = asyncio.run(evening())
    assert receiver.seqs == list(range(1, version + 1))
    assert len(receiver.got) == version + 2
    assert {each.id for each in receiver.got[:3]} == {receiver.taken[0].id}
    assert len({each.headers["webhook-signature"] for each in receiver.got}) >= version


def test_a_receiver_that_does_not_answer_is_given_up_on_in_time(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SECONDS", 0.3)
    receiver.faults.append("hang")

    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        await hall.tell(hook)
        first = hall.store.hooks.attempts(hook.id)[-1].attempt
        assert (first.status, first.error) == (None, "timeout")
        assert 250 <= first.duration_ms < 3000
        await hall.aclose()

    asyncio.run(evening())
    assert receiver.seqs == [1]


def test_a_redirect_is_a_failure_and_is_not_followed(receiver: Receiver) -> None:
    with receiving() as elsewhere:
        receiver.faults.append(Reply(307, (("Location", elsewhere.url),)))

        async def evening() -> None:
            hall = Hall()
            hook = hall.hook(receiver.url, await hall.open(), 0)
            await hall.tell(hook)
            assert hall.store.hooks.attempts(hook.id)[-1].attempt.error == "redirect 307"
            await hall.aclose()

        asyncio.run(evening())
        assert elsewhere.got == []
    assert receiver.seqs == [1]


def test_what_is_refused_too_often_is_a_dead_letter_and_the_next_goes_on(receiver: Receiver) -> None:
    async def evening() -> tuple[Hall, Hook, str]:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        await hall.note(session)
        receiver.faults.extend([500] * (len(SOON.waits) + 1))
        await hall.tell(hook)
        return hall, hook, session

    async def again(hall: Hall, hook: Hook, session: str) -> None:
        hall.store.hooks.rewind(hook.id, session, 0)
        await hall.tell(hook)
        assert hall.store.hooks.dead_letters(hook.id) == []
        await hall.aclose()

    with asyncio.Runner() as runner:
        hall, hook, session = runner.run(evening())
        assert receiver.seqs == [2, 3]
        ((_, letter),) = hall.store.hooks.dead_letters(hook.id)
        assert (letter.seq, letter.tries, letter.status) == (1, len(SOON.waits) + 1, 500)
        assert letter.id == receiver.got[0].id
        runner.run(again(hall, hook, session))
    assert receiver.seqs == [2, 3, 1, 2, 3]
    assert receiver.taken[2].id == letter.id


def test_a_receiver_that_asks_for_patience_gets_it_and_no_try_is_counted(receiver: Receiver) -> None:
    receiver.faults.extend([Reply(429, (("Retry-After", "1"),))])
    times = []

    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        other = hall.hook(receiver.url, session, 0)
        started = time.monotonic()
        await hall.tell(hook, other)
        times.append(time.monotonic() - started)
        outcomes = Counter(
            each.attempt.outcome for one in (hook, other) for each in hall.store.hooks.attempts(one.id)
        )
        assert outcomes == {"held": 1, "delivered": 2}
        await hall.aclose()

    asyncio.run(evening())
    assert times[0] >= 1.0


def test_a_receiver_that_is_gone_is_left_alone_until_somebody_resumes(receiver: Receiver) -> None:
    receiver.faults.append(410)

    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        courier = hall.courier()
        courier.start()
        await hall.until(lambda: hall.store.hooks.hook(hook.id).paused == "gone")
        await hall.note(session)
        await asyncio.sleep(0.6)
        assert len(receiver.got) == 1
        hall.store.hooks.change(hook.id, lambda kept: replace(kept, paused=None))
        await hall.until(lambda: hall.is_told(hook))
        await courier.aclose()
        await hall.aclose()

    asyncio.run(evening())
    assert receiver.seqs == [1, 2, 3]


def test_two_couriers_on_one_database_send_each_message_once(receiver: Receiver, tmp_path: Path) -> None:
    """Five clients or two workers, one message each (foundrytodiscord#48)."""

    async def evening() -> tuple[int, Hook]:
        hall = Hall(tmp_path / "log.db")
        sessions = [await hall.open(f"Table {number}") for number in range(6)]
        hook = hall.hook(receiver.url, None)
        couriers = [hall.courier() for _ in range(3)]
        for courier in couriers:
            courier.start()
        for _ in range(5):
            await asyncio.gather(*(hall.note(session) for session in sessions))
        await hall.until(lambda: hall.is_told(hook))
        await asyncio.gather(*(courier.aclose() for courier in couriers))
        await hall.aclose()
        return 6 * 5 * 2, hook

    count, _ = asyncio.run(evening())
    assert len(receiver.got) == len({each.id for each in receiver.got}) == count
    by_session: dict[str, list[int]] = {}
    for each in receiver.taken:
        by_session.setdefault(each.document["data"]["session"], []).append(each.seq)
    assert all(seqs == sorted(seqs) for seqs in by_session.values())


def test_what_is_hidden_from_its_viewer_is_never_sent(receiver: Receiver) -> None:
    with receiving() as gms, receiving() as players:

        async def evening() -> None:
            hall = Hall()
            session = await hall.open()
            hall.seat(session, "mina")
            hooks = [
                hall.hook(receiver.url, session, 0),
                hall.hook(gms.url, None, viewer=GM),
                hall.hook(players.url, session, 0, viewer=Viewer(role="player", name="mina")),
            ]
            await hall.act(session, {"type": "note", "text": "the canary"}, visible_to="gm")
            await hall.act(session, {"type": "roll", "count": 2, "purpose": "canary"}, visible_to="gm")
            await hall.note(session)
            await hall.tell(*hooks)
            await hall.aclose()

        asyncio.run(evening())
        assert receiver.seqs == players.seqs == [1, 6, 7]
        assert gms.seqs == [2, 3, 4, 5, 6, 7]
        for each in (*receiver.got, *players.got):
            assert b"canary" not in each.body
        assert sum(b"canary" in each.body for each in gms.got) == 3, (
            "the note, the roll that was asked for, and its dice"
        )


def test_a_hook_that_asks_for_types_is_sent_those(receiver: Receiver) -> None:
    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0, types=("core.note-added",))
        await hall.note(session, 60)
        await hall.tell(hook)
        assert hall.is_told(hook)
        await hall.aclose()

    asyncio.run(evening())
    assert {each.document["type"] for each in receiver.got} == {"core.note-added"}
    assert receiver.seqs == list(range(3, 122, 2))


def test_a_paused_hook_goes_on_where_it_was(receiver: Receiver) -> None:
    receiver.delay = 0.02

    async def evening() -> int:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        courier = hall.courier()
        courier.start()
        for _ in range(4):
            version = await hall.note(session, 5)
            await asyncio.sleep(0.1)
            hall.store.hooks.change(hook.id, lambda kept: replace(kept, paused="asked"))
            count = len(receiver.got)
            await asyncio.sleep(0.4)
            assert len(receiver.got) <= count + 1, "one may have been under way"
            hall.store.hooks.change(hook.id, lambda kept: replace(kept, paused=None))
            courier.nudged.set()
        await hall.until(lambda: hall.is_told(hook))
        await courier.aclose()
        await hall.aclose()
        return version

    version = asyncio.run(evening())
    assert receiver.seqs == list(range(1, version + 1))
    assert len(receiver.got) == version


def test_a_removed_session_is_not_told_of_any_more(receiver: Receiver) -> None:
    receiver.delay = 0.05

    async def evening() -> None:
        hall = Hall()
        session, other = await hall.open(), await hall.open()
        await hall.note(session, 20)
        hook, everywhere = hall.hook(receiver.url, session, 0), hall.hook(receiver.url, None)
        courier = hall.courier()
        courier.start()
        await hall.until(lambda: len(receiver.taken) >= 3)
        hall.store.remove(session, now())
        hall.recorder.forget(session)
        count = len(receiver.got)
        await hall.note(other)
        await hall.until(lambda: hall.is_told(everywhere))
        await asyncio.sleep(0.3)
        assert len(receiver.got) <= count + 1 + 2, "one was under way, and two tell of the other session"
        assert hall.store.hooks.hook(hook.id) is None
        await courier.aclose()
        await hall.aclose()

    asyncio.run(evening())


def test_a_server_that_stops_in_good_order_sends_nothing_twice(receiver: Receiver, tmp_path: Path) -> None:
    receiver.delay = 0.03

    async def evening() -> int:
        hall = Hall(tmp_path / "log.db")
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        version = await hall.note(session, 10)
        while not hall.is_told(hook):
            courier = hall.courier()
            courier.start()
            await asyncio.sleep(0.15)
            await courier.aclose()
        await hall.aclose()
        return version

    version = asyncio.run(evening())
    assert receiver.seqs == list(range(1, version + 1))
    assert len(receiver.got) == version


def test_after_a_rotation_both_secrets_verify_and_later_only_the_new_one(receiver: Receiver) -> None:
    async def evening() -> tuple[str, str]:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        in_a_while = "9999-01-01T00:00:00.000000Z"
        changed = hall.store.hooks.change(
            hook.id, lambda kept: replace(kept, secrets=replaced(kept.secrets, in_a_while))
        )
        await hall.tell(hook)
        hall.store.hooks.change(
            hook.id,
            lambda kept: replace(
                kept, secrets=tuple(replace(s, until=s.until and now()) for s in kept.secrets)
            ),
        )
        await hall.note(session)
        await hall.tell(hook)
        await hall.aclose()
        return secret_of(hook), secret_of(changed)

    old, new = asyncio.run(evening())
    both, only_new = receiver.got[0], receiver.got[-1]
    assert both.verified(old) == both.verified(new)
    assert only_new.verified(new)
    with pytest.raises(WebhookVerificationError):
        only_new.verified(old)


def test_a_failing_session_does_not_hold_up_another(receiver: Receiver) -> None:
    with receiving() as broken:
        broken.always = 500

        async def evening() -> None:
            hall = Hall()
            sessions = [await hall.open(), await hall.open()]
            bad, good = hall.hook(broken.url, sessions[0], 0), hall.hook(receiver.url, sessions[1], 0)
            await hall.tell(good, patience=NEVER)
            assert not hall.is_told(bad)
            assert hall.store.hooks.standings(bad.id)[0].tries == 1
            await hall.aclose()

        asyncio.run(evening())
    assert receiver.seqs == [1]


def test_a_courier_outlives_a_disk_that_fails_for_a_moment(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier_module, "PAUSE_AFTER_FAULT", 0.05)

    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        real, failures = hall.store.hooks.lease, iter(range(3))

        def failing(*arguments: Any) -> Any:
            if next(failures, None) is not None:
                raise StoreUnusable("The disk is full")
            return real(*arguments)

        monkeypatch.setattr(hall.store.hooks, "lease", failing)
        await hall.tell(hook)
        await hall.aclose()

    asyncio.run(evening())
    assert receiver.seqs == [1]


def test_a_lease_that_broke_off_is_taken_up_by_somebody_when_it_runs_out(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courier_module, "LEASED", 0.5)
    monkeypatch.setattr(courier_module, "NEEDED", 0.0)

    async def evening() -> None:
        hall = Hall()
        session = await hall.open()
        hook = hall.hook(receiver.url, session, 0)
        real, failures = hall.store.hooks.record, iter(range(1))

        def failing(*arguments: Any) -> Any:
            if next(failures, None) is not None:
                raise StoreUnusable("The disk is full")
            return real(*arguments)

        monkeypatch.setattr(hall.store.hooks, "record", failing)
        await hall.tell(hook)
        await hall.aclose()

    asyncio.run(evening())
    assert receiver.seqs == [1, 1]
    assert receiver.got[0].id == receiver.got[1].id
