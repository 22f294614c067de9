"""One schema in all releases: every version as of the newest release, and which ones differ.

Kafka drops old versions from its schemas, renames fields, and now and then gives bytes another
meaning without a new version. So every version is taken from the newest release that has it and
where it was not unstable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kafka_format.spec.layout.versioned import Versions
from kafka_format.spec.layout.versioned.versions import NO_VERSIONS

from kafka_generator.kafka_schemas.merge import Node, Release, drop_empty, merge, next_release, note_names, note_tags
from kafka_generator.kafka_schemas.names import current
from kafka_generator.kafka_schemas.places import VersionField, places, without_tags
from kafka_generator.kafka_schemas.schema import Schema, SchemaField

_ONLY = Versions(0, 0)


class Lineage:
    """All that releases say of one schema."""

    def __init__(self, releases: Mapping[Release, Schema]) -> None:
        """Take the schema of each release."""
        self.releases = dict(sorted(releases.items()))
        self.newest = self.releases[max(self.releases)]
        self.sources: dict[int, Release] = {}
        for release, schema in self.releases.items():
            for version in schema.versions.numbers:
                unstable = schema.unstable and version == schema.versions.highest
                older = self.sources.get(version)
                if older is None or not unstable or self._is_unstable(older, version):
                    self.sources[version] = release
        self.versions = sorted(self.sources)

    def _is_unstable(self, release: Release, version: int) -> bool:
        schema = self.releases[release]
        return schema.unstable and version == schema.versions.highest

    def places(self, version: int) -> tuple[VersionField, ...]:
        """Return the fields of one version, as in the release that the version is taken from."""
        return places(self.source(version).fields, version)

    def source(self, version: int) -> Schema:
        """Return the schema that a version is taken from."""
        return self.releases[self.sources[version]]

    def first(self, version: int) -> Release:
        """Return the first release that serves a version, or else the first that has it."""
        having = self._having(version)
        return next((release for release in having if not self._is_unstable(release, version)), having[0])

    def unstable_in(self, version: int) -> list[Release]:
        """Return the releases where a version was not to be used."""
        return [release for release in self._having(version) if self._is_unstable(release, version)]

    def _having(self, version: int) -> list[Release]:
        return [release for release, schema in self.releases.items() if version in schema.versions]

    def last(self, version: int) -> Release:
        """Return the last release that has a version."""
        return max(self._having(version))

    def contradictions(self) -> dict[tuple[int, bool, tuple[object, ...]], list[Release]]:
        """Return the releases that give a version other bytes: by version, flexibility and bytes.

        A tagged field that was not there yet is no contradiction.
        """
        releases: dict[tuple[int, bool, tuple[object, ...]], list[Release]] = {}
        for release, schema in self.releases.items():
            for version in schema.versions.numbers:
                own = places(schema.fields, version)
                flexible = version in schema.flexible
                same = flexible == (version in self.source(version).flexible)
                if not (same and without_tags(own, self.places(version))):
                    releases.setdefault((version, flexible, tuple(place.bytes for place in own)), []).append(release)
        return releases

    def merge(self, only: Mapping[int, Release] | None = None) -> list[Node]:
        """Put the trees of the releases together, newest first."""
        sources = self.sources if only is None else only
        nodes: list[Node] = []
        for release in sorted(set(sources.values()), reverse=True):
            schema = self.releases[release]
            own = {version for version, source in sources.items() if source == release}
            shared = sorted((v for v in sources if sources[v] > release and v in schema.versions), reverse=True)
            merge(nodes, schema.fields, own, shared)
        drop_empty(nodes)
        if only is None:
            self._old_names(nodes)
            self._late_tags(nodes)
        return nodes

    def _old_names(self, nodes: list[Node]) -> None:
        for release in sorted(self.releases, reverse=True):
            schema = self.releases[release]
            for version in schema.versions.numbers:
                note_names(nodes, schema.fields, version, release)

    def _late_tags(self, nodes: list[Node]) -> None:
        for release in sorted(self.releases):
            schema = self.releases[release]
            for version in schema.versions.numbers:
                if without_tags(places(schema.fields, version), self.places(version)):
                    note_tags(nodes, schema.fields, version, release)
        later = sorted(self.releases)
        next_release(nodes, later)


def lineages(schemas: Iterable[tuple[Release, Schema]]) -> dict[str, Lineage]:
    """Sort the schemas of all releases by the name that they have now."""
    by_name: dict[str, dict[Release, Schema]] = {}
    for release, schema in schemas:
        for part in _number(schema):
            if part.versions.numbers:
                by_name.setdefault(current(part.name), {})[release] = part
    for name, releases in by_name.items():
        if name.endswith("Response"):
            requests = by_name[name.removesuffix("Response") + "Request"]
            releases |= {
                number: replace(schema, unstable=requests[number].unstable) for number, schema in releases.items()
            }
    return {name: Lineage(releases) for name, releases in sorted(by_name.items())}


def _number(schema: Schema) -> list[Schema]:
    """Return a schema as releases from 4.1 on would number it.

    Before, the number of a coordinator's record was the version of the schema of its key, and one
    schema had the keys of 0.8.2 and of later releases.
    """
    if schema.type != "data" or not schema.name.endswith("Key") or schema.name == "TransactionLogKey":
        return [schema]
    whole = [
        replace(schema, versions=_ONLY, key=version, type="coordinator-key", fields=_move(schema.fields, version))
        for version in schema.versions.numbers
    ]
    if schema.name == "OffsetCommitKey":
        whole[0] = replace(whole[0], name="LegacyOffsetCommitKey")
    return whole


def _move(fields: Sequence[SchemaField], version: int) -> tuple[SchemaField, ...]:
    return tuple(
        replace(
            field,
            versions=_ONLY,
            nullable=_ONLY if version in field.nullable else NO_VERSIONS,
            fields=_move(field.fields, version),
        )
        for field in fields
        if version in field.versions
    )
