"""The variants: what is done to a base, by kind of damage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kafka_generator.start_vectors.cases import (
    chances,
    coordinators,
    found,
    metadata_files,
    metadata_records,
    partitions,
    properties,
    quorum_states,
    rights,
    roles,
    snapshots,
    tiered,
    zookeeper,
)
from kafka_generator.start_vectors.cases.case import Case
from kafka_generator.start_vectors.cases.facts import Facts

__all__ = ["Case", "cases"]

_KINDS = (
    properties, quorum_states, snapshots, metadata_files, metadata_records, partitions, coordinators, roles, found,
    rights, chances, tiered, zookeeper,
)  # fmt: skip


def cases(bases: Mapping[str, dict[str, bytes]]) -> Iterator[Case]:
    """Yield all variants of the bases."""
    facts = {name: Facts(name, files) for name, files in bases.items()}
    for kind in _KINDS:
        yield from kind.cases(facts)
