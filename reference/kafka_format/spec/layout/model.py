"""A layout once it is loaded: frozen, resolved, and nothing that a reader would have to guess.

`Layout` is one structure: fields in wire order. A field's type is one of the classes below.
Everything that reads layouts (compiler, interpreter, strategies, pages) works on this model and
never on YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from kafka_format.errors import Stage
from kafka_format.primitives.varints import VarintKind

CHECK_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "truncated": "field.truncated",
        "too_long": "varint.length",
        "overlong": "varint.minimal",
        "excess": "varint.range",
        "negative": "length.not-negative",
        "length_within": "length.within",
        "utf8": "string.utf8",
        "count_negative": "count.not-negative",
        "count_within": "count.within",
        "empty": "count.within",
        "minimum": "frame.length.minimum",
        "within": "frame.length.within",
        "trailing": "frame.exact",
        "const": "field.const",
        "enum": "field.enum",
        "choose": "field.choice",
        "checksum": "field.checksum",
    }
)
"""Every check that a decoder makes, and the rule it names unless the field names a better one under
`rules:`."""


CHECKSUMS: Final = ("crc32", "crc32c")
"""The checksums that layouts name; `kafka_format.primitives.checksums` has them. Importing them
takes its time."""


@dataclass(frozen=True, slots=True)
class Integer:
    """A fixed integer. `code` is its letter in the struct module, `order` its byte order."""

    name: str
    size: int
    code: str
    lowest: int
    highest: int
    order: Literal["big", "little"] = "big"


@dataclass(frozen=True, slots=True)
class Fixed:
    """So many bytes, without a length: a UUID."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Varint:
    """A varint, zig-zag or unsigned."""

    kind: VarintKind

    @property
    def name(self) -> str:
        """The word that layouts use."""
        return self.kind.name

    @property
    def lowest(self) -> int:
        """Smallest value."""
        return self.kind.lowest

    @property
    def highest(self) -> int:
        """Largest value."""
        return self.kind.highest


@dataclass(frozen=True, slots=True)
class Form:
    """Content after its own length: a string or bytes, nullable or not."""

    name: str
    title: str
    length: Integer | Varint
    content: str
    null: int | None
    rules: Mapping[str, str]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Rest:
    """All bytes up to the end of the structure."""

    name: str = "rest"


@dataclass(frozen=True, slots=True)
class Nested:
    """Another layout in place."""

    layout: Layout

    @property
    def name(self) -> str:
        """Name of the layout."""
        return self.layout.name


@dataclass(frozen=True, slots=True)
class Array:
    """Adjacent items. `count` is an earlier field; -1 in it is null if `nullable`."""

    item: Type
    count: str
    nullable: bool = False

    @property
    def name(self) -> str:
        """As a reader would say it."""
        return f"array of {self.item.name}"


@dataclass(frozen=True, slots=True)
class Boolean:
    """One byte: 0 is false, 1 is true."""

    name: str = "bool"
    size: int = 1


@dataclass(frozen=True, slots=True)
class Float:
    """A floating-point number of IEEE 754 with 64 bits."""

    name: str = "float64"
    size: int = 8


@dataclass(frozen=True, slots=True)
class Counted:
    """Items after their own count; -1 is null if `nullable`.

    An `Array` has its count elsewhere.
    """

    item: Type
    length: Integer | Varint
    nullable: bool = False

    @property
    def name(self) -> str:
        """As a reader would say it."""
        return f"array of {self.item.name}"


@dataclass(frozen=True, slots=True)
class Optional:
    """Another layout in place, or null: `marker` says which.

    A marker int8 is -1 for null and 1 for a value; a marker uvarint, in tagged fields, is 0 for
    null and 1 for a value.
    """

    layout: Layout
    marker: Integer | Varint

    @property
    def name(self) -> str:
        """Name of the layout."""
        return self.layout.name

    @property
    def null(self) -> int:
        """The number that means null."""
        return -1 if self.marker.lowest < 0 else 0


@dataclass(frozen=True, slots=True)
class TagSection:
    """The end of a flexible version's structures: tagged fields, each with tag and size (KIP-482).

    `fields` are those that the layout knows, by ascending tag. Each is a member of the structure's
    value; the value of the section itself are the tagged fields that it does not know. `elsewhere`
    are the tags of fields that only other versions have.
    """

    fields: tuple[Field, ...]
    elsewhere: tuple[int, ...] = ()
    name: str = "tagged fields"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several layouts, told apart by the int8 field `by`, `at` bytes into the structure."""

    by: str
    at: int
    cases: Mapping[int, Layout]

    @property
    def name(self) -> str:
        """As a reader would say it."""
        return " or ".join(layout.name for layout in self.cases.values())


BOOLEAN: Final = Boolean()
FLOAT64: Final = Float()

Type = (
    Integer | Fixed | Varint | Form | Rest | Nested | Array | Choice | Boolean | Float | Counted | Optional | TagSection
)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Numbers that have names."""

    name: str
    doc: str
    values: Mapping[int, str]

    def number(self, name: str) -> int:
        """Return the number of a name.

        Raises:
            KeyError: nothing here has this name.
        """
        for number, known in self.values.items():
            if known == name:
                return number
        raise KeyError(f"{self.name} has no `{name}`")


