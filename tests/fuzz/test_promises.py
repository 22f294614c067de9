"""No input gives anything but an answer or a FormatError, in both gears, strictly and with
flags."""

import random
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import compression, structure
from kafka_format.broker.consumer import ISOLATIONS, deliver
from kafka_format.broker.conversion import down_convert
from kafka_format.broker.offsets import TopicState, assign
from kafka_format.codec import interpreter
from kafka_format.errors import FormatError
from kafka_format.explain.lines import explain
from kafka_format.records import decode, decode_v07
from kafka_format.records.entries import Entry, split
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import find
from kafka_format.spec.releases import releases

from tests.fuzz.mutator import Mutator
from tests.fuzz.promises import LIMIT, check
from tests.fuzz.seeds import seeds

ALL = frozenset(flags())
INPUTS = 400
RUNS = seeds(("v0", "v1", "v2"))
LAYOUTS = ("message_set_entry", "message_set_entry", "record_batch")
CODECS = {codec: partial(compression.decompress, codec) for codec in compression.NAMES[1:]}


def some_flags(data: bytes) -> frozenset[str]:
    """A choice of flags that is another for other bytes, and the same for the same."""
    chance = random.Random(data)  # noqa: S311 - chance, not secrets
    return frozenset(name for name in sorted(ALL) if chance.random() < 0.5)


@given(st.integers(0, 2**32))
def test_mutated_vectors(number: int) -> None:
    mutator = Mutator(RUNS, number)
    for _ in range(5):
        data = mutator.next()
        for allowed in (frozenset(), ALL, some_flags(data)):
            check(decode, data, allowed)


@given(st.integers(0, 2**32))
def test_mutated_vectors_of_0_7(number: int) -> None:
    mutator = Mutator(seeds(("v07",)), number)
    for _ in range(5):
        data = mutator.next()
        check(decode_v07, data, frozenset())
        check(decode_v07, data, ALL)


def _delivered(data: bytes, **allowed: Any) -> None:
    """Deliver, and raise the error that comes back as a part of the delivery."""
    for isolation in ISOLATIONS:
        error = deliver(data, 3, isolation, [(7, 0)], **allowed).error
        if error is not None:
            raise error


DIRECTIONS: dict[str, Callable[..., Any]] = {
    "deliver": _delivered,
    "assign": lambda data, **allowed: assign(data, 7, TopicState(codec="gzip"), **allowed),
    "convert": lambda data, **allowed: down_convert(data, 0, 3, **allowed),
}


@pytest.mark.parametrize("direction", DIRECTIONS)
@given(number=st.integers(0, 2**32))
def test_mutated_vectors_for_consumers_and_brokers(direction: str, number: int) -> None:
    mutator = Mutator(RUNS, number)
    for _ in range(5):
        data = mutator.next()
        for allowed in (frozenset(), ALL):
            check(DIRECTIONS[direction], data, allowed)


@pytest.mark.parametrize("reader", [decode, decode_v07], ids=["v0 to v2", "v07"])
@given(data=st.binary(max_size=200))
def test_any_bytes(reader: object, data: bytes) -> None:
    check(reader, data, frozenset())
    check(reader, data, ALL)


@pytest.mark.parametrize("codec", CODECS)
@given(st.data())
def test_damaged_streams(codec: str, data: st.DataObject) -> None:
    stream = bytearray(compression.compress(codec, data.draw(st.binary(max_size=300)) * data.draw(st.integers(1, 20))))
    for at in data.draw(st.lists(st.integers(0, len(stream) - 1), max_size=3)):
        stream[at] = data.draw(st.integers(0, 255))
    check(CODECS[codec], bytes(stream), frozenset())
    check(CODECS[codec], bytes(stream), ALL)


def test_compiled_and_interpreted_agree() -> None:
    mutator = Mutator(RUNS, 11)
    for _ in range(INPUTS):
        data = mutator.next()
        for entry in _entries(data):
            for allowed in (frozenset(), ALL, some_flags(data)):
                _agree(data[entry.start : entry.end], LAYOUTS[entry.magic], allowed)


def test_more_flags_accept_more_and_never_less() -> None:
    """A flag that made a reader refuse would be a rule."""
    mutator = Mutator(RUNS, 12)
    for _ in range(INPUTS):
        data = mutator.next()
        strict = check(decode, data, frozenset())
        if not isinstance(strict, FormatError):
            assert not isinstance(check(decode, data, some_flags(data)), FormatError)


def test_what_is_accepted_strictly_means_the_same_to_the_newest_releases() -> None:
    mutator = Mutator(RUNS, 13)
    for _ in range(INPUTS):
        data = mutator.next()
        strict = check(decode, data, frozenset())
        if not isinstance(strict, FormatError):
            for name in islice(releases(), 4):
                assert decode(data, as_kafka=name) == strict


def test_an_explanation_shows_every_byte() -> None:
    mutator = Mutator(RUNS, 14)
    for _ in range(INPUTS):
        data = mutator.next()
        for allowed in (frozenset(), ALL, some_flags(data)):
            lines = explain(data, flags=allowed, limit=LIMIT).lines
            assert b"".join(line.raw for line in lines if not line.payload) == data


def _entries(data: bytes) -> list[Entry]:
    found = []
    try:
        for entry in split(data):
            found.append(entry)  # noqa: PERF402 - what came before an error counts
    except FormatError:
        pass
    return found


def _agree(data: bytes, layout: str, allowed: frozenset[str]) -> None:
    found = []
    for read in (
        lambda: interpreter.as_mappings(structure(layout).decode(data, flags=allowed, limit=LIMIT)),
        lambda: interpreter.decode(find(layout), data, flags=allowed, limit=LIMIT),
    ):
        try:
            found.append(read())
        except FormatError as error:
            found.append(error.facts())
    assert found[0] == found[1]
