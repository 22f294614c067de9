"""Orders, as they are put to a producer: records and settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafka_conformance.kinds.decoder.questions import missing
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.vectors import loader, orders
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Subject, Vector

NEEDS: Final = ("headers", "idempotent", "transactional", "level", "acks")
"""What a producer may be unable to do."""

RELEASES: Final = {"v2": "3.9.2", "v1": "0.10.2.2", "v0": "0.9.0.1"}
"""The release of the broker by format; some producers have to know it."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a producer is asked to write.

    Attributes:
        vector: id, title and the records as a vector, for reports.
        records: the records, as the program gets them.
        codec: the compression to ask for.
        level: the compression level; None for the producer's own.
        acks: how many acknowledgements to ask for: -1, 0 or 1; None for all, unless it cannot.
        idempotent: True for an idempotent producer.
        transactional: True for a transaction, which is committed.
        versions: versions of the broker that are not the usual ones, by API.
    """

    vector: Vector
    records: tuple[Mapping[str, Any], ...]
    codec: str
    level: int | None
    acks: int | None
    idempotent: bool
    transactional: bool
    versions: Mapping[str, tuple[int, int]]

    @property
    def direction(self) -> Direction:
        """It is written."""
        return Direction.ENCODE

    @property
    def needs(self) -> list[str]:
        """What a producer must be able to do."""
        asked = {
            "headers": any(record["headers"] for record in self.records),
            "idempotent": self.idempotent,
            "transactional": self.transactional,
            "level": self.level is not None,
            "acks": self.acks is not None,
        }
        return [name for name in NEEDS if asked[name]]

    @property
    def topic(self) -> str:
        """The topic to write to."""
        return self.vector.id.replace("/", "-")

    @property
    def release(self) -> str:
        """The release of the broker, for producers that have to know it."""
        return RELEASES[self.vector.format]

    @property
    def settings(self) -> dict[str, Any]:
        """What a producer is to be set to."""
        return {name: getattr(self, name) for name in ("codec", "level", "acks", "idempotent", "transactional")}

    def document(self) -> dict[str, Any]:
        """Return the order as programs get it that write it to real brokers."""
        return {"name": self.vector.id, "topic": self.topic, "records": list(self.records), **self.settings}

    def lines(self) -> Iterator[str]:
        """Yield the order as a driver gets it (docs/your-client.md)."""
        said = {name: value for name, value in self.settings.items() if value is not None and value is not False}
        yield "\t".join(["order", self.topic, *(f"{name}={str(value).lower()}" for name, value in said.items())])
        for record in self.records:
            headers = [text for pair in record["headers"] for text in pair]
            data = map(_hex, (record["key"], record["value"], *headers))
            yield "\t".join(["record", str(record["timestamp"]), *data])


def _hex(text: str | None) -> str:
    return "-" if text is None else text.encode().hex()


def load(filters: Filters) -> Sequence[Vector]:
    """Return the orders that are chosen."""
    return filters.of(Source.ORDERS).keep(loader.of_family(orders.FAMILY))


def questions(chosen: Iterable[Vector]) -> Sequence[Order]:
    """Return the orders among vectors."""
    return [order(vector) for vector in chosen if vector.subject is Subject.ORDER]


def gap(asked: Order, hello: Hello) -> str:
    """Say what a producer cannot do; empty if it can write the order."""
    if lacking := [name for name in asked.needs if name not in (hello.settings or ())]:
        return f"cannot be asked for {', '.join(lacking)}"
    return missing(asked.vector, hello)


def order(vector: Vector) -> Order:
    """Return the order that a vector describes."""
    said = vector.document
    return Order(
        vector=vector,
        records=orders.records_to_send(said),
        codec=said["codec"],
        level=said.get("level"),
        acks=said.get("acks"),
        idempotent=said.get("idempotent", False),
        transactional=said.get("transactional", False),
        versions={api: (low, high) for api, (low, high) in said.get("versions", {}).items()},
    )
