"""No bytes of a message of the protocol give anything but an answer or a FormatError."""

import io
import random
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import capture, protocol
from kafka_format.codec.readings import READINGS
from kafka_format.errors import FormatError
from kafka_format.explain.inside import How
from kafka_format.explain.requests import SIZE, ExplainedFrame, explain_frames, explain_request, explain_response
from kafka_format.protocol.records import topics
from kafka_format.sampler import exchanges
from kafka_format.spec.flags import flags

from tests.fuzz.promises import check
from tests.kafka_format.capture.wire import CLIENT, SERVER, dialogue, pcap
from tests.kafka_format.examples import examples

ALL = frozenset(flags())
INPUTS = 8
EVIL = (
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\x80\x80\x80\x08",
    b"\xff\xff\xff\xff\x0f",
    b"\x80\x00",
    b"\xff",
    b"\0",
)


def changed(data: bytes, chance: random.Random) -> bytes:
    """Bytes with one to four changes: flipped, cut, put in, taken out, written over."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(data))
        match chance.randrange(5):
            case 0 if at < len(data):
                data = data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
            case 1:
                data = data[:at]
            case 2:
                data = data[:at] + chance.choice(EVIL) + data[at:]
            case 3:
                data = data[:at] + data[at + chance.randint(1, 9) :]
            case _:
                evil = chance.choice(EVIL)
                data = data[:at] + evil + data[at + len(evil) :]
    return data


def inputs(kind: exchanges.Kind, number: int) -> Iterator[tuple[exchanges.Exchange, bytes]]:
    chance = random.Random(number)  # noqa: S311 - chance, not secrets
    for one in exchanges.draw(kind, seed=number, start=0, count=INPUTS):
        yield one, changed(one.data, chance)


@given(st.integers(0, 2**32))
def test_damaged_requests(number: int) -> None:
    for _, data in inputs("request", number):
        for allowed in (frozenset(), ALL):
            check(lambda data, flags, **_: protocol.decode_request(data, flags=flags), data, allowed)
        whole(explain_request(data), data)


@given(st.integers(0, 2**32))
def test_damaged_responses(number: int) -> None:
    for one, data in inputs("response", number):
        for allowed in (frozenset(), ALL):
            check(
                lambda data, flags, one=one, **_: protocol.decode_response(data, one.api, one.version, flags=flags),
                data,
                allowed,
            )
        whole(explain_response(data, one.api, one.version), data)


def whole(found: ExplainedFrame, data: bytes) -> None:
    """Every byte of what is explained has a line."""
    assert b"".join(line.raw for line in found.lines if not line.payload) == data


@given(st.integers(0, 2**32))
def test_both_gears_give_the_same(number: int) -> None:
    for one, data in inputs("response", number):
        answers = []
        for quick in (True, False):
            READINGS.quick = quick
            try:
                answers.append(outcome(one, data))
            finally:
                READINGS.quick = True
        assert answers[0] == answers[1]


def outcome(one: exchanges.Exchange, data: bytes) -> Any:
    try:
        return repr(protocol.decode_response(data, one.api, one.version))
    except FormatError as error:
        return error.rule, error.offset, error.path_text


@given(st.binary(max_size=60), st.sampled_from(topics()))
def test_any_bytes_in_a_topic_of_kafkas_own(data: bytes, topic: str) -> None:
    for read in (protocol.decode_key, protocol.decode_value):
        try:
            check(lambda data, flags, read=read, **_: read(topic, data, flags=flags), data, frozenset())
        except ValueError as error:
            assert "no schema" in str(error) or "decode that first" in str(error)  # noqa: PT017 - it is no FormatError


@given(st.integers(0, 2**32))
@examples(40)
def test_damaged_streams(number: int) -> None:
    for kind in ("request", "response"):
        stream = b"".join(len(data).to_bytes(SIZE, "big") + data for _, data in inputs(kind, number))
        data = changed(stream, random.Random(number))  # noqa: S311 - chance, not secrets
        how = How(flags=ALL) if number % 2 else How()
        found = list(explain_frames(data[:2000], kind, how=how))
        assert b"".join(line.raw for one in found for line in one.lines if not line.payload) == data[:2000]


@pytest.mark.parametrize("number", range(40))
def test_damaged_frames_in_a_capture(number: int) -> None:
    said = []
    for (_, asked), (_, answered) in zip(inputs("request", number), inputs("response", number), strict=True):
        said += [(CLIENT, len(asked).to_bytes(4, "big") + asked), (SERVER, len(answered).to_bytes(4, "big") + answered)]
    for one in capture.read(io.BytesIO(pcap(dialogue(*said))), SERVER):
        explained = capture.explain(one)
        assert explained is None or b"".join(line.raw for line in explained.lines if not line.payload) == one.data


GREEDY = (b"\x7f\xff\xff\xff" * 4, b"\xff\xff\xff\xff\x07" * 4, b"\0" * 8 + b"\xff\xff\xff\xff\x07" * 3, b"\xff" * 20)
"""Lengths and counts of two billion, in bytes that have no place for them."""

MOST = 1 << 20
"""Bytes of memory that so short an input may take, with room for what is made once."""


@pytest.mark.parametrize("kind", ["request", "response"])
def test_memory_follows_from_the_size_of_the_input_and_not_from_what_it_claims(kind: exchanges.Kind) -> None:
    newest = dict(exchanges.pairs(kind))
    assert len(newest) == 95
    for api, version in newest.items():
        compiled = (protocol.request if kind == "request" else protocol.response)(api, version)
        for data in GREEDY:
            for allowed in (frozenset(), ALL):
                check(lambda data, flags, compiled=compiled, **_: compiled.decode(data, flags=flags), data, allowed)
        tracemalloc.start()
        try:
            for data in GREEDY:
                check(lambda data, flags, compiled=compiled, **_: compiled.decode(data, flags=flags), data, ALL)
            assert tracemalloc.get_traced_memory()[1] < MOST, (api, version)
        finally:
            tracemalloc.stop()
