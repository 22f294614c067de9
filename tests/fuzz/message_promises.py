"""What every reader of the protocol promises of any bytes, by the kind of reader."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors import protocol as vectors
from kafka_format import capture, protocol
from kafka_format.capture import CaptureError
from kafka_format.codec.compiler import Structure
from kafka_format.codec.readings import interpreter_only
from kafka_format.errors import EncodeError, FormatError
from kafka_format.explain.inside import How
from kafka_format.explain.lines import explain_structure
from kafka_format.explain.requests import (
    SIZE,
    ExplainedFrame,
    Kind,
    explain_request,
    explain_response,
    is_framed,
    split,
)
from kafka_format.protocol.records import KEYED, topics
from kafka_format.sampler import exchanges
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import specification
from kafka_tools.show import capture_rows, explained_json, protocol_json

from tests.fuzz.message_mutator import MessageMutator
from tests.fuzz.promises import LIMIT, check
from tests.kafka_format.capture import wire

ALL: Final = frozenset(flags())
CAPTURES: Final = Path(__file__).parents[1] / "captures"
_LONGEST: Final = 4000
"""Bytes of the longest vector that others are made of."""

_DRAWN: Final = 4
"""Random messages that are added to the vectors of a version."""

_LONGEST_CAPTURE: Final = 20_000
_EXPLAINED: Final = 8
"""One in so many structures is explained too, which takes longer than all else."""


class Broken(AssertionError):  # noqa: N818 - it is the promise that is broken
    """A promise that was not kept, in words."""


class Subject(NamedTuple):
    """A reader, and how inputs for it are made and checked.

    Attributes:
        name: what it is, kind first.
        seeds: good inputs.
        make: makes an input.
        check: reads it, and raises `Broken` for a promise that is not kept.
        speed: how many inputs to make of it, compared with a plain structure.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    check: Callable[[bytes], None]
    make: Callable[[MessageMutator, Sequence[bytes]], bytes] = MessageMutator.message
    speed: float = 1

    @property
    def kind(self) -> str:
        """The first word of its name."""
        return self.name.split()[0]


class Choice(NamedTuple):
    """A kind of subjects: how often one is taken, and how one of them is chosen."""

    weight: float
    choose: Callable[[random.Random], Subject]


def keep(condition: object, promise: str) -> None:
    """Raise `Broken` if a promise is not kept."""
    if not condition:
        raise Broken(promise)


# Structures: every version of every layout.


def structure_subject(name: str, number: int) -> Subject:
    """Return one version of a layout."""
    return Subject(f"structure {name} {number}", partial(_bodies, name, number), partial(check_structure, name, number))


def check_structure(name: str, number: int, data: bytes) -> None:
    """Read a structure with both readers, strictly and with flags, and write it again."""
    compiled = protocol.schema(name, number)
    strict = read(compiled, data, frozenset())
    with interpreter_only():
        slow = read(compiled, data, frozenset())
    keep(same(strict, slow), "the compiled reader and the interpreter differ")
    lenient = read(compiled, data, ALL)
    if not isinstance(strict, FormatError):
        keep(same(lenient, strict), "flags change what is right without them")
        written_again(compiled, strict, data)
    if not isinstance(lenient, FormatError):
        through_json(compiled, lenient)
    if len(data) < _LONGEST and sum(data) % _EXPLAINED == 0:
        lines = explain_structure(name, data, number).lines
        keep(b"".join(line.raw for line in lines if not line.payload) == data, "explain leaves out bytes")


def read(compiled: Structure[Any], data: bytes, allowed: frozenset[str]) -> Any:
    """Return a value, or the FormatError after a look at it."""
    return check(lambda data, flags, **_: compiled.decode(data, flags=flags), data, allowed)


