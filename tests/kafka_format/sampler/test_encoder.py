"""The encoder of columns agrees with Kafka's own bytes and with the reference's encoder."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import sampler, strategies, structure
from kafka_format.columnar import plans
from kafka_format.columnar.arrays import RowGroups
from kafka_format.columnar.byte_moves import octets
from kafka_format.columnar.plans import plan
from kafka_format.sampler.attributes import combine
from kafka_format.sampler.contents import Contents
from kafka_format.sampler.encoder import Column, Columns, Items, encode
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Choice, Form, Integer, Nested

from tests.kafka_format.wire import EMPTY, THREE, V0, V1, V2

PLAIN = strategies.values("record_batch", attributes=st.integers(-4096, 4095).map(lambda number: number * 8))
"""Batches with all bits of the attributes but those of the codec."""


def columns(layout: str, values: Sequence[Any]) -> Columns:
    """Turn values of a layout into the columns that the encoder takes."""
    fields = [field for field in find(layout).fields if field.const is None and field.computed is None]
    return {field.name: column(field.type, [getattr(value, field.name) for value in values]) for field in fields}


def column(kind: Any, values: Sequence[Any]) -> Column:
    match kind:
        case Form():
            lengths = [-1 if value is None else len(value) for value in values]
            starts = list(accumulate((max(length, 0) for length in lengths), initial=0))[:-1]
            source = octets(b"".join(value or b"" for value in values))
            return Contents(source, np.array(starts, np.int64), np.array(lengths, np.int64))
        case Array(item=Nested(layout=layout)):
            groups = RowGroups(np.array([len(items) for items in values], np.int64))
            return Items(groups, columns(layout.name, [item for items in values for item in items]))
        case _:
            return np.array(values, np.int64)


def encoded(layout: str, values: Sequence[Any]) -> list[bytes]:
    return encode(plan(layout), len(values), columns(layout, values)).cut()


def encoded_messages(magic: int, values: Sequence[Any]) -> bytes:
    """Encode entries of a message set; the choice of layout is resolved, so its fields stand among
    the entry's."""
    outer = {"offset": np.array([value.offset for value in values], np.int64)}
    inner = columns(f"message_v{magic}", [value.message for value in values])
    return encode(plan("message_set_entry", magic), len(values), {**outer, **inner}).data


def test_batches_of_kafka_come_out_as_kafka_wrote_them() -> None:
    batches = [V2, THREE, EMPTY]
    assert encoded("record_batch", [structure("record_batch").decode(batch) for batch in batches]) == batches


@pytest.mark.parametrize(("magic", "entry"), [(0, V0), (1, V1)])
def test_messages_of_kafka_come_out_as_kafka_wrote_them(magic: int, entry: bytes) -> None:
    assert encoded_messages(magic, [structure("message_set_entry").decode(entry)] * 3) == entry * 3


@given(st.lists(PLAIN, max_size=4))
def test_batches_are_those_of_the_reference(drawn: list[Any]) -> None:
    batches = [structure("record_batch").encode(value) for value in drawn]
    assert encoded("record_batch", [structure("record_batch").decode(batch) for batch in batches]) == batches


@given(st.lists(strategies.values("answer"), max_size=4))
def test_answers_are_those_of_the_reference(drawn: list[Any]) -> None:
    assert encoded("answer", drawn) == [structure("answer").encode(value) for value in drawn]


@pytest.mark.parametrize("magic", [0, 1])
@given(data=st.data())
def test_messages_are_those_of_the_reference(magic: int, data: st.DataObject) -> None:
    entries = strategies.values("message_set_entry", message=strategies.values(f"message_v{magic}"))
    drawn = data.draw(st.lists(entries, max_size=4))
    assert encoded_messages(magic, drawn) == b"".join(map(structure("message_set_entry").encode, drawn))


@pytest.mark.parametrize("change", [{"value": None}, {"novelty": np.zeros(1, np.int64)}])
def test_columns_and_fields_must_be_the_same(change: dict[str, Any]) -> None:
    content = Contents(octets(b""), np.zeros(1, np.int64), np.zeros(1, np.int64))
    drawn = {"key": content, "value": content} | change
    with pytest.raises(ValueError, match=rf"header: .* differ in: {next(iter(change))}"):
        encode(plan("header"), 1, {name: rows for name, rows in drawn.items() if rows is not None})


def test_a_column_of_the_wrong_kind_is_refused() -> None:
    numbers = np.zeros(1, np.int64)
    with pytest.raises(TypeError, match="`key` needs a column of Contents, not of ndarray"):
        encode(plan("header"), 1, {"key": numbers, "value": Contents(octets(b""), numbers, numbers)})


def slices(*lengths: int, start: int = 0) -> Contents:
    return Contents(octets(bytes(range(256))), np.full(len(lengths), start), np.array(lengths, np.int64))


