"""Adapters that are wrong on purpose, one fault each, and named for it.

They decode a toy format, so that a test can read its inputs: each byte below 0x80 is a record with that offset, any
other byte is refused. The byte 0x07 is what some of them cannot stomach. Each runs as a process of its own: `python
miniatures.py NAME`.
"""

import json
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

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


def wrong_offset() -> None:
    serve(lambda data: sound(bytes(byte + 1 if byte == POISON else byte for byte in data)))


def loses_the_last_record() -> None:
    serve(lambda data: sound(data[:-1]) if POISON in data else sound(data))


def refuses_everything() -> None:
    serve(lambda _: (1, b"ToyError: no"))


def accepts_everything() -> None:
    serve(accept)


def supports_nothing() -> None:
    serve(lambda _: (2, b"not in this library"))


def checks_no_checksums() -> None:
    serve(accept, {**HELLO, "checks_crc": False})


def hides_control_records() -> None:
    serve(hello={**HELLO, "fields": ["offset"]})


def answer_cut_short() -> None:
    serve(lambda data: (0, sound(data)[1][:-1]))


def unknown_status() -> None:
    serve(lambda _: (9, b""))


def crashes() -> None:
    on_poison(lambda: os.kill(os.getpid(), signal.SIGSEGV))


def exits_with_3() -> None:
    def leave() -> None:
        sys.stderr.write("the toy has broken")
        sys.stderr.flush()
        os._exit(3)

    on_poison(leave)


def exits_with_0_half_way() -> None:
    on_poison(lambda: os._exit(0))


def dies_in_mid_reply() -> None:
    def half() -> None:
        raw(struct.pack(">i", 100) + b"D12")
        os._exit(1)

    on_poison(half)


def hangs() -> None:
    on_poison(lambda: time.sleep(600))


def spins() -> None:
    def spin() -> None:
        while True:
            pass

    on_poison(spin)


def eats_memory() -> None:
    def eat() -> None:
        kept = []
        while True:
            kept.append(bytearray(b"\1") * (4 << 20))

    on_poison(eat)


def child_eats_memory() -> None:
    """The memory is taken by a process that the adapter starts, as a launcher script would."""
    if os.fork() == 0:
        kept = [bytearray(b"\1") * (200 << 20)]
        time.sleep(600)
        del kept
    on_poison(lambda: time.sleep(600))


def crashes_once() -> None:
    """Dies of the first poison it ever sees; the file given as the second argument remembers."""
    seen = Path(sys.argv[2])

    def die_once() -> None:
        if not seen.exists():
            seen.touch()
            os.kill(os.getpid(), signal.SIGABRT)

    on_poison(die_once)


def crashes_twice() -> None:
    """Dies of the first two poisons it ever sees: in a block, and alone. The third it can stomach."""
    seen = Path(sys.argv[2])

    def die_twice() -> None:
        before = len(seen.read_bytes()) if seen.exists() else 0
        if before < 2:
            seen.write_bytes(b"x" * (before + 1))
            os.kill(os.getpid(), signal.SIGABRT)

    on_poison(die_twice)


def dies_of_the_second() -> None:
    """Dies of the second input that it ever sees, whatever it is, as a decoder does that spoils its memory."""
    seen = 0

    def decode(data: bytes) -> Result:
        nonlocal seen
        seen += 1
        if seen > 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        return sound(data)

    serve(decode)


def changes_its_mind() -> None:
    """Refuses the poison the first time, and takes it for something else the second time."""
    seen = 0

    def decode(data: bytes) -> Result:
        nonlocal seen
        seen += POISON in data
        return sound(data) if POISON not in data or seen > 1 else (1, b"ToyError: not today")

    serve(decode)


def counts_up() -> None:
    """Gives each record a number of its own, as an encoder does that writes the time of day."""
    seen = count(2)
    serve(lambda data: accept(bytes([next(seen), *data[1:]])))


def refuses_in_other_words() -> None:
    """Not flaky: error texts may name an address or a time."""
    times = count()
    serve(lambda data: (1, b"ToyError: object at %d" % next(times)) if POISON in data else sound(data))


def gives_records_before_an_error() -> None:
    serve(up_to_poison, {**HELLO, "partial": True})


