"""How often keys and values that are no framing at all are taken for one.

    python benchmarks/content_noise.py --each 20000

Prints for each kind of payload how many are read as a fact (there must be none) and how many as
"perhaps": by their first bytes alone, and as values and keys of a topic that has the name of a
changelog of Kafka Streams and the header `v` that its buffers have.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import sys
import uuid
import zlib
from collections.abc import Callable, Iterator

from kafka_format.content import Reading, read_key, read_value

Draw = Callable[[random.Random], bytes]


def _text(draw: random.Random) -> bytes:
    return " ".join(draw.choice(("order", "paid", "müller", "42", "ok")) for _ in range(draw.randint(0, 12))).encode()


def _json(draw: random.Random) -> bytes:
    return json.dumps({"id": draw.getrandbits(31), "name": _text(draw).decode(), "tags": [1, None, True]}).encode()


def _long(number: int) -> bytes:
    sign = (number << 1) ^ (number >> 63)
    out = bytearray()
    while sign > 0x7F:
        out.append(sign & 0x7F | 0x80)
        sign >>= 7
    return bytes([*out, sign])


def _avro(draw: random.Random) -> bytes:
    """Return a datum without a prefix: a long, a union of null and text, a double."""
    text = _text(draw)
    name = b"\0" if draw.random() < 0.3 else b"\2" + _long(len(text)) + text
    return _long(draw.randint(-100, 10**6)) + name + struct.pack("<d", draw.random())


def _protobuf(draw: random.Random) -> bytes:
    text = _text(draw)
    return b"\x08" + _long(draw.getrandbits(20)) + b"\x12" + _long(len(text)) + text


def _msgpack(draw: random.Random) -> bytes:
    text = _text(draw)[:31]
    return b"\x82\xa2id\xce" + draw.randbytes(4) + b"\xa4name" + bytes([0xA0 | len(text)]) + text


PAYLOADS: dict[str, Draw] = {
    "JSON": _json,
    "text": _text,
    "Avro without a prefix": _avro,
    "Avro, a record of nullable fields": lambda draw: b"\0\2" + _long(draw.randint(0, 99)) + _avro(draw),
    "Protobuf": _protobuf,
    "MessagePack": _msgpack,
    "random bytes": lambda draw: draw.randbytes(draw.randint(0, 200)),
    "random bytes behind 0": lambda draw: b"\0" + draw.randbytes(draw.randint(0, 200)),
    "int": lambda draw: draw.randint(0, 65535).to_bytes(4, "big"),
    "long": lambda draw: draw.randint(0, 65535).to_bytes(8, "big"),
    "two longs": lambda draw: draw.randint(0, 65535).to_bytes(8, "big") * 2,
    "double": lambda draw: struct.pack(">d", draw.random() * 1000),
    "time": lambda draw: (1_700_000_000_000 + draw.getrandbits(32)).to_bytes(8, "big"),
    "time and a text": lambda draw: (1_700_000_000_000 + draw.getrandbits(32)).to_bytes(8, "big") + _text(draw),
    "int and a text": lambda draw: draw.randint(0, 65535).to_bytes(4, "big") + _text(draw),
    "size (int32) and a text": lambda draw: len(text := _text(draw)).to_bytes(4, "big") + text,
    "UUID of 16 bytes": lambda draw: uuid.UUID(int=draw.getrandbits(128), version=4).bytes,
    "UUID as text": lambda draw: str(uuid.UUID(int=draw.getrandbits(128), version=4)).encode(),
    "PNG": lambda draw: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + draw.randbytes(40),
    "JPEG": lambda draw: b"\xff\xd8\xff\xe0\0\x10JFIF\0" + draw.randbytes(40),
    "zlib stream": lambda draw: zlib.compress(_text(draw)),
    "Java object": lambda draw: b"\xac\xed\0\5sr\0" + bytes([draw.randint(1, 40)]) + draw.randbytes(20),
    "zeros": lambda draw: bytes(draw.randint(0, 40)),
}
"""Payloads that name no schema, by what they are."""


CHANGELOG = "app-store-changelog"
READ: dict[str, Callable[[bytes], Reading | None]] = {
    "alone": read_value,
    "changelog": lambda data: read_value(data, [(b"v", bytes([1 + len(data) % 3]))], CHANGELOG),
    "its key": lambda data: read_key(data, (), CHANGELOG),
}
"""What stands around a payload."""


def measure(each: int, seed: int) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield for each kind how many are read as a fact, and how many as a guess, each way."""
    draw = random.Random(seed)  # noqa: S311 - the payloads are no secret
    for name, payload in PAYLOADS.items():
        drawn = [payload(draw) for _ in range(each)]
        yield name, [_counts(read, drawn) for read in READ.values()]


def _counts(read: Callable[[bytes], Reading | None], payloads: list[bytes]) -> tuple[int, int]:
    found = [reading.is_sure for payload in payloads if (reading := read(payload)) is not None]
    return sum(found), len(found) - sum(found)


def main() -> int:
    """Print the table; return 1 if anything was stated as a fact."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=35)
    options = parser.parse_args()
    facts = 0
    print(f"{'payload':36}", *(f"{name:>10} fact perhaps" for name in READ))
    for name, counts in measure(options.each, options.seed):
        facts += sum(sure for sure, _ in counts)
        print(f"{name:36}", *(f"{sure / options.each:15.2%} {guesses / options.each:7.2%}" for sure, guesses in counts))
    return 1 if facts else 0


if __name__ == "__main__":
    sys.exit(main())
