"""Batches of one kind, ready: their bytes, their answers, and what they are; and several kinds put back in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kafka_format.sampler.arrays import Groups, Ints, bounds
from kafka_format.sampler.octets import octets, slices
from kafka_format.sampler.packing import Columns, Items, Packed, pack
from kafka_format.sampler.plans import plan


class Part(NamedTuple):
    """Batches with their answers; the magic byte and the number of the codec of each."""

    data: Packed
    answers: Packed
    magics: bytes
    codecs: bytes


def answers(groups: Groups, records: Columns) -> Packed:
    """Write the answer of each batch, by the columns of its records."""
    return pack(plan("answer"), groups.counts.size, {"records": Items(groups, records)})


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
        answers=_ordered([part.answers for part in parts], order),
        magics=octets(b"".join(part.magics for part in parts))[order].tobytes(),
        codecs=octets(b"".join(part.codecs for part in parts))[order].tobytes(),
    )


def _ordered(packed: Sequence[Packed], order: Ints) -> Packed:
    found = [piece for one in packed for piece in pieces(one)]
    return joined([found[place] for place in order.tolist()])
