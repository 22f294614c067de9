"""The faults that are generated, put to the vectors: the smallest vector that kills each, or why nobody can see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kafka_conformance.errors import UsageError
from kafka_format.spec.layout.yamlfile import read

from kafka_generator.mutants import generated
from kafka_generator.mutants.judging import first_kill
from kafka_generator.mutants.putting import Question


def unseen(directory: Path) -> dict[str, str]:
    """Return the generated faults that nobody can see, with the reason; `directory` is vectors/faults.

    Raises:
        LayoutError: the file is wrong.
    """
    top = read(directory / "generated" / "unseen.yaml", "vectors/faults/generated/unseen.yaml")
    top.only("unseen")
    found: dict[str, str] = {}
    for section in top.sections("unseen"):
        section.only("because", "faults")
        found |= dict.fromkeys(section.texts("faults"), section.text("because", required=True))
    return found


def table(questions: Sequence[Question], hidden: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a line a fault.

    Raises:
        UsageError: no vector kills a fault that is not hidden, or one kills a hidden one.
    """
    by_size = sorted(questions, key=lambda one: (one.size, one.id))
    lines, killed = [], set()
    for fault in generated.faults():
        line = {"id": fault.id, "does": fault.does}
        if smallest := first_kill(fault, by_size):
            killed.add(fault.id)
            line["smallest"] = smallest
        elif fault.id in hidden:
            line["because"] = hidden[fault.id]
        else:
            raise UsageError(f"no vector kills {fault.id}.", "Add one, or say in unseen.yaml why nobody can see it.")
        lines.append(line)
    if told := sorted(killed & hidden.keys()):
        raise UsageError(f"vectors kill {', '.join(told)}.", "Take it out of vectors/faults/generated/unseen.yaml.")
    return lines


def is_in_step(lines: Sequence[Mapping[str, Any]], vectors: frozenset[str]) -> bool:
    """Tell whether a table is of the faults as they are generated now, and its vectors are there."""
    ids = [line["id"] for line in lines]
    return ids == generated.names() and vectors.issuperset(line["smallest"] for line in lines if "smallest" in line)
