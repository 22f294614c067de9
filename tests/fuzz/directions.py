"""Random logs and produce requests for releases of Kafka and the reference: deliver, assign,
convert.

`python -m tests.fuzz.directions --inputs 20000 --seed 1 4.4 3.9` (the releases have to be installed
as targets, see `make oracle`; only those that answer these requests can be asked). What differs is
printed by kind, the shortest input of each kind with it. The reference reads as the release does
where that answers, and strictly where it refuses, since brokers refuse more than readers.

On sound bytes the two must do the same. `--damage 0.1` damages some of them: then the reference is
stricter, in the ways that `kafka_format.broker.consumer` and `kafka_format.broker.conversion` tell.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.messages import AssignInput, ConvertInput, DeliverInput, Reply, Status
from kafka_conformance.targets.resolve import installation
from kafka_format import compression, structure
from kafka_format.broker import consumer, offsets
from kafka_format.broker.consumer import Delivery
from kafka_format.broker.conversion import down_convert
from kafka_format.errors import FormatError
from kafka_format.records import Record, encode
from kafka_format.spec.releases import Release, release
from kafka_generator.decompression import decompress_entries
from kafka_generator.oracle import target_of

from tests.fuzz.differential import tell
from tests.fuzz.mutator import Mutator
from tests.kafka_format.logs import ABORT, COMMIT, batch, marker, messages

BLOCK: Final = 200
_TOO_SMALL: Final = 1
_STOPPED: Final = 2
_PRODUCERS: Final = 3


class Logs:
    """Makes runs of entries as logs have them, and requests about them; the same for the same seed
    number."""

    def __init__(self, number: int, damage: float = 0) -> None:
        """Take the number that decides, and the share of the requests whose bytes are damaged."""
        self._random = random.Random(number)  # noqa: S311 - chance, not secrets
        self._damage = damage
        self._offset = 0

    def deliver(self) -> DeliverInput:
        """Return a fetch response, some with damage, and what was asked for."""
        data, end = self._log()
        aborted = [
            (self._random.randrange(_PRODUCERS), self._random.randrange(end + 1))
            for _ in range(self._random.choice((0, 0, 1, 2, 4)))
        ]
        return DeliverInput(self._random.randrange(end + 2), self._random.randrange(2), aborted, self._damaged(data))

    def convert(self) -> ConvertInput:
        """Return a log that an old client fetches."""
        data, end = self._log()
        return ConvertInput(self._random.randrange(3), self._random.randrange(end + 1), self._damaged(data))

    def assign(self) -> AssignInput:
        """Return what one producer sent, and a topic."""
        chance = self._random
        self._offset = chance.choice((0, 0, 0, 7))
        data = chance.choice((self._batch, self._messages, self._messages))()
        if chance.random() < 0.1:
            data += self._messages()
        first, now = chance.choice((0, 1, 1 << 40)), chance.choice((-1, 5000))
        codec, kind = chance.randrange(-1, 5), chance.randrange(2) if now >= 0 else 0
        return AssignInput(first, chance.randrange(3), codec, kind, now, chance.randrange(-1, 3), self._damaged(data))

    def _log(self) -> tuple[bytes, int]:
        self._offset = self._random.choice((0, 0, 5))
        kinds = (self._batch, self._batch, self._transaction, self._transaction, self._marker, self._messages)
        data = b"".join(self._random.choice(kinds)() for _ in range(self._random.randrange(1, 7)))
        if self._random.random() < 0.3:
            data = data[: self._random.randrange(len(data) + 1)]
        return data, self._offset

    def _damaged(self, data: bytes) -> bytes:
        chance = self._random
        hit = data and chance.random() < self._damage
        return Mutator([data], chance.randrange(1 << 30)).next() if hit else data

    def _numbers(self) -> tuple[int, list[int], int]:
        """Return a base offset, offset deltas with gaps, and the last offset delta."""
        chance = self._random
        base = self._offset + chance.choice((0, 0, 0, 2))
        size = chance.choice((1, 2, 3, 5))
        deltas = [delta for delta in range(size) if chance.random() < 0.8]
        self._offset = base + size
        return base, deltas, size - 1

    def _batch(self, **fields: Any) -> bytes:
        chance = self._random
        base, deltas, last = self._numbers()
        if chance.random() < 0.5:
            deltas = list(range(last + 1))
        attributes = fields.pop("attributes", 0) | chance.choice((0, 0, 1, 2, 3, 4)) | chance.choice((0, 0, 0, 8, 0x40))
        return batch(base, deltas, last=last, attributes=attributes, **fields)

    def _transaction(self) -> bytes:
        producer = self._random.randrange(_PRODUCERS)
        bits = self._random.choice((0x10, 0x10, 0x10, 0))
        return self._batch(attributes=bits, producer_id=producer, producer_epoch=0, base_sequence=0)

    def _marker(self) -> bytes:
        offset, self._offset = self._offset, self._offset + 1
        return marker(
            offset, self._random.randrange(_PRODUCERS), self._random.choice((COMMIT, ABORT, ABORT, b"\0\0\0\7"))
        )

    def _messages(self) -> bytes:
        chance = self._random
        base, deltas, _ = self._numbers()
        magic, codec = chance.randrange(2), chance.choice(compression.NAMES[:4])
        if chance.random() < 0.3 and magic:
            kind = chance.randrange(2)
            stamps = [500 if kind else chance.choice((-1, 0, 700, 900)) for _ in deltas]
            some_records = [
                Record(base + delta, stamp, kind, None, b"v") for delta, stamp in zip(deltas, stamps, strict=True)
            ]
            some_records = [record for record in some_records if record.offset or codec == "none"]
            return encode(some_records, magic=magic, codec=codec)
        offsets = [base + delta for delta in deltas]
        return messages(
            magic, *(offsets if codec == "none" or not magic else [offset for offset in offsets if offset]), codec=codec
        )


class Direction(NamedTuple):
    """One kind of request: how it is made, what the reference answers, and how the two answers
    compare."""

    kind: FrameKind
    make: Callable[[Logs], Any]
    ours: Callable[[Any, frozenset[str]], Any]
    differ: Callable[[bytes, Any], str]


def deliver(asked: DeliverInput, flags: frozenset[str]) -> Delivery:
    """Deliver with these leniencies."""
    isolation = consumer.ISOLATIONS[asked.isolation]
    return consumer.deliver(asked.entries, asked.fetch_offset, isolation, asked.aborted, flags=flags)


def assign(asked: AssignInput, flags: frozenset[str]) -> offsets.Assigned:
    """Assign with these leniencies."""
    codec = offsets.PRODUCER if asked.codec < 0 else compression.NAMES[asked.codec]
    topic = offsets.TopicState(asked.magic, codec, asked.timestamp_type, asked.now, asked.leader_epoch)
    return offsets.assign(asked.entries, asked.first_offset, topic, flags=flags)


def convert(asked: ConvertInput, flags: frozenset[str]) -> bytes:
    """Convert with these leniencies."""
    return down_convert(asked.entries, asked.magic, asked.first_offset, flags=flags).data


def differ_deliveries(content: bytes, ours: Delivery) -> str:
    """Compare two deliveries; of two that were stopped, only what both delivered."""
    kafka = structure("delivery").decode(content)
    outcome = _TOO_SMALL if ours.too_small else _STOPPED if ours.error else 0
    if kafka.outcome != outcome:
        return (
            f"outcome {kafka.outcome}, ours {outcome}: {ours.error and ours.error.rule} {(kafka.detail or b'')[:90]!r}"
        )
    records = [seen(record) for record in ours.records]
    theirs = [seen(answers.from_wire(record)) for record in kafka.records]
    if outcome == _STOPPED:
        return "" if theirs[: len(records)] == records else "other records before the fault"
    if theirs != records:
        return "other records"
    return "" if kafka.next_offset == ours.next_offset else "another next offset"


def seen(record: Record) -> tuple[Any, ...]:
    """Return what an application sees of a record."""
    return record[:6]


def differ_assigned(content: bytes, ours: offsets.Assigned) -> str:
    """Compare what two brokers append."""
    kafka = structure("assigned").decode(content)
    names = ("last_offset", "max_timestamp", "in_place")
    found = [name for name in names if getattr(kafka, name) != getattr(ours, name)]
    return ", ".join(found) or differ_bytes(kafka.entries, ours.data)


def differ_bytes(kafka: bytes, ours: bytes) -> str:
    """Compare two runs of entries, whatever their codecs made of them."""
    if kafka == ours:
        return ""
    try:
        return "" if decompress_entries(kafka) == decompress_entries(ours) else "other bytes"
    except FormatError as error:
        return f"other bytes, {error.rule}"


DIRECTIONS: Final = {
    "deliver": Direction(FrameKind.DELIVER, Logs.deliver, deliver, differ_deliveries),
    "assign": Direction(FrameKind.ASSIGN, Logs.assign, assign, differ_assigned),
    "convert": Direction(FrameKind.CONVERT, Logs.convert, convert, differ_bytes),
}


def compare(kafka: Release, direction: Direction, inputs: int, logs: Logs) -> Iterator[tuple[str, Any]]:
    """Put so many requests to a release, and yield what differs."""
    with AdapterClient(installation(target_of(kafka)).command(), Limits()) as client:
        for _ in range(0, inputs, BLOCK):
            asked = [direction.make(logs) for _ in range(BLOCK)]
            client.put_inputs(direction.kind, asked)
            for question, reply in zip(asked, client.receive()[1], strict=True):
                kind = difference(kafka, direction, question, reply)
                if kind:
                    yield kind, question


def difference(kafka: Release, direction: Direction, asked: Any, reply: Reply) -> str:
    """Return how the reference differs from a reply; empty if it does not, or if the release cannot
    be asked."""
    if reply.status == Status.UNSUPPORTED:
        return ""
    answered = reply.status == Status.ANSWER
    try:
        ours = direction.ours(asked, kafka.flags if answered else frozenset())
    except FormatError as error:
        return f"only the reference refuses: {error.rule}" if answered else ""
    return direction.differ(reply.content, ours) if answered else f"only Kafka refuses: {reply.text[:100]}"


def main() -> int:
    """Compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", default=["4.4", "3.9"])
    parser.add_argument("--inputs", type=int, default=10_000, help="requests of each kind for each release")
    parser.add_argument("--seed", type=int, default=0, help="number that decides the requests")
    parser.add_argument("--damage", type=float, default=0, help="share of the requests whose bytes are damaged")
    options = parser.parse_args()
    differs = False
    for name in options.releases:
        for word, direction in DIRECTIONS.items():
            kinds: Counter[str] = Counter()
            shortest: dict[str, Any] = {}
            logs = Logs(options.seed, options.damage)
            for kind, asked in compare(release(name), direction, options.inputs, logs):
                kinds[kind] += 1
                shortest[kind] = min(shortest.get(kind, asked), asked, key=lambda one: len(one.entries))
            tell(f"Kafka {name}, {word}: {options.inputs} inputs", kinds, shortest)
            differs = differs or bool(kinds)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
