"""Records as JSON: what `decode` prints, and what the answers of vectors are written in.

64-bit integers are decimal strings, because JavaScript's numbers lose bits past 2^53, and bytes are
hex. Nothing is rounded, and no truth value is a number.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from kafka_format import compression
from kafka_format.records.model import Header, Record

CODECS: Final = compression.NAMES
"""JSON names of the codecs; a name's index is the codec's number."""

FIELDS: Final = (
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
"""The fields of a record."""

TIMESTAMP_TYPES: Final = ("none", "create_time", "log_append_time")
"""JSON names of the timestamp types -1, 0 and 1."""


def from_json(documents: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Turn JSON records into `Record`s.

    Raises:
        ValueError: a record lacks a field or has one of the wrong kind; the text says which.
    """
    return [record_from_json(document, index) for index, document in enumerate(documents)]


def to_json(records: Iterable[Record], fields: Collection[str] = FIELDS) -> list[dict[str, Any]]:
    """Turn records into what `json.dumps` takes; `from_json` reads it back if it has all fields."""
    documents = map(_document, records)
    return [{field: value for field, value in document.items() if field in fields} for document in documents]


def integer(value: object) -> int:
    """Read an integer: a number, or a decimal string, since JavaScript loses bits past 2^53.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return int(value)
    raise ValueError("not an integer")


def octets(value: object) -> bytes | None:
    """Read bytes: hex digits, or null.

    Raises:
        ValueError: it is neither.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return bytes.fromhex(value)
    raise ValueError("not hex")


def boolean(value: object) -> bool:
    """Read a truth value.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool):
        return value
    raise ValueError("not a truth value")


def record_from_json(document: Mapping[str, Any], index: int) -> Record:
    """Turn one into a `Record`; `index` is what an error calls it."""
    if not isinstance(document, Mapping):
        raise ValueError(f"records[{index}] is no object with the fields of a record")  # noqa: TRY004 - the user's JSON
    unknown = [name for name in document if name not in FIELDS]
    if unknown:
        raise ValueError(f"records[{index}].{unknown[0]}: there is no such field; there are {', '.join(FIELDS)}")
    return Record(**{field: _field(document, index, field) for field in FIELDS})


def _field(document: Mapping[str, Any], index: int, field: str) -> Any:
    if field not in document:
        raise ValueError(f"records[{index}] has no field {field!r}")
    parse, words = FORMS[field]
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


def _headers(pairs: list[tuple[str | None, str | None]]) -> tuple[Header, ...]:
    # No format has null keys, but targets make some, and a report has to hold what they said.
    return tuple(Header(octets(key), octets(value)) for key, value in pairs)  # type: ignore[arg-type]  # as said above


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


_INTEGER: tuple[Callable[[Any], Any], str] = (integer, "an integer, or a decimal string")
FORMS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
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
"""The reader of each field's JSON, and what it must be, in words."""
