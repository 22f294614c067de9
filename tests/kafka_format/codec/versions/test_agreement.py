"""The compiled reader and writer agree with the interpreter on every value and on all bytes."""

import struct
from random import Random
from typing import Any

import pytest
from kafka_format.codec.readings import interpreter_only
from kafka_format.codec.versions import CompiledVersion
from kafka_format.errors import FormatError

from tests.kafka_format.codec.versions import samples

EDGES = [0, 1, 2, 127, 128, 255]


def damaged(data: bytes, random: Random) -> bytes:
    """Cut bytes, add some after them, or change one."""
    if not data or random.random() < 0.1:
        return data + random.randbytes(random.randint(1, 4))
    if random.random() < 0.3:
        return data[: random.randrange(len(data))]
    changed = bytearray(data)
    changed[random.randrange(len(data))] = random.choice([*EDGES, random.randrange(256)])
    return bytes(changed)


def quickly(compiled: CompiledVersion, data: bytes) -> Any:
    """What the compiled reader makes of bytes; None where it gives up, or bytes are left."""
    try:
        value, end = compiled._quick(data, 0)
    except (IndexError, ValueError, struct.error):
        return None
    return value if end == len(data) else None


def carefully(compiled: CompiledVersion, data: bytes) -> Any:
    """What the interpreter makes of bytes; None where it refuses them."""
    try:
        with interpreter_only():
            return compiled.decode(data)
    except FormatError:
        return None


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", samples.NAMES)
def test_values_and_damaged_bytes(name: str) -> None:
    for number in samples.numbers(name):
        compiled, value = samples.of(name, number, 0)
        data = compiled._write(value)
        with interpreter_only():
            assert compiled.encode(value) == data
        assert repr(quickly(compiled, data)) == repr(carefully(compiled, data))
        assert compiled._write(quickly(compiled, data)) == data
        random = Random(f"{name} {number}")  # noqa: S311 - no secret
        for _ in range(8):
            wrong = damaged(data, random)
            assert repr(quickly(compiled, wrong)) == repr(carefully(compiled, wrong)), wrong.hex()


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", samples.NAMES)
def test_what_is_left_out_has_its_default(name: str) -> None:
    for number in samples.numbers(name):
        compiled, _ = samples.of(name, number, 0)
        data = compiled.encode(compiled.type())
        with interpreter_only():
            assert compiled.encode({}) == data
        assert compiled.encode(compiled.decode(data)) == data
