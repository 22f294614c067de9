"""Writes vectors/cases/wild.jsonl: what producers wrote, a line a segment.

`kafka_generator.wild_cases` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_generator.recordings.wild.clients import Client
from kafka_generator.recordings.wild.orders import Order
from kafka_generator.wild_cases import FAMILY

_RULES: Final = {
    "none": "v2.crc.covers-attributes-to-end",
    "gzip": "compression.gzip.magic",
    "snappy": "compression.snappy.block",
    "lz4": "compression.lz4.magic",
    "zstd": "compression.zstd.magic",
}
_RULES_OF_OLD: Final = {"v0": "v0.wrapper.offsets.absolute", "v1": "v1.wrapper.offsets.relative"}
_RULES_BY_NEED: Final = {
    "headers": "v2.header.key.utf8",
    "idempotent": "v2.sequence",
    "transactional": "control.marker.version",
}


def line(
    client: Client,
    order: Order,
    version: str,
    broker: str,
    data: bytes,
    *,
    sent: bool = False,
    refused: bool = False,
) -> dict[str, Any]:
    """Return the line of one segment, or of what was sent.

    Args:
        client: who wrote it.
        order: what it was asked.
        version: what it calls itself.
        broker: release of the Apache Kafka broker that stored it.
        data: the segment.
        sent: whether the bytes are those of the requests, which the broker stored otherwise.
        refused: whether they are those of a request that the broker refused.
    """
    settings = {"codec": order.codec, "level": order.level, "idempotent": order.idempotent}
    settings |= {"transactional": order.transactional}
    title = f"{order.title[0].upper()}{order.title[1:]}, {order.codec}, {'as sent by' if sent else 'from'} {version}"
    title += f", which a broker of {broker} refuses" if refused else ""
    return {
        "id": f"{_prefix(client.label)}{order.name}{'-sent' if sent else ''}",
        "title": title,
        "rules": _rules(order),
        "producer": version,
        "broker": broker,
        "settings": {name: value for name, value in settings.items() if value},
        "script": client.source.as_posix(),
        "hex": data.hex(),
    }


def broker_line(release: str, name: str, title: str, rules: Sequence[str], data: bytes) -> dict[str, Any]:
    """Return the line of what a broker made of what it was sent.

    Args:
        release: of the Apache Kafka broker.
        name: the last part of the id.
        title: what it did.
        rules: those that the bytes are about.
        data: its log, or what it served.
    """
    return {
        "id": f"{_prefix(f'broker-{release}')}{name}",
        "title": f"{title}, by a broker of Kafka {release}",
        "rules": list(rules),
        "producer": "",
        "broker": release,
        "settings": {},
        "script": "generator/kafka_generator/recordings/wild/scenes.py",
        "hex": data.hex(),
    }


def _rules(order: Order) -> list[str]:
    form = order.name.partition("/")[0]
    if form in _RULES_OF_OLD:
        wrapper = [] if order.codec == "none" else [_RULES_OF_OLD[form], _RULES[order.codec]]
        return wrapper or ["legacy.crc.covers-magic-to-end"]
    return [_RULES[order.codec], *(rule for need, rule in _RULES_BY_NEED.items() if need in order.needs)]


def replace(file: Path, label: str, broker: str, lines: Iterable[dict[str, Any]]) -> None:
    """Put the lines of one producer in place of those that it had from this broker."""
    kept = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    prefix = _prefix(label)
    others = [text for text in kept if not _is_of(json.loads(text), prefix, broker)]
    new = [json.dumps(document, ensure_ascii=False) for document in lines]
    file.write_text("".join(f"{text}\n" for text in sorted([*others, *new], key=_id)), encoding="utf-8")


def _prefix(label: str) -> str:
    """Return how the ids of one producer begin; an id has no dots."""
    return f"{FAMILY}/{label.replace('.', '-')}/"


def _is_of(document: dict[str, Any], prefix: str, broker: str) -> bool:
    return bool(document["id"].startswith(prefix) and document["broker"] == broker)


def _id(text: str) -> str:
    name: str = json.loads(text)["id"]
    return name
