"""Checks of a versioned layout's fields: nested ranges, tags without gaps, unique names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from kafka_format.spec.layout.model import Enumeration
from kafka_format.spec.layout.release_names import span_text
from kafka_format.spec.layout.types import INTEGERS
from kafka_format.spec.layout.versioned.model import VersionedField, VersionedStructure
from kafka_format.spec.layout.versioned.versions import Versions
from kafka_format.spec.layout.yamlfile import Section


def versions_under(section: Section, key: str, outer: Versions, whole: str) -> Versions:
    """Return the versions under a key, which must be among the outer ones.

    Args:
        section: where the key stands.
        key: the key.
        outer: what they have to be among, and where `3+` ends.
        whole: what has the outer versions, for the message.
    """
    if key not in section.values:
        raise section.error(f"says nothing of `{key}`", advice=f"write `{key}: 0-3`")
    try:
        versions = Versions.parse(str(section.values[key]), outer.highest)
    except ValueError as error:
        raise section.error(str(error), key=key, advice="write `3`, `0-3`, `3+` or `none`") from None
    if not versions.is_within(outer):
        raise section.error(f"`{key}` {versions} goes beyond {outer}, the versions of {whole}", key=key)
    return versions


def fits(enumeration: Enumeration, kind: str) -> bool:
    """Tell whether an integer of that type holds all numbers of an enumeration."""
    return all(INTEGERS[kind].lowest <= number <= INTEGERS[kind].highest for number in enumeration.values)


def former_names(section: Section) -> Mapping[str, str]:
    """Return the names under `formerly:`, each with the last release that used it."""
    named = section.section("formerly")
    return MappingProxyType({name: span_text(named, name) for name in named.values})


def check_name(section: Section, field: VersionedField, earlier: Sequence[VersionedField]) -> None:
    """Refuse a field whose name, or name in Kafka's JSON, another one has in the same version."""
    for other in earlier:
        shared = field.versions.intersection(other.versions)
        if shared.numbers and (field.name == other.name or field.kafka == other.kafka):
            advice = f"the first is in line {other.line}"
            raise section.error(f"`{field.name}` appears twice in version {shared}", key="name", advice=advice)


def check_no_map_keys(section: Section, structure: VersionedStructure) -> None:
    """Refuse map keys in a structure that is no item of an array; `section` is what has it."""
    own = dict(zip((field.name for field in structure.fields), section.sections("fields"), strict=False))
    for field in structure.fields:
        if field.map_key is not None:
            advice = f"take `map_key` from `{field.name}`, in line {field.line}"
            place = own.get(field.name, section)
            raise place.error(f"`{structure.name}` is not in an array, so it has no map keys", advice=advice)


def check_tags(section: Section, fields: Sequence[VersionedField]) -> None:
    """Tags of a structure are 0, 1, 2 and so on, each once."""
    entries = dict(zip((field.name for field in fields), section.sections("fields"), strict=True))
    lines: dict[int, int] = {}
    count = sum(field.tag is not None for field in fields)
    for field in fields:
        if field.tag is None:
            continue
        if field.tag in lines:
            advice = f"the first is in line {lines[field.tag]}"
            raise entries[field.name].error(f"tag {field.tag} appears twice", key="tag", advice=advice)
        if field.tag >= count:
            advice = f"{count} tagged fields have the tags 0 to {count - 1}"
            raise entries[field.name].error(f"tag {field.tag} leaves a gap", key="tag", advice=advice)
        lines[field.tag] = field.line
