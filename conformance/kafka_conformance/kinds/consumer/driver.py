"""A driver: the child process that has a real consumer in it, and says what its application gets.

It speaks in the frames of the adapter protocol, and begins with the same hello. Then it is told
what to consume, is asked again and again what came, and is told to stop. Each request has one reply
of the same kind; both are lines of text with tabs, as docs/broker.md describes them, which any
language can write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from kafka_format.errors import EncodeError
from kafka_format.records import Header, Record

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.hello import Hello, hello_request, parse_hello
from kafka_conformance.targets.contestant import Contestant

ASSIGN: Final = b"A"
POLL: Final = b"P"
STOP: Final = b"Z"

POLL_SECONDS: Final = 5.0
"""A client that does not come back from a poll of a tenth of a second for so long is lost in it."""

STOP_SECONDS: Final = 10.0
"""A client that needs longer to end is lost: librdkafka 1.4.2 often does not come back at all."""

_NULL: Final = "-"


@dataclass(slots=True)
class Got:
    """What an application got of one topic.

    Attributes:
        records: the records, in the order in which they came.
        errors: what it was told of errors.
        hung: which call of the application did not come back; empty if all did.
        position: where the client says that it is, None if it does not say.
    """

    records: list[Record] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    hung: str = ""
    position: int | None = None


class Driver:
    """A running driver that has said hello.

    Attributes:
        hello: what it declared.
        got: what came since the last `assign`, by topic.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the driver.

        Raises:
            TargetLostError: it cannot be started, or its hello is late, missing or wrong.
        """
        self._limits = limits
        self._process = AdapterProcess(command, limits, stopped)
        self._process.send(frame(hello_request()))
        self.got: dict[str, Got] = defaultdict(Got)
        body = self._process.receive(limits.start_seconds)
        try:
            self.hello: Hello = parse_hello(body)
        except ProtocolError as error:
            raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None

    def assign(
        self,
        broker: str,
        isolation: str,
        topics: Iterable[tuple[str, int]],
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Have the consumer fetch partition 0 of topics, each from its offset, and of no others.

        Args:
            broker: its address, `host:port`.
            isolation: the isolation level.
            topics: their names and offsets.
            settings: further settings of the client, of those that its hello names.

        Raises:
            TargetLostError: it does not.
        """
        self.got = defaultdict(Got)
        first = "\t".join([broker, isolation, *(f"{name}={value}" for name, value in settings.items())])
        lines = [first, *(f"{name}\t{offset}" for name, offset in topics)]
        self._ask(ASSIGN, "\n".join(lines), self._limits.start_seconds)

    def poll(self) -> int:
        """Let the application poll for a moment; return how many lines came.

        Raises:
            TargetLostError: it was lost.
        """
        return self._ask(POLL, "", min(self._limits.seconds, POLL_SECONDS))

    def stop(self) -> None:
        """Have the consumer fetch nothing any more, and take its last words.

        Raises:
            TargetLostError: it was lost.
        """
        self._ask(STOP, "", min(self._limits.start_seconds, STOP_SECONDS))

    def end_as_lost(self, outcome: Outcome, detail: str) -> TargetLostError:
        """End the driver, and make the exception that tells why."""
        return self._process.end_as_lost(outcome, detail)

    def close(self) -> list[str]:
        """End the driver; return what it did wrong in its last moments, in words."""
        return self._process.close()

    def _ask(self, kind: bytes, text: str, seconds: float) -> int:
        self._process.send(frame(kind + text.encode()))
        body = self._process.receive(seconds)
        if body[:1] != kind:
            raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, f"replied with kind {body[:1]!r} to {kind!r}")
        lines = body[1:].decode("utf-8", "replace").split("\n") if len(body) > 1 else []
        try:
            for line in lines:
                self._take(line.split("\t"))
        except (ValueError, IndexError) as error:
            raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, f"sent what cannot be read: {error}") from None
        return len(lines)

    def _take(self, words: Sequence[str]) -> None:
        match words:
            case ["record", topic, *fields]:
                self._take_record(self.got[topic], _record(fields))
            case ["error", topic, text]:
                self.got[topic].errors.append(text)
            case ["hung", topic, text]:
                self.got[topic].hung = text
            case ["position", topic, offset]:
                self.got[topic].position = int(offset)
            case _:
                raise ValueError(f"a line {words[0][:40]!r} of {len(words)} words")

    def _take_record(self, got: Got, record: Record) -> None:
        """Add a record.

        One that no answer can hold, such as a timestamp of more than 64 bits, is an error.
        """
        try:
            answers.to_bytes([record])
        except EncodeError as error:
            got.errors.append(f"got a record that no answer can hold: {error}")
        else:
            got.records.append(record)


def ending_note(detail: str) -> str:
    """Say how a client was lost when it was told to stop, which is no vector's fault."""
    return f"driver: told to stop, it {detail}; a new process went on"


def _record(fields: Sequence[str]) -> Record:
    """Read offset, timestamp, timestamp type, key, value, and keys and values of headers."""
    offset, timestamp, kind, key, value, *headers = fields
    pairs = tuple(
        Header(bytes.fromhex(headers[index]), _bytes(headers[index + 1])) for index in range(0, len(headers), 2)
    )
    return Record(int(offset), int(timestamp), int(kind), _bytes(key), _bytes(value), pairs)


def _bytes(text: str) -> bytes | None:
    return None if text == _NULL else bytes.fromhex(text)


def starting(contestant: Contestant, limits: Limits, stopped: Callable[[], bool]) -> Callable[[], Driver]:
    """Return what starts the driver of a target that is ready."""
    command = contestant.command
    assert command is not None  # noqa: S101 - only what is ready is started
    return lambda: Driver(command, limits, stopped)
