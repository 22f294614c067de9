"""The templates of pages and pictures, in site/templates."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import jinja2
from markupsafe import Markup

SITE: Final = Path(__file__).resolve().parents[1]
ROOT: Final = SITE.parent

_CODE: Final = re.compile(r"`([^`]+)`")
_JOINT: Final = re.compile(r"([._\]])(?=.)")


@cache
def environment() -> jinja2.Environment:
    """Return the environment of site/templates; HTML and SVG are escaped, Markdown is not."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader([SITE / "templates", SITE / "text", SITE]),
        undefined=jinja2.StrictUndefined,
        autoescape=lambda name: name is not None and ".md" not in name,  # noqa: S701 - Markdown is not HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.globals["zip"] = zip
    templates.filters |= {"code_spans": code_spans, "breakable": breakable}
    return templates


def code_spans(text: str) -> str:
    """Return a sentence as HTML, with what stands between backticks in code letters."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def breakable(path: str) -> Markup:
    """Return a path of fields as HTML that may go on in a new line between its words."""
    return Markup(_JOINT.sub(r"\1<wbr>", escape(path)))  # noqa: S704 - escaped


def render(template: str, **values: object) -> str:
    """Return a template filled with values."""
    return environment().get_template(template).render(**values)
