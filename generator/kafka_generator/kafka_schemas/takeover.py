"""Writes spec/layouts/protocol out of the schemas in Kafka's jars.

    PYTHONPATH=generator python -m kafka_generator.kafka_schemas.takeover JARS [SCHEMA...]

writes the layouts of the schemas named, or of all. It was run for the releases to 4.4. Since then
the YAML is the source: run it for what a new release brings, and look at the difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import yaml

from kafka_generator.kafka_schemas.head import Head
from kafka_generator.kafka_schemas.jars import Jar, jars
from kafka_generator.kafka_schemas.lineage import Lineage, lineages
from kafka_generator.kafka_schemas.merge import Node, Release
from kafka_generator.kafka_schemas.names import base, layout_name, snake
from kafka_generator.kafka_schemas.text import LayoutText, Sentences, release

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]


def table(name: str) -> dict[str, Any]:
    """Return a YAML file beside this one."""
    content: dict[str, Any] = yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
    return content


class Takeover:
    """Everything that a layout needs besides its schema."""

    def __init__(self, every_jar: Sequence[Jar]) -> None:
        """Read the jars and the tables beside this file."""
        self._lineages = lineages((jar.release, schema) for jar in every_jar for schema in jar.schemas())
        self._modules = {schema.name: jar.module for jar in every_jar for schema in jar.schemas()}
        self._sentences = Sentences(table("sentences"), table("named"))
        self._families = table("families")
        self._folders = {name: family for family, names in self._families.items() for name in names}
        self._old: Mapping[str, Mapping[int, str]] = table("first_releases")
        self._newest = max(jar.release for jar in every_jar)

    def files(self, wanted: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield path (below spec/layouts/protocol) and text of each layout, variants included."""
        for name, lineage in self._lineages.items():
            if wanted and name not in wanted:
                continue
            folder = self._folders[base(name)]
            yield f"{folder}/{layout_name(name)}.yaml", self._layout(self._head(name, lineage), lineage)
            for (version, _, _), releases in lineage.contradictions().items():
                own = f"{layout_name(name)}_of_{release(releases[-1]).replace('.', '_')}"
                yield f"{folder}/{own}.yaml", self._variant(self._head(name, lineage), own, lineage, version, releases)

    def _head(self, name: str, lineage: Lineage) -> Head:
        return Head(
            name=name,
            lineage=lineage,
            folder=self._folders[base(name)],
            purpose=self._families[self._folders[base(name)]][base(name)],
            module=self._modules[lineage.newest.name],
            old=self._old.get(base(name), {}),
            newest=self._newest,
        )

    def _layout(self, head: Head, lineage: Lineage) -> str:
        return self._text(head.of_layout(), lineage.merge(), set(lineage.versions), snake(lineage.newest.name))

    def _variant(self, head: Head, own: str, lineage: Lineage, version: int, releases: Sequence[Release]) -> str:
        nodes = lineage.merge({version: releases[-1]})
        return self._text(head.of_variant(own, version, releases), nodes, {version}, snake(lineage.newest.name))

    def _text(self, head: Mapping[str, str], nodes: list[Node], versions: set[int], structure: str) -> str:
        shared = _shared_structures(nodes)
        writer = LayoutText(self._sentences, max(versions), shared)
        lines = [f"{key}: {value}" for key, value in head.items()]
        if shared:
            lines.append("structures:")
        for name in shared:
            node = _as_one(deepcopy(list(_all(nodes, name))))
            lines += [f"  - name: {name}", "    fields:"]
            lines += writer.fields(node.fields, node.versions, name, "      ")
        lines.append("fields:" if nodes else "fields: []")
        lines += writer.fields(nodes, versions, structure, "  ")
        return "\n".join(lines) + "\n"


def _all(nodes: Sequence[Node], structure: str) -> Iterator[Node]:
    for node in nodes:
        if node.fields and snake(node.type.removeprefix("[]")) == structure:
            yield node
        yield from _all(node.fields, structure)


def _as_one(uses: Sequence[Node]) -> Node:
    """Merge what the uses of a structure know of its fields: their versions, their older names."""
    first, *others = uses
    for other in others:
        first.versions |= other.versions
        position = 0
        for theirs in other.fields:
            mine = next((field for field in first.fields if field.name == theirs.name), None)
            if mine is None:
                first.fields.insert(position, mine := theirs)
            position = first.fields.index(mine) + 1
            mine.nullable |= theirs.nullable
            mine.called |= theirs.called
            for name, releases in theirs.formerly.items():
                mine.formerly.setdefault(name, set()).update(releases)
            mine.since = max(filter(None, (mine.since, theirs.since)), default=None)
            _as_one([mine, theirs])
    return first


def _shared_structures(nodes: Sequence[Node]) -> list[str]:
    """Return the names of structures that are used at several places, innermost first."""
    names: list[str] = []

    def walk(level: Sequence[Node]) -> None:
        for node in level:
            walk(node.fields)
            name = snake(node.type.removeprefix("[]"))
            if node.fields and name not in names and len(list(_all(nodes, name))) > 1:
                names.append(name)

    walk(nodes)
    return names


def main() -> int:
    """Write the layouts."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.kafka_schemas.takeover", description=__doc__)
    parser.add_argument("jars", metavar="JARS", type=Path, help="the folder of Kafka's jars, see `make schemas`")
    parser.add_argument("schemas", nargs="*", metavar="SCHEMA", help="names of schemas; default: all")
    options = parser.parse_args()
    home = ROOT / "spec" / "layouts" / "protocol"
    for path, text in Takeover(jars(options.jars)).files(options.schemas):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
