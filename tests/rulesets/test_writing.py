"""Names and words look like what they are: nothing unseen turns them round, and a name can be seen."""

import json
import re
from typing import Annotated, Any

import jsonschema_rs
import msgspec
import pytest

from rulesets.contract import Name, Slug, Text
from rulesets.writing import CAPTION_PATTERN, in_words

DIRECTING = [*"\u202a\u202b\u202c\u202d\u202e", *"\u2066\u2067\u2068\u2069", "\u200e", "\u200f", "\u061c"]
NAMES = [
    "a",
    "Zoë",
    "שלום",
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "👩\u200d👩\u200d👧",
    "a b",
    "ー",
    "中文　名",
    "9",
    "x" * 80,
]
BLANK = ["", " ", " \u00a0", "\u3000", "\u200b", "\u2060\ufeff", "\u3164", "\u2800", "\u00ad"]


def as_schema(kind: Any) -> Any:
    """What a form or another program checks by: the pattern alone, out of the published schema."""
    (schema,), _ = msgspec.json.schema_components([kind])
    return jsonschema_rs.validator_for(json.loads(json.dumps(schema)))


def taken(kind: Any, words: str) -> bool:
    try:
        msgspec.json.decode(msgspec.json.encode(words), type=kind)
    except msgspec.ValidationError:
        taken = False
    else:
        taken = True
    assert as_schema(kind).is_valid(words) is taken
    return taken


@pytest.mark.parametrize("sign", DIRECTING, ids=ascii)
def test_a_sign_that_turns_the_writing_round_is_in_no_name_and_no_words(sign: str) -> None:
    for words in (sign, f"Zadie{sign}", f"Za{sign}die", f"{sign}Zadie"):
        assert not taken(Name, words)
        assert not taken(Text, words)


@pytest.mark.parametrize("name", BLANK, ids=ascii)
def test_a_name_can_be_seen(name: str) -> None:
    assert not taken(Name, name)
    assert taken(Text, name)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_written_in_any_script(name: str) -> None:
    assert taken(Name, name)
    assert taken(Text, f"{name}\n\t{name}")


@pytest.mark.parametrize("sign", ["\x00", "\x1f", "\x7f", "\x85", "\n", "\u2028", "\u2029"], ids=ascii)
def test_a_name_stands_on_one_line_without_control_characters(sign: str) -> None:
    assert not taken(Name, f"a{sign}b")
    assert not taken(Name, f"a{sign}")


def test_a_caption_is_a_name_or_nothing() -> None:
    caption = Annotated[str, msgspec.Meta(pattern=CAPTION_PATTERN)]
    for words in ("", *NAMES):
        assert taken(caption, words)
    for words in (*BLANK[1:], *DIRECTING, "a\u202eb", "a\n", "\n"):
        assert not taken(caption, words)


def test_an_id_ends_where_it_ends() -> None:
    assert taken(Slug, "zadie")
    for word in ("zadie\n", "zadie ", "Zadie", "", "9", "x" * 41):
        assert not taken(Slug, word)


def test_a_refusal_speaks_of_names_and_not_of_patterns() -> None:
    for kind, value, words in (
        (Name, " ", "Expected a name on one line that can be seen"),
        (Text, "\u202e", "Expected words without control or direction characters"),
        (Slug, "A", "Expected an id: a-z"),
    ):
        with pytest.raises(msgspec.ValidationError) as refused:
            msgspec.convert([value], list[kind])
        said = in_words(refused.value)
        assert said.startswith(words)
        assert said.endswith("at `$[0]`")
        assert not re.search(r"regex|\\x", said)
