"""Right answers made wrong in one simple way, with a name for each way.

A decoder that returns only the first record of a batch, or times in seconds, fails nearly every
vector, and in the same fields as many others. Its whole answers tell it from them: each is the
right answer, changed so. `habits` compares them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from kafka_format.records import Header, Record
from kafka_format.records.model import NO_TIMESTAMP

from kafka_conformance.diagnosis import changes
from kafka_conformance.diagnosis.changes import (
    AnswerChange,
    OfBytes,
    OfHeaders,
    OfRecords,
    OfTime,
    Records,
    all_headers,
    contents,
    each_entry,
    each_record,
    each_timestamp,
    whole,
)


@dataclass(frozen=True, slots=True)
class Transformation:
    """One simple way to get answers wrong.

    Attributes:
        id: stable name.
        does: what a decoder does that answers so, as a sentence without its subject.
        ways: what it makes of a right answer; several where decoders differ in a detail.
        mutant: id of the mutant that does the same, under whose name it is shown then.
    """

    id: str
    does: str
    ways: tuple[AnswerChange, ...]
    mutant: str = ""


def transformations(longest_key: int, longest_value: int, moved: int = 0) -> tuple[Transformation, ...]:
    """Return all simple ways, the plainest first.

    Args:
        longest_key: bytes of the longest key that a target gave where it was wrong; it may cut
            longer ones off there.
        longest_value: the same of values.
        moved: by how many milliseconds most timestamps are wrong; 0 if they are not.
    """
    cut = (*_cut(longest_key, "keys"), *_cut(longest_value, "values"))
    return (*_fixed_transformations(), *cut, *(_moved(moved) if moved else ()))


_FIRST_SECOND: Final = 1_000_000_000
"""Smaller timestamps are none of today, but made up: who corrects times may leave them."""


def _moved(by: int) -> Iterator[Transformation]:
    """Yield what adds a number to timestamps, as who takes them for those of another time zone."""
    yield _timestamps(
        "timestamps-moved",
        f"gives timestamps that are {abs(by)} ms too {'late' if by > 0 else 'early'}",
        lambda time: time + by,
        lambda time: time if time == NO_TIMESTAMP else time + by,
        lambda time: time + by if time > 0 else time,
        lambda time: time + by if time > _FIRST_SECOND else time,
    )


@cache
def _fixed_transformations() -> tuple[Transformation, ...]:
    return (*_OF_RECORDS, *_OF_TIMESTAMPS, *_OF_OFFSETS, *_OF_HEADERS, *_of_contents())


def _cut(longest: int, of: str) -> Iterator[Transformation]:
    """Yield what cuts keys or values off; one that gives them empty does not cut."""
    if longest:
        words = f"cuts {of} off behind {longest} byte{'' if longest == 1 else 's'}"
        yield Transformation(f"{of}-cut", words, (contents(lambda content: content and content[:longest], of),))


def _entries(id_: str, does: str, *ways: OfRecords, mutant: str = "") -> Transformation:
    """Return what changes the records of each entry."""
    return Transformation(id_, does, tuple(map(each_entry, ways)), mutant)


def _timestamps(id_: str, does: str, *ways: OfTime, mutant: str = "") -> Transformation:
    return Transformation(id_, does, tuple(map(each_timestamp, ways)), mutant)


def _headers(id_: str, does: str, *ways: OfHeaders, mutant: str = "") -> Transformation:
    return Transformation(id_, does, tuple(map(all_headers, ways)), mutant)


_OF_RECORDS: Final = (
    _entries("only-first-record", "returns only the first record of a batch or wrapper", lambda entry: entry[:1]),
    _entries("only-last-record", "returns only the last record of a batch or wrapper", lambda entry: entry[-1:]),
    Transformation(
        "only-first-of-all", "returns only the first of all records that it reads", (whole(lambda every: every[:1]),)
    ),
    Transformation(
        "only-first-entry",
        "returns only what is in the first batch or message",
        (AnswerChange(lambda entries: entries[:1]),),
        "entries/only-the-first",
    ),
    Transformation(
        "only-last-entry",
        "returns only what is in the last batch or message",
        (AnswerChange(lambda entries: entries[-1:]),),
    ),
    _entries("first-record-dropped", "drops the first record of a batch or wrapper", lambda entry: entry[1:]),
    _entries(
        "first-record-twice", "returns the first record of a batch or wrapper twice", lambda entry: [entry[0], *entry]
    ),
    _entries(
        "last-record-twice", "returns the last record of a batch or wrapper twice", lambda entry: [*entry, entry[-1]]
    ),
    _entries(
        "last-record-dropped",
        "drops the last record of a batch or wrapper",
        lambda entry: entry[:-1],
        lambda entry: entry[:-1] or entry,
        mutant="answer/last-record-dropped",
    ),
    Transformation(
        "last-of-all-dropped", "drops the last of all records that it reads", (whole(lambda every: every[:-1]),)
    ),
    Transformation(
        "records-reversed",
        "returns records in reverse order",
        (each_entry(lambda entry: entry[::-1]), whole(lambda every: every[::-1])),
    ),
    Transformation(
        "records-twice",
        "returns every record twice",
        (
            each_entry(lambda entry: [record for record in entry for _ in range(2)]),
            whole(lambda every: [*every, *every]),
        ),
    ),
    _entries(
        "null-keys-dropped",
        "drops records whose key is null",
        lambda entry: [record for record in entry if record.key is not None],
    ),
    _entries(
        "null-values-dropped",
        "drops records whose value is null",
        lambda entry: [record for record in entry if record.value is not None],
        mutant="answer/tombstones-dropped",
    ),
    Transformation(
        "key-value-exchanged",
        "exchanges key and value",
        (
            each_record(lambda record: record._replace(key=record.value, value=record.key), "key", "value"),
            each_record(
                lambda record: (
                    record._replace(key=record.value, value=record.key)
                    if record.key is not None and record.value is not None
                    else record
                ),
                "key",
                "value",
            ),
        ),
    ),
    _entries(
        "keys-of-the-record-before",
        "gives records the key of the one before",
        lambda entry: [r._replace(key=entry[max(at - 1, 0)].key) for at, r in enumerate(entry)],
    ),
    _entries(
        "values-of-the-record-before",
        "gives records the value of the one before",
        lambda entry: [r._replace(value=entry[max(at - 1, 0)].value) for at, r in enumerate(entry)],
    ),
    _entries(
        "keys-of-the-first",
        "gives all records of a batch or wrapper the key of the first",
        lambda entry: [record._replace(key=entry[0].key) for record in entry],
    ),
    _entries(
        "values-of-the-first",
        "gives all records of a batch or wrapper the value of the first",
        lambda entry: [record._replace(value=entry[0].value) for record in entry],
    ),
    _entries(
        "headers-of-the-first",
        "gives all records of a batch the headers of the first",
        lambda entry: [record._replace(headers=entry[0].headers) for record in entry],
    ),
    _entries(
        "headers-of-the-record-before",
        "gives records the headers of the one before",
        lambda entry: [r._replace(headers=entry[max(at - 1, 0)].headers) for at, r in enumerate(entry)],
    ),
    Transformation("no-keys", "gives no keys", (contents(lambda _: None, "keys"), contents(lambda _: b"", "keys"))),
    Transformation(
        "no-values", "gives no values", (contents(lambda _: None, "values"), contents(lambda _: b"", "values"))
    ),
)


def _as_float(number: int) -> int:
    """Pass a number through 32 bits of floating point."""
    return int(struct.unpack("f", struct.pack("f", number))[0])


_OF_TIMESTAMPS: Final = (
    # Those that change one timestamp come first: where there is no other, all of them explain it.
    _timestamps(
        "timestamp-zero-none",
        "gives no timestamp, but -1, for the timestamp 0",
        lambda time: time or NO_TIMESTAMP,
    ),
    _timestamps(
        "timestamps-below-one-none",
        "gives no timestamp, but -1, for the timestamp 0 and all below",
        lambda time: time if time > 0 else NO_TIMESTAMP,
    ),
    _timestamps(
        "timestamp-none-zero",
        "gives the timestamp 0 where there is none, which is -1",
        lambda time: 0 if time == NO_TIMESTAMP else time,
        lambda time: max(time, 0),
    ),
    _timestamps(
        "timestamps-in-seconds",
        "gives timestamps in seconds, not milliseconds",
        lambda time: time // 1000,
        lambda time: int(time / 1000),
        lambda time: time if time == NO_TIMESTAMP else int(time / 1000),
    ),
    _timestamps(
        "timestamps-in-microseconds",
        "gives timestamps in microseconds, not milliseconds",
        lambda time: time * 1000,
        lambda time: time if time == NO_TIMESTAMP else time * 1000,
    ),
    _timestamps(
        "timestamps-in-nanoseconds",
        "gives timestamps in nanoseconds, not milliseconds",
        lambda time: time * 1_000_000,
        lambda time: time if time == NO_TIMESTAMP else time * 1_000_000,
    ),
    *(
        Transformation(name, does, (each_record(change, "timestamp_type"),))
        for name, does, change in (
            ("types-create", "gives all timestamps as create times", lambda r: r._replace(timestamp_type=0)),
            ("types-append", "gives all timestamps as append times", lambda r: r._replace(timestamp_type=1)),
            ("types-none", "gives no types of timestamps", lambda r: r._replace(timestamp_type=-1)),
        )
    ),
    _timestamps("timestamps-zero", "gives the timestamp 0 for all", lambda _: 0),
    _timestamps("timestamps-absolute", "drops the sign of timestamps", abs),
    _timestamps("timestamps-none", "gives no timestamps, but -1 for all", lambda _: NO_TIMESTAMP),
    _entries(
        "timestamps-of-the-first",
        "gives all records of a batch or wrapper the timestamp of the first",
        lambda entry: [record._replace(timestamp=entry[0].timestamp) for record in entry],
    ),
    _entries(
        "timestamps-of-the-last",
        "gives all records of a batch or wrapper the timestamp of the last",
        lambda entry: [record._replace(timestamp=entry[-1].timestamp) for record in entry],
    ),
    _entries(
        "timestamps-greatest",
        "gives all records of a batch or wrapper the greatest timestamp in it",
        lambda entry: [record._replace(timestamp=max(r.timestamp for r in entry)) for record in entry],
    ),
    _entries(
        "timestamps-relative",
        "gives timestamps that count from the first of the batch or wrapper",
        lambda entry: [record._replace(timestamp=record.timestamp - entry[0].timestamp) for record in entry],
    ),
    _timestamps(
        "timestamps-without-milliseconds",
        "drops the milliseconds of timestamps",
        lambda time: time // 1000 * 1000,
        lambda time: int(time / 1000) * 1000,
        lambda time: time if time == NO_TIMESTAMP else time // 1000 * 1000,
        lambda time: time if time == NO_TIMESTAMP else int(time / 1000) * 1000,
        mutant="answer/timestamps-in-seconds",
    ),
    _timestamps(
        "timestamps-as-floats",
        "keeps timestamps as floating-point numbers of 32 bits, which lose up to a minute or two",
        _as_float,
        mutant="answer/timestamps-as-floats",
    ),
    _timestamps(
        "timestamps-as-seconds-in-doubles",
        "keeps timestamps as seconds in floating-point numbers, which loses the last millisecond of some",
        lambda time: int(time / 1000 * 1000),
        lambda time: int(time / 1000) * 1000 + int(time / 1000 % 1 * 1000),
    ),
)


def _count_offsets(entry: Records, first: int) -> list[Record]:
    """Return records whose offsets count up from a first one."""
    return [record._replace(offset=first + place) for place, record in enumerate(entry)]


def _move_offsets(entry: Records, by: int) -> list[Record]:
    return [record._replace(offset=record.offset + by) for record in entry]


def _at(entry: Records, offset: int) -> list[Record]:
    return [record._replace(offset=offset) for record in entry]


_OF_OFFSETS: Final = (
    _entries(
        "offsets-relative",
        "gives offsets that count from the first of the batch or wrapper",
        lambda entry: _move_offsets(entry, -entry[0].offset),
        lambda entry: _count_offsets(entry, 0),
    ),
    _entries("offsets-zero", "gives the offset 0 for all", lambda entry: _at(entry, 0)),
    Transformation(
        "offsets-from-zero",
        "counts offsets from 0",
        (
            whole(lambda every: _count_offsets(every, 0)),
            whole(lambda every: _move_offsets(every, -every[0].offset) if every else every),
        ),
    ),
    _entries(
        "offsets-of-the-first",
        "gives all records of a batch or wrapper the offset of the first",
        lambda entry: _at(entry, entry[0].offset),
    ),
    _entries(
        "offsets-of-the-last",
        "gives all records of a batch or wrapper the offset of the last",
        lambda entry: _at(entry, entry[-1].offset),
    ),
    _entries(
        "offsets-counted",
        "counts the offsets of a batch or wrapper up from its first",
        lambda entry: _count_offsets(entry, entry[0].offset),
        mutant="answer/offsets-counted",
    ),
    _entries("offsets-of-the-next", "gives offsets that are one too high", lambda entry: _move_offsets(entry, 1)),
    _entries("offsets-of-the-previous", "gives offsets that are one too low", lambda entry: _move_offsets(entry, -1)),
)


def _as_ascii(key: bytes) -> bytes:
    return key.decode(errors="replace").encode("ascii", "replace")


def _of_keys(change: Callable[[bytes], bytes]) -> OfHeaders:
    return lambda headers: [Header(change(key), value) for key, value in headers]


def _latin_1(key: bytes) -> bytes:
    return key.decode("latin-1").encode()


_OF_HEADERS: Final = (
    _headers("headers-dropped", "drops all headers", lambda _: ()),
    _headers("only-first-header", "gives only the first header of a record", lambda headers: headers[:1]),
    _headers("only-last-header", "gives only the last header of a record", lambda headers: headers[-1:]),
    _headers("headers-reversed", "gives headers in reverse order", lambda headers: headers[::-1]),
    _headers(
        "header-key-value-exchanged",
        "exchanges key and value of headers",
        lambda headers: [Header(value or b"", key) for key, value in headers],
    ),
    _headers(
        "headers-as-a-map",
        "keeps headers in a map, where one of a repeated key remains",
        lambda headers: [Header(*pair) for pair in dict(headers).items()],
        lambda headers: [Header(*pair) for pair in dict(headers[::-1]).items()][::-1],
        mutant="answer/headers-as-a-map",
    ),
    _headers(
        "headers-as-a-sorted-map",
        "keeps headers in a map that sorts them by key, where one of a repeated key remains",
        lambda headers: [Header(*pair) for pair in sorted(dict(headers).items())],
    ),
    _headers(
        "null-headers-dropped",
        "drops headers whose value is null",
        lambda headers: [header for header in headers if header.value is not None],
    ),
    _headers(
        "empty-headers-dropped",
        "drops headers whose value is null or empty",
        lambda headers: [header for header in headers if header.value],
    ),
    *(
        _headers(f"header-keys-{name}", does, _of_keys(change))
        for name, does, change in (
            ("lower", "gives keys of headers in small letters", bytes.lower),
            ("upper", "gives keys of headers in capital letters", bytes.upper),
            ("stripped", "strips keys of headers of blanks", bytes.strip),
            ("ascii", "passes keys of headers through ASCII, and what is none becomes a question mark", _as_ascii),
            ("latin-1", "takes keys of headers for Latin-1 text, and gives them as UTF-8", _latin_1),
        )
    ),
    _headers("headers-sorted", "sorts headers by key", lambda headers: sorted(headers, key=lambda header: header.key)),
)

_WHOSE: Final = {
    "keys values headers": "keys, values and header values",
    "keys values": "keys and values",
    "keys": "keys",
    "values": "values",
    "headers": "header values",
}
"""What is changed, and words for it."""

_TO_BYTES: Final[tuple[tuple[str, str, OfBytes, dict[str, str]], ...]] = (
    (
        "null-as-empty",
        "gives {} that are null as empty",
        changes.null_as_empty,
        {"keys": "null-key-as-empty", "values": "null-value-as-empty", "headers": "null-header-value-as-empty"},
    ),
    (
        "empty-as-null",
        "gives {} that are empty as null",
        changes.empty_as_null,
        {"keys": "empty-key-as-null", "values": "empty-value-as-null", "headers": "empty-header-value-as-null"},
    ),
    (
        "text-replaced",
        "passes {} through UTF-8, and what is none becomes U+FFFD",
        changes.replace_text,
        {"keys": "keys-as-text", "values": "values-as-text", "headers": "header-values-as-text"},
    ),
    ("text-left-out", "passes {} through UTF-8, and leaves out what is none", changes.leave_out_text, {}),
    ("text-as-latin-1", "takes {} for Latin-1 text, and gives it as UTF-8", changes.text_as_latin_1, {}),
    ("stripped", "strips {} of blanks", changes.of_content(bytes.strip), {}),
    ("lower", "gives {} in small letters", changes.of_content(bytes.lower), {}),
    ("upper", "gives {} in capital letters", changes.of_content(bytes.upper), {}),
    ("to-nul", "ends {} at a NUL", changes.of_content(lambda content: content.partition(b"\0")[0]), {}),
    ("without-last-byte", "drops the last byte of {}", changes.of_content(lambda content: content[:-1]), {}),
    ("without-first-byte", "drops the first byte of {}", changes.of_content(lambda content: content[1:]), {}),
    ("reversed", "gives {} the other way round", changes.of_content(lambda content: content[::-1]), {}),
    ("hex", "gives {} as hexadecimal text", changes.as_hex, {}),
    ("base64", "gives {} as base64 text", changes.as_base64, {}),
)
"""What is done to bytes: an id, words with `{}` for whose they are, how, and the mutants that do
the same."""


def _of_contents() -> Iterator[Transformation]:
    for name, does, change, mutants in _TO_BYTES:
        for of, words in _WHOSE.items():
            mutant = f"answer/{mutants[of]}" if of in mutants else ""
            end = of.replace(" ", "-")
            yield Transformation(f"{name}/{end}", does.format(words), (contents(change, of),), mutant)
