"""Every engine agrees with the interpreter on every value and on all bytes."""

import gc
import sys
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.compiler.plan import Node
from kafka_format.codec.readings import DOUBT, READINGS, interpreter_only
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.errors import FormatError

from tests.kafka_format.codec.compiler import samples

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


def types(value: Any) -> Any:
    """The types of a value and of all in it."""
    return (type(value), *map(types, value)) if isinstance(value, list | tuple) else type(value)


def quickly(compiled: Structure, data: bytes) -> Any:
    """What the engine makes of bytes, with its types; None where it gives up, or bytes are left."""
    try:
        value, end = compiled.program.read(data, 0) if READINGS.machine else compiled.python.read(data, 0, len(data), 0)
    except DOUBT:
        return None
    return (repr(value), types(value)) if end == len(data) else None


def carefully(compiled: Structure, data: bytes) -> Any:
    """What the interpreter makes of bytes; None where it refuses them."""
    try:
        with interpreter_only():
            value = compiled.decode(data)
    except FormatError:
        return None
    return repr(value), types(value)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", samples.NAMES)
@pytest.mark.parametrize("engine", ["machine", "python"], indirect=True)
def test_values_and_damaged_bytes(name: str, engine: str) -> None:
    for number in samples.numbers(name):
        compiled, value = samples.of(name, number, 0)
        data = (compiled.program.write if engine == "machine" else compiled.python.write)(value)
        with interpreter_only():
            assert compiled.encode(value) == data
        assert quickly(compiled, data) == carefully(compiled, data)
        assert compiled.encode(compiled.decode(data)) == data
        random = Random(f"{name} {number}")  # noqa: S311 - no secret
        for _ in range(8):
            wrong = damaged(data, random)
            assert quickly(compiled, wrong) == carefully(compiled, wrong), wrong.hex()


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", samples.NAMES)
@pytest.mark.parametrize("engine", ["machine", "python"], indirect=True)
def test_what_is_left_out_has_its_default(name: str, engine: str) -> None:
    assert engine
    for number in samples.numbers(name):
        compiled, _ = samples.of(name, number, 0)
        data = compiled.encode(compiled.type())
        with interpreter_only():
            assert compiled.encode({}) == data
        assert compiled.encode(compiled.decode(data)) == data


@pytest.mark.parametrize("engine", ["machine"], indirect=True)
def test_the_machine_takes_values_of_built_in_types_only(engine: str) -> None:
    """Nothing of the caller's runs while it compares: it leaves such values to the interpreter."""
    assert engine

    class Text(str):
        __slots__ = ()

        def __ne__(self, other: object) -> bool:
            raise AssertionError("ran")

        __hash__ = str.__hash__

    compiled = version("fetch_request", 12)
    for value in (compiled.type(cluster_id=Text("a")), compiled.type(max_bytes=True), compiled.type(topics=iter(()))):
        with pytest.raises(TypeError):
            compiled.program.write(value)
    assert compiled.decode(compiled.encode(compiled.type(cluster_id=Text("a")))).cluster_id == "a"


@pytest.mark.parametrize("engine", ["machine"], indirect=True)
@pytest.mark.parametrize(
    "node",
    [
        (), "no tuple", (10,) * 17,
        Node(operation=10, type=int),
        Node(operation=10, type=tuple, members=1),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=0, size=3),)),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=0, size=4, place=1),)),
        Node(operation=10, type=tuple, members=2, inner=(Node(operation=0, size=4),) * 2),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=10, type=tuple),)),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=6, inner=(Node(operation=1),)),)),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=8, smallest=0, inner=(Node(operation=1),)),)),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=8, size=4, high=9),)),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=9, type=tuple),)),
        Node(operation=15, type=tuple),
        Node(operation=10, type=tuple, members=1, inner=(Node(operation=11),)),
        Node(operation=1),
    ],
)  # fmt: skip
def test_programs_that_make_no_sense_are_refused(engine: str, node: Any) -> None:
    assert engine
    with pytest.raises((TypeError, ValueError)):
        READINGS.machine.program(node, 1)


@pytest.mark.parametrize("engine", ["machine"], indirect=True)
def test_a_program_is_not_deeper_than_any_layout(engine: str) -> None:
    assert engine
    node = Node(operation=10, type=tuple)
    for _ in range(40):
        node = Node(operation=10, type=tuple, members=1, inner=(Node(operation=6, inner=(node,)),))
    with pytest.raises(ValueError, match="too deep"):
        READINGS.machine.program(node, 1)


@pytest.mark.parametrize("engine", ["machine"], indirect=True)
def test_nothing_stays_of_what_was_read_and_written(engine: str) -> None:
    """Values, what is half made before a doubt, and references to what all values share."""
    random = Random(engine)  # noqa: S311 - no secret
    names = [(name, samples.numbers(name)[-1]) for name in ("fetch_response", "metadata_response")]
    found = [samples.of(*name, seed) for name in names for seed in range(4)]
    compiled = [one for one, _ in found[::4]]
    inputs = [(one, one.encode(value)) for one, value in found]
    inputs += [(one, damaged(data, random)) for one, data in inputs for _ in range(8)]
    shared = [None, UnknownTaggedField, (), *(part for one in compiled for part in one.types.values())]

    def use() -> None:
        for one, data in inputs:
            with suppress(*DOUBT):
                one.program.write(one.program.read(data, 0)[0])
            with suppress(TypeError):
                one.program.write((data, data))

    use()
    gc.collect()
    before = sys.getallocatedblocks(), *map(sys.getrefcount, shared)
    for _ in range(50):
        use()
    gc.collect()
    after = sys.getallocatedblocks(), *map(sys.getrefcount, shared)
    assert max(one - other for one, other in zip(after, before, strict=True)) < 50


@pytest.mark.parametrize("engine", ["machine"], indirect=True)
def test_a_value_hashes_like_one_that_python_made(engine: str) -> None:
    """Python 3.14 keeps the hash of a tuple in it."""
    header = version("request_header", 2)
    read = header.decode(header.encode({"client_id": "me"}))
    assert engine == "machine"
    assert hash(read) == hash(tuple(read))
