"""Checkpoints: version, number of rows, and rows."""

from __future__ import annotations

from kafka_format.log.text import checkpoints
from kafka_format.log.text.lines import split

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "checkpoints")


def _numbers_of(patch: Patch, width: int) -> None:
    """Let all numbers of a row be read as integers of so many bits."""
    patch.wrap(
        checkpoints._number,
        lambda right, line, text, bits, *, loose: right(line, text, width, loose=loose),
    )


@mutant("checkpoints/count-unread")
def count_unread(patch: Patch) -> None:
    """Reads a checkpoint with more rows than it announces."""
    patch.wrap(checkpoints._check_count, lambda right, rows, count, line: right(min(rows, count), count, line))


@mutant("checkpoints/more-rows")
def more_rows(patch: Patch) -> None:
    """Reads a checkpoint with fewer rows than it announces."""
    patch.wrap(checkpoints._check_count, lambda right, rows, count, line: right(max(rows, count), count, line))


@mutant("checkpoints/version-unread")
def version_unread(patch: Patch) -> None:
    """Reads a checkpoint of any version."""
    patch.skip(checkpoints._check_version)


@mutant("checkpoints/version-alone")
def version_alone(patch: Patch) -> None:
    """Refuses a checkpoint that has a version and nothing else."""
    patch.refuse(checkpoints._decode, when=lambda data, row_of, flags: len(list(split(data))) == 1)


@mutant("checkpoints/epochs-of-64-bits")
def epochs_of_64_bits(patch: Patch) -> None:
    """Reads leader epochs as integers of 64 bits."""
    patch.within(checkpoints._epoch_row, lambda inner: _numbers_of(inner, 64))


@mutant("checkpoints/offsets-of-32-bits")
def offsets_of_32_bits(patch: Patch) -> None:
    """Reads the offsets of partitions as integers of 32 bits."""
    patch.within(checkpoints._offset_row, lambda inner: _numbers_of(inner, 32))
