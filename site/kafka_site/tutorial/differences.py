"""What a step changes in a file, as HTML: lines that are new, and lines that are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from kafka_site.templates import render
from kafka_site.tutorial.steps import Step

_AROUND: Final = 3
"""Lines that are shown before and after a change."""


class Line(NamedTuple):
    """A line of code: its element in HTML (`ins`, `del`, `span`), and what is in it."""

    element: str
    html: str


GAP: Final = Line("span", '<span class="gap" aria-label="lines that stay">⋯</span>')


def file(step: Step, name: str) -> str:
    """Return a file that a step makes or changes: all of it if it is new, else what is other."""
    now = _lines(step.files[name], step.language.lexer)
    is_new = name not in step.before
    whole = [Line("span", line) for line in now]
    lines = whole if is_new else list(_changes(step, name, now))
    return render(
        "tutorial_file.html.j2",
        name=name,
        is_new=is_new,
        lines=lines,
        whole=whole,
        language=step.language.name,
        path=f"../../_static/tutorial/{step.language.name}/{step.name}/{name}",
    )


def _lines(text: str, lexer: str) -> list[str]:
    html: str = highlight(text, get_lexer_by_name(lexer, stripnl=False), HtmlFormatter(nowrap=True))
    return html.rstrip("\n").split("\n")


def _changes(step: Step, name: str, now: Sequence[str]) -> Iterator[Line]:
    before = _lines(step.before[name], step.language.lexer)
    matcher = SequenceMatcher(a=step.before[name].splitlines(), b=step.files[name].splitlines(), autojunk=False)
    for number, group in enumerate(matcher.get_grouped_opcodes(_AROUND)):
        if number:
            yield GAP
        for tag, start_before, end_before, start, end in group:
            if tag == "equal":
                yield from (Line("span", line) for line in now[start:end])
                continue
            yield from (Line("del", line) for line in before[start_before:end_before])
            yield from (Line("ins", line) for line in now[start:end])
