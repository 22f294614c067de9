"""The compiler and the interpreter agree on every value, every byte, every fault of a layout.

They share the model, the functions that say what a fault is, and the scalars; those are tested by
themselves.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from kafka_format import compression, strategies, structure
from kafka_format.codec import interpreter
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Layout, Nested, Type

from tests.kafka_format.examples import examples

LAYOUTS = sorted(specification().layouts)
ALL_FLAGS = sorted({*specification().flags.values(), *compression.FLAGS})
FLAGS: SearchStrategy[frozenset[str]] = st.one_of(
    st.just(frozenset()), st.just(frozenset(ALL_FLAGS)), st.frozensets(st.sampled_from(ALL_FLAGS))
)


def interpreted(name: str, data: bytes, flags: frozenset[str] = frozenset()) -> Any:
    """The value, or the fault."""
    try:
        return interpreter.decode(find(name), data, flags=flags)
    except FormatError as error:
        return error.facts(), error.detail


def compiled(name: str, data: bytes, flags: frozenset[str] = frozenset()) -> Any:
    try:
        return interpreter.as_mappings(structure(name).decode(data, flags=flags))
    except FormatError as error:
        return error.facts(), error.detail


def same(layout: Layout, given: Any, read: dict[str, Any]) -> bool:
    """Tell whether every value that was given was read; those that were left to the encoder may be
    anything."""
    return all(
        (value is None and field.is_filled and read[field.name] is not None)
        or _same(field.type, value, read[field.name])
        for field, value in zip(layout.fields, given, strict=True)
    )


def _same(kind: Type, given: Any, read: Any) -> bool:
    if given is None or read is None:
        return given is read
    match kind:
        case Nested(layout=layout):
            return same(layout, given, read)
        case _ if hasattr(kind, "item"):
            return len(given) == len(read) and all(_same(kind.item, *pair) for pair in zip(given, read, strict=True))
        case _ if hasattr(kind, "cases"):
            return same(kind.cases[getattr(given, kind.by)], given, read)
        case _:
            return bool(given == read)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.data())
@examples(25)
def test_what_is_written_is_read(name: str, data: st.DataObject) -> None:
    value = data.draw(strategies.values(name))
    written = structure(name).encode(value)
    assert interpreter.encode(find(name), value) == written
    assert interpreter.encode(find(name), interpreter.as_mappings(value)) == written
    read = structure(name).decode(written)
    assert interpreter.as_mappings(read) == interpreter.decode(find(name), written)
    assert same(find(name), value, interpreter.as_mappings(read))
    assert structure(name).encode(read) == written


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.data(), flags=FLAGS)
@examples(30)
def test_damaged_bytes(name: str, data: st.DataObject, flags: frozenset[str]) -> None:
    damaged = data.draw(strategies.damaged(strategies.encoded(name), name))
    assert compiled(name, damaged, flags) == interpreted(name, damaged, flags)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.data(), flags=FLAGS)
@examples(10)
def test_bytes_damaged_twice(name: str, data: st.DataObject, flags: frozenset[str]) -> None:
    damaged = data.draw(strategies.damaged(strategies.damaged(strategies.encoded(name), name)))
    assert compiled(name, damaged, flags) == interpreted(name, damaged, flags)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.binary(max_size=100), flags=FLAGS)
@examples(10)
def test_any_bytes(name: str, data: bytes, flags: frozenset[str]) -> None:
    assert compiled(name, data, flags) == interpreted(name, data, flags)


def packed(draw: tuple[Any, bytes, str]) -> bytes:
    """Put a damaged payload into a batch whose lengths and checksum are right, compressed or
    not."""
    batch, payload, codec = draw
    attributes = batch.attributes & ~7 | compression.NAMES.index(codec)
    compressed = compression.compress(codec, payload)
    count = len(batch.records)
    return structure("record_batch").encode(
        batch._replace(attributes=attributes, record_count=count, last_offset_delta=0, records=compressed)
    )


RECORDS = st.lists(strategies.damaged(strategies.encoded("record"), "record"), min_size=1, max_size=3).map(b"".join)
DAMAGED_INSIDE = st.tuples(strategies.values("record_batch"), RECORDS, st.sampled_from(compression.NAMES)).map(packed)


@given(data=DAMAGED_INSIDE, flags=FLAGS)
@examples(200)
def test_damage_below_the_checksum_and_the_codec(data: bytes, flags: frozenset[str]) -> None:
    assert compiled("record_batch", data, flags) == interpreted("record_batch", data, flags)


@given(strategies.damaged(strategies.encoded("record"), "record"), st.binary(max_size=5), st.binary(max_size=5))
@examples()
def test_a_structure_may_lie_anywhere_in_the_bytes(data: bytes, before: bytes, behind: bytes) -> None:
    """What stands around it does not change the value, and moves a fault by the bytes before it."""

    def read(whole: bytes, start: int) -> Any:
        try:
            value, end = structure("record").read(whole, start, start + len(data))
        except FormatError as error:
            rule, stage, offset, path, payload = error.facts()
            return rule, stage, offset - start, path, payload
        return value, end - start

    assert read(before + data + behind, len(before)) == read(data, 0)


@given(data=strategies.damaged(strategies.encoded("record_batch"), "record_batch"))
@examples()
def test_bytes_and_views_of_bytes_are_read_alike(data: bytes) -> None:
    expected = compiled("record_batch", data)
    assert compiled("record_batch", bytearray(data)) == expected
    assert compiled("record_batch", memoryview(data)) == expected
