"""A first look at an adapter, for whoever writes one: does it speak the protocol, and if not, what is wrong in words.

Four steps, each built on the one before: hello, one batch, one refusal, and three blocks at once with an orderly end.
The bytes come from the reference, not from the vectors, so that a failure here is about the adapter and not about a
fine point of the format. The first step that fails ends the look.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.formats import MAGICS

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.difference import first_difference
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.protocol.messages import InputKind, Reply, Status

_ADVICE = {
    Outcome.CRASHED: "Run the same command by hand and look at its standard error.",
    Outcome.HUNG: "Does it flush standard output after each reply, and read exactly as many bytes as the length says?",
    Outcome.BROKEN_PROTOCOL: "A reply is an int32 length, big-endian, and that many bytes, and nothing else.",
    Outcome.OUT_OF_MEMORY: "Lengths are big-endian: a length read the wrong way round is enormous.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the look: what was tried, whether it went well, and what was seen."""

    name: str
    passed: bool
    words: str


def smoke(command: Command, limits: Limits) -> Iterator[Step]:
    """Take the look, yielding each step as it is done; the last one is the first that failed, if any did."""
    try:
        client = AdapterClient(command, limits)
    except TargetLostError as lost:
        yield _lost("hello", lost)
        return
    with client:
        hello = client.hello
        yield Step("hello", passed=True, words=f"{hello.name} {hello.version} ({hello.language}), {_declared(client)}")
        for name, look in (("one batch", _one_batch), ("one refusal", _one_refusal), ("three blocks", _three_blocks)):
            step = _guarded(name, look, client)
            yield step
            if not step.passed:
                return
        yield _end(client)


def _guarded(name: str, look: Callable[[AdapterClient], tuple[bool, str]], client: AdapterClient) -> Step:
    try:
        passed, words = look(client)
    except TargetLostError as lost:
        return _lost(name, lost)
    return Step(name, passed, words)


def _lost(name: str, lost: TargetLostError) -> Step:
    return Step(name, passed=False, words=f"The adapter {lost.detail.rstrip('.')}. {_ADVICE[lost.outcome]}")


def _declared(client: AdapterClient) -> str:
    hello = client.hello
    checksums = "checks checksums" if hello.checks_crc else "does not check checksums"
    return f"formats {' '.join(hello.formats)}, codecs {' '.join(hello.codecs)}, {checksums}"


def _sample(client: AdapterClient) -> tuple[list[Record], bytes]:
    """Two plain records in the newest format that the target declares.

    Their timestamps are whole seconds, which the libraries keep that keep no milliseconds.
    """
    times = (1_700_000_000_000, 1_700_000_001_000)
    plain = [Record(7, times[0], 0, b"key", b"value"), Record(8, times[1], 0, None, b"")]
    magic = max((number for name, number in MAGICS.items() if name in client.hello.formats), default=None)
    if magic:
        return plain, records.encode(plain, magic=magic)
    plain = [record._replace(timestamp=-1, timestamp_type=-1) for record in plain]
    if magic == 0:
        return plain, records.encode(plain, magic=magic)
    data = records.encode_v07([record._replace(key=None) for record in plain])
    return list(records.decode_v07(data)), data


def _one_batch(client: AdapterClient) -> tuple[bool, str]:
    if Direction.DECODE not in client.hello.directions:
        return True, "not tried: it does not declare decode"
    expected, data = _sample(client)
    reply = _decode(client, data)
    if reply.status == Status.REFUSED:
        return False, f"It refuses two plain records ({data.hex()}): {reply.text}"
    if reply.status == Status.UNSUPPORTED:
        return False, f"It says it does not support what it declares: {reply.text}"
    try:
        got = answers.from_bytes(reply.content)
    except FormatError as error:
        return False, f"It says that it accepts, but its answer cannot be read: {error}"
    difference = first_difference(expected, got, client.hello.fields)
    if difference is None:
        return True, "two plain records came back as they should"
    return False, f"{difference.path} is {difference.got}, not {difference.expected}; the bytes were {data.hex()}."


def _one_refusal(client: AdapterClient) -> tuple[bool, str]:
    """Damage the sample in several ways: a library may overlook one of them, and hardly all."""
    if Direction.DECODE not in client.hello.directions:
        return True, "not tried: it does not declare decode"
    damages = dict(_damages(client))
    replies = {name: _decode(client, data) for name, data in damages.items()}
    refused = {name: reply.text for name, reply in replies.items() if reply.status in {Status.REFUSED, Status.PARTIAL}}
    accepted = [name for name in replies if name not in refused]
    if not refused:
        return False, f"It accepts {_and(accepted)}. Are the library's exceptions turned into status 1?"
    name, text = next(iter(refused.items()))
    also = f"; it accepts {_and(accepted)}, which `run` judges" if accepted else ""
    return True, f"of {name} it said {text!r}{also}"


def _damages(client: AdapterClient) -> Iterator[tuple[str, bytes]]:
    """Yield what was done to the sample, and what came of it."""
    _, data = _sample(client)
    # An entry has an offset before its size, except in 0.7; magic is its first byte there, and after 4 more elsewhere.
    size, magic = (0, 4) if _input_kind(client) is InputKind.MESSAGE_SET_07 else (8, 16)
    if client.hello.checks_crc:
        yield "a flipped bit", data[:-1] + bytes([data[-1] ^ 1])
    yield "a size of 0", data[:size] + bytes(4) + data[size + 4 :]
    yield "a negative size", data[:size] + b"\xff\xff\xff\xf0" + data[size + 4 :]
    yield "an unknown magic", data[:magic] + b"\x7f" + data[magic + 1 :]


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _three_blocks(client: AdapterClient) -> tuple[bool, str]:
    if Direction.DECODE not in client.hello.directions:
        return True, "not tried: it does not declare decode"
    _, data = _sample(client)
    for count in (1, 0, 2):
        client.put_decode([data] * count, _input_kind(client))
    for _ in range(3):
        client.take()
    return True, "put at once, and each answered in step, the empty one too"


def _end(client: AdapterClient) -> Step:
    complaints = client.close()
    if complaints:
        return Step("end", passed=False, words=f"It {'; it '.join(complaints)}.")
    return Step("end", passed=True, words="status 0 at the end of its input")


def _decode(client: AdapterClient, data: bytes) -> Reply:
    client.put_decode([data], _input_kind(client))
    return client.take()[1][0]


def _input_kind(client: AdapterClient) -> InputKind:
    return InputKind.MESSAGE_SET_07 if client.hello.formats == ("v07",) else InputKind.RECORDS
