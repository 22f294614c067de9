"""What a page says of itself where its link is shared: title, description, icon of the site.

The description is the first paragraph of the page. Addresses in such tags must be whole, so the
picture and the page are named only if the build knows where it will stand (`html_baseurl`).
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

from docutils.nodes import document, paragraph
from sphinx.application import Sphinx

_LONGEST: Final = 200
"""Characters of a description that others show."""

ICON: Final = "icon.svg"


def setup(app: Sphinx) -> dict[str, bool]:
    """Put the tags into every page that has a text."""
    app.connect("html-page-context", _add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_tags(app: Sphinx, page: str, _template: str, context: dict[str, Any], tree: document | None) -> None:
    if tree is not None:
        where = f"{app.config.html_baseurl.rstrip('/')}/{page}.html" if app.config.html_baseurl else ""
        title = context.get("title", "")
        context["metatags"] = context.get("metatags", "") + tags(title, description(tree), app.config.project, where)


def description(tree: document) -> str:
    """Return the first paragraph of a page as one line, cut at a word if it is long."""
    texts = (" ".join(found.astext().split()) for found in tree.findall(paragraph))
    text = next(filter(None, texts), "")
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"


def tags(title: str, text: str, site: str, where: str = "") -> str:
    """Return the tags of a page as HTML.

    Args:
        title: its title, as HTML has it.
        text: its description.
        site: the name of the site.
        where: its whole address; empty if nobody knows it.
    """
    named = {"og:type": "article", "og:site_name": site, "og:description": text, "og:url": where}
    properties = [f'<meta property="{name}" content="{escape(value)}">' for name, value in named.items() if value]
    described = f'<meta name="description" content="{escape(text)}">' if text else ""
    return "\n".join([f'<meta property="og:title" content="{title}">', described, *properties, ""])
