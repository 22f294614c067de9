"""What the columnar decoder is held against: the scalar decoder, on records, and on every word about an error."""

from collections.abc import Sequence
from typing import Any

from kafka_format import columnar, records
from kafka_format.errors import FormatError
from kafka_format.records import Record

Said = list[Record] | tuple[Any, ...]


def scalar(data: bytes, **how: Any) -> Said:
    """What the scalar decoder says: the records, or all that its error tells."""
    try:
        return records.decode(data, **how)
    except FormatError as error:
        return _told(error)


def alone(data: bytes, **how: Any) -> Said:
    """What the columnar decoder says of one input."""
    try:
        return columnar.decode(data, **how).records()
    except FormatError as error:
        return _told(error)


def together(inputs: Sequence[bytes], **how: Any) -> list[Said]:
    """What the columnar decoder says of many inputs at once."""
    found = columnar.decode_many(inputs, **how)
    return [
        _told(found.refusals[index]) if index in found.refusals else found.records(index) for index in range(len(found))
    ]


def disagreements(inputs: Sequence[bytes], **how: Any) -> list[str]:
    """The inputs of which both do not say the same."""
    found = together(inputs, **how)
    return [data.hex() for data, said in zip(inputs, found, strict=True) if said != scalar(data, **how)]


def _told(error: FormatError) -> tuple[Any, ...]:
    return *error.fault(), str(error), error.entry, error.record
