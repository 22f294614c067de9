"""The fields of one layout: each is built from its YAML and from the fields before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from kafka_format.errors import Stage
from kafka_format.spec.layout import checks, conditions
from kafka_format.spec.layout.model import (
    CHECKSUMS,
    AllDefaults,
    Array,
    Bits,
    BytesAfter,
    Checksum,
    CompressedBy,
    Computed,
    CountOf,
    Enumeration,
    Field,
    Form,
    Integer,
    LastItem,
    Nested,
    Scalar,
    Type,
    Varint,
)
from kafka_format.spec.layout.release_names import release_text
from kafka_format.spec.layout.types import Endian, TypeTable, rules
from kafka_format.spec.layout.yamlfile import Section, suggest

_KEYS: Final = (
    "name",
    "type",
    "doc",
    "since",
    "default",
    "const",
    "minimum",
    "computed",
    "bits",
    "names",
    "compressed_by",
    "when",
    "rules",
    "stage",
)

_DEFAULTS: Final = "a number for numbers, [] for arrays, {} for layouts, null for what can be null, else nothing"


def endian(top: Section) -> Endian:
    """Return the order of the bytes of a layout's fixed integers: big, unless it says little."""
    word = top.text("endian") or "big"
    if word not in ("big", "little"):
        raise top.error(f"`{word}` is not a byte order", key="endian", advice="write `endian: little`, or nothing")
    return cast("Endian", word)


def build(top: Section, types: TypeTable, order: Endian) -> tuple[Field, ...]:
    """Build all fields of a layout, in order."""
    sections = top.sections("fields")
    if not sections:
        raise top.error("a layout needs at least one field", key="fields", advice="write `fields:` and a list under it")
    built: dict[str, Field] = {}
    names: dict[str, int] = {}
    for section in sections:
        for named in (section, *section.sections("bits")):
            _claim_name(named, names)
        field = _field(section, types, built, order)
        built[field.name] = field
        checks.check(section, field, built)
    checks.check_later(sections, built)
    return tuple(built.values())


def _claim_name(section: Section, names: dict[str, int]) -> None:
    """Refuse a name that another field of the layout has, or the bits of one."""
    name = section.name("name")
    if name in names:
        raise section.error(
            f"the name `{name}` appears twice", key="name", advice=f"the first is in line {names[name]}"
        )
    names[name] = section.line


def _field(section: Section, types: TypeTable, earlier: Mapping[str, Field], order: Endian) -> Field:
    section.only(*_KEYS)
    release_text(section, "since")
    kind = types.resolve(section, section.values.get("type"), earlier, order)
    computed = _computed_by(section, kind)
    minimum = _fitting(section, "minimum", kind)
    if minimum is None and isinstance(computed, BytesAfter):
        minimum = 0
    return Field(
        name=section.name("name"),
        type=kind,
        doc=section.text("doc"),
        line=section.line,
        stage=_stage(section),
        has_default="default" in section.values,
        default=_default(section, kind),
        const=_fitting(section, "const", kind),
        minimum=minimum,
        computed=computed,
        bits=_bits(section, kind, types),
        compressed_by=_compressed_by(section, earlier),
        when=conditions.of_field(section, kind, earlier),
        names=_names(section, kind, types),
        rules=_rules(section, kind),
    )


def _names(section: Section, kind: Type, types: TypeTable) -> Enumeration | None:
    if "names" in section.values and not isinstance(kind, Integer | Varint):
        raise section.error(f"{kind.name} is not a number", key="names", advice="only numbers have `names`")
    return types.enum(section, "names")


def _rules(section: Section, kind: Type) -> Mapping[str, str]:
    item = kind.item if isinstance(kind, Array) else kind
    return rules(section, base=item.rules) if isinstance(item, Form) else rules(section)


def _stage(section: Section) -> Stage:
    name = section.text("stage") or Stage.STRUCTURE.value
    if name not in set(Stage):
        raise section.error(
            f"unknown stage `{name}`", key="stage", advice=suggest(name, [stage.value for stage in Stage])
        )
    return Stage(name)


def _fitting(section: Section, key: str, kind: Type) -> int | None:
    number = section.number(key)
    if number is None:
        return None
    if not isinstance(kind, Integer | Varint):
        raise section.error(f"{kind.name} is not a number", key=key, advice=f"only numbers have a `{key}`")
    if not kind.lowest <= number <= kind.highest:
        raise section.error(f"{number} does not fit {kind.name}", key=key, advice=f"{kind.lowest} to {kind.highest}")
    return number


