"""The head of a layout: what it is, its versions, and which releases had them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_generator.kafka_schemas.lineage import Lineage
from kafka_generator.kafka_schemas.merge import Release
from kafka_generator.kafka_schemas.names import base, layout_name, snake
from kafka_generator.kafka_schemas.text import release, scalar, span

_BEHIND: Final = {
    "coordinator-key": "record_number",
    "coordinator-value": "schema_version",
    "metadata": "metadata_record_frame",
}
_TOPICS: Final = {
    "group_records": "__consumer_offsets",
    "transactions": "__transaction_state",
    "share_groups": "__share_group_state",
    "metadata_records": "__cluster_metadata",
    "remote_log_records": "__remote_log_metadata",
}
_KINDS: Final = {"coordinator-key": "record_key", "coordinator-value": "record_value", "metadata": "record_value"}
_FILES: Final = ("AbortedTxn", "ProducerSnapshot", "QuorumStateData")
_VERSIONED: Final = (
    "AbortedTxn",
    "ConsumerProtocolAssignment",
    "ConsumerProtocolSubscription",
    "ControlRecordTypeSchema",
    "DefaultPrincipalData",
    "EndTxnMarker",
    "ProducerSnapshot",
)
"""Data after an int16 that is its version."""

_CAPITALS: Final = {"kraft": "KRaft", "scram": "SCRAM", "zk": "ZooKeeper"}


@dataclass(frozen=True)
class Head:
    """What the head of a layout is made of.

    Attributes:
        name: the name that the schema has now.
        lineage: the schema in all releases.
        folder: folder of the layout.
        purpose: what it is for.
        module: the jar that has the schema.
        old: first releases of versions that are older than the schemas, by the highest version that
            they count for.
        newest: the newest release that was looked at.
    """

    name: str
    lineage: Lineage
    folder: str
    purpose: str
    module: str
    old: Mapping[int, str]
    newest: Release

    @property
    def kind(self) -> str:
        """What the layout is."""
        schema_type = self.lineage.newest.type
        return "file" if self.name in _FILES else _KINDS.get(schema_type, schema_type)

    def of_layout(self) -> dict[str, str]:
        """Return the head of the layout, as YAML by its keys."""
        lineage = self.lineage
        low, high = lineage.versions[0], lineage.versions[-1]
        flexible = [version for version in lineage.versions if version in lineage.source(version).flexible]
        return {
            "layout": layout_name(self.name),
            "title": self._title(),
            **({"doc": scalar(self.purpose, flow=False)} if self.kind != "response" else {}),
            **dict(self._place()),
            "versions": str(high) if low == high else f"{low}-{high}",
            "flexible": span(flexible, high) if flexible else "none",
            **dict(self._history()),
        }

    def of_variant(self, own: str, version: int, releases: Sequence[Release]) -> dict[str, str]:
        """Return the head of what some releases have instead, as YAML by its keys."""
        first, last = release(releases[0]), release(releases[-1])
        flexible = version in self.lineage.releases[releases[-1]].flexible
        return {
            "layout": own,
            "title": f"{self._title()}, as in {first}" + (f" to {last}" if first != last else ""),
            **dict(self._place()),
            "variant_of": layout_name(self.name),
            "versions": str(version),
            "flexible": f"{version}+" if flexible else "none",
            "since": f'{{{version}: "{first}"}}',
            "until": f'{{{version}: "{last}"}}',
        }

    def _title(self) -> str:
        if self.kind in ("request", "response"):
            return f"{base(self.name)} {self.kind}"
        words = " ".join(_CAPITALS.get(word, word) for word in snake(self.name).split("_"))
        return words[0].upper() + words[1:]

    def _place(self) -> Iterator[tuple[str, str]]:
        schema = self.lineage.newest
        yield "kafka", self.name
        yield "kind", self.kind
        if schema.key is not None:
            yield ("api" if self.kind in ("request", "response") else "number"), str(schema.key)
        if self.kind.startswith("record"):
            yield "topic", _TOPICS[self.folder]
        behind = "schema_version" if self.name in _VERSIONED else _BEHIND.get(schema.type)
        if behind:
            yield "behind", "metadata_record_frame" if self.folder == "remote_log_records" else behind
        module = self.module.removeprefix("kafka-").replace("kafka_2.13", "core")
        yield "source", f"{module} {schema.name}.json"

    def _history(self) -> Iterator[tuple[str, str]]:
        lineage = self.lineage
        yield "since", _by_version((version, self._first(version)) for version in lineage.versions)
        gone = [version for version in lineage.versions if lineage.last(version) < self.newest]
        if gone:
            yield "until", _by_version((version, release(lineage.last(version))) for version in gone)
        unstable = [version for version in lineage.versions if lineage.unstable_in(version)]
        if unstable:
            yield "unstable", _by_version((version, _span_of(lineage.unstable_in(version))) for version in unstable)
        old = {schema.name: number for number, schema in lineage.releases.items() if schema.name != self.name}
        if old:
            yield "formerly", "{" + ", ".join(f'{name}: "{release(last)}"' for name, last in old.items()) + "}"

    def _first(self, version: int) -> str:
        known = [text for highest, text in sorted(self.old.items()) if version <= highest]
        return known[0] if known else release(self.lineage.first(version))


def _span_of(numbers: Sequence[Release]) -> str:
    first, last = release(numbers[0]), release(numbers[-1])
    return first if first == last else f"{first} to {last}"


def _by_version(pairs: Iterable[tuple[int, str]]) -> str:
    """Return versions and texts as YAML, versions with the same text as one range."""
    ranges: list[tuple[int, int, str]] = []
    for version, text in pairs:
        if ranges and ranges[-1][1:] == (version - 1, text):
            ranges[-1] = (ranges[-1][0], version, text)
        else:
            ranges.append((version, version, text))
    return "{" + ", ".join(f'{low if low == high else f"{low}-{high}"}: "{text}"' for low, high, text in ranges) + "}"
