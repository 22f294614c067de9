"""The fields of a versioned layout, built from its YAML and checked against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kafka_format.spec.layout.model import Enumeration, HeldBy
from kafka_format.spec.layout.release_names import release_text
from kafka_format.spec.layout.types import INTEGERS
from kafka_format.spec.layout.versioned import checks, defaults
from kafka_format.spec.layout.versioned.model import UNKNOWN, VersionedField, VersionedStructure
from kafka_format.spec.layout.versioned.versions import NO_VERSIONS, Versions
from kafka_format.spec.layout.yamlfile import Section, suggest

SCALARS: Final = (
    "bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "uuid", "string", "bytes", "records",
)  # fmt: skip
"""The types of Kafka's schemas."""

_COUNTS: Final = ("int32", "int16")
"""Types that may count an array that is not compact; int32 by default."""

HELD: Final = ("records", "request", "response", "telemetry")
"""Contents that bytes can have besides layouts."""

_NULLABLE: Final = frozenset({"string", "bytes", "records"})
_LENGTHS: Final = frozenset({"string", "bytes", "records"})
_KEYS: Final = (
    "name", "kafka", "type", "map_key", "versions", "nullable", "tag", "flexible", "default", "since", "formerly",
    "names", "holds", "held_by", "doc", "fields",
)  # fmt: skip


