"""Requests that real clients sent, and what a real broker answered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find, specification

from kafka_generator.protocol_vectors.case import MessageCase
from kafka_generator.protocol_vectors.shapes import Shape

FAMILY: Final = "wild"
_UNNAMED: Final = "4.4.0"
"""The broker whose vectors do not name it. It was the newest one when the first were recorded, and
ids stay."""


def cases(file: Path) -> Iterator[MessageCase]:
    """Yield a case a line of the file that `recordings.wild.traffic` writes, if it exists."""
    count: Counter[tuple[Any, ...]] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        document = json.loads(line)
        kind = tuple(document[name] for name in ("client", "broker", "kind", "api", "version"))
        count[kind] += 1
        yield _case(document, count[kind])


def _case(document: dict[str, Any], place: int) -> MessageCase:
    """Return the case of a line, which is at that place among those of one client and kind."""
    whole = specification().versioned[f"{protocol.api_name(document['api'])}_{document['kind']}"]
    number, client, release = document["version"], document["client"], document["broker"]
    word = client.replace(".", "-")
    word = word if release == _UNNAMED else f"{word}-and-{release.replace('.', '-')}"
    word = word if place == 1 else f"{word}-{place}"
    what = f"sent by {client}" if document["kind"] == "request" else f"Kafka {release}'s answer to {client}"
    case = MessageCase(
        Shape(whole, (number,), find(whole.name, number)),
        word,
        f"{whole.title} {number}: {what}",
        bytes.fromhex(document["hex"]),
        ("protocol.header.version",),
        framed=True,
        family=FAMILY,
        source=f"wild: {client} and a broker of Kafka {release}",
    )
    return _judge(case)


def _judge(case: MessageCase) -> MessageCase:
    """Return a case, lenient where the client breaks a rule and the broker took it."""
    try:
        case.decode()
    except FormatError as error:
        return replace(case, rules=(error.rule,), flag=specification().flags[error.rule], is_valid=False)
    return case
