"""Faults that implementors make, planted in a codec of their own; written before they were run.

Each has the id that the first cause must match. No expected id was changed after a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from kafka_format.spec.layout.model import Counted, Integer

from tests.kafka_conformance.kinds.message.fresh_layouts import Change, flexible_moved, type_changed
from tests.kafka_conformance.kinds.message.own_codec import OwnCodec


class Fresh(NamedTuple):
    """A fault: the methods of a codec that are others, and what the first cause must be.

    Attributes:
        change: what is wrong.
        form: what the codec gives, `json` or `bytes`.
        cause: a pattern that the id of the first cause must match.
        methods: by name.
        message: the only message that it is in, `fetch response`; empty for all.
        field: the only field that it is in, by its last name; empty for all.
        layout: makes a wrong layout of the right one, in versions.
        header: moves where a body is taken to begin.
        is_exact: whether it refuses bytes behind a body that well-known clients write there.
        fallback: the version that an answer to ApiVersions in an unknown version is read as.
        shown: changes what is shown of a message.
        shows_unknown: whether tagged fields are shown that no layout knows.
    """

    change: str
    form: str
    cause: str
    methods: Mapping[str, Callable[..., Any]] = MappingProxyType({})
    message: str = ""
    field: str = ""
    layout: Change | None = None
    header: Callable[[bytes, int], int] | None = None
    is_exact: bool = False
    fallback: int | None = None
    shown: Callable[[Any, Any], Any] | None = None
    shows_unknown: bool = False

    def __str__(self) -> str:
        return " ".join(filter(None, (self.form, self.change, self.message, self.field)))


def fresh(name: str, form: str, cause: str, **rest: Any) -> Fresh:
    own = {key: rest.pop(key) for key in Fresh._fields[4:] if key in rest}
    return Fresh(name, form, cause, rest, **own)


def _number(size: int, change: Callable[[int], Any]) -> dict[str, Any]:
    return {"number": lambda _, of, value: change(value) if of == size else value}


def _low_word_signed(value: int) -> int:
    low = value & 0xFFFFFFFF
    return (value >> 32 << 32) + (low - (1 << 32) if low >> 31 else low)


def _words_swapped(value: int) -> int:
    number = value & (1 << 64) - 1
    number = (number & 0xFFFFFFFF) << 32 | number >> 32
    return number - (1 << 64) if number >> 63 else number


def _host_and_rack(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "host": values["rack"] or "", "rack": values["host"]} if "rack" in values else values


def _copies(target: str, source: str) -> dict[str, Any]:
    def fields(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
        return {**values, target: values[source]} if {target, source} <= values.keys() else values

    return {"fields": fields}


TOLD: list[Fresh] = [
    fresh("low word has a sign", "json", "int64-.*(low|word|half)", **_number(8, _low_word_signed)),
    fresh("words exchanged", "bytes", "int64-.*(word|halves|exchanged|swapped)", **_number(8, _words_swapped)),
    fresh("text in quotes", "json", "text-quoted", text=lambda _, c: f"'{c.decode()}'"),
    fresh("host and rack", "json", "host|rack", message="metadata response", fields=_host_and_rack),
    fresh("high watermark is log start", "bytes", "high_watermark.*|copy-of-log", message="fetch response",
           **_copies("high_watermark", "log_start_offset")),
    fresh("error codes of one byte", "bytes", "low-8-bits", field="error_code",
           **_number(2, lambda value: (value + 128) % 256 - 128)),
    fresh("names without their last letter", "json", "text-without-last.*name|text-without-last", field="name",
           text=lambda _, c: c.decode()[:-1]),
    fresh("bytes without their first", "json", "bytes-without-first", octets=lambda _, c: c[1:]),
    fresh("key as bytes", "json", "key/as-bytes", message="find-coordinator request",
           layout=type_changed("key", "bytes")),
    fresh("base offset is start", "json", "base_offset|copy-of", message="produce response",
           **_copies("base_offset", "log_start_offset")),
    fresh("empty instance is null", "json", "null-for-empty.*group_instance_id|group_instance_id",
           field="group_instance_id", text=lambda _, c: c.decode() or None),
    fresh("NUL as two bytes", "bytes", "text-.*(nul|modified)",
           put_text=lambda _, value: value.encode().replace(b"\0", b"\xc0\x80")),
]  # fmt: skip
"""What its answers tell."""


def _in_bytes(width: int) -> Callable[..., tuple[int, int]]:
    """Return what reads a length from so many bytes."""
    return lambda self, _, data, at: (int.from_bytes(self.take(data, at, width), "big", signed=True), at + width)


def _size_as_it_is(self: OwnCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind.length, Integer):
        return OwnCodec.size_of(self, kind, data, at)
    return self.uvarint(data, at)


def _zigzag(self: OwnCodec, kind: Counted, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind.length, Integer):
        return OwnCodec.count_of(self, kind, data, at)
    number, at = self.uvarint(data, at)
    return (number >> 1 ^ -(number & 1)) - 1, at


def _request_without_tags(data: bytes, _body: int) -> int:
    return 10 + max(int.from_bytes(data[8:10], "big", signed=True), 0)


REFUSED: list[Fresh] = [
    fresh("wide generation", "json", "generation_id/as-int64", message="join-group response",
           layout=type_changed("generation_id", "int64")),
    fresh("wide kind of key", "json", "key_type/as-int16", message="find-coordinator request",
           layout=type_changed("key_type", "int16")),
    fresh("flexible later by two", "json", "flexible-begins-in-8", message="join-group request",
           layout=flexible_moved(2)),
    fresh("records with int16 length", "json", "bytes-size-in-two-bytes.*records", message="produce request",
           field="records", size_of=_in_bytes(2)),
    fresh("records as they are", "json", "compact-(bytes-)?size.*records", message="produce request",
           field="records", size_of=_size_as_it_is),
    fresh("metadata not compact", "json", "bytes-size-in-four-bytes.*metadata", message="join-group request",
           field="metadata", size_of=_in_bytes(4)),
    fresh("topics not compact", "bytes", "compact-count-in-four-bytes.*topics", message="metadata request",
           field="topics", count_of=_in_bytes(4)),
    fresh("counts as they are", "json", "compact-count/.*partitions", message="fetch request", field="partitions",
           count_of=_size_as_it_is),
    fresh("zigzag counts", "json", "count-as-zigzag", count_of=_zigzag),
    fresh("header without tags", "json", "response-header-0/join-group", message="join-group response",
           header=lambda _data, _body: 4),
    fresh("header of a request without tags", "json", "request-header-1/metadata", message="metadata request",
           header=_request_without_tags),
]  # fmt: skip
"""What it refuses tells too little; what it takes instead tells the cause."""