def camel(name: str) -> str:
    """Return Kafka's name of a field, such as maxWaitMs, unless the layout gives another."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


class FieldBuilder:
    """Builds the fields of one layout."""

    def __init__(
        self,
        versions: Versions,
        flexible: Versions,
        enumeration: Callable[[Section, str], Enumeration | None],
        is_layout: Callable[[str], bool],
    ) -> None:
        """Take the versions, the flexible ones, and lookups of enumerations and layouts."""
        self._versions = versions
        self._flexible = flexible
        self._enumeration = enumeration
        self._is_layout = is_layout
        self._common: dict[str, Section] = {}
        self._used: set[str] = set()
        self._open: list[str] = []
        self._structures: dict[str, int] = {}

    def common(self, sections: Sequence[Section]) -> None:
        """Take the structures that are used more than once."""
        for section in sections:
            section.only("name", "doc", "fields")
            name = section.name("name")
            self._claim(section, name)
            self._common[name] = section

    def check_used(self) -> None:
        """Refuse a common structure that no field names."""
        for name, section in self._common.items():
            if name not in self._used:
                raise section.error(f"no field has the type `{name}`", key="name", advice="take the structure out")

    def structure(self, name: str, section: Section, versions: Versions) -> VersionedStructure:
        """Build the fields under `fields:`, which are there in these versions at most."""
        entries = section.sections("fields")
        if "fields" not in section.values:
            raise section.error(f"`{name}` has no fields", advice="write `fields:` and a list under it")
        built: list[VersionedField] = []
        for entry in entries:
            field = self._field(entry, versions, name)
            checks.check_name(entry, field, built)
            built.append(field)
        checks.check_tags(section, built)
        return VersionedStructure(name, tuple(built))

    def _claim(self, section: Section, name: str) -> None:
        if name in self._structures:
            raise section.error(
                f"the structure `{name}` appears twice",
                key="type",
                advice=f"the first is in line {self._structures[name]}; put one under `structures:`",
            )
        self._structures[name] = section.line

    def _field(self, section: Section, outer: Versions, whole: str) -> VersionedField:
        section.only(*_KEYS)
        name = section.name("name")
        if name == UNKNOWN:
            raise section.error(f"`{name}` is what readers call the tags that no layout knows", key="name")
        versions = outer
        if "versions" in section.values:
            versions = self._own_versions(section, outer, whole)
        kind, is_array, count = self._type(section)
        structure = self._members(section, kind, versions)
        is_null, default = defaults.of_field(section, kind, is_array=is_array, is_structure=structure is not None)
        field = VersionedField(
            name=name,
            kafka=self._kafka(section, name),
            type=kind,
            structure=structure,
            is_array=is_array,
            count=count,
            versions=versions,
            nullable=self._nullable(section, versions, kind, is_array=is_array, is_structure=structure is not None),
            tag=self._tag(section, versions, kind, is_array=is_array),
            flexible=self._own_flexible(section, versions, kind),
            default=default,
            default_is_null=is_null,
            since=release_text(section, "since"),
            formerly=checks.former_names(section),
            names=self._names(section, kind),
            holds=self._holds(section, kind),
            held_by=self._held_by(section, kind),
            map_key=self._map_key(section, kind, is_array=is_array),
            doc=section.text("doc"),
            line=section.line,
        )
        if structure is not None and not is_array:
            checks.check_no_map_keys(section, structure)
        if field.default_is_null and "default" in section.values and field.nullable != field.versions:
            raise section.error("null is not allowed in all versions, so it cannot be the default", key="default")
        return field

    def _own_versions(self, section: Section, outer: Versions, whole: str) -> Versions:
        """Return a field's versions.

        In a common structure, they may go beyond those of one use of it.
        """
        if whole in self._common:
            versions = checks.versions_under(section, "versions", self._versions, "the layout").intersection(outer)
        else:
            versions = checks.versions_under(section, "versions", outer, f"`{whole}`")
            if versions == outer or not versions.numbers:
                raise section.error("these are all versions, or none", key="versions", advice="leave `versions` out")
        return versions

    def _type(self, section: Section) -> tuple[str, bool, str]:
        """Return the type of a field or its items, whether it is an array, and what counts it."""
        value = section.values.get("type")
        if isinstance(value, Section):
            value.only("array", "count")
            return value.text("array", required=True), True, self._count(value)
        if not isinstance(value, str):
            raise section.error("`type` must be a name or {array: NAME}", key="type")
        return value, False, _COUNTS[0]

    def _count(self, section: Section) -> str:
        count = section.text("count") or _COUNTS[0]
        if count not in _COUNTS:
            raise section.error(f"`{count}` counts no array", key="count", advice=f"one of {', '.join(_COUNTS)} does")
        return count

    def _members(self, section: Section, kind: str, versions: Versions) -> VersionedStructure | None:
        if kind in SCALARS:
            if "fields" in section.values:
                raise section.error(f"{kind} has no fields", key="fields")
            return None
        if "fields" in section.values:
            self._claim(section, kind)
            return self.structure(kind, section, versions)
        if kind not in self._common:
            known = [*SCALARS, *self._common]
            advice = suggest(kind, known) or "write `fields:`"
            raise section.error(f"`{kind}` is not a type, and has no fields here", key="type", advice=advice)
        return self._common_structure(section, kind, versions)

    def _common_structure(self, section: Section, name: str, versions: Versions) -> VersionedStructure:
        """Build one use of a common structure, which must not contain itself."""
        if name in self._open:
            raise section.error(f"`{name}` contains itself: {' > '.join([*self._open, name])}", key="type")
        self._used.add(name)
        self._open.append(name)
        try:
            return self.structure(name, self._common[name], versions)
        finally:
            self._open.pop()

    def _kafka(self, section: Section, name: str) -> str:
        given = section.text("kafka")
        if given == camel(name):
            raise section.error(f"`{given}` is what Kafka calls `{name}` anyway", key="kafka", advice="leave it out")
        return given or camel(name)

    def _nullable(
        self, section: Section, versions: Versions, kind: str, *, is_array: bool, is_structure: bool
    ) -> Versions:
        value = section.values.get("nullable", False)
        if value is False:
            return NO_VERSIONS
        if not (is_array or is_structure or kind in _NULLABLE):
            advice = "strings, bytes, arrays and structures can"
            raise section.error(f"{kind} cannot be null", key="nullable", advice=advice)
        if value is True:
            return versions
        nullable = checks.versions_under(section, "nullable", versions, "the field")
        if not nullable.numbers:
            raise section.error("a field without `nullable` is never null", key="nullable", advice="leave it out")
        return nullable

    def _tag(self, section: Section, versions: Versions, kind: str, *, is_array: bool) -> int | None:
        tag = section.number("tag")
        if tag is None:
            return None
        if tag < 0:
            raise section.error("a tag is 0 or more", key="tag")
        if not versions.is_within(self._flexible):
            raise section.error(
                f"only flexible versions have tagged fields; {versions} are not all among {self._flexible}", key="tag"
            )
        if kind == "records" and not is_array:
            raise section.error("records cannot be tagged", key="tag")
        return tag

    def _own_flexible(self, section: Section, versions: Versions, kind: str) -> Versions | None:
        if "flexible" not in section.values:
            return None
        if kind not in _LENGTHS:
            raise section.error(f"{kind} has no length", key="flexible", advice="strings and bytes have")
        return checks.versions_under(
            section, "flexible", versions.intersection(self._flexible), "the field that are flexible"
        )

    def _map_key(self, section: Section, kind: str, *, is_array: bool) -> str | None:
        """Return the release under `map_key`, empty for `true`; None if the field is no map key."""
        value = section.values.get("map_key")
        if value is None:
            return None
        if is_array or kind not in SCALARS:
            raise section.error("an array or a structure is no map key", key="map_key")
        return "" if value is True else release_text(section, "map_key", required=True)

    def _holds(self, section: Section, kind: str) -> str:
        if "holds" in section.values and kind != "bytes":
            raise section.error(f"{kind} holds nothing else", key="holds", advice="bytes do")
        word = section.text("holds")
        if word and word not in HELD and not self._is_layout(word):
            advice = f"write {', '.join(HELD)}, or the name of a layout with versions"
            raise section.error(f"there is no layout `{word}`", key="holds", advice=advice)
        return "records" if kind == "records" else word

    def _held_by(self, section: Section, kind: str) -> HeldBy | None:
        if "held_by" not in section.values:
            return None
        if kind != "bytes":
            raise section.error(f"{kind} holds nothing else", key="held_by", advice="bytes do")
        held = section.section("held_by")
        held.only("fields", "layouts")
        fields, layouts = held.texts("fields"), held.section("layouts")
        names = {text: layouts.text(text, required=True) for text in layouts.values}
        for text, name in names.items():
            if not self._is_layout(name):
                advice = "write the name of a layout with versions"
                raise layouts.error(f"there is no layout `{name}`", key=text, advice=advice)
        if not fields or not names:
            raise held.error("says neither where the text stands nor what it means", advice="write both")
        return HeldBy(tuple(fields), names)

    def _names(self, section: Section, kind: str) -> Enumeration | None:
        enumeration = self._enumeration(section, "names")
        if enumeration is not None and (kind not in INTEGERS or not checks.fits(enumeration, kind)):
            raise section.error(f"the numbers of `{enumeration.name}` do not fit {kind}", key="names")
        return enumeration
