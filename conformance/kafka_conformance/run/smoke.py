"""A first look at a target, for its author: does it speak the protocol? If not, what is wrong?

Steps of a decoder, each built on the one before: hello, one batch, one refusal, three blocks at
once, one request or response for those that read them, and an orderly end. The bytes come from the
reference, not from the vectors, so that a failure here is about the adapter and not about a fine
point of the format. Whole clients, and readers of log directories, are put the plainest question of
their kind, twice. The first step that fails ends the look.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from kafka_format import protocol, records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.formats import MAGICS

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Reaction
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.difference import first_difference
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import MessageQuestion, frame_question
from kafka_conformance.kinds.table import kinds_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.protocol.messages import InputKind, Reply, Status
from kafka_conformance.run.first_question import look
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import ADAPTERS

_ADVICE = {
    Outcome.CRASHED: "Start it by hand and look at its standard error.",
    Outcome.HUNG: "Does it flush standard output after each reply, and read exactly as many bytes as the length says?",
    Outcome.BROKEN_PROTOCOL: "A reply is an int32 length, big-endian, and that many bytes, and nothing else.",
    Outcome.OUT_OF_MEMORY: "Lengths are big-endian: a length read the wrong way round is enormous.",
}


_REPLIES: dict[int, str] = {Status.ANSWER: "accepted", Status.REFUSED: "refused", Status.UNSUPPORTED: "not supported"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the check: what was tried, whether it went well, and what was seen."""

    name: str
    passed: bool
    words: str


def smoke(candidate: Candidate, limits: Limits, function: str = "") -> Iterator[Step]:
    """Yield each step of the look as it is done. The last one is the first that failed, if any.

    Args:
        candidate: the target, which is ready.
        limits: how long and how large it may get.
        function: `module:function` if the target is one; there is no adapter of the user's then.
    """
    steps = _of_adapter(candidate.command, limits, function) if candidate.kind in ADAPTERS else iter(())
    for step in chain(steps, _of_kinds(candidate, limits)):
        yield step
        if not step.passed:
            return


def _of_kinds(candidate: Candidate, limits: Limits) -> Iterator[Step]:
    """Put the plainest questions of the kinds of a target."""
    for kind in kinds_of(candidate.kind):
        try:
            for name, passed, words in kind.applied(lambda each: look(each, candidate, limits)):
                if name == "hello" and candidate.kind in ADAPTERS:
                    continue
                yield Step(f"{kind.name}: {name}", passed, words)
        except TargetLostError as lost:
            yield _lost_step(kind.name, lost, _ADVICE[lost.outcome])


def _of_adapter(command: Command | None, limits: Limits, function: str) -> Iterator[Step]:
    assert command is not None  # noqa: S101 - only a broker has none
    try:
        client = AdapterClient(command, limits)
    except TargetLostError as lost:
        yield _lost_step("hello", lost, _import_advice(function) if function else _ADVICE[lost.outcome])
        return
    with client:
        hello = client.hello
        yield Step(
            "hello", passed=True, words=f"{hello.name} {hello.version} ({hello.language}), {_declared_text(client)}"
        )
        for name, look in _LOOKS.items():
            if name == "one message" and not client.hello.apis:
                continue
            step = _guard(name, look, client, function)
            yield step
            if not step.passed:
                return
        yield _end(client)


def _guard(name: str, look: Callable[[AdapterClient], tuple[bool, str]], client: AdapterClient, function: str) -> Step:
    try:
        passed, words = look(client)
    except TargetLostError as lost:
        data = _sample(client)[1]
        return _lost_step(name, lost, _call_advice(function, data) if function else _ADVICE[lost.outcome])
    return Step(name, passed, words)


def _lost_step(name: str, lost: TargetLostError, advice: str) -> Step:
    return Step(name, passed=False, words=f"The adapter {lost.detail.rstrip('.')}. {advice}")


def _import_advice(function: str) -> str:
    return f"`python -c 'import {function.partition(':')[0]}'` loads the module alone."


def _call_advice(function: str, data: bytes) -> str:
    module, _, name = function.partition(":")
    call = f'from {module} import {name}; print(list({name}(bytes.fromhex("{data.hex()}"))))'
    return f"The function got two plain records, whole or damaged. To call it with the whole ones: python -c '{call}'"


def _declared_text(client: AdapterClient) -> str:
    hello = client.hello
    checksums = "checks checksums" if hello.checks_crc else "does not check checksums"
    records = f"formats {' '.join(hello.formats)}, codecs {' '.join(hello.codecs)}, {checksums}"
    messages = f"requests and responses as {hello.apis['form']}" if hello.apis else ""
    return ", ".join(filter(None, [records if hello.formats else "", messages]))


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
    return True, f"for {name} it said {text!r}{also}"


def _damages(client: AdapterClient) -> Iterator[tuple[str, bytes]]:
    """Yield what was done to the sample, and what came of it."""
    _, data = _sample(client)
    # An entry has an offset before its size, except in 0.7; magic is its first byte there, and
    # after 4 more elsewhere.
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
        client.receive()
    return True, "sent at once, and each was answered, also the empty one"


def _one_message(client: AdapterClient) -> tuple[bool, str]:
    """Put plain requests and responses, whole and cut.

    A library may have only one of both, and may overlook a cut.
    """
    form, steps = client.hello.apis["form"], []
    for question in _messages():
        asked = question.input
        damaged = asked._replace(message=asked.message[:-1])
        client.put_inputs(FrameKind.MESSAGE, [asked, damaged])
        whole, cut = client.receive()[1]
        result = judge(question, client.hello.name, form, Reaction(0, whole, 0.0))
        if result.is_finding:
            return False, f"{question.id} ({asked.message.hex()}): {result.detail}"
        if result.outcome is Outcome.PASSED:
            steps.append(f"{question.id} came back as it should, and cut was {_REPLIES[cut.status]}")
    if steps:
        return True, steps[-1]
    return True, f"not tried: it supports neither {' nor '.join(question.id for question in _messages())}"


def _messages() -> list[MessageQuestion]:
    metadata, versions = protocol.request("metadata", 1), protocol.response("api_versions", 0)
    asked = metadata.type(topics=[metadata.types["metadata_request_topic"](name="orders")])
    answered = versions.type(error_code=35, api_keys=[versions.types["api_version"](api_key=18, max_version=4)])
    request = protocol.encode_request("metadata", 1, asked, correlation_id=7, client_id="me")
    response = protocol.encode_response("api_versions", 0, answered, correlation_id=7)
    return [
        frame_question("a Metadata request", "request", 3, 1, request),
        frame_question("an ApiVersions response", "response", 18, 0, response),
    ]


def _end(client: AdapterClient) -> Step:
    complaints = client.close()
    if complaints:
        return Step("end", passed=False, words=f"It {'; it '.join(complaints)}.")
    return Step("end", passed=True, words="status 0 at the end of its input")


def _decode(client: AdapterClient, data: bytes) -> Reply:
    client.put_decode([data], _input_kind(client))
    return client.receive()[1][0]


def _input_kind(client: AdapterClient) -> InputKind:
    return InputKind.MESSAGE_SET_07 if client.hello.formats == ("v07",) else InputKind.RECORDS


_LOOKS = {
    "one batch": _one_batch,
    "one refusal": _one_refusal,
    "three blocks": _three_blocks,
    "one message": _one_message,
}
