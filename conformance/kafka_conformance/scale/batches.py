"""Generated batches as targets take them: made once, and shared by every target."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from kafka_format.records import Record
from numpy.typing import NDArray

from kafka_conformance.judging.result import Result
from kafka_conformance.protocol import answers


class Sort(NamedTuple):
    """The properties of batches that are counted together.

    Attributes:
        format: `v07`, `v0`, `v1` or `v2`.
        codec: `none`, `gzip`, `snappy`, `lz4` or `zstd`.
        fault: the name of the fault that was done to it; empty for none.
        rule: the rule that the fault breaks, or that says that it breaks none; empty for no fault.
    """

    format: str
    codec: str
    fault: str
    rule: str


class Block(Protocol):
    """Consecutive batches with their answers, as `kafka_format.sampler.block` gives them."""

    @property
    def data(self) -> bytes:
        """The bytes of all batches, one after another."""

    @property
    def bounds(self) -> NDArray[np.int64]:
        """Where each starts, and where the last one ends: one number more than batches."""

    @property
    def columns(self) -> Any:  # noqa: ANN401 - kafka_format.sampler.answers.Answers, which needs numpy
        """Their answers in columns."""

    @property
    def verdicts(self) -> bytes:
        """By batch 0 if its answer is expected, 1 if a refusal, 2 if either."""

    def format_of(self, index: int) -> str:
        """`v07`, `v0`, `v1` or `v2`, for a batch by its place in the block."""

    def codec_of(self, index: int) -> str:
        """`none`, `gzip`, `snappy`, `lz4` or `zstd`, likewise."""

    def fault_of(self, index: int) -> Any:  # noqa: ANN401 - kafka_format.sampler.Fault, which needs numpy
        """What is wrong with it, likewise."""

    def sorts(self) -> Counter[tuple[str, str, str, str]]:
        """The number of batches of each sort."""


@dataclass(frozen=True, eq=False)
class Batches:
    """Consecutive batches of a run. Nothing is cut or written before it is needed.

    Attributes:
        start: index of the first one.
        block: their bytes, and what they mean.
    """

    start: int
    block: Block

    def __len__(self) -> int:
        """The number of batches."""
        return len(self.block.bounds) - 1

    @property
    def size(self) -> int:
        """The bytes of all of them."""
        return len(self.block.data)

    @cached_property
    def sorts(self) -> Counter[Sort]:
        """The number of batches of each sort."""
        return Counter({Sort(*sort): count for sort, count in self.block.sorts().items()})

    def input(self, number: int) -> bytes:
        """The bytes of one."""
        bounds = self.block.bounds
        return self.block.data[bounds[number] : bounds[number + 1]]

    def expected_records(self, number: int) -> list[Record]:
        """Return the expected records of one batch."""
        return [answers.from_wire(row) for row in self.block.columns.rows(number)]

    def sort(self, number: int) -> Sort:
        """The sort of one."""
        fault = self.block.fault_of(number)
        return Sort(self.block.format_of(number), self.block.codec_of(number), fault.name, fault.rule)


@dataclass(frozen=True, slots=True)
class Checked:
    """The results of some batches, by their number from 0. A batch without a result has passed.

    Attributes:
        results: findings, and what the target does not support.
        skipped: batches that were not put, because others like them have killed the target.
        not_put: batches that were given up together with the target.
    """

    results: dict[int, Result]
    skipped: set[int]
    not_put: set[int]
