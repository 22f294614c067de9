"""The report as a site: pages for the matrix, each target, each family and the failing vectors.

It opens from disk: no server, no script, nothing from elsewhere. Every page says so itself in a
content security policy, so that what a target put into its error text could not run even if an
escape were forgotten. Filtering is a checkbox and CSS.
"""

from pathlib import Path

from kafka_conformance.reports.html.pages import Site
from kafka_conformance.run.run import Run

__all__ = ["write"]

_FOLDERS = ("targets", "families", "vectors")


def write(run: Run, directory: Path) -> list[Path]:
    """Write the site and return its files, the index first. Old pages are removed."""
    for folder in _FOLDERS:
        (directory / folder).mkdir(parents=True, exist_ok=True)
        for old in (directory / folder).glob("*.html"):
            old.unlink()
    written = []
    for name, text in Site(run).pages():
        (directory / name).write_text(text, encoding="utf-8")
        written.append(directory / name)
    return written
