"""Types that `type:` may name: a scalar, a form, another layout, an array, a choice, the rest."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from kafka_format.primitives.varints import VARINT_KINDS
from kafka_format.spec.layout.model import (
    CHECK_RULES,
    Array,
    Choice,
    Enumeration,
    Fixed,
    Form,
    Integer,
    Layout,
    Nested,
    Rest,
    Type,
    Varint,
)
from kafka_format.spec.layout.release_names import release_text
from kafka_format.spec.layout.yamlfile import Section, suggest

Endian = Literal["big", "little"]

_CODES: Final = {1: "b", 2: "h", 4: "i", 8: "q"}


def _integers(order: Endian) -> Mapping[str, Integer]:
    integers = {}
    for size, code in _CODES.items():
        bits = size * 8
        integers[f"int{bits}"] = Integer(f"int{bits}", size, code, -(1 << (bits - 1)), (1 << (bits - 1)) - 1, order)
        integers[f"uint{bits}"] = Integer(f"uint{bits}", size, code.upper(), 0, (1 << bits) - 1, order)
    return MappingProxyType(integers)


INTEGERS: Final = _integers("big")
LITTLE_INTEGERS: Final = _integers("little")
VARINTS: Final[Mapping[str, Varint]] = MappingProxyType({name: Varint(kind) for name, kind in VARINT_KINDS.items()})
SCALARS: Final[Mapping[str, Integer | Varint]] = MappingProxyType({**INTEGERS, **VARINTS})
FIXED: Final[Mapping[str, Fixed]] = MappingProxyType({"uuid": Fixed("uuid", 16)})
REST: Final = Rest()


def rules(section: Section, *, base: Mapping[str, str] = CHECK_RULES) -> Mapping[str, str]:
    """Return the rule of every check: the ones under `rules:`, and `base` for the others."""
    named = section.section("rules")
    named.only(*CHECK_RULES)
    for check in named.values:
        named.text(check, required=True)
    return MappingProxyType({**base, **named.values}) if named.values else base


class TypeTable:
    """All types that a field may name."""

    def __init__(
        self, enums: Mapping[str, Enumeration], forms: Mapping[str, Form], layouts: Mapping[str, Layout]
    ) -> None:
        """Take the enumerations, the forms and the layouts by name."""
        self.enums = enums
        self.forms = forms
        self._layouts = layouts

    def form(self, name: str, top: Section) -> Form:
        """Return the form that a file declares."""
        top.only("form", "title", "doc", "since", "source", "length", "content", "null", "rules")
        release_text(top, "since")
        length = top.text("length", required=True)
        if length not in SCALARS:
            raise top.error(f"`{length}` cannot be a length", key="length", advice=suggest(length, SCALARS))
        content = top.text("content", required=True)
        if content not in ("bytes", "utf8"):
            raise top.error(
                f"`{content}` cannot be the content of a form", key="content", advice="write `bytes` or `utf8`"
            )
        null = top.number("null")
        if null is not None and not SCALARS[length].lowest <= null < 0:
            raise top.error(f"{null} cannot mean null", key="null", advice=f"a negative number that {length} holds")
        return Form(
            name,
            top.text("title", required=True),
            SCALARS[length],
            content,
            null,
            rules(top),
            top.text("doc"),
        )

    def enum(self, section: Section, key: str = "enum") -> Enumeration | None:
        """Return the enumeration that stands at `key`, if there is one."""
        name = section.text(key)
        if name and name not in self.enums:
            raise section.error(f"there is no enumeration `{name}`", key=key, advice=suggest(name, self.enums))
        return self.enums.get(name)

    def resolve(self, section: Section, value: Any, earlier: Mapping[str, object], order: Endian) -> Type:
        """Return the type that `type: value` names.

        Args:
            section: the field.
            value: what stands at `type`.
            earlier: the fields before this one.
            order: order of the bytes of fixed integers.
        """
        if isinstance(value, str):
            return self._type_by_name(section, value, order=order)
        if isinstance(value, Section) and "array" in value.values:
            return self._array(value, earlier, order)
        if isinstance(value, Section) and "choose" in value.values:
            return self._choice(value)
        raise section.error(
            "`type` must be a name, {array: ..., count: ...} or {choose: ..., by: ..., at: ...}", key="type"
        )

    def _type_by_name(self, section: Section, name: str, *, key: str = "type", order: Endian = "big") -> Type:
        if order == "little" and name in LITTLE_INTEGERS:
            return LITTLE_INTEGERS[name]
        if name in SCALARS:
            return SCALARS[name]
        if name in FIXED:
            return FIXED[name]
        if name == REST.name:
            return REST
        form = self.forms.get(name)
        if form is not None:
            return form
        layout = self._layouts.get(name)
        if layout is None:
            known = [*SCALARS, *FIXED, *self.forms, REST.name]
            raise section.error(
                f"unknown type `{name}`", key=key, advice=suggest(name, known) + " (or the name of a layout)"
            )
        return Nested(layout)

    def _array(self, section: Section, earlier: Mapping[str, object], order: Endian) -> Array:
        section.only("array", "count", "nullable")
        count = section.text("count", required=True)
        if count not in earlier:
            raise section.error(
                f"the count `{count}` is not a field before this one", key="count", advice=suggest(count, earlier)
            )
        item = self._type_by_name(section, section.text("array", required=True), key="array", order=order)
        return Array(item, count, nullable=section.flag("nullable"))

    def _choice(self, section: Section) -> Choice:
        section.only("choose", "by", "at")
        at = section.number("at")
        if at is None or at < 0:
            raise section.error(
                "a choice needs `at`, the place of the byte that decides", key="choose", advice="write `at: 4`"
            )
        by = section.text("by", required=True)
        choose = section.section("choose")
        cases = {}
        for number in choose.values:
            kind = self._type_by_name(choose, choose.text(number, required=True), key=number)
            if not isinstance(kind, Nested) or not _decides(kind.layout, by, at, number):
                raise choose.error(
                    f"`{kind.name}` has no int8 field `{by}` at byte {at} that is always {number}", key=number
                )
            cases[int(number)] = kind.layout
        if not cases:
            raise section.error("a choice needs layouts to choose from", key="choose")
        return Choice(by, at, MappingProxyType(cases))


def _decides(layout: Layout, by: str, at: int, number: str) -> bool:
    """Tell whether the field `by` stands at byte `at` of the layout and always has that number."""
    position = 0
    for field in layout.fields:
        if not isinstance(field.type, Integer) or field.when:
            return False
        if field.name == by:
            return position == at and field.type.name == "int8" and str(field.const) == number
        position += field.type.size
    return False
