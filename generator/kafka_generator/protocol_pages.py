"""The pages of the protocol: one that lists the APIs, and one for each family of layouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure

from kafka_generator import protocol_counts
from kafka_generator.markdown import environment

FAMILIES: Final = {
    "headers": "Headers",
    "cluster": "Versions, metadata and brokers",
    "produce_and_fetch": "Produce and fetch",
    "groups": "Groups and committed offsets",
    "transactions": "Transactions",
    "topics": "Topics",
    "configurations": "Configurations, quotas and telemetry",
    "security": "Authentication, access rules and tokens",
    "share_groups": "Share groups",
    "streams_groups": "Streams groups",
    "controllers": "Brokers and controllers",
    "quorum": "The quorum of the metadata log",
    "group_records": "Records in __consumer_offsets",
    "metadata_records": "Records in __cluster_metadata",
    "control_records": "Control records",
    "remote_log_records": "Records in __remote_log_metadata",
    "log_files": "Files of a log directory",
    "content": "What Connect, MirrorMaker and assignors write",
    "v07_requests": "Requests of 0.7",
}


def pages(vectors: Sequence[Mapping[str, Any]] = ()) -> dict[str, str]:
    """Return the text of each page by its path below docs/, given the vectors as JSON has them."""
    templates = environment(Path(__file__).parent / "templates")
    layouts = list(specification().versioned.values())
    values = {
        "apis": _apis(layouts),
        "data": [(layout, _page(layout)) for layout in layouts if layout.api is None and not layout.variant_of],
        "variants": [(layout, _page(layout)) for layout in layouts if layout.variant_of],
        "surplus": [(layout, _page(layout)) for layout in layouts if layout.surplus],
        "newest": max((release for layout in layouts for release in layout.since.values()), key=_order),
        **protocol_counts.values(vectors),
    }
    texts = {"protocol.md": templates.get_template("protocol.md.j2").render(values)}
    template = templates.get_template("protocol_family.md.j2")
    for folder, family in _by_folder(layouts).items():
        texts[f"protocol/{folder}.md"] = template.render(
            folder=folder,
            title=FAMILIES[folder],
            layouts=family,
            rows=_rows,
            type=type_of,
            default=default,
            releases=releases,
            formerly=_formerly,
        )
    return texts


def _order(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))


def _page(layout: VersionedLayout) -> str:
    return layout.file.split("/")[2]


def _apis(layouts: Iterable[VersionedLayout]) -> list[tuple[int, VersionedLayout, VersionedLayout, str]]:
    """Return number, request, response and page of each API."""
    known = [layout for layout in layouts if not layout.variant_of]
    requests = {layout.api: layout for layout in known if layout.kind == "request"}
    responses = {layout.api: layout for layout in known if layout.kind == "response"}
    numbers = sorted(number for number in requests if number is not None)
    return [(number, requests[number], responses[number], _page(requests[number])) for number in numbers]


def _by_folder(layouts: Iterable[VersionedLayout]) -> Mapping[str, list[VersionedLayout]]:
    """Return the layouts by folder: requests before responses, by API; data after them."""
    by_folder: dict[str, list[VersionedLayout]] = {folder: [] for folder in FAMILIES}
    for layout in layouts:
        by_folder[_page(layout)].append(layout)
    for family in by_folder.values():
        family.sort(
            key=lambda layout: (layout.api is None, layout.api or 0, layout.number or 0, layout.kafka, layout.name)
        )
    return by_folder


def _rows(layout: VersionedLayout) -> Iterator[tuple[str, VersionedField]]:
    """Yield every field with its path, as `topics[].partitions[].offset`."""
    return _fields(layout.body, "")


def _fields(structure: VersionedStructure, path: str) -> Iterator[tuple[str, VersionedField]]:
    for field in structure.fields:
        own = path + field.name + ("[]" if field.is_array else "")
        yield own, field
        if field.structure is not None:
            yield from _fields(field.structure, own + ".")


def type_of(field: VersionedField) -> str:
    """Return the type of a field in the words of the layouts."""
    rigid = ", never compact" if field.flexible is not None and not field.flexible.numbers else ""
    return ("array of " if field.is_array else "") + field.type + rigid


def default(field: VersionedField) -> str:
    """Return the default of a field in words; empty if it is not worth saying."""
    if field.default_is_null:
        return "null"
    if field.is_array or field.structure is not None or not field.default or isinstance(field.default, bytes):
        return ""
    return str(field.default).lower() if isinstance(field.default, bool) else str(field.default)


def releases(by_version: Mapping[int, str]) -> str:
    """Return a text with versions and their releases; versions of one release are a range."""
    spans: list[tuple[int, int, str]] = []
    for version, release in sorted(by_version.items()):
        if spans and spans[-1][1:] == (version - 1, release):
            spans[-1] = (spans[-1][0], version, release)
        else:
            spans.append((version, version, release))
    return ", ".join(f"{low if low == high else f'{low}-{high}'} in {release}" for low, high, release in spans)


def _formerly(named: VersionedField | VersionedLayout) -> str:
    return ", ".join(
        f"`{name}` ({'in' if ' to ' in releases else 'until'} {releases})" for name, releases in named.formerly.items()
    )
