"""The texts that read and write batches as the records that a consumer gets.

They are the texts of the layouts (`kafka_format.codec.compiler`), which make records of the fields
without a named tuple for each structure on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_format.codec.compiler import structure
from kafka_format.codec.compiler.names import Names
from kafka_format.codec.compiler.plan import Node
from kafka_format.codec.compiler.reader_text import BOUND, ReaderText
from kafka_format.codec.compiler.writer_text import WriterText
from kafka_format.codec.text import Text
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_FAR: Final = 2**62

_RECORD: Final = (
    "base_offset_0 + offset_delta_1",
    "max_timestamp_0 if timestamp_type else base_timestamp_0 + timestamp_delta_1",
    "timestamp_type, key_1, value_1, tuple(headers_1) if headers_1 else (), producer_id_0, producer_epoch_0",
    "-1 if base_sequence_0 < 0 else sequence_of(base_sequence_0, offset_delta_1), transactional, control, codec",
)
"""What a record is made of."""

_FIELDS: Final = (
    "offset, timestamp, timestamp_type, key_0, value_0, headers_0, producer_id, producer_epoch, sequence, "
    "transactional, control, _"
)
"""A record's fields, in their order."""


def batch_reader(names: Mapping[str, Any]) -> Any:
    """Compile the reader of one batch.

    It returns its records, where it ends, its decompressed bytes, and if it is a control batch.
    `names` has what it makes of them.
    """
    layout = find("record_batch")
    text, known = Text(), Names()
    reader = _Reader(text, known)
    with text.block(f"def read(data, position, end, limit, allowed, Record=Record, tuple=tuple, {BOUND}):"):
        count_at = minimum_size(Nested(layout)) - minimum_size(layout.field("record_count").type)
        text.add(f"(count,) = {known.unpack('>i')}(data, position + {count_at})")
        reader.doubt_if("count > allowed")  # before any memory is taken
        reader.fields(structure(layout.name).plan, 0)
        control = layout.field("attributes").part("is_control").in_place
        text.add(f"return records_0, position, inside if codec else 0, attributes_0 & {control}")
    return _run(text, known, names)["read"]


class _Reader(ReaderText):
    """Writes the text that reads the records of a batch."""

    def items(self, node: Node, name: str, count: str, depth: int) -> None:
        """Read the records into a list, with what they share."""
        if depth:
            super().items(node, name, count, depth)
            return
        text = self._text
        text.add(
            f"is_near = -{_FAR} < base_offset_0 < {_FAR} and -{_FAR} < base_timestamp_0 < {_FAR}",
            "timestamp_type = LOG_APPEND_TIME if attributes_0 & TIMESTAMP_TYPE_BIT else CREATE_TIME",
            "transactional = attributes_0 & TRANSACTIONAL_BIT != 0",
            "control = attributes_0 & CONTROL_BIT != 0",
        )
        super().items(node, name, count, depth)
        with text.block("if not is_near:  # only then can a sum have more than 64 bits"):
            wrapped = "offset=int64(record.offset), timestamp=int64(record.timestamp)"
            text.add(f"{name} = [record._replace({wrapped}) for record in {name}]")

    def value(self, structure: Node, depth: int) -> str:
        """Return the text that makes a record."""
        if depth != 1:
            return super().value(structure, depth)
        self._text.add(f"if not -{_FAR} < timestamp_delta_1 < {_FAR}: is_near = False")
        return f"new(Record, ({', '.join(_RECORD)}))"


def record_writer(names: Mapping[str, Any]) -> Any:
    """Compile the writer of records in a row. `names` has what it takes them for.

    It returns their bytes and their highest timestamp, and raises an error if they cannot share a
    batch.
    """
    text, known = Text(), Names()
    writer, plan = WriterText(text, known, "found"), structure("record").plan
    with text.block(f"def write(records{writer.bound(plan)}):"):
        text.add(
            "first = records[0]",
            "base_offset, base_timestamp, base_sequence = first.offset, first.timestamp, first.sequence",
            "same = first.timestamp_type, first.producer_id, first.producer_epoch, first.transactional, first.control",
            "appended = first.timestamp_type == LOG_APPEND_TIME",
            "max_timestamp = base_timestamp",
            "found = []",
        )
        with text.block("for record in records:"):
            _deltas(text)
            writer.fields(plan, 0)
            writer.flush()
        text.add('return b"".join(found), max_timestamp')
    return _run(text, known, names)["write"]


def _run(text: Text, known: Names, names: Mapping[str, Any]) -> dict[str, Any]:
    module = {**known.known, **names}
    text.run(f"<records of spec/{find('record_batch').file}>", module)
    return module


def _deltas(text: Text) -> None:
    """Take a record apart, and check that it can share a batch with the first one."""
    shared = "(timestamp_type, producer_id, producer_epoch, transactional, control)"
    text.add(
        "if type(record) is not Record: raise TypeError",
        f"{_FIELDS} = record + ()",
        "offset_delta_0, timestamp_delta_0 = offset - base_offset, timestamp - base_timestamp",
        f"if {shared} != same or timestamp_delta_0 and appended: raise ValueError",
        "if sequence != (-1 if base_sequence < 0 else sequence_of(base_sequence, offset_delta_0)): raise ValueError",
        "if timestamp > max_timestamp: max_timestamp = timestamp",
        "attributes_0 = 0",
        "length_0 = header_count_0 = None",
    )
