"""Batches of a segment, by their sizes."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.errors import FormatError
from kafka_format.log import batches
from kafka_format.log.batches import Batch
from kafka_format.log.mapped_file import Data

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "batches")


@mutant("batches/rest-of-18-bytes")
def rest_of_18_bytes(patch: Patch) -> None:
    """Takes 18 bytes at the end for nothing, where Kafka looks at the size in them."""
    patch.constant(batches, "_SMALLEST_REST", batches._SMALLEST_REST + 1)


@mutant("batches/cut-batch-counts")
def cut_batch_counts(patch: Patch) -> None:
    """Takes a batch for whole whose last 4096 bytes, or fewer, are missing."""

    def wrong(right: Callable[[Data, int, int], Batch | None], data: Data, position: int, limit: int) -> Batch | None:
        has_head = limit - position >= batches._SMALLEST_REST
        return right(data, position, limit + 4096 if has_head else limit)

    patch.wrap(batches._whole_batch, wrong)


@mutant("batches/small-size-ends")
def small_size_ends(patch: Patch) -> None:
    """Takes a size that is too small for the end of the segment."""

    def wrong(right: Callable[[Data, int, int], Batch | None], data: Data, position: int, limit: int) -> Batch | None:
        try:
            return right(data, position, limit)
        except FormatError:
            return None

    patch.wrap(batches._whole_batch, wrong)
