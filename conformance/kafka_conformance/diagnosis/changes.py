"""Changes of whole answers, made of what is done to a record, an entry, a field or bytes."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kafka_format.records import Header, Record

Records = Sequence[Record]
Entries = Sequence[Records]
"""The records of an answer, entry by entry."""

OfEntries = Callable[[Entries], Entries]
OfRecords = Callable[[Records], Records]
OfRecord = Callable[[Record], Record]
OfHeaders = Callable[[tuple[Header, ...]], Sequence[Header]]
OfTime = Callable[[int], int]
OfBytes = Callable[[bytes | None], bytes | None]


class AnswerChange(NamedTuple):
    """A change of a whole answer.

    Attributes:
        of_entries: makes the changed answer of the right one.
        fields: the fields of records that it changes, and nothing else: neither their number nor
            their order; empty if it may change anything.
    """

    of_entries: OfEntries
    fields: frozenset[str] = frozenset()


def whole(change: OfRecords) -> AnswerChange:
    """Change all records as if they were of one entry."""
    return AnswerChange(lambda entries: [change([record for entry in entries for record in entry])])


def each_entry(change: OfRecords) -> AnswerChange:
    """Change the records of each entry."""
    return AnswerChange(lambda entries: [change(entry) for entry in entries if entry])


def each_record(change: OfRecord, *fields: str) -> AnswerChange:
    """Change these fields of each record."""
    return AnswerChange(lambda entries: [[change(record) for record in entry] for entry in entries], frozenset(fields))


def each_timestamp(change: OfTime) -> AnswerChange:
    """Change the timestamp of each record."""
    return each_record(lambda record: record._replace(timestamp=change(record.timestamp)), "timestamp")


def all_headers(change: OfHeaders) -> AnswerChange:
    """Change the headers of each record."""
    return each_record(lambda record: record._replace(headers=tuple(change(record.headers))), "headers")


def contents(change: OfBytes, of: str) -> AnswerChange:
    """Change keys, values and header values, or those of them that `of` names."""

    def changed(record: Record) -> Record:
        if "keys" in of:
            record = record._replace(key=change(record.key))
        if "values" in of:
            record = record._replace(value=change(record.value))
        if "headers" in of:
            record = record._replace(headers=tuple(Header(name, change(value)) for name, value in record.headers))
        return record

    fields = {"keys": "key", "values": "value", "headers": "headers"}
    return each_record(changed, *(field for name, field in fields.items() if name in of))


def null_as_empty(content: bytes | None) -> bytes | None:
    """Give empty bytes for null."""
    return content or b""


def empty_as_null(content: bytes | None) -> bytes | None:
    """Give null for empty bytes."""
    return content or None


def replace_text(content: bytes | None) -> bytes | None:
    """Pass bytes through UTF-8, with U+FFFD for what is none."""
    return content and content.decode(errors="replace").encode()


def leave_out_text(content: bytes | None) -> bytes | None:
    """Pass bytes through UTF-8, without what is none."""
    return content and content.decode(errors="ignore").encode()


def text_as_latin_1(content: bytes | None) -> bytes | None:
    """Take bytes for Latin-1, and give UTF-8."""
    return content and content.decode("latin-1").encode()


def of_content(change: Callable[[bytes], bytes]) -> OfBytes:
    """Return what changes bytes, and leaves null."""
    return lambda content: content if content is None else change(content)


def as_hex(content: bytes | None) -> bytes | None:
    """Give hexadecimal text."""
    return content and content.hex().encode()


def as_base64(content: bytes | None) -> bytes | None:
    """Give base64 text."""
    return content and base64.b64encode(content)
