"""Fields of named bits, put together from what was drawn for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Ints, Words
from kafka_format.sampler.hashing import draw, mix
from kafka_format.sampler.numbers import one_in
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_RARELY: Final = 256


def combine(layout: str, name: str, parts: Mapping[str, Ints]) -> Ints:
    """Put the parts of a field at their bits.

    Raises:
        ValueError: the field has bits that no part was drawn for, or a part no bits.
    """
    known = {bits.name: bits for bits in find(layout).field(name).bits}
    if known.keys() != parts.keys():
        wrong = ", ".join(sorted(known.keys() ^ parts.keys()))
        raise ValueError(f"{layout}.{name}: the layout's bits and those that were drawn differ in: {wrong}")
    return sum((part << known[part_name].low for part_name, part in parts.items()), start=np.zeros(1, np.int64))


def attributes(layout: str, parts: Mapping[str, Ints], keys: Words) -> Ints:
    """Put attributes together; bits without a name are set rarely.

    Readers ignore bits that they do not know (rules v2.attributes.unused-ignored,
    v2.record.attributes.ignored and legacy.attributes.unused-ignored).
    """
    field = find(layout).field("attributes")
    named = sum(bits.mask << bits.low for bits in field.bits)
    others = (1 << 8 * minimum_size(field.type)) - 1 & ~named
    words = draw(keys, f"{layout}.attributes")
    (here,) = one_in(words, _RARELY).nonzero()
    values = np.zeros(keys.size, np.int64)
    values[:] = combine(layout, "attributes", parts)
    values[here] |= mix(words.take(here)).view(np.int64) & others
    return values
