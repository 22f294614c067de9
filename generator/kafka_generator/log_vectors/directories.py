"""Directories: every rule about a log kept and broken, in every way that releases write."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_generator.log_vectors import (
    checkpoint_damage,
    compaction_cases,
    index_damage,
    quorum_cases,
    segment_damage,
    sound,
    transaction_damage,
)
from kafka_generator.log_vectors.case_types import DirectoryCase

__all__ = ["DirectoryCase", "cases"]


def cases() -> Iterator[DirectoryCase]:
    """Yield all cases, the sound ones first."""
    yield from sound.cases()
    modules = (segment_damage, index_damage, transaction_damage, compaction_cases, checkpoint_damage, quorum_cases)
    for module in modules:
        yield from module.cases()
