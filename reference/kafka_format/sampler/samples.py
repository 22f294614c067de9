"""Batches with their answers, and what they are; and those of several formats put back in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.byte_moves import octets
from kafka_format.records.formats import MAGICS
from kafka_format.sampler.answers import Answers, end_to_end
from kafka_format.sampler.encoder import Encoded, join

FORMATS: Final = (*MAGICS, "v07")
"""All formats; the place of one stands for it in bytes."""


class Samples(NamedTuple):
    """Batches with their answers, and the format, codec and fault of each.

    Attributes:
        batches: their bytes.
        answers: what a decoder must answer.
        formats: a byte for each, its place in `FORMATS`.
        codecs: likewise, in `kafka_format.compression.NAMES`.
        faults: likewise, in `kafka_format.sampler.FAULTS`; 0 is none.
    """

    batches: Encoded
    answers: Answers
    formats: bytes
    codecs: bytes
    faults: bytes


def sound(batches: Encoded, answers: Answers, version: str, codecs: Ints) -> Samples:
    """Return batches of one format without any fault."""
    formats = bytes([FORMATS.index(version)]) * codecs.size
    return Samples(batches, answers, formats, codecs.astype(np.uint8).tobytes(), bytes(codecs.size))


def merge(parts: Sequence[Samples], places: Sequence[Ints]) -> Samples:
    """Put the batches of several parts in one order; `places` says where each part's go."""
    if len(parts) == 1:
        return parts[0]
    order = np.argsort(np.concatenate(places))
    batches = [batch for part in parts for batch in part.batches.cut()]
    return Samples(
        batches=join([batches[place] for place in order.tolist()]),
        answers=end_to_end([part.answers for part in parts]).take(order),
        formats=_reorder([part.formats for part in parts], order),
        codecs=_reorder([part.codecs for part in parts], order),
        faults=_reorder([part.faults for part in parts], order),
    )


def _reorder(parts: Sequence[bytes], order: Ints) -> bytes:
    return octets(b"".join(parts))[order].tobytes()
