"""Values that cannot be written: both encoders raise an EncodeError that names the field."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import strategies, structure
from kafka_format.codec import interpreter
from kafka_format.errors import EncodeError
from kafka_format.spec.layout import find, specification

from tests.kafka_format.examples import examples

NESTED = {"magic": 1, "value": 5}

CASES: dict[str, tuple[str, Any, str, str]] = {
    "no mapping": ("record", 5, "", "record takes a mapping of its fields, not int"),
    "nothing": ("record", None, "", "record takes a mapping of its fields, not NoneType"),
    "a list": ("record", [1, 2], "", "not list"),
    "unknown field": ("record", {"keys": b""}, "keys", "record has no such field; "),
    "field of no text": ("record", {5: b""}, "5", "record has no such field; "),
    "missing value": ("block_reply", {}, "kind", "needs a value"),
    "missing bytes": ("encode_input", {"magic": 1}, "answer", "needs a value"),
    "missing rest": ("hello", {}, "document", "needs a value"),
    "missing items": ("decode_request", {}, "inputs", "needs a value"),
    "text for a number": ("record", {"offset_delta": "1"}, "offset_delta", "takes a whole number, not str"),
    "fraction for a number": ("record", {"offset_delta": 1.5}, "offset_delta", "takes a whole number, not float"),
    "fraction for an integer": ("record_batch", {"base_offset": 1.0}, "base_offset", "whole number, not float"),
    "text for bytes": ("record", {"key": "key"}, "key", "takes bytes, not str"),
    "number for bytes": ("message_v1", {"value": 5}, "value", "takes bytes, not int"),
    "list for bytes": ("record", {"key": [1, 2]}, "key", "takes bytes, not list"),
    "null for what is never null": ("header", {"key": None}, "key", "needs a value"),
    "null as an item": ("decode_request", {"inputs": [b"", None]}, "inputs[1]", "cannot be null"),
    "text for the rest": ("hello", {"document": "{}"}, "document", "takes bytes, not str"),
    "number for items": ("record_batch", {"records": 5}, "records", "takes a list of items, or its bytes, not int"),
    "generator for items": ("record_batch", {"records": iter(())}, "records", "takes a list of items"),
    "text for items": ("record_batch", {"records": "abc"}, "records", "takes a list of items, or its bytes, not str"),
    "number as an item": ("record_batch", {"records": [{}, 5]}, "records[1]", "record takes a mapping"),
    "too big": ("record", {"offset_delta": 1 << 31}, "offset_delta", "2147483648 does not fit varint"),
    "too small": ("record", {"timestamp_delta": -(1 << 63) - 1}, "timestamp_delta", "does not fit varlong"),
    "too big an int8": ("record", {"attributes": 128}, "attributes", "128 does not fit int8, which holds -128 to 127"),
    "too big an int64": ("record_batch", {"base_offset": 1 << 63}, "base_offset", "does not fit int64"),
    "negative checksum": ("record_batch", {"crc": -1}, "crc", "-1 does not fit uint32, which holds 0 to 4294967295"),
    "deep": (
        "record_batch", {"records": [{}, {"headers": [{"key": b""}, {"key": b"", "value": 5}]}]},
        "records[1].headers[1].value", "takes bytes, not int",
    ),
    "unknown field deep": (
        "record_batch", {"records": [{"headers": [{"key": b"", "vlaue": b""}]}]}, "records[0].headers[0].vlaue",
        "header has no such field; did you mean `value`?",
    ),
    "count of bytes": ("record_batch", {"records": b"abc"}, "record_count", "`records` is given as bytes"),
    "unknown codec": ("record_batch", {"attributes": 5, "records": [{}]}, "records", "codec 5 has no name"),
    "unknown bits": (
        "record_batch", {"attributes": {"kodec": 1}}, "attributes.kodec", "there are codec, timestamp_type",
    ),
    "unknown name of bits": (
        "record_batch", {"attributes": {"codec": "gz"}},
        "attributes.codec", "`gz` is not the name of a value; the names are none",
    ),
    "name for bits without names": (
        "record_batch", {"attributes": {"is_control": "yes"}},
        "attributes.is_control", "`yes` is not the name of a value",
    ),
    "bits too big": ("record_batch", {"attributes": {"codec": 8}}, "attributes.codec", "8 does not fit 3 bits"),
    "bits below zero": (
        "record_batch", {"attributes": {"is_control": -1}}, "attributes.is_control", "does not fit 1 bit",
    ),
    "nothing for bits": ("record_batch", {"attributes": {"codec": None}}, "attributes.codec", "not NoneType"),
    "list for bits": ("record_batch", {"attributes": {"codec": [1]}}, "attributes.codec", "not list"),
    "mapping for a number without bits": ("record_batch", {"base_offset": {}}, "base_offset", "whole number, not dict"),
    "no message": ("message_set_entry", {}, "message", "needs a value"),
    "message without a magic": ("message_set_entry", {"message": {}}, "message.magic", "is None, so no layout"),
    "message of magic 2": ("message_set_entry", {"message": {"magic": 2}}, "message.magic", "known are 0, 1"),
    "message that is a number": ("message_set_entry", {"message": 5}, "message.magic", "no layout can be chosen"),
    "deep in a choice": ("message_set_entry", {"message": NESTED}, "message.value", "takes bytes, not int"),
    "field of the other magic": (
        "message_set_entry", {"message": {"magic": 0, "timestamp": 1}}, "message.timestamp", "has no such field",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_written(case: str) -> None:
    name, value, path, detail = CASES[case]
    for encode in (structure(name).encode, lambda value: interpreter.encode(find(name), value)):
        with pytest.raises(EncodeError) as caught:
            encode(value)
        assert caught.value.path_text == path
        assert detail in caught.value.detail
        assert str(caught.value) == f"cannot encode {path or 'the value'}: {caught.value.detail}"


def _fits_a_named_tuple(case: str) -> bool:
    name, value, _, _ = CASES[case]
    return isinstance(value, dict) and set(value) <= set(structure(name).type._fields)


@pytest.mark.parametrize("case", [case for case in CASES if _fits_a_named_tuple(case)])
def test_what_cannot_be_written_as_a_named_tuple(case: str) -> None:
    """The compiled writer gives way to the interpreter, which says what is wrong."""
    name, value, path, detail = CASES[case]
    kind = structure(name).type
    with pytest.raises(EncodeError) as caught:
        structure(name).encode(kind(**value))
    assert (caught.value.path_text, detail in caught.value.detail) == (path, True)


TWO_ITEMS = st.dictionaries(st.binary(max_size=2), st.binary(max_size=2), min_size=2, max_size=2)
ANYTHING = (
    st.sampled_from([None, 0.5, object(), NESTED, {"magic": 0}, [None], {"": None}])
    | st.one_of(st.integers(), st.text(max_size=3), st.binary(max_size=3), st.lists(st.integers(), max_size=2))
    | TWO_ITEMS
)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", sorted(specification().layouts))
@given(data=st.data())
@examples(30)
def test_whatever_stands_in_a_field(name: str, data: st.DataObject) -> None:
    """It is written, by both encoders alike, or an EncodeError."""
    value = data.draw(strategies.values(name))
    field = data.draw(st.sampled_from(value._fields))
    value = value._replace(**{field: data.draw(ANYTHING)})
    written = [_outcome(encode, value) for encode in (structure(name).encode, partial(interpreter.encode, find(name)))]
    assert written[0] == written[1]


def _outcome(encode: Callable[[Any], bytes], value: Any) -> bytes | tuple[str, str]:
    try:
        return encode(value)
    except EncodeError as error:
        return error.path_text, error.detail