@pytest.mark.parametrize("start", [0, 1, 31, 32, 33, 127, 128, 129])
def test_contents_of_every_length_from_the_start_of_a_buffer_to_its_end(start: int) -> None:
    lengths = [0, 1, 31, 32, 33, 64, 127, 128 - start % 128, 256 - start]
    lengths = [length for length in lengths if length <= 256 - start]
    found = encode(plan("header"), len(lengths), {"key": slices(*lengths, start=start), "value": slices(*lengths)})
    expected = [{"key": bytes(range(start, start + length)), "value": bytes(range(length))} for length in lengths]
    assert found.cut() == [structure("header").encode(header) for header in expected]


def test_contents_are_found_where_they_were_written() -> None:
    key, value = slices(3, 200, 0), slices(1, -1, 40, start=100)
    found = encode(plan("header"), 3, {"key": key, "value": value})
    assert len(found.contents) == 2
    for before, after in zip((key, value), found.contents, strict=True):
        assert after.source is not before.source
        assert [after.content(row) for row in range(3)] == [before.content(row) for row in range(3)]


def test_contents_may_be_slices_of_several_buffers() -> None:
    value = Contents(octets(b"abc"), np.array([1]), np.array([2]))
    assert encode(plan("header"), 1, {"key": slices(2, start=65), "value": value}).data == b"\x04AB\x04bc"


def test_runs_of_structures_are_cut_by_their_owners() -> None:
    found = encode(plan("header"), 3, {"key": slices(0, 0, 0), "value": slices(-1, 0, -1)})
    assert found.runs(RowGroups(np.array([1, 0, 2]))).cut() == [b"\0\1", b"", b"\0\0\0\1"]


def test_nothing_is_encoded_to_nothing() -> None:
    found = encode(plan("header"), 0, {"key": slices(), "value": slices()})
    assert (found.data, found.bounds.tolist(), found.cut()) == (b"", [0], [])


def test_items_that_are_contents() -> None:
    """In a request to decode: two inputs, each after its length (docs/adapter-protocol.md)."""
    inputs = Items(RowGroups(np.array([2])), {plans.ITEM: slices(2, 0, start=65)})
    request = encode(
        plan("decode_request"), 1, {"block_id": np.array([7]), "input_kind": np.array([1]), "inputs": inputs}
    )
    assert request.data == b"D\0\0\0\7\1\0\0\0\2\0\0\0\2AB\0\0\0\0"


@pytest.mark.parametrize("name", ["key", "value"])
def test_a_column_with_too_many_rows_is_refused(name: str) -> None:
    drawn = {"key": slices(1, 1, 1), "value": slices(1, 1, 1)} | {name: slices(1, 1)}
    with pytest.raises(ValueError, match="a column has 2 rows for 3 structures"):
        encode(plan("header"), 3, drawn)


def test_an_array_with_too_many_owners_is_refused() -> None:
    inputs = Items(RowGroups(np.array([1, 1])), {plans.ITEM: slices(1, 1)})
    drawn = {"block_id": np.zeros(1, np.int64), "input_kind": np.zeros(1, np.int64), "inputs": inputs}
    with pytest.raises(ValueError, match="a column has 2 rows for 1 structures"):
        encode(plan("decode_request"), 1, drawn)


@pytest.fixture
def fresh_plans() -> Iterator[None]:
    plans.plan.cache_clear()
    yield
    plans.plan.cache_clear()


@pytest.mark.usefixtures("fresh_plans")
@pytest.mark.parametrize(
    ("layout", "profile"),
    [
        ("record_batch", "mixed"),
        ("record", "mixed"),
        ("header", "mixed"),
        ("answer_record", "mixed"),
        ("message_set_entry", "legacy"),
        ("message_v0", "legacy"),
        ("message_v1", "legacy"),
        ("answer_record", "legacy"),
    ],
)
def test_a_new_field_of_a_layout_is_not_forgotten(monkeypatch: pytest.MonkeyPatch, layout: str, profile: str) -> None:
    def with_novelty(one: Any) -> Any:
        fields = [replace(field, type=with_novelty_inside(field.type)) for field in one.fields]
        novelty = replace(find("record_batch").field("base_offset"), name="novelty")
        return replace(one, fields=(*fields, novelty) if one.name == layout else tuple(fields))

    def with_novelty_inside(kind: Any) -> Any:
        if isinstance(kind, Choice):
            return replace(kind, cases={magic: with_novelty(case) for magic, case in kind.cases.items()})
        return kind

    monkeypatch.setattr(plans, "find", lambda name: with_novelty(find(name)))
    with pytest.raises(ValueError, match="differ in: novelty"):
        sampler.block(0, 0, 50, profile).answer(0)


@pytest.mark.parametrize("parts", [{}, {"codec": np.zeros(1, np.int64)}])
def test_new_bits_of_a_layout_are_not_forgotten(parts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"message_v1\.attributes: .* differ in: (codec, )?timestamp_type"):
        combine("message_v1", "attributes", parts)


def test_unsigned_integers_stay_unsigned() -> None:
    crc = find("record_batch").field("crc")
    assert isinstance(crc.type, Integer)
    (row,) = [step for step in plan("record_batch").steps if isinstance(step, plans.RowStep)]
    assert row.dtype["crc"] == np.dtype(">u4")
    assert row.dtype.itemsize == 61  # the header of a record batch (KIP-98)
