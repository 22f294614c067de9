"""Batches of one kind, ready: their bytes, their answers, and what they are; and several kinds put back in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from kafka_format.columnar.arrays import Ints, bounds
from kafka_format.columnar.byte_moves import octets
from kafka_format.records.formats import MAGICS
from kafka_format.sampler.answers import Answers, end_to_end
from kafka_format.sampler.packing import Packed

FORMATS: Final = (*MAGICS, "v07")
"""All formats; the place of one stands for it in bytes."""


class Part(NamedTuple):
    """Batches with their answers, and the format, codec and fault of each.

    Attributes:
        data: the batches.
        answers: what a decoder must answer.
        formats: places in `FORMATS`.
        codecs: places in `kafka_format.compression.NAMES`.
        faults: places in `kafka_format.sampler.hostile.FAULTS`; 0 is none.
    """

    data: Packed
    answers: Answers
    formats: bytes
    codecs: bytes
    faults: bytes


def valid(data: Packed, answers: Answers, version: str, codecs: Ints) -> Part:
    """Return batches of one format without any fault."""
    count = codecs.size
    formats = bytes([FORMATS.index(version)]) * count
    return Part(data, answers, formats, codecs.astype(np.uint8).tobytes(), bytes(count))


def pieces(packed: Packed) -> list[bytes]:
    """Cut into structures, or runs of them."""
    places = packed.bounds.tolist()
    return [packed.data[start:end] for start, end in pairwise(places)]


def joined(found: Sequence[bytes]) -> Packed:
    """Put pieces one after the other."""
    return Packed(b"".join(found), bounds(np.array([len(piece) for piece in found], np.int64)))


def merged(parts: Sequence[Part], lanes: Sequence[Ints]) -> Part:
    """Put the batches of several parts in one order; `lanes` are the places of each part's batches."""
    if len(parts) == 1:
        return parts[0]
    order = np.argsort(np.concatenate(lanes))
    return Part(
        data=_ordered([part.data for part in parts], order),
        answers=end_to_end([part.answers for part in parts]).taken(order),
        formats=_reordered([part.formats for part in parts], order),
        codecs=_reordered([part.codecs for part in parts], order),
        faults=_reordered([part.faults for part in parts], order),
    )


def _reordered(found: Sequence[bytes], order: Ints) -> bytes:
    return octets(b"".join(found))[order].tobytes()


def _ordered(packed: Sequence[Packed], order: Ints) -> Packed:
    found = [piece for one in packed for piece in pieces(one)]
    return joined([found[place] for place in order.tolist()])
