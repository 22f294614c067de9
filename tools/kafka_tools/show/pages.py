"""Pages of HTML: what makes them of templates, and the style that all share."""

from typing import Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kafka_tools.text import printable

STYLE: Final = "style.css"
"""The style sheet that all pages share, beside the templates."""


def environment(package: str) -> Environment:
    """Return what makes pages of the templates of a package, in the common style.

    Every text is made fit to show. Markup stays as it is, since it was made of such texts.
    """
    return Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("kafka_tools.show")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
