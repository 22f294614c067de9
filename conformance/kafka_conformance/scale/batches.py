"""Generated batches as targets take them: made once, and shared by every target."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from kafka_format.records import Record
from numpy.typing import NDArray

from kafka_conformance.judging.result import Result
from kafka_conformance.protocol import answers

Numbers = NDArray[np.int64]

Sort = tuple[str, str, str, str]
"""Format and codec of a batch, its fault, and the rule that tells what is due then; the last two are empty for none."""


class Block(Protocol):
    """Consecutive batches with their answers, as `kafka_format.sampler.block` gives them."""

    @property
    def data(self) -> bytes:
        """The bytes of all batches, one after another."""

    @property
    def bounds(self) -> Any:  # noqa: ANN401 - a sequence of integers, or an array of them
        """Where each starts, and where the last one ends: one number more than there are batches."""

    @property
    def answers(self) -> bytes:
        """Their answers in canonical bytes: every field of every record, control records too."""

    @property
    def answer_bounds(self) -> Any:  # noqa: ANN401 - likewise
        """The same as `bounds`, for the answers."""

    @property
    def columns(self) -> Any:  # noqa: ANN401 - kafka_format.sampler.answers.Answers, which needs numpy
        """Their answers in columns."""

    @property
    def verdicts(self) -> bytes:
        """For each 0 if its answer is due, 1 if it must be refused, 2 if it may be, and else its answer is due."""

    def format_of(self, index: int) -> str:
        """`v07`, `v0`, `v1` or `v2`, for a batch by its place in the block."""

    def codec_of(self, index: int) -> str:
        """`none`, `gzip`, `snappy`, `lz4` or `zstd`, likewise."""

    def fault_of(self, index: int) -> Any:  # noqa: ANN401 - kafka_format.sampler.Fault, which needs numpy
        """What is wrong with it, likewise."""

    def sorts(self) -> Counter[Sort]:
        """How many batches there are of each sort."""


@dataclass(frozen=True, eq=False)
class Batches:
    """Consecutive batches of a run. Nothing is cut or written before someone asks for it.

    Attributes:
        start: index of the first one.
        block: their bytes, and what they mean.
    """

    start: int
    block: Block

    def __len__(self) -> int:
        """How many."""
        return len(self.block.bounds) - 1

    @cached_property
    def inputs(self) -> Sequence[bytes]:
        """The bytes of each."""
        return _cut(self.block.data, self.block.bounds)

    @cached_property
    def answers(self) -> Sequence[bytes]:
        """What each means, in canonical bytes."""
        return _cut(self.block.answers, self.block.answer_bounds)

    @cached_property
    def sorts(self) -> Counter[Sort]:
        """How many there are of each sort."""
        return self.block.sorts()

    def input(self, number: int) -> bytes:
        """The bytes of one."""
        bounds = self.block.bounds
        return self.block.data[bounds[number] : bounds[number + 1]]

    def due(self, number: int) -> list[Record]:
        """What one means; the answers of all are not written for it."""
        columns = self.block.columns
        if columns is None:
            return answers.from_bytes(self.answers[number])
        return [answers.from_wire(row) for row in columns.rows(number)]

    def sort(self, number: int) -> Sort:
        """The sort of one."""
        fault = self.block.fault_of(number)
        return self.block.format_of(number), self.block.codec_of(number), fault.name, fault.rule


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of some batches, by their number from 0. A batch in neither of the two has passed.

    Attributes:
        results: findings, what the target does not support, and what it was spared.
        not_put: batches that were given up together with the target.
    """

    results: dict[int, Result]
    not_put: set[int]


def _cut(data: bytes, bounds: Any) -> list[bytes]:  # noqa: ANN401 - as above
    return [data[first:last] for first, last in pairwise(np.asarray(bounds).tolist())]
