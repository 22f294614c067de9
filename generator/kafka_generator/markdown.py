"""How pages are written: jinja2 for Markdown."""

from __future__ import annotations

from pathlib import Path

import jinja2


def environment(templates: Path) -> jinja2.Environment:
    """Return the environment of a folder of templates; `cell` is for tables, `link` for the id of a bug report."""
    # The output is Markdown, not HTML.
    found = jinja2.Environment(  # noqa: S701
        loader=jinja2.FileSystemLoader(templates),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {"cell": _cell, "link": _link}
    return found


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _link(report: str) -> str:
    """Return a report as a link, where there is something to follow."""
    for mark, place in (("#", "issues"), ("@", "tree"), (":", "blob/HEAD")):
        repository, found, rest = report.partition(mark)
        if found:
            return f"[{report}](https://github.com/{repository}/{place}/{rest})"
    return report
