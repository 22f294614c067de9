"""The pages of the tutorial: one for each step and language, and their indexes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from kafka_site.model import Page, Site
from kafka_site.pictures.share_bar import share_bar
from kafka_site.templates import environment, render
from kafka_site.tutorial.differences import file
from kafka_site.tutorial.standing import Standing, key
from kafka_site.tutorial.steps import FOLDER, LANGUAGES, Language, Step, steps

_HEADING: Final = re.compile(r"# (.+)\n")


class Row(NamedTuple):
    """A line of the table of steps."""

    step: Step
    title: str
    standing: Standing | None


def pages(site: Site) -> Iterator[Page]:
    """Yield the index, that of each language, and the page of each step."""
    yield Page("tutorial/index", [], partial(_index, site))
    for language in LANGUAGES:
        yield Page(f"tutorial/{language.name}/index", [], partial(_of_language, site, language))
        for step in steps(language):
            yield Page(f"tutorial/{key(step)}", [], partial(_text, site, step))


def _index(site: Site) -> str:
    tables = [(language, _table(site, language, f"{language.name}/")) for language in LANGUAGES]
    return render("tutorial_index.md.j2", tables=tables, steps=steps(LANGUAGES[0]))


def _of_language(site: Site, language: Language) -> str:
    table = _table(site, language, "")
    return render("tutorial_language.md.j2", language=language, table=table, steps=steps(language))


def _table(site: Site, language: Language, folder: str) -> str:
    rows = [Row(step, title(step), site.standings.get(key(step))) for step in steps(language)]
    return render("tutorial_table.md.j2", rows=rows, folder=folder, bar=_bar)


def title(step: Step) -> str:
    """Return the heading of a step's text, which may differ by language."""
    text = (FOLDER / "text" / f"{step.name}.md").read_text(encoding="utf-8")
    heading = _HEADING.match(text)
    if heading is None:
        raise ValueError(f"{step.name}.md has no heading")
    return environment().from_string(heading.group(1)).render(is_=step.language.name)


def _text(site: Site, step: Step) -> str:
    return render(
        f"{FOLDER.name}/text/{step.name}.md",
        language=step.language,
        is_=step.language.name,
        step=step,
        file=partial(file, step),
        standing=site.standings.get(key(step)),
        outcome=_outcome(site, step),
        lines=sum(text.count("\n") for text in step.files.values()),
    )


def _outcome(site: Site, step: Step) -> str:
    standing = site.standings.get(key(step))
    if standing is None:
        return render("tutorial_unmeasured.md.j2", language=step.language)
    earlier = site.standings.get(key(steps(step.language)[step.number - 2])) if step.number > 1 else None
    before: Sequence[str] = earlier.rules if earlier else ()
    return render(
        "tutorial_outcome.md.j2",
        standing=standing,
        bar=_bar(standing),
        passed_before=earlier.passed if earlier else 0,
        new=[rule for rule in standing.rules if rule not in before],
        kept=[rule for rule in standing.rules if rule in before],
        gone=[rule for rule in before if rule not in standing.rules],
        link=partial(site.addresses.link, page=f"tutorial/{key(step)}"),
    )


def _bar(standing: Standing) -> str:
    return share_bar({"passed": standing.passed, "wrong": standing.wrong, "not taken on": standing.missing})
