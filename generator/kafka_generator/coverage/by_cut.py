"""Cuts: one entry of each format at every byte, alone and after a whole one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kafka_format.primitives.counts import byte_count

from kafka_generator.constructed import cuts
from kafka_generator.constructed.subjects import Subject
from kafka_generator.coverage.model import Cell
from kafka_generator.payloads import PayloadStore


def cells(vectors: Sequence[Mapping[str, Any]], store: PayloadStore) -> Iterator[Cell]:
    """Yield two cells for each length that is less than the whole."""
    by_bytes: dict[str, list[str]] = {}
    for vector in vectors:
        by_bytes.setdefault(vector.get("hex", ""), []).append(vector["id"])
    for subject in cuts.cut(store):
        for kept in range(1, len(subject.data)):
            yield from _cells(subject, kept, by_bytes)


def _cells(subject: Subject, kept: int, by_bytes: Mapping[str, Sequence[str]]) -> Iterator[Cell]:
    for word, before in (("alone", b""), ("after a whole one", subject.data)):
        wanted = (before + subject.data[:kept]).hex()
        yield Cell("cut", f"{subject.name} {word}, {byte_count(kept)}", by_bytes.get(wanted, ()))
