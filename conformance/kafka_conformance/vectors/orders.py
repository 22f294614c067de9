"""Orders as vectors: records and settings that a producer is given, from vectors/orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_format import records
from kafka_format.records import CREATE_TIME, NO_TIMESTAMP, Header, Record
from kafka_format.records.formats import MAGICS
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_tools import schemas

from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Reach, Subject, Vector, Verdict, of_document

FOLDER: Final = "orders"

FAMILY: Final = "produce"
"""The family of these vectors."""

TIME: Final = 1_600_000_000_000
"""Create time of the first record, in milliseconds, unless the order says another."""


def load(folder: Path) -> Iterator[Vector]:
    """Yield the orders in a folder, in the order of file and line.

    The bytes of one, and its answer, are its records as they are expected. An order for several
    codecs is a vector for each.

    Raises:
        UsageError: a file does not fit spec/schema/orders.schema.json.
    """
    for file in sorted((folder / FOLDER).glob("*.yaml")):
        document = load_yaml(file.read_text(encoding="utf-8"))
        schemas.check(document, "orders", f"vectors/{FOLDER}/{file.name}")
        for order in document["orders"]:
            codecs = order.get("codec", "none")
            for codec in codecs if isinstance(codecs, list) else [codecs]:
                yield _vector({**order, "id": order["id"].format(codec=codec), "codec": codec})


def records_to_send(document: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the records of an order: those of a list, or so many of one size."""
    said = document["records"]
    if not isinstance(said, Mapping):
        return tuple({"key": "key", "value": "value", "headers": [], "timestamp": TIME, **record} for record in said)
    size = said.get("size", 0)
    return tuple(
        {
            "key": f"key-{number % 3}",
            "value": f"value {number}".ljust(size, "."),
            "headers": [],
            "timestamp": TIME + number,
        }
        for number in range(said["count"])
    )


def _vector(document: Mapping[str, Any]) -> Vector:
    form = document.get("format", "v2")
    expected = [_expected(record, index, form) for index, record in enumerate(records_to_send(document))]
    return of_document(
        document,
        records.encode(expected, magic=MAGICS[form]),
        family=FAMILY,
        formats=(form,),
        codecs=(document["codec"],),
        rules=(),
        verdict=Verdict.VALID,
        answer=tuple(json_answers.to_json(expected)),
        reach=Reach.PRODUCER,
        evidence="What an application gives to its producer.",
        subject=Subject.ORDER,
    )


def _expected(sent: Mapping[str, Any], index: int, form: str) -> Record:
    """Return a record as the bytes must have it."""
    headers = tuple(Header(name.encode(), _bytes(value)) for name, value in sent["headers"])
    time, kind = (sent["timestamp"], CREATE_TIME) if form != "v0" else (-1, NO_TIMESTAMP)
    return Record(index, time, kind, _bytes(sent["key"]), _bytes(sent["value"]), headers)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()
