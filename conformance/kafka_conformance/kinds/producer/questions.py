"""Orders: records and settings for a producer, from vectors/orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_format import records
from kafka_format.records import CREATE_TIME, NO_TIMESTAMP, Header, Record
from kafka_format.records.formats import MAGICS
from kafka_format.spec import data
from kafka_format.spec.layout.yamlfile import plain

from kafka_conformance import schemas
from kafka_conformance.vectors import golden, json_answers
from kafka_conformance.vectors.vector import Reach, Vector, Verdict

FAMILY: Final = "produce"
"""The family of these vectors."""

TIME: Final = 1_600_000_000_000
"""Create time of the first record, in milliseconds, unless the order says another."""

NEEDS: Final = ("headers", "idempotent", "transactional", "level", "acks")
"""What a producer may be unable to do."""

RELEASES: Final = {"v2": "3.9.2", "v1": "0.10.2.2", "v0": "0.9.0.1"}
"""The release that programs are told for each format; some producers must be."""


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
        """The release of the broker, as the program is told."""
        return RELEASES[self.vector.format]

    def document(self) -> dict[str, Any]:
        """Return the order as the program gets it."""
        settings = {name: getattr(self, name) for name in ("codec", "level", "acks", "idempotent", "transactional")}
        return {"name": self.vector.id, "topic": self.topic, "records": list(self.records), **settings}


@cache
def orders() -> Mapping[str, Order]:
    """Return all orders by id, in the order of file and line.

    Raises:
        UsageError: a file is wrong.
    """
    every = (order for file in sorted((data.path("vectors") / "orders").glob("*.yaml")) for order in _orders(file))
    return {order.vector.id: order for order in every}


def vectors(patterns: Sequence[str] = ()) -> tuple[Vector, ...]:
    """Return the orders as vectors, for choosing and for reports.

    Args:
        patterns: only those whose id matches one of these; empty for all.
    """
    return golden.select((order.vector for order in orders().values()), patterns=patterns)


def _orders(file: Path) -> Iterator[Order]:
    document = plain(file.read_text(encoding="utf-8"))
    schemas.check(document, "orders", f"vectors/orders/{file.name}")
    for order in document["orders"]:
        codecs = order.get("codec", "none")
        for codec in codecs if isinstance(codecs, list) else [codecs]:
            yield _order({**order, "id": order["id"].format(codec=codec), "codec": codec})


def _order(said: Mapping[str, Any]) -> Order:
    sent = tuple(_records(said["records"]))
    form = said.get("format", "v2")
    expected = [_due(record, index, form) for index, record in enumerate(sent)]
    return Order(
        vector=_vector(said, form, expected),
        records=sent,
        codec=said["codec"],
        level=said.get("level"),
        acks=said.get("acks"),
        idempotent=said.get("idempotent", False),
        transactional=said.get("transactional", False),
        versions={api: (low, high) for api, (low, high) in said.get("versions", {}).items()},
    )


def _records(said: Any) -> Iterator[dict[str, Any]]:
    """Return the records as programs get them: a list of them, or so many of one size."""
    if isinstance(said, Mapping):
        for number in range(said["count"]):
            value = f"value {number}".ljust(said.get("size", 0), ".")
            yield {"key": f"key-{number % 3}", "value": value, "headers": [], "timestamp": TIME + number}
        return
    for record in said:
        yield {"key": "key", "value": "value", "headers": [], "timestamp": TIME, **record}


def _due(sent: Mapping[str, Any], index: int, form: str) -> Record:
    """Return a record as the bytes must have it."""
    headers = tuple(Header(name.encode(), _bytes(value)) for name, value in sent["headers"])
    time, kind = (sent["timestamp"], CREATE_TIME) if form != "v0" else (-1, NO_TIMESTAMP)
    return Record(index, time, kind, _bytes(sent["key"]), _bytes(sent["value"]), headers)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _vector(said: Mapping[str, Any], form: str, expected: Sequence[Record]) -> Vector:
    return Vector(
        id=said["id"],
        title=said["title"],
        format=form,
        family=FAMILY,
        formats=(form,),
        codecs=(said["codec"],),
        rules=(),
        verdict=Verdict.VALID,
        data=records.encode(expected, magic=MAGICS[form]),
        answer=tuple(json_answers.to_json(expected)),
        reach=Reach.PRODUCER,
        evidence="What an application gives to its producer.",
        document=said,
    )
