"""Layouts as a list of small JSON objects that refer to each other by number.

What is the same in many versions, such as a field or a whole structure, is there once, so that all
versions of all APIs are less than a megabyte. A node comes after those that it refers to.
site/decoder/spec.js puts them together again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from kafka_format.errors import Stage
from kafka_format.spec.layout.model import (
    CHECK_RULES,
    AllDefaults,
    Array,
    Bits,
    BytesAfter,
    Checksum,
    Choice,
    Counted,
    Enumeration,
    Field,
    Fixed,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
    minimum_size,
)

_SAFE: Final = 1 << 53
"""Numbers of JSON that JavaScript keeps as they are."""


_WORDS: Final = {
    Integer: "integer",
    Fixed: "fixed",
    Varint: "varint",
    Form: "form",
    Nested: "nested",
    Optional: "optional",
    Array: "array",
    Counted: "counted",
    Choice: "choice",
    TagSection: "tags",
}
"""What site/decoder calls the types; the others have their own names."""


class Nodes:
    """Nodes, each once.

    Attributes:
        all: the nodes, as JSON has them.
    """

    def __init__(self) -> None:
        """Start without any."""
        self.all: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}

    def layout(self, layout: Layout, name: str) -> int:
        """Return the number of a layout; `name` is what the addresses of its fields begin with."""
        fields = [self._field(field, name) for field in layout.fields]
        title = layout.title if layout.version is None else ""  # a version's own would be another in each
        surplus = [[[content.hex() for content in one.contents], one.writer] for one in layout.surplus]
        return self._node(kind="layout", title=title, fields=fields, surplus=surplus)

    def _node(self, **values: object) -> int:
        node = {key: value for key, value in values.items() if not _says_nothing(value)}
        text = json.dumps(node, sort_keys=True)
        if text not in self._known:
            self._known[text] = len(self.all)
            self.all.append(node)
        return self._known[text]

    def _field(self, field: Field, owner: str) -> int:
        address = f"{owner}.{field.name}"
        own = {check: rule for check, rule in field.rules.items() if CHECK_RULES[check] != rule}
        return self._node(
            kind="field",
            name=field.name,
            type=self._type(field.type, owner if isinstance(field.type, TagSection) else address),
            doc=field.doc,
            address=address,
            stage="" if field.stage is Stage.STRUCTURE else str(field.stage),
            default=_default(field),
            const=_number(field.const),
            minimum=_number(field.minimum),
            rules=own,
            bits=[self._bits(bits) for bits in field.bits],
            names=None if field.names is None else self._enumeration(field.names),
            when=[
                {
                    "by": condition.by,
                    "low": condition.bits.low,
                    "mask": condition.bits.mask,
                    "values": sorted(condition.values),
                }
                for condition in field.when
            ],
            tag=field.tag,
            holds=field.holds,
            heldBy=None
            if field.held_by is None
            else {"fields": field.held_by.fields, "layouts": dict(field.held_by.layouts)},
            **_computed_nodes(field),
        )

    def _bits(self, bits: Bits) -> int:
        enumeration = None if bits.enum is None else self._enumeration(bits.enum)
        return self._node(kind="bits", name=bits.name, low=bits.low, high=bits.high, mask=bits.mask, enum=enumeration)

    def _enumeration(self, names: Enumeration) -> int:
        return self._node(kind="enumeration", values={str(number): name for number, name in names.values.items()})

    def _type(self, kind: Type, owner: str) -> int:
        members = _plain_members(kind) if isinstance(kind, Integer | Fixed | Varint) else self._members(kind, owner)
        return self._node(kind=_WORDS.get(type(kind), kind.name), least=minimum_size(kind), **members)

    def _members(self, kind: Type, owner: str) -> dict[str, Any]:
        """Return what a type has that is made of others."""
        match kind:
            case Form():
                members = {"length": self._type(kind.length, owner), "content": kind.content, "null": kind.null}
            case Nested(layout=layout):
                members = {"layout": self._inner(layout, owner)}
            case Optional(layout=layout):
                marker = self._type(kind.marker, owner)
                members = {"layout": self._inner(layout, owner), "marker": marker, "null": kind.null}
            case Array():
                members = {"item": self._type(kind.item, owner), "count": kind.count, "nullable": kind.nullable}
            case Counted():
                item, length = self._type(kind.item, owner), self._type(kind.length, owner)
                members = {"item": item, "length": length, "nullable": kind.nullable}
            case Choice():
                cases = {str(number): self._inner(layout, owner) for number, layout in kind.cases.items()}
                members = {"by": kind.by, "at": kind.at, "cases": cases}
            case TagSection():
                fields = [self._field(field, owner) for field in kind.fields]
                members = {"fields": fields, "elsewhere": list(kind.elsewhere)}
            case _:
                members = {}
        return members

    def _inner(self, layout: Layout, owner: str) -> int:
        """Return a layout inside another: one of its own page, or a structure of a version."""
        return self.layout(layout, owner if layout.version is not None else layout.name)


def _plain_members(kind: Integer | Fixed | Varint) -> dict[str, Any]:
    """Return what a type has that is made of no other."""
    if isinstance(kind, Varint):
        varint = kind.kind
        return {
            "name": varint.name,
            "bits": varint.bits,
            "most": varint.max_bytes,
            "zigzag": varint.zigzag,
            "plus": varint.plus,
        }
    if isinstance(kind, Fixed):
        return {"size": kind.size}
    return {"size": kind.size, "signed": kind.lowest < 0, "little": kind.order == "little"}


def _says_nothing(value: object) -> bool:
    """Tell whether JavaScript takes the same from a member that is left out; 0 is a number."""
    return value is None or value is False or value in ("", [], {})


def _number(number: object) -> object:
    """Return a number as JavaScript keeps it: as text beyond 53 bits."""
    return str(number) if isinstance(number, int) and abs(number) >= _SAFE else number


def _default(field: Field) -> dict[str, Any] | None:
    """Return what a tagged field is that is left out, unless it is nothing: 0, empty, defaults."""
    default = field.default
    if not field.kafka or isinstance(default, bytes | tuple | AllDefaults) or default in (0, False, ""):
        return None
    return {"value": default if isinstance(default, float) else _number(default)}


def _computed_nodes(field: Field) -> Mapping[str, Any]:
    match field.computed:
        case BytesAfter():
            node: dict[str, Any] = {"frames": True}
        case Checksum(algorithm=algorithm, first=first):
            node = {"checksum": {"algorithm": algorithm, "first": first}}
        case _:
            node = {}
    by = field.compressed_by
    if by is not None and by.bits.enum is not None:
        names = {str(number): name for number, name in by.bits.enum.values.items()}
        node["compressed_by"] = {
            "attributes": by.attributes,
            "low": by.bits.low,
            "mask": by.bits.mask,
            "names": names,
        }
    return node
