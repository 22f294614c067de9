"""Mutants that no vector can kill, with the reason: the files `unseen.yaml`."""

from __future__ import annotations

from pathlib import Path

from kafka_format.spec.layout.yamlfile import read

_ROOT = Path(__file__).parents[3]


def unseen(file: Path) -> dict[str, str]:
    """Return the ids of the mutants that a file lists, with the reason.

    Raises:
        LayoutError: the file is wrong.
    """
    top = read(file, str(file.relative_to(_ROOT)))
    top.only("unseen")
    reasons: dict[str, str] = {}
    for section in top.sections("unseen"):
        section.only("because", "mutants")
        reasons |= dict.fromkeys(section.texts("mutants"), section.text("because", required=True))
    return reasons
