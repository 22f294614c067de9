"""More faults that implementors make, each with what its first cause must be; written before."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from kafka_format.spec.layout.model import Counted, Field, Integer

from tests.kafka_conformance.kinds.message.faults import BrokenError
from tests.kafka_conformance.kinds.message.fresh_codecs import Fresh, fresh
from tests.kafka_conformance.kinds.message.fresh_layouts import (
    begins,
    ends,
    exchanged,
    exchanged_tags,
    flexible_moved,
    of_type,
    other_tag,
)
from tests.kafka_conformance.kinds.message.own_codec import OwnCodec


def _is_compact(kind: Any) -> bool:
    return not isinstance(kind.length, Integer)


def _compact_text_only(self: OwnCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
    """Take the length of compact bytes as it is, that of strings for one more."""
    size, after = OwnCodec.size_of(self, kind, data, at)
    is_bytes = getattr(kind, "content", "text") != "text"
    return (size + 1, after) if _is_compact(kind) and is_bytes and size >= 0 else (size, after)


def _section(change: Callable[[list[tuple[int, bytes]]], list[tuple[int, bytes]]]) -> Callable[..., bytes]:
    return lambda self, section: OwnCodec.put_section(self, change(section))


def _known_tag_twice(self: OwnCodec, index: int, known: Field | None, tag: int, content: bytes, values: Any,
                     unknown: Any) -> None:  # fmt: skip
    if known is not None and tag > 0:
        unknown.append((tag, content))
        return
    OwnCodec.tag(self, index, known, tag, content, values, unknown)


def _uint16_signed(self: OwnCodec, kind: Integer, data: bytes, at: int) -> tuple[Any, int]:
    raw = self.take(data, at, kind.size)
    return int.from_bytes(raw, "big", signed=True), at + kind.size


def _as_map(_: OwnCodec, __: Any, items: list[Any]) -> list[Any]:
    if items and isinstance(items[0], dict):
        return list({repr(next(iter(item.values()))): item for item in items}.values())
    return items


def _four_bytes(self: OwnCodec, data: bytes, at: int) -> tuple[int, int]:
    number, after = OwnCodec.uvarint(self, data, at)
    if number > 127 and after > at + 1:
        number &= 0x7F
    return number, after


def _to_bool_two(_: OwnCodec, value: bool) -> bytes:
    return b"\x02" if value else b"\0"


def _count_of_two(self: OwnCodec, kind: Counted, count: int) -> bytes:
    return count.to_bytes(2, "big", signed=True) if not _is_compact(kind) else OwnCodec.put_count(self, kind, count)


def _request_tags_ignored(data: bytes, _body: int) -> int:
    return 10 + max(int.from_bytes(data[8:10], "big", signed=True), 0)


def _api_versions_header(_data: bytes, body: int) -> int:
    return body + 1


def _null_of_old(self: OwnCodec, kind: Any) -> bytes:
    return OwnCodec.put_null(self, kind) if _is_compact(kind) else OwnCodec.put_length(self, kind, 0)


def _single_read(raw: bytes) -> float:
    return float(struct.unpack(">f", raw[:4])[0])


def _no_empty_record(_: OwnCodec, content: bytes) -> bytes | None:
    return content or None


def _strict_bool(_: OwnCodec, byte: int) -> bool:
    if byte > 1:
        raise BrokenError
    return byte == 1


T3: list[Fresh] = [
    fresh("compact bytes as they are", "json", "compact-bytes-size-as-it-is|bytes-size.*as-it-is",
          size_of=_compact_text_only),
    fresh("null topics empty", "json", "empty-for-null.*topics|topics", message="metadata request", field="topics",
          null_of=lambda *_: []),
    fresh("last tag first", "bytes", "tags-descending|unknown-tags-first|tags.*order",
          put_section=_section(lambda s: s[::-1])),
    fresh("each tag twice", "bytes", "tags?.*twice|twice.*tag|repeated", put_section=_section(lambda s: [*s, *s[-1:]])),
    fresh("known tags above 0 unknown", "json", "tag-0-only|first-tag-only", tag=_known_tag_twice),
    fresh("ApiVersions header with tags", "json", "api-versions-header-with-tags", message="api-versions response",
          header=_api_versions_header),
    fresh("request tags read as body", "bytes", "request-header-without-tags|request-header-1",
          message="metadata request",
          header=_request_tags_ignored),
    fresh("true is 2", "bytes", "bool-as-2|bool", put_flag=_to_bool_two),
    fresh("uint16 is signed", "json", "uint16.*(signed|16-bits)|port", integer=_uint16_signed),
    fresh("float of 32 bits", "json", "float", message="alter-client-quotas request", real=_single_read),
    fresh("ids reversed", "json", "id-reversed", uuid=lambda _, raw: raw[::-1]),
    fresh("ids without their last byte", "json", "values/id|id-", uuid=lambda _, raw: raw[:15] + b"\0"),
    fresh("empty bytes null", "json", "null-for-empty-bytes", octets=_no_empty_record),
    fresh("log start a version early", "json", "log_start_offset/begins-(earlier|in-4)", message="fetch response",
          layout=begins("log_start_offset", 4)),
    fresh("replica a version late", "bytes", "preferred_read_replica/begins-(later|in-12)", message="fetch response",
          layout=begins("preferred_read_replica", 12)),
    fresh("flexible a version early", "json", "flexible-begins-(earlier|in-8)", message="metadata response",
          layout=flexible_moved(-1)),
    fresh("flexible a version late", "json", "flexible-begins-(later|in-7)", message="join-group response",
          layout=flexible_moved(1)),
    fresh("operations too long", "json", "cluster_authorized_operations/ends-(later|in-11)",
          message="metadata response",
          layout=ends("cluster_authorized_operations", 11)),
    fresh("arrays as maps", "json", "items-of-same-key|repeated-items-lost|map", items=_as_map),
    fresh("seven bits of varints", "json", "varint-(7-bits|refused-beyond-one-byte)", uvarint=_four_bytes),
    fresh("wide partition ids", "json", "replica_nodes/as-int64", message="metadata response",
          layout=of_type("replica_nodes", "int64")),
    fresh("narrow port", "json", "port/as-int16|port/as-uint16",
          message="metadata response", layout=of_type("port", "int16")),
    fresh("error behind throttle", "bytes", "error_code/behind|throttle_time_ms/behind|exchanged",
          message="find-coordinator response",
          layout=exchanged("throttle_time_ms", "error_code")),
    fresh("host behind node", "json", "host.*rack|rack.*host|exchanged", message="metadata response",
          layout=exchanged("host", "rack")),
    fresh("other tag", "json", "cluster_id/other-tag|cluster_id",
          message="fetch request", layout=other_tag("cluster_id", 3)),
    fresh("exchanged tags", "json", "current_leader/tag-of-snapshot_id",
          message="fetch response", layout=exchanged_tags("current_leader", "snapshot_id")),
    fresh("leader unsigned", "json", "leader_id.*unsigned|unsigned.*leader_id",
          message="metadata response", field="leader_id",
          number=lambda _, size, value: value % (1 << 8 * size)),
    fresh("errors without sign", "json", "(absolute|error_code).*(error_code|absolute)", field="error_code",
          number=lambda _, __, value: abs(value)),
    fresh("text stripped behind", "json", "text-.*(strip|blank|nul)|text-", text=lambda _, c: c.decode().rstrip("\0 ")),
    fresh("counts of two bytes", "bytes", "writes/count-in-two-bytes|array-.*two-bytes", put_count=_count_of_two),
    fresh("old null is empty", "bytes", "empty-for-null", put_null=_null_of_old),
    fresh("no topic id in 12", "json", "topic_id/begins|topic.*12|12-as-13", message="fetch response",
          layout=begins("topic_id", 12)),
    fresh("bools other than 1 refused", "json", "bool", flag=_strict_bool),
]  # fmt: skip
"""The third set: at first sight 22 of 29 that any vector shows were told."""


def _plain_count(self: OwnCodec, kind: Counted, count: int) -> bytes:
    return self.put_uvarint(count) if _is_compact(kind) else OwnCodec.put_count(self, kind, count)


def _unknown_not_counted(self: OwnCodec, section: list[tuple[int, bytes]]) -> bytes:
    known = sum(tag < _UNKNOWN for tag, _ in section)
    return self.put_uvarint(known) + OwnCodec.put_section(self, section)[len(self.put_uvarint(len(section))) :]


_UNKNOWN = 100
"""No layout has a tag as high."""


T4: list[Fresh] = [
    fresh("names one short", "bytes", "writes/size-too-low/`name`$", field="name",
          put_size=lambda self, kind, size: OwnCodec.put_size(self, kind, size - 1)),
    fresh("topics counted as they are", "bytes", "writes/compact-count/`topics`$", field="topics",
          put_count=_plain_count),
    fresh("unknown tags not counted", "bytes", "writes/tag-count-without-unknown$", put_section=_unknown_not_counted),
    fresh("error codes without sign", "json", "int16-unsigned/`error_code`$", field="error_code",
          number=lambda _, size, value: value % (1 << 8 * size)),
]  # fmt: skip
"""Fields of one name in several messages; these were told when the causes of such were written."""

UNSEEN = frozenset({"error behind throttle", "text stripped behind", "bools other than 1 refused"})
"""Faults that no vector shows, or that are allowed."""

IN_OTHER_VERSIONS = frozenset({
    "log start a version early", "replica a version late", "flexible a version early", "flexible a version late",
    "no topic id in 12",
})  # fmt: skip
"""Faults in versions that the test does not ask; they were told when all were asked."""
