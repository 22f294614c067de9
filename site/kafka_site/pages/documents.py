"""Pages of docs/ that the site shows, too: as they are there, so that nothing is said twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from kafka_site.model import Page, Site
from kafka_site.templates import ROOT

SHOWN: Final = ("your-decoder.md", "your-client.md", "adapter-protocol.md")

_ELSEWHERE: Final = {"../site/tutorial": "../tutorial/index.md", "rules.md": "../rules/index.md"}
"""Pages of the site whose source docs/ links to."""

_LINK: Final = re.compile(r"\[([^]]*)\]\((?![a-z]+:|#)([^)#]*)(#[^)]*)?\)")


def pages(_site: Site) -> Iterator[Page]:
    """Yield them."""
    for name in SHOWN:
        yield Page(f"documents/{name.removesuffix('.md')}", [], partial(_text, name))


def _text(name: str) -> str:
    return _LINK.sub(_link, (ROOT / "docs" / name).read_text(encoding="utf-8"))


def _link(match: re.Match[str]) -> str:
    """Keep links to pages of the site; of what is only in the repository, tell the path."""
    text, path = match.group(1), match.group(2)
    if path in SHOWN:
        return match.group(0)
    if path in _ELSEWHERE:
        return f"[{text}]({_ELSEWHERE[path]})"
    in_repository = f"`{path.removeprefix('../')}`"
    return in_repository if text.strip("`") in path else f"{text} ({in_repository})"
