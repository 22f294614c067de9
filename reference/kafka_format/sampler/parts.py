"""Batches of one kind, ready: their bytes, their answers, and what they are; and several kinds put back in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kafka_format.columnar.arrays import Ints, bounds
from kafka_format.columnar.octets import octets, slices
from kafka_format.sampler.answers import Answers, end_to_end
from kafka_format.sampler.packing import Packed


class Part(NamedTuple):
    """Batches with their answers; the magic byte and the number of the codec of each."""

    data: Packed
    answers: Answers
    magics: bytes
    codecs: bytes


def pieces(packed: Packed) -> list[bytes]:
    """Cut into structures, or runs of them."""
    return slices(packed.data, packed.bounds[:-1], packed.bounds[1:])


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
        magics=octets(b"".join(part.magics for part in parts))[order].tobytes(),
        codecs=octets(b"".join(part.codecs for part in parts))[order].tobytes(),
    )


def _ordered(packed: Sequence[Packed], order: Ints) -> Packed:
    found = [piece for one in packed for piece in pieces(one)]
    return joined([found[place] for place in order.tolist()])