@dataclass(frozen=True, slots=True)
class Bits:
    """Bits `low` to `high` of an integer field, both included; bit 0 is the least significant."""

    name: str
    low: int
    high: int
    enum: Enumeration | None = None
    doc: str = ""
    since: str = ""

    @property
    def mask(self) -> int:
        """Mask after the shift by `low`."""
        return (1 << (self.high - self.low + 1)) - 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its numbers, in numeric order; none without an enumeration."""
        return tuple(self.enum.values.values()) if self.enum is not None else ()

    @property
    def in_place(self) -> int:
        """Mask of the bits where they stand in their field."""
        return self.mask << self.low


@dataclass(frozen=True, slots=True)
class BytesAfter:
    """The field counts the bytes after itself, to the end of its structure."""


@dataclass(frozen=True, slots=True)
class Checksum:
    """The field is a checksum from the field `first` to the end of the structure."""

    algorithm: str
    first: str


@dataclass(frozen=True, slots=True)
class CountOf:
    """The field counts the items of the array `array`."""

    array: str


@dataclass(frozen=True, slots=True)
class LastItem:
    """A default that is a field of the last item of an array.

    It is 0 for an empty array, and never checked when read.
    """

    array: str
    item_field: str


@dataclass(frozen=True, slots=True)
class AllDefaults:
    """Writes a nested layout that has no value: the defaults of all its fields."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The field is there only where `bits` of the earlier field `by` have one of `values`."""

    by: str
    bits: Bits
    values: frozenset[int]

    def holds(self, number: int) -> bool:
        """Tell whether it holds for this number of the earlier field."""
        return number >> self.bits.low & self.bits.mask in self.values


Computed = BytesAfter | Checksum | CountOf
Scalar = int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class CompressedBy:
    """The codec that compresses an array: `bits` of the field `attributes` name it."""

    attributes: str
    bits: Bits


@dataclass(frozen=True, slots=True)
class HeldBy:
    """Layouts that bytes may hold, by a text that stands beside them or around them.

    Attributes:
        fields: names of the fields that may have the text; the nearest one decides.
        layouts: names of layouts by the text. Bytes beside another text hold nothing that is known.
    """

    fields: tuple[str, ...]
    layouts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a layout.

    Attributes:
        default: what an encoder writes where no value is given; meaningful if `has_default`.
        rules: rule id of each check of this field, complete.
        stage: stage of the errors that this field's own checks raise.
        line: line in the layout's file.
        when: all of these must hold for the field to be there; where it is not, its value is None.
        names: what some of its numbers are called; other numbers are allowed.
        kafka: its name in Kafka's JSON; empty for what has no JSON.
        formerly: what earlier releases called it there.
        tag: its tag in a tag section; None for a field in line.
        holds: what its bytes are, where that is known: `records`, `request`, `response`, or a
            versioned layout.
        held_by: what they are where a text beside them says so; without the text, `holds` says.
    """

    name: str
    type: Type
    doc: str
    line: int
    stage: Stage = Stage.STRUCTURE
    has_default: bool = False
    default: Scalar | tuple[()] | LastItem | AllDefaults = None
    const: int | None = None
    minimum: int | None = None
    computed: Computed | None = None
    bits: tuple[Bits, ...] = ()
    compressed_by: CompressedBy | None = None
    when: tuple[Condition, ...] = ()
    names: Enumeration | None = None
    kafka: str = ""
    formerly: tuple[str, ...] = ()
    tag: int | None = None
    holds: str = ""
    held_by: HeldBy | None = None
    rules: Mapping[str, str] = field(default_factory=lambda: CHECK_RULES)

    @property
    def is_filled(self) -> bool:
        """True if an encoder can do without a value: computed, constant, or with a default."""
        return self.computed is not None or self.const is not None or self.has_default

    def part(self, name: str) -> Bits:
        """Return the bits of that name.

        Raises:
            KeyError: there are none.
        """
        for bits in self.bits:
            if bits.name == name:
                return bits
        raise KeyError(name)

    @property
    def known_bits(self) -> int:
        """Mask of all bits that have a name."""
        return sum(bits.in_place for bits in self.bits)


@dataclass(frozen=True, slots=True)
class Surplus:
    """Bytes that widely used clients write after the last field, and that every Kafka ignores.

    Attributes:
        contents: what stands there, each as it is written.
        writer: the client and its releases.
        doc: where the bytes come from.
    """

    contents: tuple[bytes, ...]
    writer: str
    doc: str


@dataclass(frozen=True, slots=True)
class Layout:
    """One structure: its fields in wire order. `endian` is the byte order of its fixed integers.

    Attributes:
        kafka: name of Kafka's schema, for one version of a versioned layout.
        type_name: name of the structure in its file, where that is not the name of the layout.
        version: the version, for one of a versioned layout.
        surplus: what may follow the last field of this version.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    file: str
    doc: str = ""
    since: str = ""
    until: str = ""
    source: str = ""
    endian: Literal["big", "little"] = "big"
    kafka: str = ""
    type_name: str = ""
    version: int | None = None
    surplus: tuple[Surplus, ...] = ()

    def field(self, name: str) -> Field:
        """Return the field of that name.

        Raises:
            KeyError: there is none.
        """
        for candidate in self.fields:
            if candidate.name == name:
                return candidate
        raise KeyError(name)


def minimum_size(kind: Type) -> int:
    """Return the fewest bytes of a value of this type, which bounds the items of a payload."""
    match kind:
        case Integer(size=size) | Fixed(size=size) | Boolean(size=size) | Float(size=size):
            return size
        case Varint() | TagSection():
            return 1
        case Form(length=length) | Counted(length=length) | Optional(marker=length):
            return minimum_size(length)
        case Nested(layout=layout):
            return sum(minimum_size(member.type) for member in layout.fields if not member.when)
        case Choice(cases=cases):
            return min(minimum_size(Nested(layout)) for layout in cases.values())
        case _:
            return 0
