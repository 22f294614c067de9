"""What is due for bytes, and what a target gave, in a few words."""

from collections.abc import Sequence
from typing import Final

from kafka_format.records import Record

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.golden import Vector, Verdict

_RECORDS: Final = 2
_SHOWN: Final = 16


def due(vector: Vector) -> str:
    """Say what a target must make of bytes."""
    answer = records_text(json_answers.from_json(vector.answer or ()))
    if vector.verdict is Verdict.VALID:
        return answer
    refused = f"refused, because of {vector.fault.rule}" if vector.fault else "refused"
    return refused if vector.verdict is Verdict.INVALID else f"{refused}; or, with {vector.flag}, {answer}"


def given(result: Result) -> str:
    """Say what a target made of bytes: its records, or its error."""
    if result.outcome is Outcome.ACCEPTED_INVALID and result.answer is not None:
        return records_text(result.answer)
    return result.detail


def records_text(records: Sequence[Record]) -> str:
    """Return the first records in short: `1 record: offset 0, key null, value hex:00`."""
    told = "; ".join(_record(record) for record in records[:_RECORDS])
    count = f"{len(records):,} record{'' if len(records) == 1 else 's'}" if records else "no records"
    return count + (f": {told}" if told else "") + ("; ..." if len(records) > _RECORDS else "")


def _record(record: Record) -> str:
    told = [f"offset {record.offset}"]
    told += [f"timestamp {record.timestamp}"] if record.timestamp != -1 else []
    told += [f"key {_bytes(record.key)}", f"value {_bytes(record.value)}"]
    told += [f"header {_bytes(one.key)}: {_bytes(one.value)}" for one in record.headers[:_RECORDS]]
    return ", ".join(told)


def _bytes(value: bytes | None) -> str:
    if not value:
        return "null" if value is None else "empty"
    return f"hex:{value[:_SHOWN].hex()}" + (f" and {len(value) - _SHOWN} more bytes" if len(value) > _SHOWN else "")
