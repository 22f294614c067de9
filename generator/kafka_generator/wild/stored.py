"""vectors/cases/wild.jsonl: what producers wrote, a line a segment; written by `__main__`, read by the generator."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.cases import Case
from kafka_generator.wild.clients import Client
from kafka_generator.wild.orders import Order

FAMILY: Final = "wild"
FILE: Final = f"vectors/cases/{FAMILY}.jsonl"

_RULES: Final = {
    "none": "v2.crc.covers-attributes-to-end",
    "gzip": "compression.gzip.magic",
    "snappy": "compression.snappy.block",
    "lz4": "compression.lz4.magic",
    "zstd": "compression.zstd.magic",
}
_RULES_BY_NEED: Final = {
    "headers": "v2.header.key.utf8",
    "idempotent": "v2.sequence",
    "transactional": "control.marker.version",
}


def line(client: Client, order: Order, version: str, broker: str, data: bytes) -> dict[str, Any]:
    """Return the line of one segment.

    Args:
        client: who wrote it.
        order: what it was asked.
        version: what it calls itself.
        broker: release of the Apache Kafka broker that stored it.
        data: the segment.
    """
    settings = {"codec": order.codec, "level": order.level, "idempotent": order.idempotent}
    settings |= {"transactional": order.transactional}
    return {
        "id": f"{_prefix(client.label)}{order.name}",
        "title": f"{order.title[0].upper()}{order.title[1:]}, {order.codec}, from {version}",
        "rules": [_RULES[order.codec], *(rule for need, rule in _RULES_BY_NEED.items() if need in order.needs)],
        "producer": version,
        "broker": broker,
        "settings": {name: value for name, value in settings.items() if value},
        "script": f"generator/kafka_generator/wild/producers/{client.script}",
        "hex": data.hex(),
    }


def replace(file: Path, label: str, lines: Iterable[dict[str, Any]]) -> None:
    """Put the lines of one producer in place of those that it had."""
    kept = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    prefix = _prefix(label)
    others = [text for text in kept if not json.loads(text)["id"].startswith(prefix)]
    new = [json.dumps(document, ensure_ascii=False) for document in lines]
    file.write_text("".join(f"{text}\n" for text in sorted([*others, *new], key=_id)), encoding="utf-8")


def _prefix(label: str) -> str:
    """Return how the ids of one producer begin; an id has no dots."""
    return f"{FAMILY}/{label.replace('.', '-')}/"


def _id(text: str) -> str:
    name: str = json.loads(text)["id"]
    return name


def load(file: Path) -> list[tuple[Case, bytes]]:
    """Return the segments as valid cases of the family `wild`; none if there is no file."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(text), number) for number, text in enumerate(lines, 1)]


def _case(document: dict[str, Any], number: int) -> tuple[Case, bytes]:
    settings = ", ".join(f"{name}={value}" for name, value in document["settings"].items())
    source = f"{document['producer']} ({settings}), Kafka broker {document['broker']}; {document['script']}"
    case = Case(
        id=document["id"],
        title=document["title"],
        family=FAMILY,
        verdict="valid",
        rules=tuple(document["rules"]),
        flag="",
        section=Section(FILE, number, {}, {}),
        run=(),
        twin="",
        mutate=None,
        broken="",
        path="",
        source=source,
    )
    return case, bytes.fromhex(document["hex"])
