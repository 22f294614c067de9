"""Confirmation of findings by short programs that call the library's own API, without an adapter.

The arguments of the program are the address of a broker that serves the vector, the name of the
topic there, and a file with the bytes of the vector, for libraries that have no consumer. It finds
the library where `kafka-conformance targets --install` put it.

`main` reads. `produce` writes: its file has the records of a vector or order, a line each, and it
sends them, with the codec that is its next argument, to a broker that speaks the versions of their
format; the last argument is a release that does. The finding is about what arrives there. A library
that has no producer prints its bytes, in hex. In a conversation its file has what the application
does, a step a line, and its last arguments are settings (see `conversing`).

`appends` starts a broker, sends it a file with what a producer sends, and prints what it appended,
or the error.

`ask` starts a broker, asks it what the scenario of its first argument is about, and prints the
answer.

`serde` reads a key or a value: its arguments are the kind of its content, the headers of its record
as `name=hex` with commas between them, and a file with the value.

`messages` reads a request or response: its arguments are which of both, the API, the version, and a
file with header and body. It needs no broker.

`programs` says how they are built, started and run.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.records.entries import split
from kafka_tools import server as broker
from kafka_tools.errors import UsageError
from kafka_tools.server import Broker, BrokerSettings, Topic, Topics
from kafka_tools.server.settings import Range, ranges
from kafka_tools.server.state import Produced
from kafka_tools.server.topics import end_offset

from kafka_conformance.confirmation import conversing, record_lines
from kafka_conformance.confirmation.programs import Program, program, run, scripts
from kafka_conformance.kinds.broker import questions as appends
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.kinds.producer import questions as orders
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.serde import questions as serdes
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Finding, Findings
from kafka_conformance.vectors import directions, golden, loader, protocol
from kafka_conformance.vectors import orders as order_vectors
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.vector import Vector

TOPIC: Final = "vector"
"""The topic that the programs read and write."""

_EMPTY_SECONDS = 0.05  # how long an empty answer to a fetch waits
SCRIPTS: Final = {Direction.DECODE: "main", Direction.ENCODE: "produce"}
"""What the script of a direction is called, without its language."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The output of a script for a finding's smallest vector, beside the output in the finding."""

    finding: Finding
    printed: tuple[str, ...]

    @property
    def is_confirmed(self) -> bool:
        """True if the script printed what the finding says, word for word."""
        return self.printed == self.finding.gives


