"""What a producer sent: its requests, in order, and the records that they had."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kafka_tools.server.state import Produced


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One request.

    Attributes:
        api: its API.
        version: its version.
        body: its body.
    """

    api: str
    version: int
    body: Any


@dataclass(slots=True)
class Sending:
    """What a producer sent for an order.

    Attributes:
        requests: its requests, in order.
        produced_records: the records of each partition of each Produce request, in order.
        failures: those that its application got.
        faults: requests that break a rule, in words.
        ids: the producer ids that the broker gave, to any producer, with epoch 0; None if that is
            not known.
    """

    requests: list[SentRequest] = field(default_factory=list)
    produced_records: list[Produced] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    ids: range | None = None
    nameless: frozenset[str] = frozenset()

    @property
    def data(self) -> bytes:
        """All records, one request behind the other."""
        return b"".join(request.records for request in self.produced_records)
