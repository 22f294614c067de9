"""The quick reading and writing of batches of v2: straight from bytes to records, and back.

It does not diagnose errors: it stops before a batch that may break a rule, or that it cannot write.
Then `decoding` and `encoding` use the interpreter. They handle the older formats too.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.codec.compiler.batch_program import batch_program
from kafka_format.codec.readings import DOUBT, READINGS
from kafka_format.errors import FormatError
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.primitives.integers import int64
from kafka_format.records import control, model, texts
from kafka_format.records.budget import Budget
from kafka_format.records.entries import LARGEST_SIZE, Entry
from kafka_format.records.model import Header, Record

_NAMES: Final = (
    "CODEC_MASK", "CONTROL_BIT", "CREATE_TIME", "LOG_APPEND_TIME", "TIMESTAMP_TYPE_BIT", "TRANSACTIONAL_BIT", "Header",
    "Record", "sequence_of",
)  # fmt: skip
"""Names of `model` that the texts use."""


class _Compiled(NamedTuple):
    """The reader of a batch, the writer of records, and the class and the writer of a batch."""

    read: Callable[..., tuple[list[Record], int, int, int]]
    write_records: Callable[[Sequence[Record]], tuple[bytes, int]]
    batch: Any
    write: Callable[[Any], bytes]


@cache
def _compile() -> _Compiled:
    """Compile the functions when they are first needed."""
    names = {name: getattr(model, name) for name in _NAMES} | {"int64": int64}
    batch = structure("record_batch")
    return _Compiled(texts.batch_reader(names), texts.record_writer(names), batch.type, batch.python.write)


class _Machine:
    """What the layout machine reads batches by, made when it is first used."""

    @cached_property
    def decode(self) -> Callable[[bytes, int, int | None, int, int], Any]:
        """The function that records.c describes."""
        program = batch_program(record=Record, header=Header)
        return _read_nothing if program is None else program.decode


MACHINE: Final = _Machine()


def _read_nothing(_data: bytes, start: int, _end: int | None, _limit: int, _most: int) -> Any:
    """Read nothing: the machine has no program for the layout of a batch."""
    return [], start, 0, 0, -1, -1


def decode(
    data: bytes,
    start: int,
    end: int,
    budget: Budget,
    flags: frozenset[str] = frozenset(),
    *,
    read_control: bool,
    begun: Any = None,
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
        begun: what the machine has read of it already.

    Returns:
        The records, where those batches end, and how many they are.

    Raises:
        FormatError: a control record breaks a rule.
    """
    if READINGS.machine is not None:
        begun = begun or MACHINE.decode(data, start, end, budget.limit, budget.records)
        return _go_on(begun, data, end, budget, flags, read_control=read_control)
    if end - start >= LARGE and gc.isenabled():
        with paused_collector():
            return decode(data, start, end, budget, flags, read_control=read_control)
    decoded: list[Record] = []
    position, batches = start, 0
    read = _compile().read
    while position < end <= LARGEST_SIZE and READINGS.quick:
        try:
            records, behind, size, is_control = read(data, position, end, budget.limit, budget.records)
        except DOUBT:
            break
        if is_control and read_control:
            _check_control(records, data, Entry(position, behind, 2), flags, budget.limit, batches)
        position = behind
        batches += 1
        budget.limit -= size
        budget.records -= len(records)
        decoded += records
    return decoded, position, batches


def _go_on(
    begun: Any, data: bytes, end: int, budget: Budget, flags: frozenset[str], *, read_control: bool
) -> tuple[list[Record], int, int]:
    """Go on where the machine has stopped, which it does after each control batch."""
    decoded, behind, batches, size, control_at, first = begun
    found = decoded
    while control_at >= 0:
        if read_control:
            _check_control(found[first:], data, Entry(control_at, behind, 2), flags, budget.limit, batches - 1)
        budget.limit -= size
        budget.records -= len(found)
        found, behind, count, size, control_at, first = MACHINE.decode(data, behind, end, budget.limit, budget.records)
        decoded += found
        batches += count
    budget.limit -= size
    budget.records -= len(found)
    return decoded, behind, batches


def _check_control(
    records: list[Record], data: bytes, entry: Entry, flags: frozenset[str], limit: int, index: int
) -> None:
    try:
        control.check(records, data, entry, flags, limit)
    except FormatError as error:
        raise error.within(entry=index) from None


def encode(records: Sequence[Record], attributes: int, codec: str) -> bytes:
    """Write records as one batch.

    Raises:
        One of REFUSED: they do not fit, or are none.
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
