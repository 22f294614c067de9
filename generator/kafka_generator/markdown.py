"""How pages are written: jinja2 for Markdown, prose at 100 columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import jinja2


def environment(templates: Path) -> jinja2.Environment:
    """Return a folder's template environment; `cell` is for tables, `link` for bug report ids."""
    # The output is Markdown, not HTML.
    templates_of_folder = jinja2.Environment(  # noqa: S701
        loader=jinja2.FileSystemLoader(templates),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates_of_folder.filters |= {"cell": _cell, "link": _link}
    return templates_of_folder


PARTLY_MADE: Final = ": made by generate.py -->\n"
"""What stands in a page that people write and of which `fill` makes a part."""


def fill(page: str, name: str, text: str) -> str:
    """Return a page with a text between the marks of that name; unchanged if it has none."""
    before, begin, rest = page.partition(f"<!-- {name}{PARTLY_MADE}")
    _, end, after = rest.partition(f"<!-- end of {name} -->\n")
    return before + begin + text + end + after if end else page


COLUMNS: Final = 100
"""Of prose; tables, code, headings and what has no space to break at may be wider."""

_ITEM: Final = re.compile(r"(?P<indent> *)(?P<mark>[-*]|\d+\.) +")
_NO_PROSE: Final = re.compile(r"[|#<]| {4}|\[[^]]+\]: |!\[")
_MARK: Final = re.compile(r"([-+*>=|]|#+|\d+[.)])( |$)|[|<]|={2,}|-{2,}")
"""What a line of prose must not begin with, since it would be something else there."""


def wrap(text: str) -> str:
    """Return a page with its prose at 100 columns. Paragraphs within them stay as they are."""
    return "".join(_in_columns(text.splitlines(keepends=True)))


def _in_columns(lines: list[str]) -> Iterator[str]:
    is_code = False
    for is_prose, block in _blocks(lines):
        fences = sum(line.lstrip().startswith("```") for line in block)
        if is_prose and not is_code and any(len(line) > COLUMNS + 1 for line in block):
            yield _fill(block)
        else:
            yield from block
        is_code ^= bool(fences % 2)


def _blocks(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """Yield paragraphs and items of lists, and what stands between them."""
    number = 0
    marked = []
    for before, line in zip(["\n", *lines], lines, strict=False):
        starts = bool(_ITEM.match(line)) or _is_prose(line) != _is_prose(before)
        number += starts
        marked.append((number, line))
    for _, group in groupby(marked, lambda pair: pair[0]):
        block = [line for _, line in group]
        yield _is_prose(block[0]), block


def _is_prose(line: str) -> bool:
    return bool(line.strip()) and not _NO_PROSE.match(line) and not line.lstrip().startswith("```")


def _fill(block: list[str]) -> str:
    """Return a paragraph or item rewrapped; unchanged if a line would become something else."""
    item = _ITEM.match(block[0])
    rest = " " * len(item.group()) if item else ""
    first = item.group() if item else ""
    words = " ".join(line.strip() for line in block)[len(first.strip()) :].strip()
    made = textwrap.wrap(
        words,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "".join(block) if any(_MARK.match(line.strip()) for line in made[1:]) else "\n".join(made) + "\n"


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def _link(report: str) -> str:
    """Return a report as a link, where there is something to follow."""
    for mark, place in (("#", "issues"), ("@", "tree"), (":", "blob/HEAD")):
        repository, is_split, rest = report.partition(mark)
        if is_split:
            return f"[{report}](https://github.com/{repository}/{place}/{rest})"
    return report
