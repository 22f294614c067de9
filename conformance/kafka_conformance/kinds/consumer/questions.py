"""A vector as a consumer sees it: where it fetches, what its application gets, where it goes on.

What a consumer must do with bytes is not what a decoder must do. An entry that is cut off at the
end is no error, for brokers cut; control records are for the consumer alone; records before the
fetch offset are left out; and it goes on behind the last offset that a batch had, whatever
compaction left in it. `kafka_format.broker.consumer` knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kafka_format.broker.consumer import READ_UNCOMMITTED, Delivery, deliver
from kafka_format.primitives.integers import INT64_MAX
from kafka_format.records import Record
from kafka_tools.server import Serving, Topic

from kafka_conformance.kinds.decoder import questions as decoder_questions
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.vectors import directions, loader
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Refusal, Subject, Vector, Verdict

_OFFSET: Final = 8


@dataclass(frozen=True, slots=True)
class View:
    """A vector as a consumer sees it.

    Attributes:
        vector: the vector, with a consumer's verdict and no answer of its own.
        fetch_offset: where the consumer fetches.
        isolation: its isolation level.
        aborted: the aborted transactions of the fetch answer, pairs of producer id and first
            offset.
        records: what the application must get; of bytes that break a rule, what it may get before
            an error.
        next_offsets: where the consumer may go on.
        unserved: why no broker serves it, or no consumer fetches it; empty if it is served.
    """

    vector: Vector
    fetch_offset: int
    isolation: str
    aborted: tuple[tuple[int, int], ...]
    records: Sequence[Record]
    next_offsets: frozenset[int]
    unserved: str = ""

    @property
    def direction(self) -> Direction:
        """It is read."""
        return Direction.DECODE

    def topic(self, name: str) -> Topic:
        """Make the topic that serves the bytes, once."""
        end = max(self.fetch_offset + 1, *self.next_offsets)
        return Topic(name, self.vector.data, self.fetch_offset, min(end, INT64_MAX), self.aborted, serving=Serving.ONCE)


FAMILY: Final = directions.DELIVER
"""The family of the vectors that are about what consumers do."""


_UNASSIGNED: Final = "v1.wrapper.offset.zero"
"""The rule of wrappers that old producers send, and to which brokers give another offset."""


def load(filters: Filters) -> Sequence[Vector]:
    """Return the vectors of records, and of what consumers do with them, that are chosen."""
    return [*decoder_questions.load(filters), *filters.of(Source.DIRECTIONS).keep(loader.of_family(FAMILY))]


def questions(chosen: Iterable[Vector]) -> Sequence[View]:
    """Return each vector as a consumer sees it, those that are not served with the reason."""
    return [_served(vector) for vector in chosen if vector.subject in {Subject.RECORDS, Subject.DELIVERY}]


def _served(vector: Vector) -> View:
    if is_as_sent(vector):
        return _unserved(vector, "no broker serves what a producer sends without giving it offsets")
    return view(vector) or _unserved(vector, "no consumer fetches from its first offset")


def _unserved(vector: Vector, reason: str) -> View:
    return View(vector, 0, READ_UNCOMMITTED, (), (), frozenset(), reason)


def gap(asked: View, hello: Hello) -> str:
    """Say why a consumer cannot be asked; empty if it can."""
    if reason := decoder_questions.missing(asked.vector, hello) or asked.unserved:
        return reason
    return "" if asked.isolation in hello.isolations else f"has no isolation level {asked.isolation}"


def is_as_sent(vector: Vector) -> bool:
    """Tell whether these are the bytes of a producer before a broker gave them offsets.

    Only decoders of requests meet them: no broker serves them.
    """
    return _UNASSIGNED in vector.rules or (vector.family == "wild" and vector.id.endswith("-sent"))


def view(vector: Vector) -> View | None:
    """Return a vector as a consumer sees it; None if no consumer fetches it.

    One that is not about consumers is fetched from its first offset, without transactions.
    """
    if vector.family == FAMILY:
        return _direction(vector)
    offset = _first_offset(vector)
    if vector.format == "v07" or not vector.data or not 0 <= offset < INT64_MAX:
        return None
    strict = deliver(vector.data, offset)
    lenient = deliver(vector.data, offset, flags=frozenset({vector.flag})) if vector.flag else strict
    return _view(vector, offset, READ_UNCOMMITTED, (), strict, lenient)


def _view(
    vector: Vector,
    offset: int,
    isolation: str,
    aborted: tuple[tuple[int, int], ...],
    strict: Delivery,
    lenient: Delivery,
) -> View:
    verdict, delivery = Verdict.INVALID, strict
    if strict.error is None:
        verdict = Verdict.INVALID if strict.too_small else Verdict.VALID
    elif lenient.error is None and not lenient.too_small:
        verdict, delivery = Verdict.LENIENT, lenient
    fault = None if verdict is Verdict.VALID else _fault(vector, strict)
    seen = replace(vector, verdict=verdict, answer=None, fault=fault)
    return View(seen, offset, isolation, aborted, delivery.records, frozenset({delivery.next_offset}))


def _fault(vector: Vector, delivery: Delivery) -> Refusal:
    """Return where and why a consumer stops."""
    error = delivery.error
    if error is None:
        return Refusal("framing", "consumer.too-small", 0)
    return Refusal(
        str(error.stage), error.rule, error.offset or 0, error.path_text, vector.fault.twin if vector.fault else ""
    )


def _first_offset(vector: Vector) -> int:
    """Return the first offset of the bytes: of the first record, or of the first entry.

    A wrapper has the offset of its last record.
    """
    first = int.from_bytes(vector.data[:_OFFSET], "big", signed=True)
    offsets = [record.offset for record in vector.records() if not vector.is_large]
    return min([first, *offsets])


def _direction(vector: Vector) -> View:
    document = vector.document
    offset, isolation = int(document["fetch_offset"]), document["isolation"]
    aborted = directions.aborted_transactions(document)
    delivery = deliver(vector.data, offset, isolation, aborted)
    return _view(vector, offset, isolation, aborted, delivery, delivery)
