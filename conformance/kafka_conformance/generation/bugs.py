"""The table of known bugs, vectors/bugs.yaml: what people reported, and the vectors that show it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kafka_format.layout.yamlfile import Section, read


class Bug(NamedTuple):
    """One bug.

    Attributes:
        reports: where it was reported: `OWNER/REPOSITORY#NUMBER`, `OWNER/REPOSITORY@COMMIT` or a CVE.
        vectors: ids of the vectors that show it.
        why_none: why no vector can; empty if one does.
        section: the YAML, for errors with file and line.
    """

    reports: tuple[str, ...]
    vectors: tuple[str, ...]
    why_none: str
    section: Section


def load(file: Path) -> list[Bug]:
    """Load the table; an empty one if there is no file.

    Raises:
        LayoutError: an entry has neither vectors nor a reason, or both; the message has file and line.
    """
    if not file.exists():
        return []
    top = read(file, "vectors/bugs.yaml")
    top.only("bugs")
    return [_bug(section) for section in top.sections("bugs")]


def _bug(section: Section) -> Bug:
    section.only("reports", "vectors", "why_none")
    found = Bug(tuple(section.texts("reports")), tuple(section.texts("vectors")), section.text("why_none"), section)
    if not found.reports or bool(found.vectors) == bool(found.why_none):
        raise section.error("a bug has reports, and either vectors or `why_none`")
    return found


def check(bugs: Iterable[Bug], known: Iterable[str]) -> None:
    """Look whether every vector that is named exists.

    Raises:
        LayoutError: one does not.
    """
    ids = set(known)
    for bug in bugs:
        if missing := [one for one in bug.vectors if one not in ids]:
            raise bug.section.error(f"there is no vector {', '.join(missing)}", key="vectors")
