"""The pages of the rules, one for each file of spec/rules, and their index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from kafka_format.spec.rules import Rule

from kafka_site import sources
from kafka_site.addresses import Address
from kafka_site.bugs import name as name_of
from kafka_site.model import Page, Site
from kafka_site.pages import structures
from kafka_site.templates import render

_TITLES: Final = {
    "entries": "Entries: what a log is a run of",
    "legacy": "Messages of v0 and v1",
    "v2": "Record batches (v2)",
    "v07": "Messages of 0.7",
    "control": "Control records",
    "compression": "Compression",
    "primitives": "Numbers, strings and bytes",
    "consumer": "What a consumer delivers",
    "offsets": "What a broker assigns",
    "conversion": "What a broker converts",
    "encoding": "What an encoder writes",
    "protocol": "Requests and responses",
    "content": "Inside keys and values",
    "log_files": "Files of a log directory",
    "log_directories": "Log directories as a whole",
}
"""The files of spec/rules in the order in which a reader wants them, with their titles; not those
of our own frames."""


def pages(site: Site) -> Iterator[Page]:
    """Yield the index and the page of each file."""
    by_file: dict[str, list[Rule]] = {name: [] for name in _TITLES}
    for rule in site.rules.values():
        if rule.about != "adapter":
            by_file[_stem(rule)].append(rule)
    yield Page("rules/index", [], partial(_index, by_file))
    for name, of_file in by_file.items():
        addresses = [Address("rule", rule.id, f"rules/{name}", rule.id) for rule in of_file]
        yield Page(f"rules/{name}", addresses, partial(_page, site, name, of_file))


def _stem(rule: Rule) -> str:
    return rule.file.rpartition("/")[2].removesuffix(".yaml")


def _index(by_file: Mapping[str, list[Rule]]) -> str:
    return render("rules_index.md.j2", by_file=by_file, titles=_TITLES, total=sum(map(len, by_file.values())))


def _fields(site: Site) -> Mapping[str, list[str]]:
    """Return the fields that each rule is about."""
    by_rule: dict[str, list[str]] = {}
    for layout in site.layouts.values():
        for field, of_field in structures.rules_of_fields(layout).items():
            for rule in of_field:
                by_rule.setdefault(rule, []).append(f"{layout.name}.{field}")
    return by_rule


def _page(site: Site, name: str, of_file: list[Rule]) -> str:
    known = _fields(site)
    vectors = {rule.id: site.vectors_by_rule.get(rule.id) for rule in of_file}
    flags = {rule.id: [flag for flag in site.flags.values() if rule.id in flag.relaxes] for rule in of_file}
    return render(
        "rules.md.j2",
        title=_TITLES[name],
        name=name,
        rules=of_file,
        vectors=vectors,
        flags=flags,
        fields={rule.id: known.get(rule.id, []) for rule in of_file},
        source=lambda rule: sources.linked(rule.source),
        reports={rule.id: site.bugs.reports_by_rule.get(rule.id, ()) for rule in of_file},
        findings={
            rule.id: [name_of(finding) for finding in site.bugs.findings_by_rule.get(rule.id, ())] for rule in of_file
        },
        link=partial(site.addresses.link, page=f"rules/{name}"),
    )
