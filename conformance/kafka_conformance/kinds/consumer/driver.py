"""A driver with a real consumer in it, which says what its application gets.

After the hello, one frame says what to consume, others ask again and again what came, and a last
one ends it. Each has one reply of the same kind (docs/your-client.md).
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
from kafka_conformance.child.line_client import LineClient
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.targets.candidate import Candidate

ASSIGN: Final = b"A"
POLL: Final = b"P"
COMMIT: Final = b"C"
SHUTDOWN: Final = b"S"
STOP: Final = b"Z"

ASSIGN_SECONDS: Final = 15.0
"""A client that is not made and assigned by then is lost in it."""

POLL_SECONDS: Final = 5.0
"""A client that does not come back from a poll of a tenth of a second for so long is lost in it."""

STOP_SECONDS: Final = 10.0
"""A client that needs longer to end is lost: librdkafka 1.4.2 often does not come back at all."""

_DEEDS: Final = {"commit": COMMIT, "shutdown": SHUTDOWN}
"""What an application can be told to do in a conversation, and the kind of the request."""

_EVENTS: Final = frozenset(
    {
        "assigned",
        "revoked",
        "lost",
        "committed",
        "commit-failed",
        "delivered",
        "acknowledged",
        "acknowledge-failed",
        "status",
        "endpoint",
    }
)
"""What an application may be told beside records and errors."""

_NULL: Final = "-"


@dataclass(slots=True)
class Got:
    """What an application got of one topic.

    Attributes:
        records: the records, in the order in which they came.
        errors: the errors that it got.
        hung: which call of the application did not come back; empty if all did.
        position: where the client says that it is, None if it does not say.
    """

    records: list[Record] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    hung: str = ""
    position: int | None = None


class Driver(LineClient):
    """A running driver of a consumer that has said hello.

    Attributes:
        got: what came since the last `assign`, by topic.
        events: what the application was told besides since then, in order: `revoked t1`.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the driver; errors as of `LineClient`."""
        super().__init__(command, limits, stopped)
        self.got: dict[str, Got] = defaultdict(Got)
        self.events: list[str] = []

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
        self.got, self.events = defaultdict(Got), []
        first = "\t".join([broker, isolation, *(f"{name}={value}" for name, value in settings.items())])
        lines = [first, *(f"{name}\t{offset}" for name, offset in topics)]
        self._ask(ASSIGN, lines, self.losses.limit(min(self.limits.start_seconds, ASSIGN_SECONDS)))

    def poll(self, seconds: float = POLL_SECONDS) -> int:
        """Let the application poll for a moment; return how many lines came.

        Args:
            seconds: how long that may take.

        Raises:
            TargetLostError: it was lost.
        """
        return self._ask(POLL, (), self.losses.limit(min(self.limits.seconds, seconds)))

    def do(self, deed: str) -> None:
        """Have the application do something, such as to commit, and wait until that is done.

        Raises:
            TargetLostError: it was lost.
        """
        self._ask(_DEEDS[deed], (), self.losses.limit(self.limits.seconds))

    def stop(self) -> None:
        """Have the consumer fetch nothing any more, and take its last words.

        Raises:
            TargetLostError: it was lost.
        """
        try:
            self._ask(STOP, (), self.losses.limit_of_end(min(self.limits.start_seconds, STOP_SECONDS)))
        except TargetLostError:
            self.losses.ended_badly()
            raise

    def _ask(self, kind: bytes, lines: Iterable[str], seconds: float) -> int:
        self.send(kind, lines)
        said = self.receive(kind, seconds)
        try:
            for line in said:
                self._take(line.split("\t"))
        except (ValueError, IndexError) as error:
            raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, f"sent what cannot be read: {error}") from None
        return len(said)

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
            case [what, *_] if what in _EVENTS:
                self.events.append(" ".join(words))
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
    """Say how a client was lost when it was stopped, which is no vector's fault."""
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


def starting(candidate: Candidate, limits: Limits, stopped: Callable[[], bool]) -> Callable[[], Driver]:
    """Return what starts the driver of a target that is ready."""
    command = candidate.command
    assert command is not None  # noqa: S101 - only what is ready is started
    return lambda: Driver(command, limits, stopped)
