"""What the miniatures share: their format, and the adapter protocol as they speak it."""

import json
import struct
import sys
from collections.abc import Callable, Iterator

POISON = 0x07
HELLO = {
    "protocol": 1,
    "name": "miniature",
    "version": "1",
    "language": "Python",
    "formats": ["v2"],
    "codecs": ["none"],
    "fields": ["offset", "control"],
    "checks_crc": True,
    "directions": ["decode"],
}

Result = tuple[int, bytes]


def frames() -> Iterator[bytes]:
    while len(head := sys.stdin.buffer.read(4)) == 4:
        yield sys.stdin.buffer.read(int.from_bytes(head, "big"))


def write(body: bytes) -> None:
    raw(struct.pack(">i", len(body)) + body)


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def inputs(body: bytes) -> list[bytes]:
    found, position = [], 10
    for _ in range(int.from_bytes(body[6:10], "big")):
        length = int.from_bytes(body[position : position + 4], "big")
        found.append(body[position + 4 : position + 4 + length])
        position += 4 + length
    return found


def record(offset: int, timestamp: int = 0) -> bytes:
    return struct.pack(">qqbiiiqhibb", offset, timestamp, 0, -1, -1, 0, 0, 0, 0, 0, 0)


def accept(data: bytes) -> Result:
    return 0, struct.pack(">i", len(data)) + b"".join(record(byte) for byte in data)


def sound(data: bytes) -> Result:
    return accept(data) if max(data, default=0) < 0x80 else (1, b"ToyError: high bit")


def partial(data: bytes) -> Result:
    return 3, accept(data)[1] + b"ToyError: poison"


def up_to_poison(data: bytes) -> Result:
    return partial(data.partition(bytes([POISON]))[0]) if POISON in data else sound(data)


def reply(body: bytes, results: list[Result]) -> bytes:
    parts = [struct.pack(">bi", status, len(content)) + content for status, content in results]
    return body[:5] + struct.pack(">i", len(results)) + b"".join(parts)


def serve(decode: Callable[[bytes], Result] = sound, hello: dict[str, object] = HELLO) -> None:
    for body in frames():
        if body[:1] == b"H":
            write(b"H" + json.dumps(hello).encode())
        else:
            write(reply(body, [decode(data) for data in inputs(body)]))


def on_poison(act: Callable[[], object]) -> None:
    """Serve soundly, and act when the poison is seen."""

    def decode(data: bytes) -> Result:
        if POISON in data:
            act()
        return sound(data)

    serve(decode)
