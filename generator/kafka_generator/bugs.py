"""The table of known bugs, vectors/bugs.yaml: reports by users, and the vectors that show each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.spec.layout.yamlfile import Section, read

REPORT: Final = re.compile(r"[\w.-]+/[\w.-]+(#\d+|@[0-9a-f]{8}|:[\w./-]+)|CVE-\d{4}-\d+")
"""The id of a report."""


class Bug(NamedTuple):
    """One bug.

    Attributes:
        subject: what it is about, as a heading.
        does: what goes wrong, as a sentence without its subject.
        reports: where it was reported: `OWNER/REPOSITORY#NUMBER`, a CVE, or a fixture as
            `OWNER/REPOSITORY@COMMIT` or `OWNER/REPOSITORY:FILE`.
        vectors: ids of the vectors that show it.
        why_none: why no vector can; empty if one does.
        section: the YAML, for errors with file and line.
    """

    subject: str
    does: str
    reports: tuple[str, ...]
    vectors: tuple[str, ...]
    why_none: str
    section: Section


def load(file: Path) -> list[Bug]:
    """Load the table; an empty one if there is no file.

    Raises:
        LayoutError: an entry has neither vectors nor a reason, or both, or no report that can be
            followed; the message has file and line.
    """
    if not file.exists():
        return []
    top = read(file, "vectors/bugs.yaml")
    top.only("subjects")
    return [bug for subject in top.sections("subjects") for bug in _of_subject(subject)]


def _of_subject(section: Section) -> Iterator[Bug]:
    section.only("subject", "bugs")
    subject = section.text("subject")
    if not subject:
        raise section.error("bugs stand below a `subject`")
    yield from (_bug(subject, bug) for bug in section.sections("bugs"))


def _bug(subject: str, section: Section) -> Bug:
    section.only("does", "reports", "vectors", "why_none")
    reports, vectors = tuple(section.texts("reports")), tuple(section.texts("vectors"))
    bug = Bug(subject, section.text("does"), reports, vectors, section.text("why_none"), section)
    if not bug.does.endswith("."):
        raise section.error("a bug says what goes wrong, in a sentence: `does`")
    if not bug.reports or bool(bug.vectors) == bool(bug.why_none):
        raise section.error("a bug has reports, and either vectors or `why_none`")
    if wrong := [report for report in bug.reports if not REPORT.fullmatch(report)]:
        raise section.error(f"`{wrong[0]}` is no report", key="reports", advice="the head of the file says what is one")
    return bug


def by_vector(bugs: Iterable[Bug]) -> dict[str, list[str]]:
    """Return the reports of the bugs that each vector shows."""
    by_id: dict[str, dict[str, None]] = {}
    for bug in bugs:
        for vector in bug.vectors:
            by_id.setdefault(vector, {}).update(dict.fromkeys(bug.reports))
    return {vector: list(reports) for vector, reports in by_id.items()}


def check(bugs: Iterable[Bug], known: Iterable[str]) -> None:
    """Raise an error if a bug names a vector that does not exist.

    Raises:
        LayoutError: one does not.
    """
    ids = set(known)
    for bug in bugs:
        if missing := [vector for vector in bug.vectors if vector not in ids]:
            raise bug.section.error(f"there is no vector {', '.join(missing)}", key="vectors")
