"""One version of a versioned layout, as an ordinary layout that codecs read.

What the version decides is decided here: which fields are there, which are tagged, which forms
strings, bytes and arrays have, and what can be null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kafka_format.spec.layout.model import (
    BOOLEAN,
    CHECK_RULES,
    FLOAT64,
    AllDefaults,
    Counted,
    Field,
    Form,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
)
from kafka_format.spec.layout.types import FIXED, INTEGERS, VARINTS
from kafka_format.spec.layout.versioned.fields import camel
from kafka_format.spec.layout.versioned.model import UNKNOWN, VersionedField, VersionedLayout, VersionedStructure

_FORMS: Final = {"string": "string", "bytes": "bytes", "records": "bytes"}
_SIMPLE: Final[Mapping[str, Type]] = {**INTEGERS, **FIXED, "bool": BOOLEAN, "float64": FLOAT64}


def resolve(layout: VersionedLayout, version: int, forms: Mapping[str, Form]) -> Layout:
    """Return one version of a layout.

    Args:
        layout: the layout.
        version: the version.
        forms: the forms of strings and bytes, by their names.

    Raises:
        ValueError: the layout has no such version.
    """
    if version not in layout.versions:
        raise ValueError(f"{layout.name} has no version {version}; it has {layout.versions}")
    return _Resolver(layout, version, forms).whole()


class _Resolver:
    def __init__(self, layout: VersionedLayout, version: int, forms: Mapping[str, Form]) -> None:
        self._layout = layout
        self._version = version
        self._forms = forms
        self._flexible = version in layout.flexible

    def whole(self) -> Layout:
        layout = self._layout
        layout_of_version = self._structure(layout.body, f"{layout.title}, version {self._version}")
        since, until = layout.since[self._version], layout.until.get(self._version, "")
        surplus = tuple(surplus for versions, surplus in layout.surplus if self._version in versions)
        return replace(
            layout_of_version, doc=layout.doc, since=since, until=until, source=layout.source, surplus=surplus
        )

    def _structure(self, structure: VersionedStructure, title: str) -> Layout:
        layout = self._layout
        own = list(structure.fields_of(self._version))
        in_line = [self._field(field) for field in own if field.tag is None]
        if self._flexible and structure.has_tag_section:
            tagged = sorted((field for field in own if field.tag is not None), key=lambda field: field.tag or 0)
            others = sorted({field.tag for field in structure.fields if field.tag is not None and field not in tagged})
            in_line.append(self._tags(tuple(self._field(field) for field in tagged), tuple(others)))
        name = f"{layout.name}_v{self._version}"
        return Layout(
            name=name if structure is layout.body else f"{name}_{structure.name}",
            title=title,
            fields=tuple(in_line),
            file=layout.file,
            kafka=layout.kafka if structure is layout.body else "",
            type_name=structure.name,
            version=self._version,
        )

    def _tags(self, fields: tuple[Field, ...], elsewhere: tuple[int, ...]) -> Field:
        return Field(
            name=UNKNOWN,
            kafka="_unknownTaggedFields",
            type=TagSection(fields, elsewhere),
            doc="Tagged fields that this layout does not know, each as its tag and its bytes.",
            line=0,
            has_default=True,
            default=(),
        )

    def _field(self, field: VersionedField) -> Field:
        kind = self._type(field)
        default = AllDefaults() if isinstance(kind, Nested | Optional) and not field.default_is_null else field.default
        return Field(
            name=field.name,
            type=kind,
            doc=field.doc,
            line=field.line,
            has_default=True,
            default=default,
            names=field.names,
            kafka=field.kafka,
            formerly=tuple(map(camel, field.formerly)),
            tag=field.tag,
            holds=field.holds,
            held_by=field.held_by,
            rules=_rules(kind),
        )

    def _type(self, field: VersionedField) -> Type:
        nullable = self._version in field.nullable
        if field.is_array:
            length = VARINTS["compact_length"] if self._flexible else INTEGERS[field.count]
            return Counted(self._item(field, nullable=False), length, nullable=nullable)
        return self._item(field, nullable=nullable)

    def _item(self, field: VersionedField, *, nullable: bool) -> Type:
        if field.structure is not None:
            title = f"`{field.name}` of {self._layout.title}, version {self._version}"
            inner = self._structure(field.structure, title)
            marker = VARINTS["uvarint"] if field.tag is not None else INTEGERS["int8"]
            return Optional(inner, marker) if nullable else Nested(inner)
        if field.type in _SIMPLE:
            return _SIMPLE[field.type]
        flexible = self._flexible if field.flexible is None else self._version in field.flexible
        name = ("compact_" if flexible else "") + ("nullable_" if nullable else "") + _FORMS[field.type]
        form = self._forms[name]
        return replace(form, content="text") if form.content == "utf8" else form


def _rules(kind: Type) -> Mapping[str, str]:
    """Return the rules of a field's checks: those of its form, or of the form of its items."""
    item = kind.item if isinstance(kind, Counted) else kind
    return item.rules if isinstance(item, Form) else CHECK_RULES
