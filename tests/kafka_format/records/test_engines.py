"""Every engine reads the same of all vectors, and of what chance makes of them."""

import gc
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import pytest
from kafka_format import structure
from kafka_format.codec.readings import DOUBT, READINGS, engine, load_machine
from kafka_format.errors import FormatError
from kafka_format.primitives.checksums import crc32c
from kafka_format.records import Record, decode, encode, quick
from kafka_format.records.budget import Budget

from tests import shipped
from tests.fuzz.mutator import Mutator
from tests.sampling import Share

ENGINES = ("machine", "python", "interpreter")
LIMIT, MOST = 1 << 26, 1 << 20


@pytest.fixture(scope="module", autouse=True)
def _machine() -> None:
    pytest.importorskip("kafka_format_native", reason="the layout machine is not built here", exc_type=ImportError)
    load_machine()


def types(value: Any) -> Any:
    return (type(value), *map(types, value)) if isinstance(value, list | tuple) else type(value)


def outcome(call: Callable[[], Any]) -> Any:
    """A value as text, and its types; or all that an error says."""
    try:
        value = call()
    except FormatError as error:
        return error.facts(), str(error)
    return repr(value), types(value)


def begun(data: bytes) -> Any:
    """How far the quick reading gets, and what is left of the limits."""
    budget = Budget(LIMIT, MOST)
    return quick.decode(data, 0, len(data), budget, read_control=False), budget.limit, budget.records


def doubted(data: bytes) -> Any:
    """What the engine makes of a batch before the interpreter is asked."""
    batch = structure("record_batch")
    try:
        return (batch.program.read_within if READINGS.machine else batch.python.read)(data, 0, len(data), LIMIT)
    except DOUBT:
        return None


def by(name: str, data: bytes) -> Sequence[Any]:
    with engine(name):
        whole = outcome(lambda: decode(data)), outcome(lambda: structure("record_batch").read(data, 0, len(data)))
        return (
            whole if name == "interpreter" else (*whole, outcome(lambda: begun(data)), outcome(lambda: doubted(data)))
        )


def differences(inputs: Sequence[bytes]) -> list[str]:
    return [
        data.hex()
        for data in inputs
        if by("machine", data) != (python := by("python", data)) or python[:2] != by("interpreter", data)
    ]


def vectors() -> list[bytes]:
    return [vector.data for vector in shipped.vectors().values() if "v2" in vector.formats and len(vector.data) < 5000]


def test_all_vectors(some: Share) -> None:
    assert differences(some(vectors(), 4, of="vectors")) == []


def sealed(data: bytes) -> bytes:
    """Put the size and the checksum of a batch right, so that what is behind them is looked at."""
    if len(data) < 61:
        return data
    head = data[:8] + (len(data) - 12).to_bytes(4, "big") + data[12:17]
    return head + crc32c(data[21:]).to_bytes(4, "big") + data[21:]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mutated_vectors(seed: int) -> None:
    mutated = list(islice(iter(Mutator(vectors(), seed).next, None), 150))
    assert differences([*mutated, *map(sealed, mutated)]) == []


def test_every_byte_of_a_batch() -> None:
    """Any other byte in the place of each, with the checksum put right."""
    data = encode([Record(3, 7, 0, b"k", b"v", ((b"h", None), (b"\xc3\xa9", b"x")), 5, 1, 2)])
    changed = [
        data[:at] + bytes([byte]) + data[at + 1 :] for at in range(len(data)) for byte in (0, 1, 2, 127, 128, 255)
    ]
    assert differences([sealed(one) for one in changed]) == []


def test_every_place_where_a_batch_can_end() -> None:
    data = encode([Record(3, 7, 0, b"k", b"v", ((b"h", b"x"),), 5, 1, 2)])
    assert differences([end for at in range(len(data)) for end in (data[:at], sealed(data[:at]))]) == []


def test_nothing_stays_of_what_was_read() -> None:
    """Values, and what is half made where the machine gives up."""
    inputs = vectors()[::4]

    def read() -> None:
        for data in inputs:
            doubted(data)
            begun(data)

    with engine("machine"):
        read()
        read()
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(5):
            read()
        gc.collect()
        assert sys.getallocatedblocks() - before < len(inputs) // 2
