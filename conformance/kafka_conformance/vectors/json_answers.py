"""Answers as JSON: the records of a vector, of a report or of a user's file.

64-bit integers are decimal strings, because JavaScript's numbers lose bits past 2^53, and bytes are
hex.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format.records import Header, Record

from kafka_conformance.protocol.hello import CODECS, FIELDS
from kafka_conformance.vectors.json_values import boolean, integer, octets
from kafka_conformance.vectors.recipes import Unfolded

TIMESTAMP_TYPES = ("none", "create_time", "log_append_time")
"""JSON names of the timestamp types -1, 0 and 1."""


UNDECLARED: Final = Record(0, 0, 0, None, None, (), 0, 0, 0, False, False, 0)  # noqa: FBT003 - as the fields stand
"""A record of which a target declares nothing."""


def from_json(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Turn the records of a vector's answer, or of a user's file, into `Record`s.

    Raises:
        ValueError: a record lacks a field or has one of the wrong kind; the text says which.
    """
    if isinstance(documents, Unfolded):
        return [record for document, times in documents.runs for record in _repeat(_record(document, 0), times)]
    return [_record(document, index) for index, document in enumerate(documents)]


def from_report(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return an answer's `Record`s from `to_json`'s documents, even with impossible values.

    Fields that are not there are zero, as an adapter writes those that it does not declare.

    Raises:
        ValueError: it is not of that form.
    """
    return [
        UNDECLARED._replace(**{field: _TOLD[field](document[field]) for field in FIELDS if field in document})
        for document in documents
    ]


def to_json(records: Iterable[Record], fields: Collection[str] = FIELDS) -> list[dict[str, Any]]:
    """Turn records into what `json.dumps` takes; `from_json` reads it back if it has all fields."""
    documents = map(_document, records)
    return [{field: value for field, value in document.items() if field in fields} for document in documents]


def _repeat(record: Record, times: int) -> Iterator[Record]:
    """Yield a record so many times, with the offset one higher each time."""
    offset, rest = record.offset, record[1:]
    return (Record(offset + index, *rest) for index in range(times))


def _record(document: Mapping[str, Any], index: int) -> Record:
    if not isinstance(document, Mapping):
        raise ValueError(f"records[{index}] is no object with the fields of a record")  # noqa: TRY004 - the user's JSON
    unknown = [name for name in document if name not in FIELDS]
    if unknown:
        raise ValueError(f"records[{index}].{unknown[0]}: there is no such field; there are {', '.join(FIELDS)}")
    return Record(**{field: _field(document, index, field) for field in FIELDS})


def _field(document: Mapping[str, Any], index: int, field: str) -> Any:  # noqa: ANN401 - any field's value
    if field not in document:
        raise ValueError(f"records[{index}] has no field {field!r}")
    parse, words = _FORMS[field]
    try:
        return parse(document[field])
    except (TypeError, ValueError):
        raise ValueError(f"records[{index}].{field}: {document[field]!r} is not {words}") from None


def _document(record: Record) -> dict[str, Any]:
    return {
        "offset": str(record.offset),
        "timestamp": str(record.timestamp),
        "timestamp_type": _name_number(TIMESTAMP_TYPES, record.timestamp_type, first=-1),
        "key": _hex(record.key),
        "value": _hex(record.value),
        "headers": [[_hex(header.key), _hex(header.value)] for header in record.headers],
        "producer_id": str(record.producer_id),
        "producer_epoch": record.producer_epoch,
        "sequence": record.sequence,
        "transactional": record.transactional,
        "control": record.control,
        "codec": _name_number(CODECS, record.codec, first=0),
    }


def _name_number(names: Sequence[str], number: int, *, first: int) -> str:
    """Give the name of a number, or the number itself: a target may answer what there is not."""
    return names[number - first] if 0 <= number - first < len(names) else str(number)


def _number(names: Sequence[str], text: str, *, first: int) -> int:
    """Take back what `_name_number` made."""
    return names.index(text) + first if text in names else int(text)


def _headers(pairs: list[tuple[str | None, str | None]]) -> tuple[Header, ...]:
    # No format has null keys, but targets make some, and a report has to hold what they said.
    return tuple(Header(octets(key), octets(value)) for key, value in pairs)  # type: ignore[arg-type]  # as said above


_INTEGER: tuple[Callable[[Any], Any], str] = (integer, "an integer, or a decimal string")
_FORMS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "offset": _INTEGER,
    "timestamp": _INTEGER,
    "timestamp_type": (lambda name: TIMESTAMP_TYPES.index(name) - 1, f"one of {', '.join(TIMESTAMP_TYPES)}"),
    "key": (octets, "hex digits or null"),
    "value": (octets, "hex digits or null"),
    "headers": (_headers, "a list of pairs: the key in hex, the value in hex or null"),
    "producer_id": _INTEGER,
    "producer_epoch": _INTEGER,
    "sequence": _INTEGER,
    "transactional": (boolean, "true or false"),
    "control": (boolean, "true or false"),
    "codec": (CODECS.index, f"one of {', '.join(CODECS)}"),
}
"""How the JSON of each field is read, and what it must be, in words."""

_TOLD: Mapping[str, Callable[[Any], Any]] = {
    **{field: parse for field, (parse, _) in _FORMS.items()},
    "timestamp_type": lambda text: _number(TIMESTAMP_TYPES, text, first=-1),
    "codec": lambda text: _number(CODECS, text, first=0),
}
"""The same for what a target answered."""


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()
