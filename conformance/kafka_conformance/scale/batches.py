"""Generated batches as the checkers take them: plain lists, made once and shared by every target."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kafka_conformance.outcomes import Result

Numbers = NDArray[np.int64]


class Block(Protocol):
    """Consecutive batches with their answers, as `kafka_format.sampler.block` gives them."""

    @property
    def data(self) -> bytes:
        """The bytes of all batches, one after another."""

    @property
    def bounds(self) -> Sequence[int] | Numbers:
        """Where each starts, and where the last one ends: one number more than there are batches."""

    @property
    def answers(self) -> bytes:
        """Their answers in canonical bytes: every field of every record, control records too."""

    @property
    def answer_bounds(self) -> Sequence[int] | Numbers:
        """The same as `bounds`, for the answers."""

    def format_of(self, index: int) -> str:
        """`v0`, `v1` or `v2`, for a batch by its place in the block."""

    def codec_of(self, index: int) -> str:
        """`none`, `gzip`, `snappy`, `lz4` or `zstd`, likewise."""


@dataclass(frozen=True, slots=True)
class Batches:
    """Consecutive batches of a run.

    Attributes:
        start: index of the first one.
        inputs: their bytes.
        answers: what they mean, in canonical bytes.
        formats: the format of each.
        codecs: the codec of each.
    """

    start: int
    inputs: Sequence[bytes]
    answers: Sequence[bytes]
    formats: Sequence[str]
    codecs: Sequence[str]

    def __len__(self) -> int:
        """How many."""
        return len(self.inputs)


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of some batches, by their number from 0. A batch in neither of the two has passed.

    Attributes:
        results: findings, and what the target does not support.
        not_put: batches that were given up together with the target.
    """

    results: dict[int, Result]
    not_put: set[int]


def batches_of(block: Block, start: int) -> Batches:
    """Cut a block into its batches."""
    inputs = _cut(block.data, block.bounds)
    return Batches(
        start=start,
        inputs=inputs,
        answers=_cut(block.answers, block.answer_bounds),
        formats=[block.format_of(place) for place in range(len(inputs))],
        codecs=[block.codec_of(place) for place in range(len(inputs))],
    )


def _cut(data: bytes, bounds: Sequence[int] | Numbers) -> list[bytes]:
    return [data[first:last] for first, last in pairwise(np.asarray(bounds).tolist())]