def same(one: Any, other: Any) -> bool:
    """Tell whether two readers say the same: the same value, or the same rule at the same place."""
    if isinstance(one, FormatError) or isinstance(other, FormatError):
        return isinstance(one, FormatError) and isinstance(other, FormatError) and one.facts() == other.facts()
    # NaN is not equal to itself, and an array in a tagged structure that is left out is a tuple.
    return bool(one == other) or repr(one).replace("()", "[]") == repr(other).replace("()", "[]")


def written_again(compiled: Structure[Any], value: Any, data: bytes) -> None:
    """See that both writers write the bytes that were read; those of tags with their defaults are
    left out, since Kafka leaves them out too."""
    written = compiled.encode(value)
    with interpreter_only():
        keep(compiled.encode(value) == written, "the compiled writer and the interpreter differ")
    keep(written == data or len(written) < len(data), "is read strictly, and written otherwise")
    keep(same(compiled.decode(written), value), "what is written means something else")


def through_json(compiled: Structure[Any], value: Any) -> None:
    """See that a value survives JSON, and that what is written of it is right, if it can be."""
    again = protocol.from_json(compiled, json.loads(json.dumps(protocol.to_json(compiled, value))))
    keep(same(again, value), "JSON changes the value")
    try:
        written = compiled.encode(value)
    except EncodeError:
        return
    keep(compiled.encode(compiled.decode(written)) == written, "what is written is wrong")


@cache
def _of_vectors() -> dict[str, tuple[bytes, ...]]:
    """Return the bytes of vectors by layout and version, and of whole ones by kind."""
    inputs: dict[str, list[bytes]] = {}
    for vector in vectors.load():
        if len(vector.data) <= _LONGEST:
            names = [vector.kind] if vector.is_framed else [f"{vector.layout} {version}" for version in vector.versions]
            for name in names:
                inputs.setdefault(name, []).append(vector.data)
    return {name: tuple(data) for name, data in inputs.items()}


@cache
def _bodies(name: str, number: int) -> tuple[bytes, ...]:
    layout = specification().versioned[name]
    drawn: tuple[bytes, ...] = ()
    if layout.kind in ("request", "response") and layout.api is not None and not layout.variant_of:
        body = exchanges.body_of(layout.kind, layout.api, number)
        chance = random.Random(f"{name} {number}")  # noqa: S311 - chance, not secrets
        drawn = tuple(protocol.schema(name, number).encode(body(chance)) for _ in range(_DRAWN))
    return _of_vectors().get(f"{name} {number}", ()) + drawn


@cache
def _structures() -> tuple[tuple[str, int], ...]:
    return tuple(
        (name, number) for name, layout in specification().versioned.items() for number in layout.versions.numbers
    )


# Requests and responses, header and body, with and without their size.


def exchange_subject(kind: Kind, api: int, number: int) -> Subject:
    """Return the requests or responses of one version."""
    name = f"exchange {kind} {api} {number}"
    return Subject(name, partial(_exchanges, kind, api, number), partial(check_exchange, kind, api, number), speed=0.4)


def check_exchange(kind: Kind, api: int, number: int, data: bytes) -> None:
    """Decode and explain a request or response, as what it says or as what was asked."""
    strict = _decoded(kind, api, number, data, frozenset())
    with interpreter_only():
        keep(same(strict, _decoded(kind, api, number, data, frozenset())), "the readers differ")
    lenient = _decoded(kind, api, number, data, ALL)
    if not isinstance(strict, FormatError):
        keep(same(lenient, strict), "flags change what is right without them")
    if not isinstance(lenient, FormatError):
        json.dumps((protocol_json.of_request if kind == "request" else protocol_json.of_response)(lenient))
    for how in (How(), How(flags=ALL, limit=LIMIT)):
        if kind == "request":
            explained = explain_request(data, how=how)
        else:
            explained = explain_response(data, api, number, how=how)
        whole(explained, data)
        outcome = lenient if how.flags else strict
        if isinstance(outcome, FormatError):
            keep(explained.fault is not None, "explain finds nothing wrong")
            keep(how.flags or _place(explained.fault) == _place(outcome), "explain finds another fault")


