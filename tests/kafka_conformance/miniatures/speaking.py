"""Miniatures that break the adapter protocol, or look as if they did."""

import json
import struct
import sys
import time

from miniature import HELLO, POISON, frames, inputs, on_poison, raw, reply, serve, sound, up_to_poison, write


def answer_cut_short() -> None:
    serve(lambda data: (0, sound(data)[1][:-1]))


def unknown_status() -> None:
    serve(lambda _: (9, b""))


def partial_without_declaring_it() -> None:
    serve(up_to_poison)


def partial_that_cannot_be_read() -> None:
    serve(lambda data: (3, b"\0\0\0\7short") if POISON in data else sound(data), {**HELLO, "partial": True})


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
    """Not wrong: replies may come in any order of blocks.

    It answers pairs of blocks, the later one first.
    """
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


def talks_at_the_end() -> None:
    serve()
    raw(b"bye")
