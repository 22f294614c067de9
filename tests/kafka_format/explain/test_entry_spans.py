"""Message sets of 0.7, byte by byte: what was read, what was not, and where it is wrong."""

import gzip
import struct
import zlib

from kafka_format.explain.lines import Explanation, explain_v07
from kafka_format.records import decode_v07


def message(payload: bytes, attributes: int = 0) -> bytes:
    return struct.pack(">ibbI", 6 + len(payload), 1, attributes, zlib.crc32(payload)) + payload


def wrapper(inner: bytes) -> bytes:
    return message(gzip.compress(inner, mtime=0), attributes=1)


def outside(found: Explanation) -> bytes:
    return b"".join(line.raw for line in found.lines if not line.payload)


def test_the_fields_of_both_magics() -> None:
    old = struct.pack(">ibI", 6, 0, zlib.crc32(b"a")) + b"a"
    explained = explain_v07(old + message(b"bb"))
    assert explained.fault is None
    assert [(line.entry, line.path, line.start, line.value) for line in explained.lines] == [
        (0, "size", 0, "6"),
        (0, "message.magic", 4, "0"),
        (0, "message.crc", 5, f"{zlib.crc32(b'a'):#010x}"),
        (0, "message.payload", 9, "'a'"),
        (1, "size", 10, "8"),
        (1, "message.magic", 14, "1"),
        (1, "message.attributes", 15, "0 (codec=none)"),
        (1, "message.crc", 16, f"{zlib.crc32(b'bb'):#010x}"),
        (1, "message.payload", 20, "'bb'"),
    ]


def test_what_is_in_wrappers_is_shown_too() -> None:
    data = wrapper(message(b"a") + wrapper(message(b"b")))
    explained = explain_v07(data)
    inner = {line.path: line for line in explained.lines if line.payload}
    assert inner["message.payload[0].message.payload"].raw == b"a"
    deepest = inner["message.payload[1].message.payload[0].message.payload"]
    assert (deepest.raw, deepest.start) == (b"b", 10)
    assert outside(explained) == data


def test_the_fault_stands_at_its_field() -> None:
    broken = bytearray(message(b"b"))
    broken[-1] ^= 1
    explained = explain_v07(wrapper(message(b"a") + bytes(broken)))
    (line,) = [line for line in explained.lines if line.fault]
    assert (line.path, line.start, line.payload) == ("message.payload[1].message.crc", 17, True)


def test_a_cut_entry_is_left_out_and_a_first_one_refused() -> None:
    whole = message(b"a")
    cut = explain_v07(whole + whole[:7])
    assert (cut.fault, cut.lines[-1].raw, cut.lines[-1].value) == (
        None,
        whole[:7],
        "cut-off entry of 7 bytes, left out as Kafka does",
    )
    first = explain_v07(whole[:7])
    assert first.fault is not None
    assert (first.lines[0].path, first.lines[0].raw, first.lines[0].fault) == ("size", whole[:7], first.fault)


def test_a_bomb_is_not_opened_to_be_shown() -> None:
    data = wrapper(wrapper(message(bytes(1 << 20))) * 10)
    explained = explain_v07(data, limit=5 << 20)
    assert explained.fault is not None
    assert explained.fault.rule == "compression.limit"
    assert outside(explained) == data
    assert not any(line.payload for line in explained.lines if not line.fault)


def test_wrappers_are_opened_only_so_deep() -> None:
    data = message(b"a")
    for _ in range(40):
        data = wrapper(data)
    assert len(decode_v07(data)) == 1
    deepest = max(line.path.count("[") for line in explain_v07(data).lines)
    assert deepest == 16
