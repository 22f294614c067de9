"""Puts the layouts beside the schemas in Kafka's jars: nothing missing, nothing else.

`make schemas` fetches the jars and runs it: it tells every difference, line by line, and where
there is none writes the record that the tests check the layouts against where there are no jars.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_generator.kafka_schemas import facts
from kafka_generator.kafka_schemas.jars import jars
from kafka_generator.kafka_schemas.lineage import Lineage, lineages

Texts = dict[str, dict[str, str]]
"""By schema and release, what the release says of the schema."""


def texts(folder: Path) -> Texts:
    """Return the schemas of the releases whose jars are in a folder, as comparable text."""
    schemas = ((jar.release, schema) for jar in jars(folder) for schema in jar.schemas())
    return {name: _texts(lineage) for name, lineage in lineages(schemas).items()}


def _texts(lineage: Lineage) -> dict[str, str]:
    return {".".join(map(str, release[:2])): facts.of_release(schema) for release, schema in lineage.releases.items()}


def layouts() -> dict[str, tuple[VersionedLayout, list[VersionedLayout]]]:
    """Return the layouts by Kafka's names of their schemas, each with its variants.

    Left out is what Kafka had before it had schemas, so that its source is no JSON file.
    """
    by_name: dict[str, tuple[VersionedLayout, list[VersionedLayout]]] = {}
    known = [layout for layout in specification().versioned.values() if "json" in layout.source]
    for layout in known:
        if not layout.variant_of:
            variants = [other for other in known if other.variant_of == layout.name]
            by_name[layout.kafka] = (layout, variants)
    return by_name


def expected(names: Mapping[str, Mapping[str, object]]) -> Texts:
    """Return the same text from our layouts, for a table's schemas and releases."""
    known = layouts()
    return {
        name: {release: facts.of_layouts(*known[name], facts.minor(release)) for release in releases}
        for name, releases in names.items()
        if name in known
    }


def differences(schemas: Texts) -> Iterator[str]:
    """Yield every difference between the releases and the layouts, a line or a few each."""
    ours = expected(schemas)
    for name in sorted(set(schemas) ^ set(layouts())):
        yield f"{name}: " + ("no layout" if name in schemas else "in no release")
    for name in sorted(ours):
        for release, text in schemas[name].items():
            lines = difflib.unified_diff(
                text.splitlines(), ours[name][release].splitlines(), f"{name} {release}", "the layout", lineterm="", n=2
            )
            yield from lines


def check(folder: Path) -> list[str]:
    """Compare the layouts with the jars in a folder, and write the record if all is well.

    Returns:
        What differs, a line or a few each.
    """
    schemas = texts(folder)
    problems = list(differences(schemas))
    if not problems:
        facts.write_record(schemas)
    return problems
