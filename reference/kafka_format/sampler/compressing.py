"""Payloads to compressed payloads, one by one: the only bytes here that depend on the version of a library."""

from __future__ import annotations

from collections.abc import Sequence

from kafka_format import compression
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.byte_moves import octets
from kafka_format.sampler.parts import joined
from kafka_format.sampler.pool import Contents


def compressed(payloads: Sequence[bytes], codecs: Ints, *, magic: int) -> Contents:
    """Compress each payload with its codec, a number of `compression.NAMES`; 0 leaves it as it is."""
    names = [compression.NAMES[codec] for codec in codecs.tolist()]
    found = joined([compression.compress(*pair, magic=magic) for pair in zip(names, payloads, strict=True)])
    return Contents(octets(found.data), found.bounds[:-1], found.bounds[1:] - found.bounds[:-1])
