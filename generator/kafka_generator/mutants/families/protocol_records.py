"""Readers of the protocol: what stands in front of the keys and values of Kafka's own topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.protocol import records
from kafka_format.protocol.records import Front
from kafka_format.spec.layout import specification

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode-protocol", "records")

_Known = Callable[[Front], Front]


@mutant("protocol/record-version-is-the-newest")
def record_version_is_the_newest(patch: Patch) -> None:
    """Reads keys and values in the newest version, whatever version is in front of them."""

    def wrong(_right: _Known, front: Front) -> Front:
        layout = specification().versioned[front.layout]
        return front._replace(version=layout.versions.highest)

    patch.wrap(records._check_version, wrong)


@mutant("protocol/unknown-record-version-is-the-newest")
def unknown_record_version_is_the_newest(patch: Patch) -> None:
    """Reads a key or a value of a version that there is not in the newest one."""

    def wrong(right: _Known, front: Front) -> Front:
        layout = specification().versioned[front.layout]
        return right(front if front.version in layout.versions else front._replace(version=layout.versions.highest))

    patch.wrap(records._check_version, wrong)


@mutant("protocol/record-number-one-lower")
def record_number_one_lower(patch: Patch) -> None:
    """Counts records of a topic from 1."""

    def wrong(right: Callable[..., str], enumeration: str, number: int, *at: Any) -> str:
        return right(enumeration, number - 1, *at)

    patch.wrap(records._name, wrong)


@mutant("protocol/bytes-behind-a-record-are-read-over")
def bytes_behind_a_record_are_read_over(patch: Patch) -> None:
    """Accepts values with bytes after them, in every topic."""
    flag = specification().flags["protocol.body.exact"]

    def wrong(right: Callable[..., Any], front: Front, data: bytes, flags: frozenset[str]) -> Any:
        return right(front._replace(front=""), data, flags | {flag})

    patch.wrap(records._whole, wrong)
