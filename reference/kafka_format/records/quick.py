"""The quick reading and writing of batches of v2: straight from bytes to records, and back.

It does not diagnose errors: it stops before a batch that may break a rule, or that it cannot write.
Then `decoding` and `encoding` use the interpreter. They handle the older formats too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec.compiler import compile_template, structure
from kafka_format.codec.readings import READINGS
from kafka_format.errors import FormatError
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.primitives.integers import int64
from kafka_format.records import control, model
from kafka_format.records.budget import Budget
from kafka_format.records.entries import LARGEST_SIZE, Entry
from kafka_format.records.model import Record

_TEMPLATES: Final = Path(__file__).parent / "templates"
_NAMES: Final = (
    "CODEC_MASK", "CONTROL_BIT", "CREATE_TIME", "LOG_APPEND_TIME", "TIMESTAMP_TYPE_BIT", "TRANSACTIONAL_BIT", "Header",
    "Record", "sequence_of",
)  # fmt: skip
"""Names of `model` that the templates use."""

_GIVEN: Final = "attributes, base_offset, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence"
"""Fields of the head that the records of a batch share."""


class _Compiled(NamedTuple):
    """The reader of a batch, the writer of records, and the class and the writer of a batch."""

    read: Callable[..., tuple[list[Record], int, int, int] | None]
    write_records: Callable[[Sequence[Record]], tuple[bytes, int]]
    batch: Any
    write: Callable[[Any], bytes]


@cache
def _compile() -> _Compiled:
    """Compile the functions when they are first needed."""
    records = compile_template(
        "record", _TEMPLATES / "records.py.j2", {name: getattr(model, name) for name in _NAMES} | {"int64": int64}
    )
    inside = {"quick_many_record": records["quick_many_record"]}
    batch = compile_template("record_batch", _TEMPLATES / "batch.py.j2", inside, given=_GIVEN)
    parts = structure("record_batch").parts
    return _Compiled(batch["read"], records["write_many_record"], parts.type, parts.write)


def decode(
    data: bytes, start: int, end: int, budget: Budget, flags: frozenset[str] = frozenset(), *, read_control: bool
) -> tuple[list[Record], int, int]:
    """Return the records in `data[start:end]` up to the first doubt; charge them to the budget.

    Args:
        data: the bytes.
        start: where the first batch begins.
        end: where the last one ends.
        budget: what is left of the limits.
        flags: leniencies that are allowed for what control records say; the batches themselves are
            read strictly.
        read_control: False leaves it to the caller what is in the keys and values of control
            records.

    Returns:
        The records, where those batches end, and how many they are.

    Raises:
        FormatError: a control record breaks a rule.
    """
    if not READINGS.quick:
        return [], start, 0
    if end - start < LARGE:
        return _decode(data, start, end, budget, flags, read_control=read_control)
    with paused_collector():
        return _decode(data, start, end, budget, flags, read_control=read_control)


def _decode(
    data: bytes, start: int, end: int, budget: Budget, flags: frozenset[str], *, read_control: bool
) -> tuple[list[Record], int, int]:
    read = _compile().read
    decoded: list[Record] = []
    position, batches = start, 0
    while position < end <= LARGEST_SIZE:
        batch = read(data, position, end, budget.limit, budget.records)
        if batch is None:
            break
        records, behind, size, is_control = batch
        if is_control and read_control:
            try:
                control.check(records, data, Entry(position, behind, 2), flags, budget.limit)
            except FormatError as error:
                raise error.within(entry=batches) from None
        position = behind
        batches += 1
        budget.limit -= size
        budget.records -= len(records)
        decoded += records
    return decoded, position, batches


def encode(records: Sequence[Record], attributes: int, codec: str) -> bytes:
    """Write records as one batch.

    Raises:
        One of WRITE_FAILS: they do not fit, or are none.
    """
    if not READINGS.quick:
        raise ValueError
    _, write_records, batch, write = _compile()
    payload, max_timestamp = write_records(records)
    if codec != "none":
        payload = compression.compress(codec, payload)
    first, last = records[0], records[-1]
    return write(tuple.__new__(batch, (  # in wire order; what is None is filled
        first.offset, None, -1, 2, None, attributes, last.offset - first.offset, first.timestamp, max_timestamp,
        first.producer_id, first.producer_epoch, first.sequence, len(records), payload,
    )))  # fmt: skip
