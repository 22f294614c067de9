"""Faults that implementors make, planted in a codec of their own; written before they were run.

Each has the id that the first cause must match. No expected id was changed after a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from kafka_format.spec.layout.model import Counted, Field, Form, Integer, Optional
from kafka_format.spec.layout.versioned.versions import NO_VERSIONS

from tests.kafka_conformance.kinds.message.faults import BrokenError
from tests.kafka_conformance.kinds.message.fresh_layouts import (
    field_changed,
    flexible_moved,
    moved,
    of_type,
    since,
    until,
    without_tag_section,
)
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
    """

    change: str
    form: str
    cause: str
    methods: Mapping[str, Callable[..., Any]] = MappingProxyType({})
    message: str = ""
    field: str = ""
    layout: Callable[[Any], Any] | None = None
    header: Callable[[Any, int], int] | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.form, self.change, self.message, self.field)))


def _by_form(name: str, cause: str, forms: str = "json bytes", **rest: Any) -> list[Fresh]:
    own = {key: rest.pop(key) for key in ("message", "field", "layout", "header") if key in rest}
    return [Fresh(name, form, cause, rest, **own) for form in forms.split()]


def _refuse(*_: Any) -> Any:
    raise BrokenError


def _number(size: int, change: Callable[[int], Any]) -> dict[str, Any]:
    return {"number": lambda _, of, value: change(value) if of == size else value}


def _sleb(self: OwnCodec, data: bytes, at: int) -> tuple[int, int]:
    number, after = OwnCodec.uvarint(self, data, at)
    bits = 7 * (after - at)
    return (number - (1 << bits) if number >> bits - 1 else number), after


def _text_limit(most: int) -> dict[str, Any]:
    def text(_: OwnCodec, content: bytes) -> str:
        if len(content) > most:
            raise BrokenError
        return content.decode()

    return {"text": text}


def _not_empty(_: OwnCodec, content: bytes) -> str:
    if not content:
        raise BrokenError
    return content.decode()


def _bool_wide(self: OwnCodec, data: bytes, at: int) -> tuple[bool, int]:
    return self.take(data, at, 4)[3] == 1, at + 4


def _null_array_refused(_: OwnCodec, kind: Any) -> Any:
    if isinstance(kind, Counted):
        raise BrokenError


def _null_string_refused(_: OwnCodec, kind: Any) -> Any:
    if isinstance(kind, Form) and kind.content == "text":
        raise BrokenError


def _null_text(_: OwnCodec, kind: Any) -> Any:
    return "null" if isinstance(kind, Form) and kind.content == "text" else None


def _null_structure_refused(_: OwnCodec, kind: Any) -> Any:
    if isinstance(kind, Optional):
        raise BrokenError


def _one_byte_count(self: OwnCodec, kind: Counted, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind.length, Integer):
        return OwnCodec.count_of(self, kind, data, at)
    return self.take(data, at, 1)[0] - 1, at + 1


def _by_first_field(_: OwnCodec, kind: Counted, items: list[Any]) -> list[Any]:
    if not items or not isinstance(items[0], dict) or not items[0]:
        return items
    first = next(iter(items[0]))
    return list({str(item[first]): item for item in items}.values())


def _ints_sorted(_: OwnCodec, kind: Counted, items: list[Any]) -> list[Any]:
    return sorted(items) if items and isinstance(items[0], int) else items


def _capped(most: int) -> Callable[..., Any]:
    return lambda _, __, items: items[:most]


def _swapped(_: OwnCodec, __: Counted, items: list[Any]) -> list[Any]:
    return [*items[:-2], *items[-2:][::-1]]


def _tags_refused(_: OwnCodec, *__: Any) -> None:
    raise BrokenError


def _first_known(self: OwnCodec, index: int, known: Any, tag: int, content: bytes, values: Any, unknown: Any) -> None:
    if known is None or index == 0:
        OwnCodec.tag(self, index, known, tag, content, values, unknown)


def _content_lost(self: OwnCodec, index: int, known: Any, tag: int, content: bytes, values: Any, unknown: Any) -> None:
    OwnCodec.tag(self, index, known, tag, content if known else b"", values, unknown)


def _copies(target: str, source: str) -> dict[str, Any]:
    def fields(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
        return {**values, target: values[source]} if {target, source} <= values.keys() else values

    return {"fields": fields}


def _constant(name: str, value: Any) -> dict[str, Any]:
    return {"fields": lambda _, __, values: {**values, name: value} if name in values else values}


def _not_zero(_: OwnCodec, _field: Field, value: Any) -> bool:
    return bool(value)


def _uuid_text(_: OwnCodec, value: bytes) -> bytes:
    text = value.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])).encode()


def _null_as_empty_array_length(self: OwnCodec, kind: Any) -> bytes:
    return self.put_length(kind, 0) if isinstance(kind, Counted) else self.put_length(kind, -1)


