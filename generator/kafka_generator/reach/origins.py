"""The reach of every case: declared, of a producer's segment, or derived from the bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kafka_format.errors import FormatError

from kafka_generator.cases import Case
from kafka_generator.reach.derivation import derive
from kafka_generator.reach.features import Features
from kafka_generator.reach.model import Origin, broker, crafted_origin, producer
from kafka_generator.reach.table import Declared, find
from kafka_generator.wild_cases import FAMILY

_REFUSED = crafted_origin("no broker appends or converts such bytes")


class Origins:
    """Knows where the bytes of each case can come from."""

    def __init__(self, table: Sequence[Declared], cases: Iterable[tuple[Case, bytes]]) -> None:
        """Take what is declared, and all cases: what producers wrote is among them."""
        self._table = table
        self._features = Features([data for case, data in cases if case.family == FAMILY])

    def of(self, case: Case, data: bytes) -> Origin:
        """Return where the bytes of a vector can come from.

        Raises:
            LayoutError: the table declares it twice.
        """
        if declared := find(self._table, case.id):
            return declared.origin
        if case.family == FAMILY:
            who = case.source.partition(";")[0]
            return broker(f"made by {who}") if who.startswith("Kafka broker") else producer(f"written by {who}")
        return derive(case, data, self._features)

    def of_direction(self, case: Case, data: bytes) -> Origin:
        """Return it for bytes that a consumer, a broker or an old client gets, right or wrong.

        Raises:
            LayoutError: the table declares it twice.
        """
        try:
            return self.of(case, data)
        except FormatError:
            return _REFUSED
