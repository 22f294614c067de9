"""Readers of what Kafka Streams writes that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.content.answers import Answer
from kafka_format.errors import FormatError

from kafka_generator.content_vectors.reading import misread
from kafka_generator.mutants.mutant import CONTENT, family
from kafka_generator.mutants.patch import Patch

mutant = family(CONTENT, "streams")

_LONG, _INT = 8, 4
_HASH_MISSING = 0x80


@mutant("streams/number-forgotten")
def number_forgotten(patch: Patch) -> None:
    """Reads the key of a window store without the number behind its time."""
    _change(patch, "window-store-key", lambda data: data + bytes(_INT))


@mutant("streams/number-is-zero")
def number_is_zero(patch: Patch) -> None:
    """Takes every key of a window for the first of its duplicates."""
    _answer(patch, "*-window-key", lambda value: value | {"number": 0})


@mutant("streams/time-first-is-key-first")
def time_first_is_key_first(patch: Patch) -> None:
    """Reads the time of a key behind the key, whatever its prefix says."""
    _change(patch, "time-first-window-key", lambda data: data[:1] + data[-12:-4] + data[1:-12] + data[-4:])


@mutant("streams/session-start-first")
def session_start_first(patch: Patch) -> None:
    """Reads the start of a session in front of its end."""
    _change(patch, "time-first-session-key", lambda data: data[:1] + data[9:17] + data[1:9] + data[17:])


@mutant("streams/timestamp-behind")
def timestamp_behind(patch: Patch) -> None:
    """Reads a timestamp behind its value."""
    _change(patch, "timestamped-value", lambda data: data[-_LONG:] + data[:-_LONG])


@mutant("streams/no-timestamp-is-an-error")
def no_timestamp_is_an_error(patch: Patch) -> None:
    """Refuses the timestamp -1."""
    _change(patch, "timestamped-value", lambda data: b"" if data[:1] == b"\xff" else data)


@mutant("streams/header-null-is-empty")
def header_null_is_empty(patch: Patch) -> None:
    """Takes a header without a value for one that is empty."""
    _change(patch, "store-headers", lambda data: data.replace(b"a\1", b"a\0"))


@mutant("streams/headers-need-a-count")
def headers_need_a_count(patch: Patch) -> None:
    """Refuses no bytes, which are no headers."""
    _change(patch, "store-headers", lambda data: data or b"\2")


@mutant("streams/headers-skipped-by-one")
def headers_skipped(patch: Patch) -> None:
    """Takes the size of headers for one byte, and finds no headers but with 0."""
    _answer(patch, "timestamped-value-with-headers", lambda value: value | {"headers": []})


@mutant("streams/values-in-order")
def values_in_order(patch: Patch) -> None:
    """Reads the values of a segment in the order of their entries."""
    _answer_list(patch, lambda rows: [[*row[:2], other[2]] for row, other in zip(rows, rows[::-1], strict=True)])


@mutant("streams/deletion-is-empty")
def deletion_is_empty(patch: Patch) -> None:
    """Takes a deletion for an empty value."""
    _answer_list(patch, lambda rows: [[*row[:2], row[2] or ""] for row in rows])


@mutant("streams/deletion-is-left-out")
def deletion_is_left_out(patch: Patch) -> None:
    """Leaves deletions out of a segment."""
    _answer_list(patch, lambda rows: [row for row in rows if row[2] is not None])


@mutant("streams/same-as-prior-is-null")
def same_as_prior_is_null(patch: Patch) -> None:
    """Takes the size -2 of an old value for null."""
    _change(patch, "suppressed-value", lambda data: data.replace(b"\xff\xff\xff\xfe", b"\xff\xff\xff\xff"))


@mutant("streams/buffered-null-is-empty")
def buffered_null_is_empty(patch: Patch) -> None:
    """Takes values of a buffer that are null for empty ones."""
    _answer(patch, "suppressed-value", lambda value: value | {"new": value["new"] or ""})


@mutant("streams/no-headers-is-an-error")
def no_headers_is_an_error(patch: Patch) -> None:
    """Refuses a count of headers of -1."""

    def read(right: Any, data: bytes, headers: Any) -> Answer:
        answer: Answer = right(data, headers)
        at = 24 + int.from_bytes(data[16:20], "big")
        return right(b"", headers) if data[at : at + _INT] == b"\xff" * _INT else answer

    misread(patch, "suppressed-value", read)


@mutant("streams/hash-always")
def hash_always(patch: Patch) -> None:
    """Does not look at the bit that says that there is no hash."""
    for kind in ("foreign-key-subscription", "foreign-key-response"):
        _change(patch, kind, lambda data: bytes([data[0] & ~_HASH_MISSING]) + data[1:] if data else data)


@mutant("streams/partition-in-the-key")
def partition_in_the_key(patch: Patch) -> None:
    """Reads a subscription of version 1 as one of version 0."""
    _change(patch, "foreign-key-subscription", lambda data: bytes([data[0] & _HASH_MISSING]) + data[1:])


@mutant("streams/partition-of-every-version")
def partition_of_every_version(patch: Patch) -> None:
    """Takes the last bytes of a subscription of version 0 for a partition."""
    _change(patch, "foreign-key-subscription", lambda data: bytes([data[0] | 1]) + data[1:] if data else data)


@mutant("streams/any-instruction")
def any_instruction(patch: Patch) -> None:
    """Takes an instruction that there is not for the last."""
    _change(patch, "foreign-key-subscription", lambda data: data[:1] + data[1:2].replace(b"\4", b"\3") + data[2:])


@mutant("streams/answer-null-is-empty")
def answer_null_is_empty(patch: Patch) -> None:
    """Takes an answer without a value for one that is empty."""
    misread(
        patch,
        "foreign-key-response",
        lambda read, data, headers: {**(answer := read(data, headers)), "payload": answer["payload"] or ""},
    )


@mutant("streams/foreign-key-size-of-two-bytes")
def short_size(patch: Patch) -> None:
    """Reads the size of a foreign key as an int16."""
    _change(patch, "foreign-key-store-key", lambda data: b"\0\0" + data)


@mutant("streams/change-turned")
def change_turned(patch: Patch) -> None:
    """Takes the old value of a change for the new one."""
    _answer(patch, "table-change", lambda value: value | {"new": value["old"], "old": value["new"]})


@mutant("streams/change-size-without-zigzag")
def change_size_without_zigzag(patch: Patch) -> None:
    """Reads the size of the new value without zigzag."""
    _change(
        patch, "table-change", lambda data: bytes([data[0] * 2]) + data[1:] if len(data) > 1 and data[-1] == 2 else data
    )


@mutant("streams/latest-forgotten")
def latest_forgotten(patch: Patch) -> None:
    """Takes the byte that says whether a change is the latest for one of its value."""
    _answer(patch, "table-change", lambda value: value | {"is_latest": True})


@mutant("streams/any-change")
def any_change(patch: Patch) -> None:
    """Takes any last byte for that of a new value."""
    _change(patch, "table-change", lambda data: data[:-1] + b"\1" if data[-1:] > b"\5" else data)


@mutant("streams/sides-turned")
def sides_turned(patch: Patch) -> None:
    """Takes the left side of a join for the right one."""
    for kind in ("join-key", "join-value"):
        _answer(patch, kind, lambda value: value | {"side": "right" if value["side"] == "left" else "left"})


@mutant("streams/zeros-refused")
def zeros_refused(patch: Patch) -> None:
    """Refuses the zeros that Kafka writes behind a position."""
    _change(patch, "position", lambda data: b"" if data.endswith(bytes(_LONG)) else data)


@mutant("streams/any-position")
def any_position(patch: Patch) -> None:
    """Does not look at the version of a position."""
    _change(patch, "position", lambda data: b"\0" + data[1:])


@mutant("streams/negative-offset-kept")
def negative_offset_kept(patch: Patch) -> None:
    """Counts an offset that is not valid."""
    _change(patch, "checkpoint-file", lambda data: data.replace(b" -1\n", b" 1\n"))


@mutant("streams/unknown-offset-refused")
def unknown_offset_refused(patch: Patch) -> None:
    """Refuses the offset -4, which is not known."""
    _change(patch, "checkpoint-file", lambda data: data.replace(b" -4\n", b" x\n"))


@mutant("streams/count-unread")
def count_unread(patch: Patch) -> None:
    """Does not count the lines of a checkpoint."""
    _change(patch, "checkpoint-file", lambda data: b"0\n%d\n" % (data.count(b"\n") - 2) + data[4:])


@mutant("streams/errors-are-empty")
def errors_are_empty(patch: Patch) -> None:
    """Begins with no offsets where a checkpoint cannot be read."""

    def read(right: Any, data: bytes, headers: Any) -> Answer:
        try:
            answer: Answer = right(data, headers)
        except FormatError:
            return {"value": {}}
        return answer

    misread(patch, "checkpoint-file", read)


def _change(patch: Patch, kind: str, change: Callable[[bytes], bytes]) -> None:
    misread(patch, kind, lambda read, data, headers: read(change(data), headers))


def _answer(patch: Patch, kinds: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    def read(right: Any, data: bytes, headers: Any) -> Answer:
        answer: Answer = right(data, headers)
        return answer | {"value": change(answer["value"])}

    misread(patch, kinds, read)


def _answer_list(patch: Patch, change: Callable[[list[Any]], list[Any]]) -> None:
    misread(
        patch,
        "versioned-segment",
        lambda read, data, headers: {"value": change(read(data, headers)["value"])},
    )