def _place(error: FormatError | None) -> object:
    return error and (error.rule, error.offset, error.path_text)


def _decoded(kind: Kind, api: int, number: int, data: bytes, allowed: frozenset[str]) -> Any:
    if kind == "request":
        return check(lambda data, flags, **_: protocol.decode_request(data, flags=flags), data, allowed)
    return check(lambda data, flags, **_: protocol.decode_response(data, api, number, flags=flags), data, allowed)


def whole(explained: ExplainedFrame, data: bytes) -> None:
    """See that every byte has a line, and that all of it can become JSON."""
    keep(b"".join(line.raw for line in explained.lines if not line.payload) == data, "explain leaves out bytes")
    json.dumps(explained_json.frame(explained))


@cache
def _exchanges(kind: Kind, api: int, number: int) -> tuple[bytes, ...]:
    make = protocol.encode_request if kind == "request" else protocol.encode_response
    body = exchanges.body_of(kind, api, number)
    chance = random.Random(f"{kind} {api} {number}")  # noqa: S311 - chance, not secrets
    drawn = [make(api, number, body(chance), correlation_id=chance.randrange(1 << 31)) for _ in range(2 * _DRAWN)]
    return tuple(sample for sample in drawn if len(sample) < _LONGEST)


# Keys and values of Kafka's own topics.


def topic_subject(topic: str) -> Subject:
    """Return the records of one topic of Kafka's own."""
    return Subject(f"topic {topic}", _of_topics, partial(check_topic, topic))


def check_topic(topic: str, data: bytes) -> None:
    """Read bytes as a key, and as a value of what keys say."""
    for allowed in (frozenset[str](), ALL):
        if topic in KEYED:
            check(lambda data, flags, **_: protocol.decode_key(topic, data, flags=flags), data, allowed)
        for key in _keys(topic):
            check(lambda data, flags, key=key, **_: protocol.decode_value(topic, data, key, flags=flags), data, allowed)


@cache
def _keys(topic: str) -> tuple[protocol.SchemaRecord | None, ...]:
    """Return a key of each kind that there is in a topic; the values of some need none."""
    if topic not in KEYED:
        return (None,)
    names = [
        layout.name
        for layout in specification().versioned.values()
        if layout.kind == "record_key" and layout.topic == topic
    ]
    return tuple(protocol.SchemaRecord(name, 0, None) for name in names)


@cache
def _of_topics() -> tuple[bytes, ...]:
    return tuple(data for kind in ("framed_record_key", "framed_record_value") for data in _of_vectors().get(kind, ()))


# Frames one after the other, and what guesses make of them.


def stream_subject(kind: Kind) -> Subject:
    """Return runs of frames."""
    return Subject(f"stream {kind}", partial(_frames, kind), partial(check_stream, kind), make=_stream, speed=0.04)


def _stream(mutator: MessageMutator, seeds: Sequence[bytes]) -> bytes:
    frames = [mutator.message(seeds)[:_LONGEST] for _ in range(mutator.random.randrange(1, 4))]
    data = b"".join(wire.framed(frame) for frame in frames)
    return mutator.message([data])[:_LONGEST] if mutator.random.random() < 0.5 else data


def check_stream(kind: Kind, data: bytes) -> None:
    """Cut bytes into frames and explain each, guessing what responses are."""
    is_framed(data, kind)
    explain = explain_request if kind == "request" else explain_response
    explained = [explain(frame, how=How(limit=LIMIT), start=min(SIZE, len(frame))) for frame in split(data)]
    raw = b"".join(line.raw for one in explained for line in one.lines if not line.payload)
    keep(raw == data, "explain leaves out bytes")
    for one in explained:
        json.dumps(explained_json.frame(one))


