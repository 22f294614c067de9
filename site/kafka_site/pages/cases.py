"""The pages of vectors that are no records alone: brokers, consumers, and log directories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import render

TITLES: Final = {
    "assign": "What a broker assigns",
    "convert": "What a broker converts",
    "deliver": "What a consumer delivers",
    "log-files": "Files of log directories",
    "log-directories": "Log directories",
}
"""The pages in their order."""

_LONGEST: Final = 400
"""Digits of one value in hex that are shown."""

_APART: Final = {
    "id",
    "title",
    "verdict",
    "rules",
    "rule",
    "flag",
    "breaks",
    "hex",
    "reach",
    "oracle",
    "kafka",
    "files",
}
"""What the page has a place of its own for."""

_SELDOM: Final = {"family", "formats", "provenance", "changed"}
"""What is in the files and does not tell about the case."""


class Case(NamedTuple):
    """One vector as its page shows it.

    Attributes:
        title: what is special about it.
        verdict: valid, invalid or lenient; sound or broken for a directory.
        breaks: the rules that it breaks.
        hex: the bytes, if they are one run.
        files: names and sizes of a directory's files.
        facts: all else that was said and is expected, by name.
        judges: the releases of Kafka that were asked.
    """

    id: str
    title: str
    verdict: str
    rules: Sequence[str]
    breaks: Sequence[str]
    flag: str
    hex: str | None
    files: Sequence[tuple[str, int]]
    facts: Sequence[tuple[str, str]]
    evidence: str
    judges: Sequence[str]


def pages(site: Site) -> Iterator[Page]:
    """Yield the page of each kind."""
    kinds = cases(site)
    for name, title in TITLES.items():
        path = f"vectors/{name}"
        addresses = [Address("vector", case["id"], path, case["id"]) for case in kinds[name]]
        yield Page(path, addresses, partial(_page, site, path, title, kinds[name]))


def cases(site: Site) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the vectors of each kind, as JSON."""
    kinds: dict[str, list[Mapping[str, Any]]] = {name: [] for name in TITLES}
    for one in site.directions:
        kinds[one["family"]].append(one)
    for one in site.log_vectors:
        kinds[f"log-{'files' if one['id'].startswith('file/') else 'directories'}"].append(one)
    return kinds


def _page(site: Site, path: str, title: str, found: Sequence[Mapping[str, Any]]) -> str:
    return render(
        "cases.md.j2",
        title=title,
        cases=map(_case, found),
        reports=site.bugs.reports_by_vector,
        link=partial(site.addresses.link, page=path),
    )


def _case(one: Mapping[str, Any]) -> Case:
    expected = one.get("expected", {})
    breaks = one.get("breaks", [one["rule"]] if "rule" in one else [expected["rule"]] if "rule" in expected else [])
    return Case(
        id=one["id"],
        title=one.get("title") or f"The file {one['file']}" if "file" in one else one.get("title") or one["name"],
        verdict=one.get("verdict") or ("broken" if breaks else "sound"),
        rules=one.get("rules", ()),
        breaks=breaks,
        flag=one.get("flag", ""),
        hex=_short(one["hex"]) if "hex" in one else None,
        files=[(name, len(content) // 2) for name, content in one.get("files", {}).items()],
        facts=list(_facts(one)),
        evidence=one["reach"]["evidence"] if "reach" in one else "",
        judges=list(one.get("oracle") or one.get("kafka", ())),
    )


def _facts(one: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in one.items():
        if name == "expected":
            yield from ((f"expected {key}", _text(part)) for key, part in value.items() if key != "rule")
        elif name not in _APART | _SELDOM:
            yield name, _text(value)


def _text(value: object) -> str:
    return _short(value) if isinstance(value, str) else _short(json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text)} characters)"
