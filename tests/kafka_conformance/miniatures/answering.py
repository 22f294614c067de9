"""Miniatures that answer wrongly, or not the same twice, and do so in good form."""

from itertools import count

from miniature import HELLO, POISON, Result, accept, partial, serve, sound, up_to_poison


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
