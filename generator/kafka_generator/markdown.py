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


def filled(page: str, name: str, text: str) -> str:
    """Return a page with a text put between the marks of that name; the same page if it has no such marks."""
    before, begin, rest = page.partition(f"<!-- {name}: made by generate.py -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->\n")
    return before + begin + text + end + after if end else page


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _link(report: str) -> str:
    """Return a report as a link, where there is something to follow."""
    for mark, place in (("#", "issues"), ("@", "tree"), (":", "blob/HEAD")):
        repository, found, rest = report.partition(mark)
        if found:
            return f"[{report}](https://github.com/{repository}/{place}/{rest})"
    return report
