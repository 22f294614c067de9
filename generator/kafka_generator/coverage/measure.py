"""All kinds of cells over all vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kafka_conformance.vectors.recipes import expand

from kafka_generator.coverage import by_bit, by_check, by_cut, by_field, by_pair, by_rule
from kafka_generator.coverage.model import Cell, Count
from kafka_generator.coverage.walk import FieldPlace, spans_of
from kafka_generator.payloads import PayloadStore


def measure(documents: Sequence[Mapping[str, Any]], store: PayloadStore) -> list[Cell]:
    """Return every cell with its vectors, from the documents of all files, directions too."""
    decoded = [document for document in documents if "format" in document]
    seen = _vectors_by_word(decoded)
    return [
        *by_rule.cells(documents),
        *by_field.cells(seen),
        *by_bit.cells(seen),
        *by_check.cells(decoded),
        *by_cut.cells(decoded, store),
        *by_pair.cells(decoded),
    ]


def _vectors_by_word(documents: Iterable[Mapping[str, Any]]) -> dict[tuple[FieldPlace, str], list[str]]:
    """Return the vectors that show each word of each place."""
    ids_by_cell: dict[tuple[FieldPlace, str], dict[str, None]] = {}
    for document in documents:
        data = bytes.fromhex(document["hex"]) if "hex" in document else expand(document["recipe"])
        for place, span in spans_of(data, "v07" if document["format"] == "v07" else "run"):
            for word in (*by_field.words_in(span), *by_bit.words_in(span)):
                ids_by_cell.setdefault((place, word), {})[document["id"]] = None
    return {cell: list(ids) for cell, ids in ids_by_cell.items()}


def table(counts: Sequence[Count]) -> str:
    """Return the counts as a table, with the excluded cells by reason below it."""
    lines = [f"{'kind':14}{'cells':>7}{'covered':>9}{'':>9}  excluded"]
    for count in counts:
        share = 100 * count.covered / count.all if count.all else 100
        lines.append(f"{count.kind:14}{count.all:7}{count.covered:9}{share:8.1f}%  {sum(count.excluded.values())}")
    reasons = [f"  {number:4} {count.kind}: {why}" for count in counts for why, number in count.excluded.items()]
    return "\n".join([*lines, "", "excluded, because:", *reasons])