def _int16_size(self: OwnCodec, kind: Any, size: int) -> bytes:
    """Write compact lengths as two bytes if they do not fit into one."""
    if isinstance(kind.length, Integer) or size < 127:
        return self.put_length(kind, size)
    return (size + 1).to_bytes(2, "big")


def _compact_client_id(data: bytes, body: int) -> int:
    """Take the length of the client id for a compact one, where the header has tags."""
    is_flexible = data[8:10] != b"\xff\xff" and body == 10 + int.from_bytes(data[8:10], "big") + 1
    return min(9 + max(data[8] - 1, 0) + 1, len(data)) if is_flexible else body


def _always_tags(_data: bytes, _body: int) -> int:
    return 5


def _never_tags(_data: bytes, _body: int) -> int:
    return 4


SET_1: list[Fresh] = [
    # numbers
    *_by_form("error codes without their sign", "int16-unsigned|unsigned-16", "json", field="error_code",
              **_number(2, lambda value: value % 65536)),
    *_by_form("int64 in seconds", "int64-in-seconds|int64-.*(1000|seconds)",
              **_number(8, lambda value: value // 1000 * 1000)),
    *_by_form("-1 as null", "minus-one-as-null|null-for-minus-one", "json",
              **_number(4, lambda value: None if value == -1 else value)),
    *_by_form("safe integers", "int64-.*(53|safe)",
              **_number(8, lambda value: max(min(value, 2**53 - 1), 1 - 2**53))),
    *_by_form("int8 without sign", "int8-unsigned|unsigned-8", "json", **_number(1, lambda value: value % 256)),
    *_by_form("ports of 16 bits", "low-16-bits.*port", message="metadata response", field="port",
              **_number(4, lambda value: value & 0xFFFF)),
    *_by_form("int64 as double", "double.*high_watermark|double", "json", message="fetch response",
              field="high_watermark", **_number(8, lambda value: int(float(value)))),
    *_by_form("int32 without sign bit", "int32-(absolute|31-bits|low-31)", **_number(4, lambda v: v & 0x7FFFFFFF)),
    *_by_form("int64 plus one", "int64-.*(one|plus|moved)", "json", **_number(8, lambda v: v + 1 if v < 2**62 else v)),
    # lengths
    *_by_form("varint is signed", "varint-(signed|sleb)", uvarint=_sleb),
    *_by_form("count is a byte", "count-(one-)?byte|count-in-one-byte", count_of=_one_byte_count),
    *_by_form("long lengths as int16", "writes/.*(int16|two-bytes)", "bytes", put_size=_int16_size),
    # texts and bytes
    *_by_form("? for what is not ASCII", "text-ascii-.*(replaced|question)|text-as-ascii",
              text=lambda _, c: c.decode().encode("ascii", "replace").decode()),
    *_by_form("NUL removed", "text-without-nul|text-nul", text=lambda _, c: c.replace(b"\0", b"").decode()),
    *_by_form("cut at 200", "text-cut-200|text-cut", text=lambda _, c: c[:200].decode(errors="ignore")),
    *_by_form("small letters", "text-lower", message="create-topics request", field="name",
              text=lambda _, c: c.decode().lower()),
    *_by_form("empty refused", "text-empty-refused|empty-strings?-refused", text=_not_empty),
    *_by_form("beyond 249 refused", "text-refused-beyond|text-.*249", **_text_limit(249)),
    *_by_form("bytes to NUL", "bytes-to-nul", octets=lambda _, c: c.split(b"\0")[0]),
    *_by_form("null is a word", "null-as-text|null-text|null-as-word", null_of=_null_text),
    *_by_form("escapes", "text-escaped", text=lambda _, c: c.decode().encode("unicode_escape").decode()),
    # ids, bools, floats
    *_by_form("no ids", "id-zero", uuid=lambda _, raw: bytes(16)),
    *_by_form("first half of ids", "id-.*half", uuid=lambda _, raw: raw[:8] + bytes(8)),
    *_by_form("halves little-endian", "id-halves-little|id-.*little", uuid=lambda _, r: r[7::-1] + r[:7:-1]),
    *_by_form("ids with dashes", "id-as-text", "bytes", put_uuid=_uuid_text),
    *_by_form("bool of four bytes", "bool-in-four-bytes", boolean=_bool_wide),
    *_by_form("false", "bool-false", flag=lambda *_: False),
    # arrays and null
    *_by_form("null arrays refused", "null-arrays?-refused", null_of=_null_array_refused),
    *_by_form("null strings refused", "null-strings?-refused|null-texts?-refused", null_of=_null_string_refused),
    *_by_form("null structures refused", "null-structures?-refused", null_of=_null_structure_refused),
    *_by_form("100 items", "items-cut|array-cut|first-100|only-first", items=_capped(100)),
    *_by_form("a map", "items-of-same-key|repeated|by-key|as-a-map", items=_by_first_field),
    *_by_form("integers sorted", "items-sorted", items=_ints_sorted),
    *_by_form("last two exchanged", "items?-.*(exchanged|swapped)|last-two", items=_swapped),
    *_by_form("null array as empty", "empty-for-null-array", "bytes", put_null=_null_as_empty_array_length),
    # tags
    *_by_form("tags refused", "tags-refused", tag=_tags_refused),
    *_by_form("only the first tag", "one-known-tag|first-known-tag|first-tag", tag=_first_known),
    *_by_form("unknown content lost", "unknown-tags-(empty|content)|unknown.*content", "bytes", tag=_content_lost),
    *_by_form("unknown twice", "unknown-tags?-twice|unknown.*(twice|repeated)", "bytes",
              put_unknown=lambda _, unknown: [*unknown, *unknown]),
    *_by_form("tags that are not 0", "tags-.*(not-zero|non-zero|truthy)|zero-tags", "bytes", is_put=_not_zero),
    *_by_form("last unknown tag lost", "unknown-tag", "bytes", put_unknown=lambda _, unknown: list(unknown)[:-1]),
    # fields
    *_by_form("last stable offset copied", "last_stable_offset", "json", message="fetch response",
              **_copies("last_stable_offset", "high_watermark")),
    *_by_form("leader epoch always -1", "leader_epoch", "json", message="metadata response",
              **_constant("leader_epoch", -1)),
    *_by_form("no racks", "rack", "json", message="metadata response", **_constant("rack", None)),
    *_by_form("internal is false", "is_internal", message="metadata response", **_constant("is_internal", False)),
    # layouts
    *_by_form("topic id later", "topic_id/begins-later", message="metadata response",
              layout=field_changed("topics.topic_id", since(11))),
    *_by_form("throttle time in front", "throttle_time_ms", message="produce response",
              layout=moved("throttle_time_ms", 0)),
    *_by_form("protocol type earlier", "protocol_type/begins-earlier", message="join-group response",
              layout=field_changed("protocol_type", since(6))),
    *_by_form("wide replica", "preferred_read_replica/as-int64", message="fetch response",
              layout=field_changed("responses.partitions.preferred_read_replica", of_type("int64"))),
    *_by_form("error of bytes", "error_message/as-bytes", message="create-topics response",
              layout=field_changed("topics.error_message", of_type("bytes"))),
    *_by_form("version 12 is 10", "12-as-10|topic_id|metadata_request", message="metadata request",
              layout=lambda layout: (layout, {12: 10})),
    *_by_form("endpoints are tag 1", "node_endpoints", message="fetch response",
              layout=field_changed("node_endpoints", lambda field: replace(field, tag=1))),
    # headers
    *_by_form("compact client id", "header.*client-id|client-id.*compact", message="request",
              header=_compact_client_id),
    *_by_form("tags in every response header", "response-header-with-tags", message="response", header=_always_tags),
    *_by_form("no tags in response headers", "response-header-without-tags", message="response", header=_never_tags),
    *_by_form("ApiVersions is flexible", "api-versions-header", message="api-versions response", header=_always_tags),
]  # fmt: skip
"""The first set: 45 faults, most in both forms."""


def _unsigned_size(self: OwnCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind.length, Integer) and kind.length.size == 2:
        return int.from_bytes(self.take(data, at, 2), "big"), at + 2
    return OwnCodec.size_of(self, kind, data, at)


def _unsigned_count(self: OwnCodec, kind: Counted, data: bytes, at: int) -> tuple[int, int]:
    if not isinstance(kind.length, Integer):
        return OwnCodec.count_of(self, kind, data, at)
    count = int.from_bytes(self.take(data, at, 4), "big")
    if count > len(data):
        raise BrokenError
    return count, at + 4


def _in_letters(self: OwnCodec, kind: Form, data: bytes, at: int) -> tuple[Any, int]:
    """Take the length of a string for its number of characters."""
    value, after = OwnCodec.form(self, kind, data, at)
    if kind.content != "text" or not value:
        return value, after
    start = after - len(value.encode())
    text = data[start:].decode(errors="replace")[: after - start]
    return text, start + len(text.encode())


def _low_word_signed(value: int) -> int:
    low = value & 0xFFFFFFFF
    return (value >> 32 << 32) + (low - (1 << 32) if low >> 31 else low)


def _words_swapped(value: int) -> int:
    number = value & (1 << 64) - 1
    number = (number & 0xFFFFFFFF) << 32 | number >> 32
    return number - (1 << 64) if number >> 63 else number


def _of_structures(change: Callable[[list[Any]], list[Any]]) -> Callable[..., Any]:
    return lambda _, __, items: change(items) if items and isinstance(items[0], dict) else items


def _inner_of_the_last(items: list[Any]) -> list[Any]:
    """Give all items the arrays of the last one, as whoever fills one list for all."""
    arrays = {name: value for name, value in items[-1].items() if isinstance(value, list)}
    return [{**item, **arrays} for item in items]


def _later_empty(items: list[Any]) -> list[Any]:
    """Give the arrays of the first item alone."""
    return [items[0], *({n: [] if isinstance(v, list) else v for n, v in item.items()} for item in items[1:])]


def _count_of_many(self: OwnCodec, kind: Counted, count: int) -> bytes:
    return self.put_length(kind, count - 1 if count > 127 else count)


def _tag_section_of_bytes(self: OwnCodec, section: list[tuple[int, bytes]]) -> bytes:
    """Write how many bytes the section has, and not how many fields."""
    content = OwnCodec.put_section(self, section)[1:]
    return self.put_uvarint(len(content)) + content


def _tag_moved(self: OwnCodec, index: int, known: Any, tag: int, content: bytes, values: Any, unknown: Any) -> None:
    if known is not None and tag:
        return
    OwnCodec.tag(self, index, known, tag, content, values, unknown)


_INNER = {"null_of": lambda self, kind: b"" if isinstance(kind, Form) and kind.content != "text" else None}


def replace_versions(field: Any) -> Any:
    """Return the versions of a field that is never null."""
    del field
    return NO_VERSIONS


SET_2: list[Fresh] = [
    *_by_form("low word has a sign", "int64-.*(low|word|half)", "json", **_number(8, _low_word_signed)),
    *_by_form("words exchanged", "int64-.*(word|halves|exchanged|swapped)", "bytes", **_number(8, _words_swapped)),
    *_by_form("error codes of later releases are -1", "error_code|int16-limited", "json", field="error_code",
              **_number(2, lambda value: -1 if value > 133 else value)),
    *_by_form("an hour later", "log_append_time_ms.*|int64-moved", "json", message="produce response",
              field="log_append_time_ms", **_number(8, lambda value: value + 3_600_000 if value > 0 else value)),
    *_by_form("throttle time not below 0", "throttle_time_ms|clamped", "bytes", field="throttle_time_ms",
              **_number(4, lambda value: max(value, 0))),
    *_by_form("int16 of 15 bits", "int16-(15-bits|absolute)", "json", **_number(2, lambda value: value & 0x7FFF)),
    *_by_form("lengths without sign", "null-text-refused|text-size-.*unsigned|text.*sign", "json",
              size_of=_unsigned_size),
    *_by_form("counts without sign", "null-array-refused|count-.*unsigned|count.*sign", "bytes",
              count_of=_unsigned_count),
    *_by_form("lengths in characters", "text-.*characters|size-in-characters", "json", form=_in_letters),
    *_by_form("astral is ?", "text-plane-0-questioned|text-.*plane-0", "json",
              text=lambda _, c: "".join(x if ord(x) < 65536 else "?" for x in c.decode())),
    *_by_form("astral is two ?", "text-.*(plane-0|surrogates|utf-16)", "bytes",
              text=lambda _, c: "".join(x if ord(x) < 65536 else "??" for x in c.decode())),
    *_by_form("text in quotes", "text-quoted", "json", text=lambda _, c: f"'{c.decode()}'"),
    *_by_form("None", "null-as-word", "bytes",
              null_of=lambda _, kind: "None" if isinstance(kind, Form) and kind.content == "text" else None),
    *_by_form("null bytes empty", "empty-for-null-bytes|null-.*bytes", "json", **_INNER),
    *_by_form("255 items", "array-(only-first-(128|129|130)|only-first|beyond)|array-.*first", "json",
              items=_capped(128)),
    *_by_form("more than 128 items refused", "array-refused-beyond", "json",
              items=lambda _, __, items: items if len(items) <= 128 else _refuse()),
    *_by_form("inner arrays of the last", "array|last", "json", items=_of_structures(_inner_of_the_last)),
    *_by_form("inner arrays of the first alone", "array|first", "bytes", items=_of_structures(_later_empty)),
    *_by_form("first item twice", "array-first-item-twice", "bytes",
              items=lambda _, __, items: [*items[:1], *items]),
    *_by_form("one less of many", "writes/.*count|array-.*beyond|count", "bytes", put_count=_count_of_many),
    *_by_form("sections in bytes", "writes/tag-(count|section)", "bytes", put_section=_tag_section_of_bytes),
    *_by_form("tags above 0 lost", "tag-0-only", "json", tag=_tag_moved),
    *_by_form("host and rack", "host|rack", "json", message="metadata response",
              fields=lambda _, __, v: {**v, "host": v["rack"] or "", "rack": v["host"]} if "rack" in v else v),
    *_by_form("high watermark is log start", "high_watermark.*|copy-of-log", "bytes", message="fetch response",
              fields=lambda _, __, v: {**v, "high_watermark": v.get("log_start_offset", v["high_watermark"])}
              if "high_watermark" in v else v),
    *_by_form("port of 16 bits", "port/as-(u)?int16|int32-as-int16.*port", "json", message="metadata response",
              layout=field_changed("brokers.port", of_type("int16"))),
    *_by_form("port of 16 bits", "port/as-(u)?int16|int32-as-int16.*port", "bytes", message="metadata response",
              layout=field_changed("brokers.port", of_type("int16"))),
    *_by_form("racks are never null", "rack/never-null|rack/not-null", "bytes", message="metadata response",
              layout=field_changed("brokers.rack", lambda field: replace(field, nullable=replace_versions(field)))),
    *_by_form("flexible later", "flexible-begins-later", "json", message="offset-fetch request",
              layout=flexible_moved(1)),
    *_by_form("flexible earlier", "flexible-begins-earlier", "bytes", message="join-group request",
              layout=flexible_moved(-1)),
    *_by_form("no tags behind brokers", "brokers.*tag-section|brokers.tagged|no-tag-sections.*brokers", "json",
              message="metadata response",
              layout=field_changed("brokers", without_tag_section)),
    *_by_form("skip assignment is an int32", "skip_assignment", "json", message="join-group response",
              layout=field_changed("skip_assignment", of_type("int32"))),
    *_by_form("isolation level of 16 bits", "isolation_level/as-int16|int8-as-int16.*isolation_level", "bytes",
              message="fetch request", layout=field_changed("isolation_level", of_type("int16"))),
    *_by_form("leader id behind its epoch", "leader_id/behind-leader_epoch|leader_(id|epoch)", "bytes",
              message="metadata response", layout=moved("topics.partitions.leader_epoch", 2)),
    *_by_form("correlation id twice", "header", "json", message="response", header=lambda _, body: body + 4),
]  # fmt: skip
"""The second set: 34 faults, written when the first had been run and before this one was."""


def _size_as_it_is(self: OwnCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
    """Take compact lengths of strings as they are."""
    if isinstance(kind, Form) and kind.content == "text" and not isinstance(kind.length, Integer):
        return self.uvarint(data, at)
    return OwnCodec.size_of(self, kind, data, at)


def _null_as_one(self: OwnCodec, kind: Any) -> bytes:
    is_text = isinstance(kind, Form) and kind.content == "text" and not isinstance(kind.length, Integer)
    return b"\x01" if is_text else self.put_length(kind, -1)


def _fourteen_bits(self: OwnCodec, number: int) -> bytes:
    return OwnCodec.put_uvarint(self, number & 0x3FFF)


def _little(self: OwnCodec, kind: Integer, data: bytes, at: int) -> tuple[int, int]:
    return int.from_bytes(self.take(data, at, kind.size), "little", signed=True), at + kind.size


def _by_float(_: OwnCodec, kind: Integer, value: int) -> bytes:
    return min(int(float(value)), kind.highest).to_bytes(kind.size, "big", signed=kind.lowest < 0)


def _of_version_4(_: OwnCodec, value: bytes) -> bytes:
    return value[:6] + bytes((value[6] & 15 | 64,)) + value[7:8] + bytes((value[8] & 63 | 128,)) + value[9:]


def _cut_text(_: OwnCodec, value: str) -> bytes:
    return value.encode()[:127].decode(errors="ignore").encode()


def _descending(_: OwnCodec, __: Any, items: list[Any]) -> list[Any]:
    return sorted(items, key=repr, reverse=True)


def _no_message_without_error(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
    is_about = "error_message" in values and not values.get("error_code", 1)
    return {**values, "error_message": values["error_message"] or ""} if is_about else values


def _bytes_refused(_: OwnCodec, kind: Any) -> Any:
    if isinstance(kind, Form) and kind.content != "text":
        raise BrokenError


def _api_versions_header(data: bytes, body: int) -> int:
    return body - 1 if data[:4] in {b"\0\x12\0\x03", b"\0\x12\0\x04", b"\0\x12\0\x05"} else body


def _there_is_zero(self: OwnCodec, kind: Optional, value: Any) -> bytes:
    return OwnCodec.put_optional(self, kind, None) if value is None else b"\0" + self.write(kind.layout, value)


def _every_second(_: OwnCodec, __: Any, items: list[Any]) -> list[Any]:
    return items[::2]


SET_3: list[Fresh] = [
    *_by_form("compact strings of requests as they are", "compact-(text-)?(size|length)", "json", message="request",
              size_of=_size_as_it_is),
    *_by_form("one topic less", "count.*topics|topics.*count|count-too-low", "bytes", message="metadata request",
              field="topics", put_count=lambda self, kind, n: self.put_length(kind, max(n - 1, 0))),
    *_by_form("null strings as 1", "empty-for-null-string", "bytes", put_null=_null_as_one),
    *_by_form("fourteen bits", "varint-(two-bytes|14-bits)", "bytes", put_uvarint=_fourteen_bits),
    *_by_form("ports little-endian", "(little|reversed).*port", "json", message="metadata response", field="port",
              integer=_little),
    *_by_form("by floating point", "int64-as-double", "bytes", put_integer=_by_float),
    *_by_form("epochs of -1 are 0", "minus-one-as-zero.*leader_epoch|leader_epoch", "json", field="leader_epoch",
              **_number(4, lambda value: 0 if value == -1 else value)),
    *_by_form("ids of version 4", "id-version-4", "bytes", put_uuid=_of_version_4),
    *_by_form("defaults written", "default-tags-written", "bytes", message="fetch response", is_put=lambda *_: True),
    *_by_form("no message without an error", "error_message|null.*string", "json", fields=_no_message_without_error),
    *_by_form("strings cut at 127", "text-cut-127", "bytes", put_text=_cut_text),
    *_by_form("items descending", "array-.*(sorted|order|descending)|items-(sorted|reversed)|array-otherwise", "json",
              items=_descending),
    *_by_form("every second item lost", "every-other|every-second", "bytes", items=_every_second),
    *_by_form("int64 limited to int32", "int64-limited.*(32|31)", "json",
              **_number(8, lambda value: min(value, 2**31 - 1))),
    *_by_form("null bytes refused", "null-bytes-refused", "json", null_of=_bytes_refused),
    *_by_form("0 in front of structures", "marker-0-for-value", "bytes", put_optional=_there_is_zero),
    *_by_form("int8 as uint8", "int8-unsigned|int8-low-8-bits-unsigned", "json",
              **_number(1, lambda value: value & 255)),
    *_by_form("racks in capital letters", "text-(upper|.*capital).*rack|text-upper", "json", field="rack",
              text=lambda _, c: c.decode().upper()),
    *_by_form("hosts end at a NUL", "nul", "json", text=lambda _, c: c.decode().split("\0")[0]),
    *_by_form("wide session", "session_id/as-int64", "json", message="fetch response",
              layout=field_changed("session_id", of_type("int64"))),
    *_by_form("no time limit", "timeout_ms", "bytes", message="create-topics request",
              layout=field_changed("timeout_ms", until(3))),
    *_by_form("kind of key in front", "key_type|behind-key|coordinator", "json", message="find-coordinator request",
              layout=moved("key_type", 0)),
    *_by_form("stable later", "require_stable/begins-later", "bytes", message="offset-fetch request",
              layout=field_changed("require_stable", since(8))),
    *_by_form("throttle time later", "throttle_time_ms/begins-later", "json", message="api-versions response",
              layout=field_changed("throttle_time_ms", since(2))),
    *_by_form("narrow timeout", "rebalance_timeout_ms/as-int16", "bytes", message="join-group request",
              layout=field_changed("rebalance_timeout_ms", of_type("int16"))),
    *_by_form("transactional id earlier", "transactional_id/begins-earlier", "json", message="produce request",
              layout=field_changed("transactional_id", since(2))),
    *_by_form("requests without tags", "request-header-without-tags", "bytes", message="request",
              header=lambda data, body: 10 + int.from_bytes(data[8:10], "big")),
    *_by_form("header of ApiVersions", "header|api.versions", "json", message="api-versions request",
              header=_api_versions_header),
    *_by_form("operations without sign", "operations|int32-unsigned|unsigned-32", "json",
              field="topic_authorized_operations", **_number(4, lambda value: value & 0xFFFFFFFF)),
    *_by_form("metadata as bytes", "metadata/as-bytes", "json", message="offset-fetch response",
              layout=field_changed("groups.topics.partitions.metadata", of_type("bytes"))),
]  # fmt: skip
"""The third set: 30 faults, written when the kinds of the second were mended, before it was run."""


def _first_bytes(_: OwnCodec, raw: bytes) -> bytes:
    return raw[:4] + bytes(12)


def _tag_as_int32(self: OwnCodec, section: list[tuple[int, bytes]]) -> bytes:
    """Write the number of tagged fields in four bytes."""
    return len(section).to_bytes(4, "big") + OwnCodec.put_section(self, section)[1:]


def _empty_array_as_null(self: OwnCodec, kind: Counted, value: list[Any]) -> bytes:
    return OwnCodec.put_items(self, kind, value) if value or not kind.nullable else self.put_null(kind)


def _of_flag(self: OwnCodec, value: bool) -> bytes:
    return b"\0"


def _wide_size(self: OwnCodec, kind: Any, size: int) -> bytes:
    """Write the length of strings with four bytes."""
    is_text = isinstance(kind, Form) and kind.content == "text" and isinstance(kind.length, Integer)
    return size.to_bytes(4, "big") if is_text else self.put_length(kind, size)


def _only_numbers(_: OwnCodec, __: Any, items: list[Any]) -> list[Any]:
    return list(dict.fromkeys(items)) if items and isinstance(items[0], int) else items


def _carried_over(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Take the error code for the partition's number, as who mistypes a name."""
    return {**values, "partition_index": values["error_code"]} if "error_code" in values and (
        "partition_index" in values) else values  # fmt: skip


def _nothing_behind_error(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Give no arrays of what has an error code."""
    if not values.get("error_code"):
        return values
    return {name: [] if isinstance(value, list) else value for name, value in values.items()}


SET_4: list[Fresh] = [
    *_by_form("ids of four bytes", "id-(otherwise|.*first|cut)|id-", "json", uuid=_first_bytes),
    *_by_form("wide tag counts", "tag-(count|section).*(four|wide|int32)|tag-count", "bytes",
              put_section=_tag_as_int32),
    *_by_form("empty arrays null", "null-for-empty-array", "bytes", put_items=_empty_array_as_null),
    *_by_form("false is written", "bool-false", "bytes", put_flag=_of_flag),
    *_by_form("wide strings", "text-size-in-four-bytes", "bytes", put_size=_wide_size),
    *_by_form("numbers once", "array-repeated-items-lost|repeated|array-.*(once|set)", "json", items=_only_numbers),
    *_by_form("error for partition", "partition_index.*", "json", fields=_carried_over),
    *_by_form("no arrays beside an error", "array-(empty|otherwise)", "json", fields=_nothing_behind_error),
    *_by_form("int64 of 63 bits", "int64-(63-bits|absolute)", "json", **_number(8, lambda v: v & (1 << 63) - 1)),
    *_by_form("int32 through 24 bits", "int32-24-bits", "json", **_number(4, lambda v: v & 0xFFFFFF)),
    *_by_form("timeouts in seconds", "timeout_ms", "bytes", field="timeout_ms",
              **_number(4, lambda v: v // 1000 * 1000)),
    *_by_form("session 0 is null", "zero-as-null.*session_id|session_id", "json", field="session_id",
              **_number(4, lambda value: value or None)),
    *_by_form("topics without case", "text-lower.*|text-lower", "json",
              text=lambda _, c: c.decode().replace("é", "e")),
    *_by_form("replacement for astral", "text-.*plane-0", "bytes",
              text=lambda _, c: "".join(x if ord(x) < 65536 else chr(0xFFFD) for x in c.decode())),
    *_by_form("null is refused in strings of responses", "null-text-refused", "json", message="response",
              null_of=_null_string_refused),
    *_by_form("host in brackets", "text-(with-prefix|quoted|with).*host", "json", field="host",
              text=lambda _, c: f"[{c.decode()}]"),
    *_by_form("max bytes unsigned", "max_bytes|int32-.*unsigned", "json", field="max_bytes",
              **_number(4, lambda value: value % (1 << 32))),
    *_by_form("fetch offset as int32", "fetch_offset/as-int32|int64-as-int32.*fetch_offset", "bytes",
              message="fetch request", layout=field_changed("topics.partitions.fetch_offset", of_type("int32"))),
    *_by_form("forgotten topics later", "forgotten_topics_data/begins-(later|in)", "json", message="fetch request",
              layout=field_changed("forgotten_topics_data", since(8))),
    *_by_form("error code last", "error_code", "json", message="join-group response", layout=moved("error_code", -1)),
    *_by_form("replica id in all versions", "replica_id/ends-(later|in)", "bytes", message="fetch request",
              layout=field_changed("replica_id", until(15))),
    *_by_form("tagged in line", "cluster_id/in-line", "json", message="fetch request",
              layout=field_changed("cluster_id", lambda field: replace(field, tag=None))),
    *_by_form("no record errors", "record_errors", "bytes", message="produce response",
              layout=field_changed("record_errors", since(9))),
    *_by_form("validate only later", "validate_only/begins-later", "json", message="create-topics request",
              layout=field_changed("validate_only", since(3))),
    *_by_form("rack of the member", "reason", "bytes", message="join-group request",
              layout=field_changed("reason", since(9))),
    *_by_form("group of one", "group_id|groups", "json", message="offset-fetch request",
              layout=field_changed("groups", lambda field: replace(field, is_array=False))),
    *_by_form("tags of responses unread", "response-header-without-tags", "json", message="response",
              header=_never_tags),
]  # fmt: skip
"""The fourth set: 27 faults, written when the kinds of the third were mended, before it was run."""


def _count_in_two_bytes(self: OwnCodec, kind: Counted, data: bytes, at: int) -> tuple[int, int]:
    if not isinstance(kind.length, Integer):
        return OwnCodec.count_of(self, kind, data, at)
    return int.from_bytes(self.take(data, at, 2), "big", signed=True), at + 2


def _null_items_lost(_: OwnCodec, __: Any, items: list[Any]) -> list[Any]:
    return [item for item in items if item not in ("", None)]


def _json_tags_inside_lost(self: OwnCodec, unknown: Any) -> list[tuple[int, bytes]]:
    return list(unknown) if len(self.place) == 1 else []


def _descending_tags(self: OwnCodec, section: list[tuple[int, bytes]]) -> bytes:
    return OwnCodec.put_section(self, section[::-1])


def _long_refused(self: OwnCodec, kind: Form, value: Any) -> bytes:
    if isinstance(value, str) and len(value) > 255:
        raise BrokenError
    return OwnCodec.put_form(self, kind, value)


def _dashes(_: OwnCodec, raw: bytes) -> bytes:
    """Take the two halves of an id for numbers with a sign, and lose the sign of the second."""
    return raw[:8] + bytes((raw[8] & 127,)) + raw[9:]


def _minus_one_lost(self: OwnCodec, kind: Integer, value: int) -> bytes:
    return OwnCodec.put_integer(self, kind, 0 if value == -1 else value)


SET_5: list[Fresh] = [
    *_by_form("counts of two bytes", "count-in-two-bytes", "json", count_of=_count_in_two_bytes),
    *_by_form("-1 written as 0", "minus-one-as-zero", "bytes", put_integer=_minus_one_lost),
    *_by_form("empty items lost", "empty-items-lost|null-items-lost|array-otherwise", "json", items=_null_items_lost),
    *_by_form("inner unknown tags lost", "inner-unknown-tags-lost", "bytes", put_unknown=_json_tags_inside_lost),
    *_by_form("tags descending", "tags-descending", "bytes", put_section=_descending_tags),
    *_by_form("long strings not written", "text-refused-beyond", "bytes", put_form=_long_refused),
    *_by_form("sign of the second half of ids", "id-", "json", uuid=_dashes),
    *_by_form("int64 as milliseconds of seconds", "int64-(times|in|divided|multiplied)", "json",
              field="log_append_time_ms", **_number(8, lambda value: value // 1000 if value > 0 else value)),
    *_by_form("epochs unsigned", "(int32|unsigned).*epoch", "json", field="leader_epoch",
              **_number(4, lambda value: value & 0xFFFFFFFF)),
    *_by_form("error codes of one byte", "low-8-bits", "bytes", field="error_code", **_number(
        2, lambda value: (value + 128) % 256 - 128)),
    *_by_form("booleans inverted", "bool-inverted", "json", flag=lambda _, byte: byte == 0),
    *_by_form("names without their last letter", "text-without-last.*name|text-without-last", "json", field="name",
              text=lambda _, c: c.decode()[:-1]),
    *_by_form("latin letters", "text-as-latin-1|text-.*latin", "bytes", text=lambda _, c: c.decode("latin-1")),
    *_by_form("null strings as minus", "null-as|null.*string", "json",
              null_of=lambda _, kind: "-" if isinstance(kind, Form) and kind.content == "text" else None),
    *_by_form("null arrays of one", "null.*array", "bytes",
              null_of=lambda _, kind: [] if isinstance(kind, Counted) else None),
    *_by_form("bytes without their first", "bytes-without-first", "json", octets=lambda _, c: c[1:]),
    *_by_form("controller later", "controller_id/begins-later", "json", message="metadata response",
              layout=field_changed("controller_id", since(2))),
    *_by_form("cluster id never", "cluster_id/(left-out|begins)", "bytes", message="metadata response",
              layout=field_changed("cluster_id", since(99))),
    *_by_form("offline replicas one", "offline_replicas/one", "json", message="metadata response",
              layout=field_changed("topics.partitions.offline_replicas", lambda f: replace(f, is_array=False))),
    *_by_form("generation wide", "generation_id/as-int64|int32-as-int64.*generation", "json",
              message="join-group response", layout=field_changed("generation_id", of_type("int64"))),
    *_by_form("error message and code", "error_(code|message)/behind|error_(code|message)", "json",
              message="find-coordinator response", layout=moved("error_message", 1)),
    *_by_form("key as bytes", "key/as-bytes", "json", message="find-coordinator request",
              layout=field_changed("key", of_type("bytes"))),
    *_by_form("tag of leaders", "current_leader", "json", message="fetch response",
              layout=field_changed("responses.partitions.current_leader", lambda f: replace(f, tag=3))),
    *_by_form("response header in all", "response-header-with-tags", "bytes", message="response",
              header=_always_tags),
    *_by_form("base offset is start", "base_offset|copy-of", "json", message="produce response",
              fields=lambda _, __, v: {**v, "base_offset": v["log_start_offset"]}
              if {"base_offset", "log_start_offset"} <= v.keys() else v),
    *_by_form("isolation level left out", "isolation_level/left-out", "bytes", message="fetch request",
              layout=field_changed("isolation_level", since(99))),
]  # fmt: skip
"""The fifth set: 26 faults, written when the kinds of the fourth were mended, before it was run."""
