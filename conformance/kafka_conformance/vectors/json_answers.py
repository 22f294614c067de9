"""Answers as JSON: the records of a vector, and those that a report holds.

Records are written as `kafka_format.records.json_form` says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format.records import Record, json_form
from kafka_format.records.json_form import CODECS, FIELDS, TIMESTAMP_TYPES, record_from_json, to_json

from kafka_conformance.vectors.recipes import Unfolded

__all__ = ["TIMESTAMP_TYPES", "UNDECLARED", "from_json", "from_report", "to_json"]

UNDECLARED: Final = Record(0, 0, 0, None, None, (), 0, 0, 0, False, False, 0)  # noqa: FBT003 - as the fields stand
"""A record of which a target declares nothing."""


def from_json(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Turn the records of a vector's answer into `Record`s.

    Raises:
        ValueError: a record lacks a field or has one of the wrong kind; the text says which.
    """
    if isinstance(documents, Unfolded):
        return [
            record for document, times in documents.runs for record in _repeat(record_from_json(document, 0), times)
        ]
    return json_form.from_json(documents)


def from_report(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return an answer's `Record`s from `to_json`'s documents, even with impossible values.

    Fields that are not there are zero, as an adapter writes those that it does not declare.

    Raises:
        ValueError: it is not of that form.
    """
    return [
        UNDECLARED._replace(**{field: _READERS[field](document[field]) for field in FIELDS if field in document})
        for document in documents
    ]


def _repeat(record: Record, times: int) -> Iterator[Record]:
    """Yield a record so many times, with the offset one higher each time."""
    offset, rest = record.offset, record[1:]
    return (Record(offset + index, *rest) for index in range(times))


def _number(names: Sequence[str], text: str, *, first: int) -> int:
    """Take back what `_name_number` made."""
    return names.index(text) + first if text in names else int(text)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    **{field: parse for field, (parse, _) in json_form.FORMS.items()},
    "timestamp_type": lambda text: _number(TIMESTAMP_TYPES, text, first=-1),
    "codec": lambda text: _number(CODECS, text, first=0),
}
"""The same for what a target answered."""
