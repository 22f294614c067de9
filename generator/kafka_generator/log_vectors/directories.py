"""Directories: every rule about a log kept and broken, in every way that releases write."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_generator.log_vectors import damaged, sound
from kafka_generator.log_vectors.sound import DirectoryCase

__all__ = ["DirectoryCase", "cases"]


def cases() -> Iterator[DirectoryCase]:
    """Yield all cases, the sound ones first."""
    yield from sound.cases()
    yield from damaged.cases()
