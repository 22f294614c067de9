"""Answers in their three forms (records, bytes, JSON) and the comparison of two of them.

The bytes are the `answer` layout of the adapter protocol; this module only moves values between that layout and
`kafka_format.records.Record`. In JSON, 64-bit integers are decimal strings, because JavaScript's numbers lose bits
past 2^53, and bytes are hex.

Comparison is field by field over what the target declares, and gives the first difference as a path with both values.
A target that does not declare `control` never sees control records in what is expected of it: its library hides them
by design.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import kafka_format
from kafka_format.records import Header, Record

from kafka_conformance.vectors.json_values import boolean, integer, octets
from kafka_conformance.vectors.recipes import Unfolded

FIELDS = (
    "offset",
    "timestamp",
    "timestamp_type",
    "key",
    "value",
    "headers",
    "producer_id",
    "producer_epoch",
    "sequence",
    "transactional",
    "control",
    "codec",
)
"""Every field that a target can declare, in the order in which differences are looked for."""

TIMESTAMP_TYPES = ("none", "create_time", "log_append_time")
"""JSON names of the timestamp types -1, 0 and 1."""

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
"""JSON names of the codecs 0 to 4."""

_TRANSACTIONAL, _CONTROL = 1, 2
_SHOWN_BYTES = 24


class Difference(NamedTuple):
    """The first difference of two answers: where, and both values in short form."""

    path: str
    expected: str
    got: str


def to_bytes(records: Iterable[Record]) -> bytes:
    """Write records in the canonical form that adapters speak."""
    answer = kafka_format.structure("answer")
    return answer.encode(answer.type(records=[to_wire(record) for record in records]))


def from_bytes(data: bytes) -> list[Record]:
    """Read records from the canonical form.

    Raises:
        kafka_format.errors.FormatError: the bytes are no answer.
    """
    return [from_wire(wire) for wire in kafka_format.structure("answer").decode(data).records]


def from_json(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Turn the records of a vector's answer, or of a user's file, into `Record`s.

    Raises:
        ValueError: a record lacks a field or has one of the wrong kind; the text says which.
    """
    if isinstance(documents, Unfolded):
        return [record for document, times in documents.runs for record in _repeated(_record(document, 0), times)]
    return [_record(document, index) for index, document in enumerate(documents)]


def from_report(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Turn what `to_json` made of a target's answer into `Record`s, what no record can have included.

    Raises:
        ValueError: it is not of that form.
    """
    return [Record(**{field: _TOLD[field](document[field]) for field in FIELDS}) for document in documents]


def to_json(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Turn records into what `json.dumps` takes; `from_json` reads it back."""
    return [_document(record) for record in records]


def visible(records: Sequence[Record], fields: Iterable[str]) -> list[Record]:
    """Leave out control records unless `control` is among the declared fields."""
    return list(records) if "control" in fields else [record for record in records if not record.control]


def first_difference(expected: Sequence[Record], got: Sequence[Record], fields: Iterable[str]) -> Difference | None:
    """Compare two answers over the declared fields; None if they agree.

    Records are compared in order before their number is, because the first record that differs says more than a count.
    """
    declared = [field for field in FIELDS if field in set(fields)]
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        for field in declared if left != right else ():
            if getattr(left, field) != getattr(right, field):
                return _difference(f"records[{index}].{field}", getattr(left, field), getattr(right, field))
    if len(expected) != len(got):
        return Difference("records", _count(expected), _count(got))
    return None


def to_wire(record: Record) -> Any:  # noqa: ANN401 - a NamedTuple that the layout made
    """Turn a record into the values of the layout `answer_record`, whose order is that of a `Record`."""
    offset, timestamp, timestamp_type, key, value, headers, producer, epoch, sequence, transactional, control, codec = (
        record
    )
    flags = _TRANSACTIONAL * transactional | _CONTROL * control
    pairs = [kafka_format.structure("answer_header").type(*one) for one in headers] if headers else []
    first, last = (offset, timestamp, timestamp_type, key, value), (producer, epoch, sequence, flags, codec)
    return kafka_format.structure("answer_record").type(*first, len(pairs), pairs, *last)


def from_wire(wire: Any) -> Record:  # noqa: ANN401 - a NamedTuple that the layout made
    """Turn the values of the layout `answer_record` into a record."""
    offset, timestamp, timestamp_type, key, value, _, headers, producer, epoch, sequence, flags, codec = wire
    pairs = tuple([Header(header.key, header.value) for header in headers]) if headers else ()
    flagged = bool(flags & _TRANSACTIONAL), bool(flags & _CONTROL)
    return Record(offset, timestamp, timestamp_type, key, value, pairs, producer, epoch, sequence, *flagged, codec)


def _repeated(record: Record, times: int) -> Iterator[Record]:
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
        "timestamp_type": _named(TIMESTAMP_TYPES, record.timestamp_type, first=-1),
        "key": _hex(record.key),
        "value": _hex(record.value),
        "headers": [[_hex(header.key), _hex(header.value)] for header in record.headers],
        "producer_id": str(record.producer_id),
        "producer_epoch": record.producer_epoch,
        "sequence": record.sequence,
        "transactional": record.transactional,
        "control": record.control,
        "codec": _named(CODECS, record.codec, first=0),
    }


def _named(names: Sequence[str], number: int, *, first: int) -> str:
    """Give the name of a number, or the number itself: a target may answer what there is not."""
    return names[number - first] if 0 <= number - first < len(names) else str(number)


def _number(names: Sequence[str], text: str, *, first: int) -> int:
    """Take back what `_named` made."""
    return names.index(text) + first if text in names else int(text)


def _headers(pairs: list[tuple[str | None, str | None]]) -> tuple[Header, ...]:
    # No format has null keys, but targets make some, and a report has to hold what they said.
    return tuple(Header(octets(key), octets(value)) for key, value in pairs)  # type: ignore[arg-type]


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


def _difference(path: str, expected: Any, got: Any) -> Difference:  # noqa: ANN401 - any field's value
    if isinstance(expected, bytes) and isinstance(got, bytes):
        start = _first_unequal(expected, got)
        return Difference(path, _window(expected, start), _window(got, start))
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return _header_difference(path, expected, got)
    return Difference(path, _text(expected), _text(got))


def _header_difference(path: str, expected: tuple[Header, ...], got: tuple[Header, ...]) -> Difference:
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        for field in Header._fields:
            if getattr(left, field) != getattr(right, field):
                return _difference(f"{path}[{index}].{field}", getattr(left, field), getattr(right, field))
    return Difference(path, f"{len(expected)} headers", f"{len(got)} headers")


def _first_unequal(left: bytes, right: bytes) -> int:
    pairs: Iterator[tuple[int, tuple[int, int]]] = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def _window(data: bytes, start: int) -> str:
    """The bytes around a place, short enough for a table; long values would look alike from their start."""
    if len(data) <= _SHOWN_BYTES:
        return _text(data)
    first = max(0, start - 4)
    return f"{data[first : first + _SHOWN_BYTES].hex()} (from byte {first} of {len(data)})"


def _text(value: Any) -> str:  # noqa: ANN401 - any field's value
    if value is None:
        return "null"
    if isinstance(value, bytes):
        if len(value) > _SHOWN_BYTES:
            return _window(value, 0)
        return value.hex() or "empty"
    return str(value)


def _count(records: Sequence[Record]) -> str:
    return "1 record" if len(records) == 1 else f"{len(records)} records"