def _default(section: Section, kind: Type) -> Scalar | tuple[()] | LastItem | AllDefaults:
    if "default" not in section.values:
        return None
    if "computed" in section.values or "const" in section.values:
        raise section.error("a computed or constant field needs no default", key="default", advice="leave it out")
    value = section.values["default"]
    if isinstance(value, Section):
        return _all_defaults(section, kind) if not value.values else _last_item(section, value, kind)
    if isinstance(kind, Integer | Varint) and value is not None:
        return _fitting(section, "default", kind)
    if isinstance(kind, Array) and value == []:
        return ()
    nullable = kind.nullable if isinstance(kind, Array) else isinstance(kind, Form) and kind.null is not None
    if nullable and value is None:
        return None
    raise section.error(f"`{value}` cannot be the default of {kind.name}", key="default", advice=_DEFAULTS)


def _all_defaults(section: Section, kind: Type) -> AllDefaults:
    if not isinstance(kind, Nested):
        raise section.error(f"`{{}}` cannot be the default of {kind.name}", key="default", advice=_DEFAULTS)
    for field in kind.layout.fields:
        if not field.is_filled:
            raise section.error(f"`{field.name}` of {kind.name} has no default itself", key="default")
    return AllDefaults()


def _last_item(section: Section, value: Section, kind: Type) -> LastItem:
    value.only("last")
    array, _, item_field = value.text("last", required=True).partition(".")
    if not item_field or not isinstance(kind, Integer | Varint):
        raise section.error(
            "`last` gives a number the value of a field of the last item",
            key="default",
            advice="write `last: records.offset_delta`",
        )
    return LastItem(array, item_field)


def _computed_by(section: Section, kind: Type) -> Computed | None:
    value = section.values.get("computed")
    if value is None:
        return None
    if not isinstance(kind, Integer | Varint) or "const" in section.values:
        raise section.error("only a number can be computed, and no constant", key="computed")
    if value == "bytes_after":
        return BytesAfter()
    known = ["bytes_after", "count", *CHECKSUMS]
    if not isinstance(value, Section) or len(value.values) != 1:
        raise section.error(
            "`computed` must be bytes_after, {count: FIELD} or {CHECKSUM: [FIELD, end]}", key="computed"
        )
    ((word, argument),) = value.values.items()
    if word == "count":
        return CountOf(value.text("count", required=True))
    if word not in CHECKSUMS:
        raise value.error(f"`{word}` cannot be computed", key=word, advice=suggest(word, known))
    if not isinstance(argument, list) or len(argument) != len(("first", "end")) or argument[1] != "end":
        raise value.error(
            f"`{word}` takes the field it starts at and `end`", key=word, advice="write `{" + word + ": [FIELD, end]}`"
        )
    return Checksum(word, str(argument[0]))


def _bits(section: Section, kind: Type, types: TypeTable) -> tuple[Bits, ...]:
    taken: dict[int, str] = {}
    bits = []
    for part in section.sections("bits"):
        part.only("name", "at", "enum", "doc", "since")
        if not isinstance(kind, Integer):
            raise part.error(f"{kind.name} has no bits", advice="only fixed integers have")
        low, high = _range(part, kind)
        name = part.name("name")
        for bit in range(low, high + 1):
            if bit in taken:
                raise part.error(
                    f"bit {bit} belongs to `{taken[bit]}` and to `{name}`", key="at", advice="bits may not overlap"
                )
            taken[bit] = name
        enum = types.enum(part)
        if enum is not None and max(enum.values) >> (high - low + 1):
            raise part.error(f"{max(enum.values)} of `{enum.name}` does not fit bits {low}..{high}", key="enum")
        bits.append(Bits(name, low, high, enum, part.text("doc"), release_text(part, "since")))
    return tuple(bits)


def _range(section: Section, kind: Integer) -> tuple[int, int]:
    first, _, last = str(section.values.get("at", "")).partition("..")
    if not first.isdecimal() or not (last or first).isdecimal():
        raise section.error("`at` must be a bit or a range of bits", key="at", advice="write `at: 3` or `at: 0..2`")
    low, high = int(first), int(last or first)
    if not low <= high < kind.size * 8:
        raise section.error(
            f"bits {low}..{high} are not in {kind.name}",
            key="at",
            advice=f"bits are 0 to {kind.size * 8 - 1}, low to high",
        )
    return low, high


def _compressed_by(section: Section, earlier: Mapping[str, Field]) -> CompressedBy | None:
    reference = section.text("compressed_by")
    if not reference:
        return None
    name, _, bits_name = reference.partition(".")
    if name not in earlier or earlier[name].when:
        raise section.error(
            f"`{name}` is not an earlier field that is always present",
            key="compressed_by",
            advice=suggest(name, earlier),
        )
    codecs = [bits for bits in earlier[name].bits if bits.enum is not None and bits.enum.values.get(0) == "none"]
    for bits in codecs:
        if bits.name == bits_name:
            return CompressedBy(name, bits)
    raise section.error(
        f"`{reference}` is not a group of bits with an enumeration whose 0 is `none`",
        key="compressed_by",
        advice=suggest(reference, [f"{name}.{bits.name}" for bits in codecs]),
    )
