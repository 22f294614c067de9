"""Wrong specifications: layouts, forms or enumerations changed, in nested ones too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from kafka_format.spec.layout import Specification
from kafka_format.spec.layout.model import (
    Array,
    Bits,
    Choice,
    Enumeration,
    Field,
    Form,
    Layout,
    Nested,
    Type,
)


def replace_parts(
    right: Specification,
    *,
    layouts: Mapping[str, Layout] = MappingProxyType({}),
    forms: Mapping[str, Form] = MappingProxyType({}),
    enums: Mapping[str, Enumeration] = MappingProxyType({}),
) -> Specification:
    """Return the specification with these parts in the place of those of the same names."""
    renewal = _Renewal(layouts, forms, enums)
    return replace(
        right,
        layouts=MappingProxyType({name: renewal.layout(layout) for name, layout in right.layouts.items()}),
        forms=MappingProxyType({**right.forms, **forms}),
        enums=MappingProxyType({**right.enums, **enums}),
    )


class _Renewal:
    """Makes layouts anew, each once."""

    def __init__(
        self, layouts: Mapping[str, Layout], forms: Mapping[str, Form], enums: Mapping[str, Enumeration]
    ) -> None:
        self._changed = layouts
        self._forms = forms
        self._enums = enums
        self._known: dict[str, Layout] = {}

    def layout(self, layout: Layout) -> Layout:
        if layout.name not in self._known:
            changed = self._changed.get(layout.name, layout)
            self._known[layout.name] = replace(changed, fields=tuple(map(self._field, changed.fields)))
        return self._known[layout.name]

    def _field(self, field: Field) -> Field:
        by = field.compressed_by
        return replace(
            field,
            type=self._type(field.type),
            bits=tuple(map(self._bits, field.bits)),
            compressed_by=by and replace(by, bits=self._bits(by.bits)),
            when=tuple(replace(condition, bits=self._bits(condition.bits)) for condition in field.when),
            names=field.names and self._enum(field.names),
        )

    def _type(self, kind: Type) -> Type:
        match kind:
            case Form(name=name):
                return self._forms.get(name, kind)
            case Nested(layout=layout):
                return Nested(self.layout(layout))
            case Array(item=item):
                return replace(kind, item=self._type(item))
            case Choice(cases=cases):
                return replace(kind, cases={number: self.layout(layout) for number, layout in cases.items()})
            case _:
                return kind

    def _bits(self, bits: Bits) -> Bits:
        return replace(bits, enum=bits.enum and self._enum(bits.enum))

    def _enum(self, enum: Enumeration) -> Enumeration:
        return self._enums.get(enum.name, enum)
