"""What Sphinx and furo leave out for people who listen to pages or use no mouse, put into each.

A caption of the navigation is a heading without a level, both sidebars are nameless, and an empty
corner of a table is a heading of nothing. Code, tables and pictures that are wider than their boxes
cannot be scrolled by keyboard. tests/kafka_site/test_browser.py looks for more.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sphinx.application import Sphinx

_MENDED: Final = (
    (re.compile(r'role="heading">'), 'role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="All pages">'),
    (re.compile(r'<aside class="toc-drawer'), '<aside aria-label="This page" class="toc-drawer'),
    (re.compile(r'<div class="highlight"><pre>'), '<div class="highlight"><pre tabindex="0">'),
    (re.compile(r'<div class="wide">'), '<div class="wide" tabindex="0" role="group" aria-label="Table">'),
    (re.compile(r'<div class="diagram">'), '<div class="diagram" tabindex="0" role="group" aria-label="Picture">'),
    (re.compile(r'<div class="table-'), '<div tabindex="0" role="group" aria-label="Table" class="table-'),
    (re.compile(r'<th(?: class="head")?>(?:<p></p>)?</th>'), "<td></td>"),
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Have every page mend before it is written."""
    app.connect("builder-inited", _mend_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _mend_pages(app: Sphinx) -> None:
    templates: Any = app.builder.templates
    render = templates.render
    templates.render = lambda template, context: mend(render(template, context))


def mend(page: str) -> str:
    """Return the HTML of a page with what was left out."""
    for wrong, right in _MENDED:
        page = wrong.sub(right, page)
    return page
