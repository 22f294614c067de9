"""Makes docs/contributed.md: results that other people sent, each with its origin.

They stay apart from what was recorded here: no other page, count or picture takes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.reports import json_file, json_report
from kafka_tools.errors import UsageError

from kafka_generator.markdown import environment
from kafka_generator.recorded.record import check_whole, rows_of
from kafka_generator.recorded.results import Row

PAGE: Final = "contributed.md"
FOLDER: Final = Path(__file__).parents[2] / "reports" / "contributed"

_FILES: Final = ("*.json", "*.json.gz")

_PART: Final = re.compile(r"[A-Za-z0-9._~-]+")
"""What stands between the slashes of an address; anything else would be markup in the page."""


class Contributed(NamedTuple):
    """A report that somebody sent.

    Attributes:
        origin: the address of who made it, as its folders say: `https://github.com/IBM/sarama`.
        suite: the version of the suite that made it.
        digest: the digest of the vectors that it was made with.
        rows: what it found.
    """

    origin: str
    suite: str
    digest: str
    rows: tuple[Row, ...]


def page() -> str:
    """Return the text of the page.

    Raises:
        UsageError: a file is no report of a whole run, or its folders are no address.
    """
    template = environment(Path(__file__).parent / "templates").get_template(f"{PAGE}.j2")
    return template.render(reports=list(reports(FOLDER)))


def reports(folder: Path) -> Iterator[Contributed]:
    """Yield the reports in a folder, by origin and name.

    Raises:
        UsageError: a file is no report of a whole run, or its folders are no address.
    """
    for file in sorted(file for pattern in _FILES for file in folder.rglob(pattern)):
        parts = file.relative_to(folder).parts[:-1]
        if len(parts) < 2 or "." not in parts[0] or not all(map(_PART.fullmatch, parts)):
            raise UsageError(f"{file}: its folders must be an address, such as github.com/OWNER/REPOSITORY.")
        report, document = json_report.load(file), json_file.parse(file)
        check_whole(file, document)
        header = report.header
        rows = tuple(rows_of(report, document))
        yield Contributed(f"https://{'/'.join(parts)}", header.suite_version, header.vectors_digest, rows)