@cache
def _frames(kind: Kind) -> tuple[bytes, ...]:
    drawn = exchanges.draw(kind, seed=1, start=0, count=200)
    return tuple(sample.data for sample in drawn if len(sample.data) < _LONGEST // 4)


# Captures: damaged files, and damaged bytes in whole files.


def capture_subject(kind: str) -> Subject:
    """Return captures of a file format whose bytes, or whose messages, are damaged."""
    make = _damaged_messages if kind == "messages" else MessageMutator.message
    return Subject(f"capture {kind}", partial(_captures, kind), check_capture, make=make, speed=0.02)


def check_capture(data: bytes) -> None:
    """Read a capture to its end, judge and explain what is in it, and print it as JSON."""
    with contextlib.suppress(CaptureError):
        for message in capture.read(io.BytesIO(data)):
            judged = capture_rows.judge(message, with_document=True)
            json.dumps(capture_rows.to_json(judged, annotate=True))
            explained = capture.explain(message)
            if explained is not None:
                raw = b"".join(line.raw for line in explained.lines if not line.payload)
                keep(raw == message.data, "explain leaves out bytes")


def _damaged_messages(mutator: MessageMutator, seeds: Sequence[bytes]) -> bytes:
    """Return a capture of a login with raw tokens, and of requests and responses, some damaged."""
    said = list(_login())
    for _ in range(mutator.random.randrange(1, 4)):
        said.append((wire.CLIENT, wire.framed(mutator.message(seeds)[:_LONGEST])))
        said.append((wire.SERVER, wire.framed(mutator.message(seeds)[:_LONGEST])))
    chance = mutator.random
    packets = wire.dialogue(*said[chance.choice((0, 4)) :], step=chance.choice((7, 100, 1400)))
    if chance.random() < 0.3:
        chance.shuffle(packets)
    packets = [packet for packet in packets if chance.random() < 0.98]
    return (wire.pcap if chance.random() < 0.7 else wire.pcapng)(packets)


@cache
def _login() -> tuple[tuple[int, bytes], ...]:
    """Return a handshake of version 0, and the raw tokens after it."""
    asked = protocol.encode_request("sasl_handshake", 0, {"mechanism": "PLAIN"}, correlation_id=1)
    answered = protocol.encode_response("sasl_handshake", 0, {"mechanisms": ["PLAIN"]}, correlation_id=1)
    tokens = b"\0user\0secret", b""
    ends = (wire.CLIENT, wire.SERVER) * 2
    return tuple((end, wire.framed(data)) for end, data in zip(ends, (asked, answered, *tokens), strict=True))


@cache
def _captures(kind: str) -> tuple[bytes, ...]:
    if kind == "messages":
        return _frames("request") + _frames("response")
    packets = wire.dialogue(*_login(), *((wire.CLIENT, wire.framed(frame)) for frame in _frames("request")[:20]))
    if kind == "pcapng":
        return (wire.pcapng(packets), wire.pcapng(packets, (1, 101)))
    recorded = [file.read_bytes()[:_LONGEST_CAPTURE] for file in sorted(CAPTURES.glob("*.pcap"))]
    return (wire.pcap(packets), wire.pcap(packets, v6=True), *recorded)


SUBJECTS: Final = {
    "structure": Choice(40, lambda chance: structure_subject(*chance.choice(_structures()))),
    "request": Choice(4, lambda chance: exchange_subject("request", *chance.choice(exchanges.pairs("request")))),
    "response": Choice(4, lambda chance: exchange_subject("response", *chance.choice(exchanges.pairs("response")))),
    "topic": Choice(2, lambda chance: topic_subject(chance.choice(topics()))),
    "stream": Choice(1, lambda chance: stream_subject(chance.choice(("request", "response")))),
    "capture": Choice(1, lambda chance: capture_subject(chance.choice(("pcap", "pcapng", "messages")))),
}
"""Kinds of subjects."""