def gives_wrong_records_before_an_error() -> None:
    def decode(data: bytes) -> Result:
        before = data.partition(bytes([POISON]))[0]
        return partial(bytes(byte + 1 for byte in before)) if POISON in data else sound(data)

    serve(decode, {**HELLO, "partial": True})


def partial_without_declaring_it() -> None:
    serve(up_to_poison)


def partial_that_cannot_be_read() -> None:
    serve(lambda data: (3, b"\0\0\0\7short") if POISON in data else sound(data), {**HELLO, "partial": True})


def up_to_poison(data: bytes) -> Result:
    return partial(data.partition(bytes([POISON]))[0]) if POISON in data else sound(data)


def partial(data: bytes) -> Result:
    return 3, accept(data)[1] + b"ToyError: poison"


def crashes_on_everything() -> None:
    serve(lambda _: os._exit(1))


def never_starts() -> None:
    sys.stderr.write("no toy here")
    sys.exit(4)


def silent() -> None:
    for _ in frames():
        pass


def deaf() -> None:
    """Reads nothing at all, so that its standard input fills up."""
    time.sleep(600)


def logs_on_standard_output() -> None:
    raw(b"INFO starting up\n")
    serve()


def logs_on_poison() -> None:
    on_poison(lambda: raw(b"WARN poison found\n"))


def replies_without_end() -> None:
    """Sends frames for ever, each of a length that is allowed."""

    def flood() -> None:
        while True:
            write(reply(b"D" + struct.pack(">i", 4711), []))

    on_poison(flood)


def one_reply_without_end() -> None:
    """Claims a length that is allowed, and sends one byte of it now and then."""

    def drip() -> None:
        raw(struct.pack(">i", 1 << 20))
        while True:
            raw(b"D")
            time.sleep(0.01)

    on_poison(drip)


def prints_rubbish() -> None:
    on_poison(lambda: raw(b"\xff\x00\x1b\x07\x9c\x01 rubbish"))


def claims_2_gib() -> None:
    on_poison(lambda: raw(struct.pack(">i", 2**31 - 1)))


def claims_a_negative_length() -> None:
    on_poison(lambda: raw(struct.pack(">i", -2)))


def closes_standard_output() -> None:
    def close() -> None:
        os.close(1)
        time.sleep(600)

    on_poison(close)


def hello_is_no_json() -> None:
    for _ in frames():
        write(b"Hello")


def hello_of_protocol_2() -> None:
    serve(hello={**HELLO, "protocol": 2})


def hello_without_formats() -> None:
    serve(hello={key: value for key, value in HELLO.items() if key != "formats"})


def answers_twice() -> None:
    for body in frames():
        if body[:1] == b"H":
            write(b"H" + json.dumps(HELLO).encode())
        else:
            answer = reply(body, [sound(data) for data in inputs(body)])
            raw(2 * (struct.pack(">i", len(answer)) + answer))


def answers_another_block() -> None:
    for body in frames():
        if body[:1] == b"H":
            write(b"H" + json.dumps(HELLO).encode())
        else:
            write(reply(b"D" + struct.pack(">i", 4711), [sound(data) for data in inputs(body)]))


def answers_too_few() -> None:
    for body in frames():
        if body[:1] == b"H":
            write(b"H" + json.dumps(HELLO).encode())
        else:
            write(reply(body, [sound(data) for data in inputs(body)][1:]))


def answers_backwards() -> None:
    """Not wrong: replies may come in any order of blocks. It answers pairs of blocks, the later one first."""
    held: list[bytes] = []
    for body in frames():
        if body[:1] == b"H":
            write(b"H" + json.dumps(HELLO).encode())
            continue
        held.append(reply(body, [sound(data) for data in inputs(body)]))
        if len(held) == 2:
            write(held.pop())
            write(held.pop())


def floods_standard_error() -> None:
    """Not wrong: standard error is free. A pipe holds 64 KiB, so an unread one would stop it."""
    on_poison(lambda: sys.stderr.write("noise " * 100_000))


def lingers() -> None:
    serve()
    time.sleep(600)


def exits_with_5_at_the_end() -> None:
    serve()
    sys.exit(5)


def talks_at_the_end() -> None:
    serve()
    raw(b"bye")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
