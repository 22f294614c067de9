"""Large entries: lengths of four bytes, counts of three, payloads that grow a thousandfold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from kafka_conformance.vectors.recipes import describe, expand, parts_of
from kafka_format import compression
from kafka_format.codec import interpreter
from kafka_format.spec.layout import find

from kafka_generator.constructed.model import Construction
from kafka_generator.constructed.subjects import batch, message, seal
from kafka_generator.payloads import PayloadStore

MIB: Final = 1 << 20
_A: Final = b"a"
_CONTENT: Final = _A * MIB
_PLAIN: Final[dict[str, Any]] = {"producer_id": -1, "producer_epoch": -1, "base_sequence": -1}
_RECORDS: Final = 100_000
_HEADERS: Final = 65_536


def constructions(store: PayloadStore) -> Iterator[Construction]:
    """Yield the large constructions, each with its recipe."""
    yield from _contents()
    yield _many_records()
    yield from _messages()
    for codec in compression.NAMES[1:]:
        yield _compress(codec, store)


def _contents() -> Iterator[Construction]:
    header = {"key": b"h", "value": b"v"}
    records: dict[str, tuple[str, dict[str, Any], bytes]] = {
        "value-1-mib": ("A value of 1 MiB", {"value": _CONTENT}, _A),
        "key-1-mib": ("A key of 1 MiB", {"key": _CONTENT}, _A),
        "header-key-1-mib": ("A header key of 1 MiB", {"headers": [{"key": _CONTENT, "value": b"v"}]}, _A),
        "header-value-1-mib": ("A header value of 1 MiB", {"headers": [{"key": b"h", "value": _CONTENT}]}, _A),
        "headers-65536": ("65536 headers", {"headers": [header] * _HEADERS}, b"\x02h\x02v"),
    }
    for name, (title, record, unit) in records.items():
        data = batch(**_PLAIN, records=[{"headers": [], **record}])
        rules = ["v2.header.order"] if name.startswith("headers") else ["length.within", "varint.zigzag"]
        yield _make(f"v2/{name}", title, parts_of(data, unit), rules)
    data = batch(**_PLAIN, records=[{"value": _CONTENT, "headers": []}])
    parts = parts_of(data[:-2] + b"b\0", _A)
    rules = ["v2.crc.covers-attributes-to-end"]
    recipe = describe(parts)
    title = "The last byte of a value of 1 MiB is another one than the checksum covers"
    twin = "large/v2/value-1-mib"
    yield Construction("large/v2/last-byte", title, expand(recipe), rules, "invalid", twin=twin, recipe=recipe)


def _many_records() -> Construction:
    """Records whose offset deltas count up, by the number of bytes that these take."""
    edges, parts = (0, 64, 8192, _RECORDS), []
    for width, (first, end) in enumerate(pairwise(edges), 1):
        before = bytes([2 * (width + 6), 0, 0]).hex()
        parts.append({"before": before, "varints_from": first, "times": end - first, "after": "01026100"})
    head = batch(**_PLAIN, records=[], record_count=_RECORDS, last_offset_delta=_RECORDS - 1)
    whole = seal(head + expand(describe(parts)))
    title = "100000 records, whose offset deltas take one to three bytes"
    return _make("v2/records-100000", title, [{"hex": whole[: len(head)].hex()}, *parts], ["v2.offset"])


def _messages() -> Iterator[Construction]:
    for magic in (0, 1):
        data = message(magic, key=None, value=_CONTENT)
        title = f"A value of 1 MiB in a message of v{magic}"
        yield _make(f"v{magic}/value-1-mib", title, parts_of(data, _A), ["length.within"])
    data = interpreter.encode(find("v07_entry"), {"message": {"magic": 1, "payload": _CONTENT}})
    title = "A payload of 1 MiB in a message of 0.7"
    yield _make("v07/payload-1-mib", title, parts_of(data, _A), ["v07.payload"], "v07")


def _compress(codec: str, store: PayloadStore) -> Construction:
    plain = interpreter.encode(find("record"), {"value": _CONTENT, "headers": []})
    payload = store.get(codec, {"lz4": "library"}.get(codec, "plain"), plain)
    changes = {**_PLAIN, "attributes": {"codec": codec}, "record_count": 1, "last_offset_delta": 0, "records": payload}
    data = batch(**changes)
    parts = parts_of(data, _second_chunk(payload)) if codec == "snappy" else [{"hex": data.hex()}]
    title = f"A payload of {codec} that decompresses to more than 1 MiB"
    return _make(f"v2/{codec}-1-mib", title, parts, ["compression.limit"])


def _second_chunk(payload: bytes) -> bytes:
    """Return the second chunk in the xerial framing, which is like all that follow but the last."""
    start = 20 + int.from_bytes(payload[16:20], "big")
    return payload[start : start + 4 + int.from_bytes(payload[start : start + 4], "big")]


def _make(name: str, title: str, parts: list[dict[str, Any]], rules: list[str], kind: str = "run") -> Construction:
    recipe = describe(parts)
    return Construction(f"large/{name}", title, expand(recipe), rules, input=kind, recipe=recipe)
