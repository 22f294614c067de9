"""The fields of one layout: each is built from its YAML and from the fields before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_format.checksums import CHECKSUMS
from kafka_format.errors import Stage
from kafka_format.layout.model import (
    Array,
    Bits,
    BytesAfter,
    Checksum,
    CompressedBy,
    Computed,
    CountOf,
    Field,
    Form,
    Integer,
    LastItem,
    Nested,
    Type,
    Varint,
)
from kafka_format.layout.types import TypeTable, rules
from kafka_format.layout.yamlfile import Section, suggest

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
    "compressed_by",
    "rules",
    "stage",
)


def build(top: Section, types: TypeTable) -> tuple[Field, ...]:
    """Build all fields of a layout, in order."""
    sections = top.sections("fields")
    if not sections:
        raise top.error("a layout needs at least one field", key="fields", advice="write `fields:` and a list under it")
    built: dict[str, Field] = {}
    for section in sections:
        one = _field(section, types, built)
        if one.name in built:
            raise section.error(
                f"the field `{one.name}` stands twice",
                key="name",
                advice=f"the first is in line {built[one.name].line}",
            )
        built[one.name] = one
    _check_computed(sections, built)
    return tuple(built.values())


def _field(section: Section, types: TypeTable, earlier: Mapping[str, Field]) -> Field:
    section.only(*_KEYS)
    name = section.text("name", required=True)
    if not name.isidentifier():
        raise section.error(
            f"`{name}` cannot be a field name", key="name", advice="use lower-case words with _ between them"
        )
    kind = types.resolve(section, section.values.get("type"), earlier)
    computed = _computed(section, kind)
    minimum = section.number("minimum")
    if minimum is None and isinstance(computed, BytesAfter):
        minimum = 0
    return Field(
        name=name,
        type=kind,
        doc=section.text("doc"),
        line=section.line,
        stage=_stage(section),
        has_default="default" in section.values,
        default=_default(section, kind, earlier),
        const=_fitting(section, "const", kind),
        minimum=minimum,
        computed=computed,
        bits=_bits(section, kind, types),
        compressed_by=_compressed_by(section, earlier),
        rules=rules(section, base=kind.rules) if isinstance(kind, Form) else rules(section),
    )


def _stage(section: Section) -> Stage:
    name = section.text("stage") or Stage.STRUCTURE.value
    if name not in set(Stage):
        raise section.error(
            f"unknown stage `{name}`", key="stage", advice=suggest(name, [stage.value for stage in Stage])
        )
    return Stage(name)


def _fitting(section: Section, key: str, kind: Type) -> int | None:
    number = section.number(key)
    if number is not None and isinstance(kind, Integer) and not kind.lowest <= number <= kind.highest:
        raise section.error(f"{number} does not fit {kind.name}", key=key, advice=f"{kind.lowest} to {kind.highest}")
    return number


def _default(section: Section, kind: Type, earlier: Mapping[str, Field]) -> Any:
    value = section.values.get("default")
    if isinstance(value, Section):
        value.only("last")
        array, _, item_field = value.text("last", required=True).partition(".")
        if not item_field:
            raise value.error(
                "`last` names a field of the items", key="last", advice="write `last: records.offset_delta`"
            )
        return LastItem(array, item_field)
    if isinstance(kind, Integer | Varint):
        return _fitting(section, "default", kind)
    if isinstance(kind, Array):
        if value not in (None, []):
            raise section.error("the default of an array can only be []", key="default")
        return ()
    if value is not None:
        raise section.error(f"the default of {kind.name} can only be null", key="default")
    if "default" in section.values and not (isinstance(kind, Form) and kind.null is not None):
        raise section.error(
            f"{kind.name} cannot be null", key="default", advice=f"leave `default` out; before it: {', '.join(earlier)}"
        )
    return None


def _computed(section: Section, kind: Type) -> Computed | None:
    value = section.values.get("computed")
    if value is None:
        return None
    if not isinstance(kind, Integer | Varint):
        raise section.error("only a number can be computed", key="computed")
    if value == "bytes_after":
        return BytesAfter()
    known = ["bytes_after", "count", *CHECKSUMS]
    if not isinstance(value, Section) or len(value.values) != 1:
        raise section.error(
            "`computed` must be bytes_after, {count: FIELD} or {CHECKSUM: [FIELD, end]}", key="computed"
        )
    ((word, argument),) = value.values.items()
    if word == "count":
        return CountOf(str(argument))
    if word not in CHECKSUMS:
        raise value.error(f"`{word}` cannot be computed", key=word, advice=suggest(word, known))
    if not isinstance(argument, list) or len(argument) != len(("first", "end")) or argument[1] != "end":
        raise value.error(
            f"`{word}` takes the field it starts at and `end`", key=word, advice="write `{" + word + ": [FIELD, end]}`"
        )
    return Checksum(word, str(argument[0]))


def _bits(section: Section, kind: Type, types: TypeTable) -> tuple[Bits, ...]:
    taken: dict[int, str] = {}
    found = []
    for one in section.sections("bits"):
        one.only("name", "at", "enum", "doc", "since")
        if not isinstance(kind, Integer):
            raise one.error(f"{kind.name} has no bits", advice="only fixed integers have")
        low, high = _range(one, kind)
        name = one.text("name", required=True)
        for bit in range(low, high + 1):
            if bit in taken:
                raise one.error(
                    f"bit {bit} belongs to `{taken[bit]}` and to `{name}`", key="at", advice="bits may not overlap"
                )
            taken[bit] = name
        found.append(Bits(name, low, high, types.enum(one), one.text("doc"), one.text("since")))
    return tuple(found)


def _range(section: Section, kind: Integer) -> tuple[int, int]:
    first, _, last = str(section.values.get("at", "")).partition("..")
    if not first.isdigit() or not (last or first).isdigit():
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
    if name not in earlier:
        raise section.error(
            f"`{name}` is not a field before this one", key="compressed_by", advice=suggest(name, earlier)
        )
    for bits in earlier[name].bits:
        if bits.name == bits_name and bits.enum is not None:
            return CompressedBy(name, bits)
    known = [f"{name}.{bits.name}" for bits in earlier[name].bits if bits.enum is not None]
    raise section.error(
        f"`{reference}` are no bits with an enumeration", key="compressed_by", advice=suggest(reference, known)
    )


def _check_computed(sections: list[Section], built: Mapping[str, Field]) -> None:
    """Check what refers to later fields: counts, checksums, and the last item's field."""
    names = list(built)
    for section, one in zip(sections, built.values(), strict=True):
        later = names[names.index(one.name) + 1 :]
        match one.computed:
            case Checksum(first=first) if first not in later:
                raise section.error(
                    f"the checksum starts at `{first}`, which is not behind it",
                    key="computed",
                    advice=suggest(first, later),
                )
            case Checksum(first=first) if any(
                not isinstance(built[name].type, Integer) for name in later[: later.index(first)]
            ):
                raise section.error(
                    f"between the checksum and `{first}` stands a field without a fixed size", key="computed"
                )
            case CountOf(array=array) if array not in later or not _counts(built[array].type, one.name):
                raise section.error(
                    f"`{array}` is no array behind this field that it counts",
                    key="computed",
                    advice=suggest(array, later),
                )
            case _:
                pass
        if isinstance(one.default, LastItem):
            _check_last_item(section, one.default, built)
        if isinstance(one.type, Array) and not isinstance(built[one.type.count].computed, CountOf):
            raise section.error(
                f"`{one.type.count}` does not say that it counts this array",
                key="type",
                advice=f"give it `computed: {{count: {one.name}}}`",
            )


def _counts(kind: Type, name: str) -> bool:
    return isinstance(kind, Array) and kind.count == name


def _check_last_item(section: Section, default: LastItem, built: Mapping[str, Field]) -> None:
    array = built.get(default.array)
    if array is None or not isinstance(array.type, Array) or not isinstance(array.type.item, Nested):
        raise section.error(
            f"`{default.array}` is no array of a layout here", key="default", advice=suggest(default.array, built)
        )
    known = [member.name for member in array.type.item.layout.fields]
    if default.item_field not in known:
        raise section.error(
            f"the items of `{default.array}` have no `{default.item_field}`",
            key="default",
            advice=suggest(default.item_field, known),
        )
