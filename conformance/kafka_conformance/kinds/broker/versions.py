"""Which versions a broker has, and which of them the suite uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_format import protocol
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import specification

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker.connection import Call, Connection
from kafka_conformance.outcomes import Outcome

USED: Final = ("produce", "fetch", "metadata", "create_topics", "delete_topics")
"""What vectors of records need, beside which versions there are."""

_BEFORE_0_10: Final[Mapping[str, tuple[int, int]]] = {"produce": (0, 0), "fetch": (0, 0), "metadata": (0, 0)}
"""Versions that every broker has that hangs up on ApiVersions, which came with 0.10 (KIP-35)."""

_FIRST_OF_4: Final = 4
"""The first version of Fetch that Kafka 4 has (KIP-896)."""

_BY_ID: Final = 13
"""The first version of Fetch that names topics by their ids."""

_PRODUCE: Final = {"v0": range(2), "v1": range(2, 3), "v2": range(3, 1000)}
"""Versions of Produce in which producers send each format (clients ProduceRequest and
RecordBatch)."""

_FETCH: Final = ((range(2), 0), (range(2, 4), 1))
"""Versions of Fetch that serve nothing newer than this magic."""


class Versions(NamedTuple):
    """By API, the versions that both the broker and the specification have."""

    ranges: Mapping[str, range]

    def of(self, api: str) -> range:
        """Return the versions of an API; none if the broker does not have it."""
        return self.ranges.get(api, range(0))

    def newest(self, api: str) -> int | None:
        """Return the newest version of an API; None if the broker does not have it."""
        numbers = self.of(api)
        return numbers[-1] if numbers else None

    def fetching(self, topic_id: bytes) -> range:
        """Return the versions of Fetch that can name a topic of this id.

        A broker may have no ids, and offer versions that name topics by nothing else: Kafka's
        clients ask it in older ones (FetchRequestData.canUseTopicIds; KIP-516).
        """
        numbers = self.of("fetch")
        return numbers if any(topic_id) else range(numbers.start, min(numbers.stop, _BY_ID))

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that can be sent to the broker."""
        return tuple(name for name in _PRODUCE if self.carrying(name))

    def carrying(self, form: str) -> list[int]:
        """Return the versions of Produce that carry a format."""
        return [number for number in self.of("produce") if number in _PRODUCE[form]]


def served_magic(fetch: int) -> int:
    """Return the newest magic that a version of Fetch serves; what is newer is converted."""
    return next((magic for versions, magic in _FETCH if fetch in versions), 2)


def ask(connection: Connection) -> Versions:
    """Ask a broker which versions it has.

    ApiVersions 0 is known to all that know ApiVersions. A broker of 0.8 hangs up, and one of 0.9 is
    silent (KAFKA-3547).

    Raises:
        TargetLostError: it answers nonsense, or nothing.
    """
    call = Call("api_versions", 0, dict)
    body = connection.ask(call)
    if body.error_code:
        raise TargetLostError(Outcome.BROKEN_PROTOCOL, f"answered {call.name} with error {body.error_code}")
    names = specification().enums["api"].values.values()
    ranges = {name: shared for name in names if (shared := _common(name, body.api_keys))}
    if _FIRST_OF_4 in ranges.get("fetch", range(0))[:1]:
        # Kafka 4 tells of Produce 0 to 2, because librdkafka would write v0 otherwise, and hangs up
        # on them (KAFKA-18659).
        ranges["produce"] = range(max(ranges["produce"].start, 3), ranges["produce"].stop)
    return Versions(ranges)


def before_0_10() -> Versions:
    """Return the versions that a broker has that does not know ApiVersions."""
    return Versions({name: range(low, high + 1) for name, (low, high) in _BEFORE_0_10.items()})


def _common(name: str, offers: Any) -> range:
    number = protocol.api_number(name)
    for row in offers:
        if row.api_key == number:
            return range(*_bounds(name, row.min_version, row.max_version))
    return range(0)


def _bounds(name: str, low: int, high: int) -> tuple[int, int]:
    """Return the versions that the specification has of these, the end exclusive."""
    known = [number for number in range(max(low, 0), min(high, 99) + 1) if _has(name, number)]
    return (known[0], known[-1] + 1) if known else (0, 0)


def _has(name: str, number: int) -> bool:
    try:
        protocol.request(name, number)
    except LayoutError:
        return False
    return True
