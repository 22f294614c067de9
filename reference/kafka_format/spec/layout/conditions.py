"""When a field is there: the conditions under `when:`, on bits of earlier fields."""

from __future__ import annotations

from collections.abc import Mapping

from kafka_format.spec.layout.model import Bits, Condition, Field, Integer, Type
from kafka_format.spec.layout.yamlfile import Section, suggest


def of_field(section: Section, kind: Type, earlier: Mapping[str, Field]) -> tuple[Condition, ...]:
    """Return the conditions under `when:`; none if the field is always there."""
    named = section.section("when")
    if named.values and (not isinstance(kind, Integer) or "computed" in section.values):
        raise section.error(
            "only a fixed integer that is not computed can be left out",
            key="when",
            advice="put what is optional into a layout of its own",
        )
    return tuple(_condition(named, reference, earlier) for reference in named.values)


def _condition(named: Section, reference: str, earlier: Mapping[str, Field]) -> Condition:
    name, _, bits_name = reference.partition(".")
    known = {f"{field.name}.{bits.name}": bits for field in earlier.values() for bits in field.bits}
    if reference not in known or earlier[name].when:
        raise named.error(
            f"`{reference}` is not a group of bits of an earlier field that is always present",
            key=reference,
            advice=suggest(reference, known),
        )
    return Condition(name, known[f"{name}.{bits_name}"], _values(named, reference, known[reference]))


def _values(named: Section, reference: str, bits: Bits) -> frozenset[int]:
    given = named.values[reference]
    values = given if isinstance(given, list) else [given]
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= bits.mask:
            raise named.error(
                f"`{reference}` cannot be {value!r}",
                key=reference,
                advice=f"a number of 0 to {bits.mask}, or a list of them",
            )
    if not values or len(set(values)) > bits.mask:
        raise named.error(f"`{reference}` decides nothing: it always holds, or never", key=reference)
    return frozenset(values)
