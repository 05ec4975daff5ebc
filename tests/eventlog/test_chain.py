"""The chain binds every event to all before it; canonical JSON is what any language can write."""

import json
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog.canonical import canonical_copy, encode
from eventlog.chain import digest, document, genesis, link
from eventlog.envelope import By, Envelope

EVENT = Envelope(
    session="caravan",
    seq=3,
    action=2,
    slot=2,
    revision=1,
    type="duel.attacked",
    v=1,
    at="2026-12-01T19:03:11.123456Z",
    by=By(role="player", name='Zoë "Z"'),
    audience=("character:zoe", "gm"),
    data=b'{"a":1}',
    salt=bytes(16),
    hash=b"",
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


def plain_json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(VALUES)
def test_canonical_json_is_what_the_standard_library_writes(value: object) -> None:
    assert encode(value) == plain_json(value)
    assert canonical_copy(json.dumps(value).encode()) == plain_json(value)


@pytest.mark.parametrize("raw", [b"1.5", b"[1e3]", b'{"a":9007199254740992}', b'{"a":[-9007199254740992]}'])
def test_no_event_holds_a_fraction_or_a_number_other_languages_round(raw: bytes) -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        canonical_copy(raw)


def test_what_is_hashed_is_header_and_data_as_canonical_json() -> None:
    value = {
        "action": 2,
        "at": EVENT.at,
        "audience": ["character:zoe", "gm"],
        "by": {"role": "player", "name": 'Zoë "Z"'},
        "data": {"a": 1},
        "revision": 1,
        "slot": 2,
        "type": "duel.attacked",
        "v": 1,
    }
    assert document(EVENT) == plain_json(value)
    assert document(msgspec.structs.replace(EVENT, slot=None)) == plain_json({**value, "slot": None})


def test_a_hash_follows_from_the_hash_before_the_number_and_the_digest() -> None:
    digested = sha256(bytes(16) + document(EVENT)).digest()
    assert digest(EVENT) == digested
    assert genesis("caravan") == sha256(b"caravan").digest()
    assert (
        link(genesis("caravan"), 3, digested)
        == sha256(genesis("caravan") + b"\0\0\0\0\0\0\0\3" + digested).digest()
    )


@pytest.mark.parametrize(
    "change",
    [
        {"action": 3}, {"slot": None}, {"revision": 2}, {"type": "duel.missed"}, {"v": 2}, {"data": b'{"a":2}'},
        {"at": "2026-12-01T19:03:11.123457Z"}, {"by": By(role="gm")}, {"audience": ("gm",)}, {"salt": bytes(15) + b"\1"},
    ],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_any_change_of_an_event_changes_its_digest(change: dict[str, object]) -> None:
    assert digest(msgspec.structs.replace(EVENT, **change)) != digest(EVENT)


def test_a_redacted_event_keeps_its_digest() -> None:
    redacted = msgspec.structs.replace(EVENT, data=None, salt=None, digest=digest(EVENT))
    assert digest(redacted) == digest(EVENT)
