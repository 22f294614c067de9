"""Links between the pages that were made: each must lead to a page, and to an element of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

_ID: Final = re.compile(r' id="([^"]+)"')
_HREF: Final = re.compile(r'<a [^>]*href="([^"]+)"')


class Links(NamedTuple):
    """Ids and links of a page."""

    ids: set[str]
    links: list[str]


def read(text: str) -> Links:
    """Read HTML as the pages of the build are written, which takes a tenth of a parser's time."""
    return Links(set(map(unescape, _ID.findall(text))), list(map(unescape, _HREF.findall(text))))


def broken_links(folder: Path) -> Iterator[str]:
    """Yield the links of all pages in a folder that lead nowhere, each after its page."""
    root = folder.resolve()
    pages = {file: read(file.read_text(encoding="utf-8")) for file in root.rglob("*.html")}
    for file, page in pages.items():
        for link in dict.fromkeys(page.links):
            path, _, anchor = link.partition("#")
            if ":" in path or "=" in anchor:  # elsewhere, or what the decoder in the page is to open
                continue
            target = (file.parent / path).resolve() if path else file
            if target.suffix == ".html" and (target not in pages or (anchor and anchor not in pages[target].ids)):
                yield f"{file.relative_to(root)}: {link}"
