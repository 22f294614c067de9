"""The texts that read and write batches as the records that a consumer gets.

They use the texts of the fields (`kafka_format.codec.compiler`), and make records of them without a
named tuple for each structure on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from kafka_format.codec.compiler import plan as planning
from kafka_format.codec.compiler.python_text import bound
from kafka_format.codec.compiler.reader_text import BOUND, ReaderText
from kafka_format.codec.compiler.structure import namespace
from kafka_format.codec.compiler.writer_text import WriterText
from kafka_format.codec.text import Text
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Layout, Nested, minimum_size

_GIVEN: Final = "attributes, base_offset, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence"
"""Fields of the head that the records of a batch share."""

_FAR: Final = 2**62

_FIELDS: Final = (
    "offset, timestamp, timestamp_type, key, value, headers, producer_id, producer_epoch, sequence, transactional, "
    "control, _"
)
"""A record's fields, in their order."""


def batch_reader(names: Mapping[str, Any]) -> Any:
    """Compile the reader of one batch.

    It returns its records, where it ends, its decompressed bytes, and if it is a control batch.
    `names` has the reader of the records.
    """
    layout = find("record_batch")
    plan = replace(planning.plan(layout), given=_GIVEN)
    made, smallest = Text(), minimum_size(Nested(layout))
    reader = ReaderText(made, plan)
    with made.block("def read(data, position, end, limit, allowed):"):
        count_at = smallest - minimum_size(layout.field("record_count").type)
        made.add(f"(count,) = UNPACK_i(data, position + {count_at})")
        reader.doubt_if("count > allowed")  # before any memory is taken
        reader.body()
        control = layout.field("attributes").part("is_control").in_place
        made.add(f"return records, position, len(plain) if codec else 0, attributes & {control}")
    return _run(made, layout, plan, names)["read"]


def record_functions(names: Mapping[str, Any]) -> tuple[Any, Any]:
    """Compile the reader and the writer of records in a row. `names` has what they make of them."""
    layout = find("record")
    plan = planning.plan(layout)
    made = Text()
    _reader(made, plan)
    _writer(made, plan)
    module = _run(made, layout, plan, names)
    return module["quick_many_record"], module["write_many_record"]


def _run(made: Text, layout: Layout, plan: planning.Plan, names: Mapping[str, Any]) -> dict[str, Any]:
    module = {**namespace(layout, plan), **names}
    made.run(f"<records of spec/{layout.file}>", module)
    return module


def _reader(made: Text, plan: planning.Plan) -> None:
    reader = ReaderText(made, plan)
    given = f"data, position, end, count, {_GIVEN.replace('attributes', 'batch_attributes')}"
    with made.block(f"def quick_many_record({given}, Record=Record, tuple=tuple, {BOUND}):"):
        reader.doubt_if(f"not 0 <= count * {minimum_size(Nested(plan.layout))} <= end - position")
        made.add(
            f"is_near = -{_FAR} < base_offset < {_FAR} and -{_FAR} < base_timestamp < {_FAR}",
            "timestamp_type = LOG_APPEND_TIME if batch_attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME",
            "transactional = batch_attributes & TRANSACTIONAL_BIT != 0",
            "control = batch_attributes & CONTROL_BIT != 0",
            "codec_number = batch_attributes & CODEC_MASK",
            "records = []",
            "append = records.append",
        )
        with made.block("for _ in range(count):"):
            reader.body()
            with made.block(f"if not -{_FAR} < timestamp_delta < {_FAR}:"):
                made.add("is_near = False")
            made.add(
                "append(new(Record, (",
                "    base_offset + offset_delta, "
                "max_timestamp if timestamp_type else base_timestamp + timestamp_delta,",
                "    timestamp_type, key, value, tuple(headers) if headers else (), producer_id, producer_epoch,",
                "    -1 if base_sequence < 0 else sequence_of(base_sequence, offset_delta), transactional, control, "
                "codec_number,",
                ")))",
            )
        reader.doubt_if("position > end")
        with made.block("if not is_near:  # only then can a sum have more than 64 bits"):
            wrapped = "offset=int64(record.offset), timestamp=int64(record.timestamp)"
            made.add(f"records = [record._replace({wrapped}) for record in records]")
        made.add("return records, position")
    made.add("", "")


def _writer(made: Text, plan: planning.Plan) -> None:
    """Add what writes records, and returns their bytes and their highest timestamp.

    It raises an error if they cannot share a batch.
    """
    writer = WriterText(made, plan)
    with made.block(f"def write_many_record(records, Record=Record, {bound(plan.layout)}):"):
        made.add(
            "first = records[0]",
            "base_offset, base_timestamp, base_sequence = first.offset, first.timestamp, first.sequence",
            "same = first.timestamp_type, first.producer_id, first.producer_epoch, first.transactional, first.control",
            "appended = first.timestamp_type == LOG_APPEND_TIME",
            "max_timestamp = base_timestamp",
            "found = []",
        )
        with made.block("for record in records:"):
            _deltas(made)
            writer.body()
            writer.collect()
        made.add('return b"".join(found), max_timestamp')


def _deltas(made: Text) -> None:
    """Take a record apart, and check that it can share a batch with the first one."""
    with made.block("if type(record) is not Record:"):
        made.add("raise TypeError")
    made.add(f"{_FIELDS} = record + ()")
    made.add("offset_delta = offset - base_offset", "timestamp_delta = timestamp - base_timestamp")
    shared = "(timestamp_type, producer_id, producer_epoch, transactional, control)"
    with made.block(f"if {shared} != same or timestamp_delta and appended:"):
        made.add("raise ValueError")
    with made.block("if sequence != (-1 if base_sequence < 0 else sequence_of(base_sequence, offset_delta)):"):
        made.add("raise ValueError")
    with made.block("if timestamp > max_timestamp:"):
        made.add("max_timestamp = timestamp")
    made.add("attributes = 0", "length = header_count = None")
