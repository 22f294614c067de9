"""What a release of Kafka says of a schema, and our layouts' version of it, as comparable texts.

A text has a line for each field of each version: its name, type, what decides about its bytes, and
whether it is a map key.
`record.json` keeps the digests of the texts made from the jars, so that the layouts can be checked
where there are no jars.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_format.spec.layout.versioned import VersionedField, VersionedLayout, VersionedStructure

from kafka_generator.kafka_schemas.defaults import of_field, of_schema
from kafka_generator.kafka_schemas.names import snake
from kafka_generator.kafka_schemas.schema import Schema, SchemaField

RECORD: Final = Path(__file__).with_name("record.json")
Minor = tuple[int, ...]
_SAME: Final = {"records": "bytes"}


def minor(text: str) -> Minor:
    """Return `(4, 1)` for `4.1`, and for the releases before 1.0 `(0, 11, 0)`."""
    return tuple(int(part) for part in text.split("."))


def of_release(schema: Schema) -> str:
    """Return the facts of a schema in one release."""
    lines = [f"{schema.type} {schema.key}" if schema.type in ("request", "response") else "data"]
    for version in schema.versions.numbers:
        unstable = " unstable" if schema.unstable and version == schema.versions.highest else ""
        lines.append(f"version {version}{' flexible' if version in schema.flexible else ''}{unstable}")
        lines += _of_schema(schema.fields, version, "  ")
    return "\n".join(lines)


def _of_schema(fields: Iterable[SchemaField], version: int, indent: str) -> Iterator[str]:
    own = [field for field in fields if version in field.versions]
    for field in sorted(own, key=lambda field: -1 if field.tag is None else field.tag):
        kind = ("[]" if field.is_array else "") + ("" if field.fields else _SAME.get(field.item, field.item))
        if field.item[:1].isupper():
            kind = "[]" if field.is_array else "structure"
        yield _line(
            indent,
            snake(field.name),
            kind,
            nullable=version in field.nullable,
            tag=field.tag if version in field.tagged else None,
            default=of_schema(field) if version in field.tagged else "",
            rigid=field.flexible is not None and version not in field.flexible,
            map_key=field.map_key,
        )
        yield from _of_schema(field.fields, version, indent + "  ")


def of_layouts(main: VersionedLayout, variants: Iterable[VersionedLayout], release: Minor) -> str:
    """Return the facts of a release's schema that follow from our layouts.

    Args:
        main: the layout.
        variants: the layouts of releases that contradict it.
        release: the release, as `(4, 1)`.
    """
    lines = [f"{main.kind} {main.api}" if main.api is not None else "data"]
    for version in main.versions.numbers:
        if not is_there(main, version, release):
            continue
        layout = next(
            (variant for variant in variants if version in variant.versions and is_there(variant, version, release)),
            main,
        )
        unstable = " unstable" if _is_unstable(main, version, release) else ""
        lines.append(f"version {version}{' flexible' if version in layout.flexible else ''}{unstable}")
        lines += _of_structure(layout.body, version, release, "  ")
    return "\n".join(lines)


def _is_unstable(layout: VersionedLayout, version: int, release: Minor) -> bool:
    first, _, last = layout.unstable.get(version, "").partition(" to ")
    return bool(first) and minor(first) <= release <= minor(last or first)


def is_there(layout: VersionedLayout, version: int, release: Minor) -> bool:
    """Tell whether a release has a version of a layout, to be used or not."""
    until = layout.until.get(version)
    if until is not None and release > minor(until):
        return False
    return release >= minor(layout.since[version]) or _is_unstable(layout, version, release)


def _of_structure(structure: VersionedStructure, version: int, release: Minor, indent: str) -> Iterator[str]:
    own = [field for field in structure.fields_of(version) if not field.since or release >= minor(field.since)]
    for field in sorted(own, key=lambda field: -1 if field.tag is None else field.tag):
        kind = ("[]" if field.is_array else "") + ("" if field.structure else _SAME.get(field.type, field.type))
        yield _line(
            indent,
            _name(field, release),
            kind or "structure",
            nullable=version in field.nullable,
            tag=field.tag,
            default=of_field(field) if field.tag is not None else "",
            rigid=field.flexible is not None and version not in field.flexible,
            map_key=field.map_key is not None and (not field.map_key or release >= minor(field.map_key)),
        )
        if field.structure is not None:
            yield from _of_structure(field.structure, version, release, indent + "  ")


def _name(field: VersionedField, release: Minor) -> str:
    """Return the name that a release has for a field."""
    old = []
    for name, used in field.formerly.items():
        first, _, last = used.rpartition(" to ")
        if release <= minor(last) and (not first or minor(first) <= release):
            old.append((minor(last), name))
    return min(old)[1] if old else snake(field.kafka)


def _line(
    indent: str, name: str, kind: str, *, nullable: bool, tag: int | None, default: str, rigid: bool, map_key: bool
) -> str:
    tagged = "" if tag is None else f" tag {tag} default {default}"
    notes = (" or null" if nullable else "", tagged, " never compact" if rigid else "", " map key" if map_key else "")
    return f"{indent}{name} {kind}{''.join(notes)}"


def digest(text: str) -> str:
    """Return the digest of a text that is its key in the record."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_record(texts: Mapping[str, Mapping[str, str]]) -> None:
    """Write the record: each schema's releases, and a digest wherever what they say changes."""
    schemas = {name: _changes(by_release) for name, by_release in texts.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(changes)}" for name, changes in schemas.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _changes(by_release: Mapping[str, str]) -> list[list[str]]:
    """Return runs of releases that say the same: the digest, and the releases."""
    runs: list[list[str]] = []
    for release, text in by_release.items():
        if runs and runs[-1][0] == digest(text):
            runs[-1].append(release)
        else:
            runs.append([digest(text), release])
    return [[run[0], " ".join(run[1:])] for run in runs]


def read_record() -> dict[str, dict[str, str]]:
    """Return the record: by schema and release, as `4.1`, the digest of what the release says."""
    schemas = json.loads(RECORD.read_text(encoding="utf-8"))
    return {
        name: {release: known for known, releases in runs for release in releases.split()}
        for name, runs in schemas.items()
    }
