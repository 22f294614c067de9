"""What a page says of itself where its link is shared: title, description, picture and icon.

The description is the first paragraph of the page, if it has any. Addresses in such tags should be
whole; where the build does not know where it will stand (`html_baseurl`), the picture's is
relative, and the page's is left out.
"""

from __future__ import annotations

from html import escape
from typing import Any, Final

from docutils.nodes import document, paragraph
from sphinx.application import Sphinx

SITE_NAME: Final = "Kafka format conformance"

_ABOUT: Final = "The bytes of Apache Kafka as data: structures, rules, and golden vectors."
"""What is said of a page without a paragraph, such as a table of vectors."""

_LONGEST: Final = 200
"""Characters of a description that others show."""

ICON: Final = "_static/icon.svg"
PICTURE: Final = "_static/share.png"
"""1200 by 630 pixels, drawn from site/share.svg, since those who show links take no SVG."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Put the tags into every page."""
    app.connect("html-page-context", _add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_tags(app: Sphinx, page: str, _template: str, context: dict[str, Any], tree: document | None) -> None:
    base = app.config.html_baseurl.rstrip("/")
    where, root = (f"{base}/{page}.html", f"{base}/") if base else ("", "../" * page.count("/"))
    title = context.get("title") or page.capitalize()  # Sphinx's own pages, such as the search, have none
    text = (tree is not None and description(tree)) or _ABOUT
    context["metatags"] = context.get("metatags", "") + tags(title, text, app.config.project, where, root)


def description(tree: document) -> str:
    """Return the first paragraph of a page as one line, cut at a word if it is long."""
    texts = (" ".join(found.astext().split()) for found in tree.findall(paragraph))
    text = next(filter(None, texts), "")
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"


def of_plain_page(title: str, text: str, page: str) -> str:
    """Return tags and icon of a page that is written past Sphinx; its path has no suffix."""
    root = "../" * page.count("/")
    return f'{tags(escape(title), text, SITE_NAME, root=root)}<link rel="icon" href="{root}{ICON}">'


def tags(title: str, text: str, site: str, where: str = "", root: str = "") -> str:
    """Return the tags of a page as HTML.

    Args:
        title: its title, as HTML has it.
        text: its description.
        site: the name of the site.
        where: its whole address; empty if nobody knows it.
        root: the address of the site, or the way there from the page.
    """
    picture = f"{root}{PICTURE}"
    named = {"og:type": "article", "og:site_name": site, "og:description": text, "og:url": where, "og:image": picture}
    properties = [f'<meta property="{name}" content="{escape(value)}">' for name, value in named.items() if value]
    described = f'<meta name="description" content="{escape(text)}">' if text else ""
    return "\n".join([f'<meta property="og:title" content="{title}">', described, *properties, ""])
