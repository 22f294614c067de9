"""The pages of structures: record formats, control records, compression, frames, log files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

import yaml
from kafka_conformance.targets.catalogue import Finding, FindingKind
from kafka_format.spec.layout.model import Array, Choice, Counted, Field, Layout, Nested, Optional
from kafka_format.spec.rules import Rule
from kafka_generator.pages import OF_LAYOUTS

from kafka_site import examples, sources
from kafka_site.addresses import Address
from kafka_site.bugs import name as name_of
from kafka_site.model import Page, Site
from kafka_site.pictures.layout_diagram import diagram
from kafka_site.pictures.side_by_side import side_by_side
from kafka_site.rule_vectors import OfRule
from kafka_site.templates import SITE, render

_FAMILIES: Final = {
    "batch": "Record batches (v2)",
    "message": "Messages of 0.7, v0 and v1",
    "control": "Control records",
    "compression": "Compression",
    "log": "Files of a data directory",
    "content": "Inside keys and values",
    "framing": "Around requests, responses and records",
    "primitive": "Tagged fields",
    "v07": "Requests and responses of 0.7",
}
"""The folders of spec/layouts in the order in which a reader wants them."""


class _Change(NamedTuple):
    """A row of two structures side by side: a field of the one before, and what became of it."""

    before: Field | None
    now: Field | None
    place_before: str
    place_now: str

    @property
    def said(self) -> str:
        """What happened to the field."""
        if self.now is None:
            return "gone"
        if self.before is None:
            return "new"
        old, new = self.before.type.name, self.now.type.name
        renamed = "" if self.before.name == self.now.name else f"now in {self.now.name}"
        retyped = "" if old == new else f"{old} before"
        moved = "" if self.place_before == self.place_now else "moved"
        return ", ".join(filter(None, (renamed, retyped, moved))) or "as it was"


@cache
def descriptions() -> Mapping[str, dict[str, Any]]:
    """Return what site/structures.yaml says of each structure.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    texts: dict[str, dict[str, Any]] = yaml.safe_load((SITE / "structures.yaml").read_text(encoding="utf-8"))[
        "structures"
    ]
    return texts


def pages(site: Site) -> Iterator[Page]:
    """Yield the index and the page of each structure."""
    by_family: dict[str, list[Layout]] = {family: [] for family in _FAMILIES}
    order = list(descriptions())
    for layout in sorted(
        site.layouts.values(), key=lambda layout: order.index(layout.name) if layout.name in order else len(order)
    ):
        by_family[layout.file.split("/")[1]].append(layout)
    yield Page("structures/index", [], partial(_index, by_family))
    for layout in site.layouts.values():
        yield Page(f"structures/{layout.name}", list(_addresses(layout)), partial(_page, site, layout))


def _addresses(layout: Layout) -> Iterator[Address]:
    page = f"structures/{layout.name}"
    yield Address("structure", layout.name, page, layout.name)
    for field in layout.fields:
        name = f"{layout.name}.{field.name}"
        yield Address("field", name, page, name)
        for bits in field.bits:
            yield Address("field", f"{name}.{bits.name}", page, f"{name}.{bits.name}")


def _index(by_family: Mapping[str, list[Layout]]) -> str:
    return render("structures_index.md.j2", by_family=by_family, titles=_FAMILIES)


def _page(site: Site, layout: Layout) -> str:
    known = descriptions().get(layout.name, {})
    path = f"structures/{layout.name}"
    before = site.layouts[known["before"]] if "before" in known else None
    mine = list(_rules(layout, known, site))
    changes = list(_changes(before, layout, known.get("became", {}))) if before else []
    return render(
        "structure.md.j2",
        layout=layout,
        source=sources.linked(layout.source),
        picture=diagram(layout) if layout.fields else "",
        news=known.get("news", ""),
        before=before,
        changes=changes,
        beside=side_by_side(before, layout, [(change.before, change.now) for change in changes]) if before else "",
        used_in=[other for other in site.layouts.values() if _holds(other, layout)],
        rules=mine,
        counts={rule.id: site.vectors_by_rule.get(rule.id, OfRule()).count for rule in mine},
        findings=list(_findings(mine, site)),
        reports=list(dict.fromkeys(report for rule in mine for report in site.bugs.reports_by_rule.get(rule.id, ()))),
        name=name_of,
        flags={rule.id: [flag for flag in site.flags.values() if rule.id in flag.relaxes] for rule in mine},
        example=examples.of_structure(site, layout.name, known),
        link=partial(site.addresses.link, page=path),
        has=site.addresses.has,
        parts=_parts,
        of_fields=rules_of_fields(layout),
        **OF_LAYOUTS,
    )


def rules_of_fields(layout: Layout) -> Mapping[str, list[str]]:
    """Return the rules that are about each field, or its bits, by its name: `attributes.codec`."""
    by_field = {field.name: OF_LAYOUTS["own_rules"](field) for field in layout.fields}
    for name, more in descriptions().get(layout.name, {}).get("fields", {}).items():
        by_field[name] = list(dict.fromkeys([*by_field.get(name, ()), *more]))
    return by_field


def _rules(layout: Layout, known: Mapping[str, Any], site: Site) -> Iterator[Rule]:
    """Yield the rules that hold here, those of the fields first, in their order."""
    named = dict.fromkeys(rule for field in layout.fields for rule in OF_LAYOUTS["own_rules"](field))
    for identity in named:
        if identity in site.rules:
            yield site.rules[identity]
    for rule in site.rules.values():
        if rule.id not in named and rule.id.startswith(tuple(known.get("rules", ()))) and rule.about != "protocol":
            yield rule


def _findings(about: Sequence[Rule], site: Site) -> Iterator[Finding]:
    """Yield what decoders get wrong with these rules, and real data can reach, each once."""
    findings = {name_of(finding): finding for rule in about for finding in site.bugs.findings_by_rule.get(rule.id, ())}
    yield from (finding for finding in findings.values() if finding.kind is FindingKind.REACHABLE)


def _holds(layout: Layout, other: Layout) -> bool:
    """Tell whether a field of one layout is the other, or items of it."""
    return any(other in _parts(field) for field in layout.fields)


def _parts(field: Field) -> list[Layout]:
    """Return the layouts that a field is made of."""
    match field.type:
        case Nested(layout=inner) | Optional(layout=inner):
            return [inner]
        case Array(item=Nested(layout=inner)) | Counted(item=Nested(layout=inner)):
            return [inner]
        case Choice(cases=cases):
            return list(cases.values())
        case _:
            return []


def _changes(before: Layout, now: Layout, became: Mapping[str, str]) -> Iterator[_Change]:
    """Yield the fields of both, side by side; a field that kept its name is the same field."""
    places_before, places_now = _places(before), _places(now)
    fields_now = {field.name: field for field in now.fields}
    seen = set()
    for field in before.fields:
        name = became.get(field.name, field.name)
        after = fields_now.get(name)
        seen.add(name)
        yield _Change(field, after, places_before[field.name], places_now.get(name, ""))
    for field in now.fields:
        if field.name not in seen:
            yield _Change(None, field, "", places_now[field.name])


def _places(layout: Layout) -> dict[str, str]:
    """Return at which byte each field begins, as far as every field before it has a fixed size."""
    places = {}
    place: int | None = 0
    for field in layout.fields:
        places[field.name] = "" if place is None else str(place)
        size = OF_LAYOUTS["size"](field)
        place = place + int(size) if place is not None and size.isdigit() else None
    return places
