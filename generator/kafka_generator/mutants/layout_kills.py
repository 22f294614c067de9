"""Kills of the mutants of layouts: the smallest vector for each, or why nobody can see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

from kafka_generator.mutants import layouts
from kafka_generator.mutants.kills import first_kill
from kafka_generator.mutants.questions import Question

UNSEEN: Final = Path(__file__).parent / "unseen.yaml"
"""The mutants that no vector can kill."""


def table(questions: Sequence[Question], hidden: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a line for each mutant: its id, what it does, and the smallest vector or the reason.

    Raises:
        UsageError: no vector kills a mutant that is not hidden, or one kills a hidden one.
    """
    by_size = sorted(questions, key=lambda question: (question.size, question.id))
    lines, killed = [], set()
    for mutant in layouts.mutants():
        line = {"id": mutant.id, "does": mutant.does}
        if smallest := first_kill(mutant, by_size):
            killed.add(mutant.id)
            line["smallest"] = smallest
        elif mutant.id in hidden:
            line["because"] = hidden[mutant.id]
        else:
            raise UsageError(f"no vector kills {mutant.id}.", f"Add one, or say in {UNSEEN.name} why nobody sees it.")
        lines.append(line)
    if seen := sorted(killed & hidden.keys()):
        raise UsageError(f"vectors kill {', '.join(seen)}.", f"Take it out of {UNSEEN.name}.")
    return lines


def is_in_step(lines: Sequence[Mapping[str, Any]], vectors: frozenset[str]) -> bool:
    """Tell whether a table is of the mutants as they are made now, and its vectors are there."""
    ids = [line["id"] for line in lines]
    return ids == layouts.names() and vectors.issuperset(line["smallest"] for line in lines if "smallest" in line)