def confirm(findings: Findings) -> Iterator[Confirmation]:
    """Run a target's scripts on the smallest vector of each finding; yield a confirmation each.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    for direction in dict.fromkeys(finding.direction for finding in wanted):
        with tempfile.TemporaryDirectory() as folder:
            started = program(findings, Path(folder), SCRIPTS[direction])
            ask = sent_lines if direction is Direction.ENCODE else lines
            for finding in wanted:
                if finding.direction is direction:
                    yield Confirmation(finding, ask(started, golden.load(patterns=(finding.smallest,))[0]))


def confirm_producers(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a producer on the smallest vector of each finding that can be confirmed.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    return _confirm(findings, _producer_lines)


def _producer_lines(started: Program, finding: Finding) -> tuple[str, ...]:
    playing = conversing.conversation_of(finding.smallest)
    if playing is None:
        return ordered_lines(started, order_of(finding.smallest))
    return conversing.producer_lines(started, playing, finding.requests)


def confirm_messages(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a target on the smallest message of each finding that can be confirmed.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    questions = {
        message_question.id: message_question
        for message_question in questions_of(finding.smallest for finding in wanted)
    }
    with tempfile.TemporaryDirectory() as folder:
        started = program(findings, Path(folder))
        for finding in wanted:
            asked = questions[finding.smallest]
            given = (asked.kind, str(asked.input.api), str(asked.number))
            yield Confirmation(finding, run(started, given, asked.input.message))


def confirm_appends(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a broker on what a producer sends of each finding's smallest vector.

    Raises:
        NotReadyError: the broker is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    return _confirm(findings, lambda started, finding: run(started, (), sent_of(finding.smallest)))


def confirm_scenarios(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a broker on what each finding's smallest scenario asks.

    Raises:
        NotReadyError: the broker is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    return _confirm(findings, lambda started, finding: run(started, (finding.smallest,), b""))


def confirm_contents(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a reader of keys and values on the smallest vector of each finding.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    return _confirm(findings, lambda started, finding: content_lines(started, finding.smallest))


def content_lines(program: Program, name: str) -> tuple[str, ...]:
    """Run a script on a vector of keys and values, and return what it printed.

    Raises:
        UsageError: there is no such vector, or the script took too long or failed.
    """
    (vector,) = serdes.load(Filters(patterns=(name,)))
    headers = ",".join(f"{key}={value}" for key, value in vector.document["headers"])
    return run(program, (vector.document["content"], headers), bytes.fromhex(vector.document["hex"] or ""))


def _confirm(findings: Findings, ask: Callable[[Program, Finding], tuple[str, ...]]) -> Iterator[Confirmation]:
    """Start scripts, and yield what they say of each finding that can be confirmed."""
    with scripts(findings) as started:
        for finding in findings.findings:
            if finding.gives is not None:
                yield Confirmation(finding, ask(started(finding), finding))


def sent_of(vector: str) -> bytes:
    """Return the records of a vector as a producer sends them.

    Raises:
        UsageError: there is no such vector.
    """
    about = [*golden.load(patterns=(vector,)), *loader.of_family(directions.ASSIGN, (vector,))]
    asked = appends.question(about[0]) if about else None
    if asked is None:
        raise UsageError(f"no producer sends {vector}.", "`kafka-conformance vectors` lists the vectors.")
    return asked.data


def order_of(name: str) -> Order:
    """Return the order of a name.

    Raises:
        UsageError: there is none.
    """
    for vector in loader.of_family(order_vectors.FAMILY, (name,)):
        return orders.order(vector)
    raise UsageError(f"there is no order {name}.", "vectors/orders lists what there is.")


def questions_of(vectors: Iterable[str]) -> list[MessageQuestion]:
    """Return the questions of vectors: `heartbeat-request/0/typical@1` is that of version 1.

    Raises:
        UsageError: there is no such vector, or not in that version.
    """
    wanted = list(vectors)
    families = {vector.partition("/")[0].removesuffix("-request").removesuffix("-response") for vector in wanted}
    loaded = protocol.load(families=[family.replace("-", "_") for family in families])
    known = {MessageQuestion(vector, number).id: (vector, number) for vector in loaded for number in vector.versions}
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no vector {name}.", "`kafka-conformance vectors --about messages` lists them.")
    return [MessageQuestion(*known[name]) for name in wanted]


def lines(program: Program, vector: Vector) -> tuple[str, ...]:
    """Run a script that reads on a vector and return what it printed.

    Raises:
        UsageError: it took too long, or failed.
    """
    with _broker(vector.data) as serving:
        return run(program, (serving.address, TOPIC), vector.data)


def sent_lines(program: Program, vector: Vector) -> tuple[str, ...]:
    """Run a script that writes on the records of a vector and return what it sent, in lines.

    Raises:
        UsageError: it took too long, or failed.
        FormatError: what it sent cannot be read.
    """
    sent, printed, now = _send(program, vector, ranges(vector.format))
    return tuple(_written_lines(b"".join(produced.records for produced in sent), printed, now))


def ordered_lines(program: Program, order: Order) -> tuple[str, ...]:
    """Run a script that writes on an order; return the requests that it sent, and what is in them.

    Raises:
        UsageError: it took too long, or failed.
    """
    sent, printed, now = _send(program, order.vector, ranges(order.vector.format, order.versions))
    return (*(line for produced in sent for line in _request_lines(produced, now)), *printed)


def _send(
    program: Program, vector: Vector, versions: Mapping[str, Range]
) -> tuple[Sequence[Produced], tuple[str, ...], range]:
    """Run a script that writes; return what arrived, what it printed, and the time that it took."""
    records = "".join(f"{line}\n" for line in record_lines.records_of(vector))
    with _broker(versions=versions) as taking:
        start = _milliseconds()
        given = (taking.address, TOPIC)
        printed = run(program, given, records.encode(), vector.codecs[0], orders.RELEASES[vector.format])
        return list(taking.state.produced_records), printed, range(start, _milliseconds() + 1)


def _broker(log: bytes = b"", versions: Mapping[str, Range] | None = None) -> AbstractContextManager[Broker]:
    """Run a broker whose topic has these bytes, with these versions, or all of them."""
    topics = Topics([Topic(TOPIC, log, end_offset=end_offset(log))])
    return broker.running(topics, BrokerSettings(versions=versions or ranges(), empty_seconds=_EMPTY_SECONDS))


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


def _request_lines(produced: Produced, now: range) -> Iterator[str]:
    magics = ", ".join(f"v{magic}" for magic in dict.fromkeys(magic for *_, magic in split(produced.records)))
    yield f"Produce {produced.version} with records of {magics}"
    try:
        yield from record_lines.lines(produced.records, now=now)
    except FormatError as error:
        yield f"a strict reader refuses them: {error}"


def _written_lines(taken: bytes, printed: Sequence[str], now: range) -> Iterator[str]:
    """Yield what arrived, in lines, and what was printed: bytes in hex, or an error."""
    yield from record_lines.lines(taken, now=now)
    for line in printed:
        try:
            data = bytes.fromhex(line)
        except ValueError:
            yield line
        else:
            yield from record_lines.lines(data, now=now)
