"""The errors by which releases of Kafka refuse vectors: vectors/append-errors.json.

Real brokers were asked: `run broker-kafka --report DIR`, and `python generate.py --record DIR`.
Nobody else says which error is the right one: LogValidator throws what it throws, and
ReplicaManager turns it into a code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Final

from kafka_format.spec import data

FILE: Final = "append-errors.json"

_MODERN: Final = (2, 8)

KAFKA: Final = frozenset({"broker-kafka", "broker-kafka-authorizer", "broker-kafka-legacy", "broker-kafka-zookeeper"})
"""The targets whose version is a release of Kafka."""


def known_errors(vector: str, target: str = "", version: str = "") -> frozenset[str]:
    """Return the errors that are right for a vector; empty if no release refused it.

    Args:
        vector: its id.
        target: the name of the broker.
        version: its version. A release of Kafka answers its own errors, any other broker those of
            a release since 2.8, or of an older one if no newer one refused it.
    """
    by_name = _errors().get(vector, {})
    own = {name for name, releases in by_name.items() if target in KAFKA and version in releases}
    modern = {name for name, releases in by_name.items() if any(map(_is_modern, releases))}
    return frozenset(own or modern or by_name)


def _is_modern(release: str) -> bool:
    return tuple(map(int, release.split(".")[:2])) >= _MODERN


@cache
def _errors() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Read the file: by vector and error, the releases that answered so."""
    document = json.loads((data.path("vectors") / FILE).read_text(encoding="utf-8"))
    return {
        vector: {name: tuple(releases) for name, releases in names.items()}
        for vector, names in document["errors"].items()
    }
