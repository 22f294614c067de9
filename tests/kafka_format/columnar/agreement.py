"""What the columnar decoder is checked against: the scalar decoder's records and errors."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kafka_format import columnar, records
from kafka_format.errors import FormatError
from kafka_format.records import Record

from tests import shipped

Said = list[Record] | tuple[Any, ...]


@lru_cache(maxsize=20_000)
def scalar(given: bytes, **how: Any) -> Said:
    """What the scalar decoder says: the records, or all that its error tells.

    It is kept, for both ways of reading columns are held against it.
    """
    try:
        return records.decode(given, **how)
    except FormatError as error:
        return _told(error)


def alone(given: bytes, **how: Any) -> Said:
    """What the columnar decoder says of one input."""
    try:
        return columnar.decode(given, **how).records()
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
    return [one.hex() for one, said in zip(inputs, found, strict=True) if said != scalar(one, **how)]


def _told(error: FormatError) -> tuple[Any, ...]:
    return *error.facts(), str(error), error.entry, error.record


def vectors_by_flag() -> Mapping[str, list[bytes]]:
    """The bytes of the lenient vectors, by the flag that lets them be read."""
    inputs: defaultdict[str, list[bytes]] = defaultdict(list)
    for vector in shipped.vectors().values():
        if vector.verdict == "lenient" and "v07" not in vector.formats:
            inputs[vector.flag].append(vector.data)
    return inputs
