"""The trees of several releases put together, field by field, newest first.

Fields that stand at the same place in a version that two releases share are one field, whatever
they are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kafka_format.spec.layout.versioned import Versions

from kafka_generator.kafka_schemas.places import bytes_type
from kafka_generator.kafka_schemas.schema import SchemaField

Release = tuple[int, ...]


@dataclass
class Node:
    """One field, in all versions that have it.

    Attributes:
        name: Kafka's name in the newest release that has it.
        formerly: Kafka's other names, each with the releases that used it.
        called: the releases that used the name that it has now.
        since: the release that added it to versions that there were; None where it is as old as its
            versions.
        map_key: as in the newest release that has it.
    """

    name: str
    type: str
    versions: set[int]
    nullable: set[int]
    tag: int | None
    default: str | None
    flexible: Versions | None
    fields: list[Node]
    map_key: bool = False
    formerly: dict[str, set[Release]] = field(default_factory=dict)
    called: set[Release] = field(default_factory=set)
    since: Release | None = None


def merge(nodes: list[Node], fields: Sequence[SchemaField], own: set[int], shared: Sequence[int]) -> None:
    """Add the `own` versions of an older release; the nodes have the `shared` ones too."""
    pairs = _pairs(nodes, fields, shared)
    position = 0
    for theirs in fields:
        node = pairs.get(id(theirs))
        versions = {version for version in own if version in theirs.versions}
        if node is None:
            if not versions:
                continue
            node = Node(
                theirs.name, theirs.type, set(), set(), theirs.tag, theirs.default, theirs.flexible, [], theirs.map_key
            )
            nodes.insert(position, node)
        position = nodes.index(node) + 1
        node.versions |= versions
        node.nullable |= {version for version in versions if version in theirs.nullable}
        merge(node.fields, theirs.fields, versions, [version for version in shared if version in theirs.versions])


def _pairs(nodes: Sequence[Node], fields: Sequence[SchemaField], shared: Sequence[int]) -> dict[int, Node]:
    """Return each field's node: the same place in a shared version, else the same name."""
    pairs: dict[int, Node] = {}
    for version in shared:
        mine = [node for node in nodes if version in node.versions]
        theirs = [candidate for candidate in fields if version in candidate.versions]
        if [_node_type(node) for node in mine] == [_field_type(candidate) for candidate in theirs]:
            for node, other in zip(mine, theirs, strict=True):
                pairs.setdefault(id(other), node)
    taken = {id(node) for node in pairs.values()}
    for other in fields:
        for node in nodes:
            same = node.name.lower() == other.name.lower() and _node_type(node) == _field_type(other)
            if id(other) not in pairs and id(node) not in taken and same:
                pairs[id(other)] = node
    return pairs


def _node_type(node: Node) -> str:
    return bytes_type(node.type, has_fields=bool(node.fields))


def _field_type(schema_field: SchemaField) -> str:
    return bytes_type(schema_field.type, has_fields=bool(schema_field.fields))


def drop_empty(nodes: list[Node]) -> None:
    """Drop the nodes that no version has."""
    nodes[:] = [node for node in nodes if node.versions]
    for node in nodes:
        drop_empty(node.fields)


def note_names(nodes: Sequence[Node], fields: Sequence[SchemaField], version: int, release: Release) -> None:
    """Note what a release calls the fields of a version."""
    mine = _in_order([node for node in nodes if version in node.versions])
    own = [candidate for candidate in fields if version in candidate.versions]
    theirs = sorted(own, key=lambda candidate: -1 if candidate.tag is None else candidate.tag)
    tags = {candidate.tag for candidate in theirs}
    mine = [node for node in mine if node.tag in tags]
    if [_node_type(node) for node in mine] != [_field_type(field) for field in theirs]:
        return
    for node, other in zip(mine, theirs, strict=True):
        if node.name.lower() != other.name.lower():
            node.formerly.setdefault(other.name, set()).add(release)
        else:
            node.called.add(release)
        note_names(node.fields, other.fields, version, release)


def _in_order(nodes: Sequence[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: -1 if node.tag is None else node.tag)


def note_tags(nodes: Sequence[Node], fields: Sequence[SchemaField], version: int, release: Release) -> None:
    """Note at every tagged field the last release that lacks it in a version that it has."""
    there = {candidate.tag for candidate in fields if version in candidate.tagged}
    theirs = [candidate for candidate in fields if version in candidate.versions and candidate.tag is None]
    mine = [node for node in nodes if version in node.versions and node.tag is None]
    for node in nodes:
        if node.tag is not None and version in node.versions and node.tag not in there:
            node.since = max(node.since or release, release)
    for node, other in zip(mine, theirs, strict=True):
        note_tags(node.fields, other.fields, version, release)


def next_release(nodes: Sequence[Node], releases: Sequence[Release]) -> None:
    """Turn the last release that lacks a field into the first one that has it."""
    for node in nodes:
        if node.since is not None:
            node.since = releases[releases.index(node.since) + 1]
        next_release(node.fields, releases)
