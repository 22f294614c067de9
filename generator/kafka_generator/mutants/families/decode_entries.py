"""Where entries begin and end, and what the answer keeps of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from typing import Any

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records import decoding, entries
from kafka_format.records.entries import FORMATS, MAGIC_AT, OVERHEAD, Entry
from kafka_format.records.model import CODEC_MASK, Record

from kafka_generator.mutants.cut import refuse_cut
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "entries")

_Split = Callable[..., Iterator[Entry]]


class _Ended(Exception):  # noqa: N818 - it is no error
    """A run ends here."""


@mutant(
    "entries/cut-entry-is-an-error",
    rules=["entry.cut"],
    source=["tulios/kafkajs#182", "okapies/finagle-kafka#3", "confluentinc/kafka-rest#111"],
)
def cut_entry_is_an_error(patch: Patch) -> None:
    """Refuses a run whose last entry is cut off, where brokers cut at a number of bytes."""
    refuse_cut(patch, entries.split, when=lambda rest: rest > MAGIC_AT)


@mutant("entries/cut-before-the-magic-is-an-error", source=["IBM/sarama#998"])
def cut_before_the_magic_is_an_error(patch: Patch) -> None:
    """Refuses input that ends between the size and the magic byte of an entry."""
    refuse_cut(patch, entries.split, when=lambda rest: OVERHEAD <= rest <= MAGIC_AT)


@mutant("entries/cut-in-the-size-is-an-error", source=["IBM/sarama#998"])
def cut_in_the_size_is_an_error(patch: Patch) -> None:
    """Refuses input that ends in fewer than 12 bytes of a further entry."""
    refuse_cut(patch, entries.split, when=lambda rest: 0 < rest < OVERHEAD)


@mutant("entries/last-entry-taken-for-cut")
def last_entry_taken_for_cut(patch: Patch) -> None:
    """Leaves out an entry that ends with the input, by comparing with >= instead of >."""

    def wrong(right: _Split, data: bytes, *flags: Any, **options: Any) -> Iterator[Entry]:
        return (entry for entry in right(data, *flags, **options) if entry.end < len(data))

    patch.wrap(entries.split, wrong)


@mutant("entries/only-the-first", rules=["entry.run"], source=["ydb-platform/ydb#24272", "redpanda-data/redpanda#1389"])
def only_the_first(patch: Patch) -> None:
    """Stops after the first entry."""
    patch.result(entries.split, lambda run: islice(run, 1))


@mutant(
    "entries/format-of-the-first",
    rules=["entry.magic.each"],
    source=["segmentio/kafka-go#753", "tulios/kafkajs#246", "IBM/sarama#988", "Parsely/pykafka#866"],
)
def format_of_the_first(patch: Patch) -> None:
    """Reads all entries by the magic of the first."""

    def wrong(right: _Split, data: bytes, *flags: Any, any_magic: bool = False, **options: Any) -> Iterator[Entry]:
        magic = data[MAGIC_AT] if len(data) > MAGIC_AT else 0
        for entry in right(data, *flags, any_magic=any_magic or magic in FORMATS, **options):
            yield entry._replace(magic=magic)

    patch.wrap(entries.split, wrong)


@mutant("entries/unknown-magic-is-skipped")
def unknown_magic_is_skipped(patch: Patch) -> None:
    """Skips an entry of an unknown magic."""

    def wrong(right: _Split, data: bytes, *flags: Any, any_magic: bool = False, **options: Any) -> Iterator[Entry]:
        run = right(data, *flags, any_magic=True, **options)
        return (entry for entry in run if any_magic or entry.magic in FORMATS)

    patch.wrap(entries.split, wrong)


@mutant("entries/later-magic-is-v2")
def later_magic_is_v2(patch: Patch) -> None:
    """Reads an entry of a magic above 2 as a record batch: it asks for a magic of at least 2."""

    def wrong(right: _Split, data: bytes, *flags: Any, any_magic: bool = False, **options: Any) -> Iterator[Entry]:
        for entry in right(data, *flags, any_magic=True, **options):
            is_later = max(FORMATS) < entry.magic < 128
            if not (any_magic or is_later or entry.magic in FORMATS):
                raise ValueError
            yield entry._replace(magic=2) if is_later else entry

    patch.wrap(entries.split, wrong)
    patch.field("record_batch", "magic", const=None, has_default=True, default=2)


@mutant("entries/size-counts-its-header", rules=["entry.size.within"])
def size_counts_its_header(patch: Patch) -> None:
    """Assumes that the size includes the offset and the size itself."""
    patch.replace(entries._end, lambda position, size: position + size)


@mutant("entries/size-is-little-endian", rules=["field.integer"])
def size_is_little_endian(patch: Patch) -> None:
    """Reads the size with its bytes the other way round."""
    patch.constant(entries, "_SIZE", struct.Struct("<i"))


@mutant("entries/empty-batch-ends", rules=["v2.batch.empty"], source=["IBM/sarama#2053", "segmentio/kafka-go#813"])
def empty_batch_ends(patch: Patch) -> None:
    """Stops at a batch without records, and never reads what follows it."""

    def wrong(right: Callable[..., Iterator[list[Record]]], *args: Any, **options: Any) -> Iterator[list[Record]]:
        return takewhile(bool, right(*args, **options))

    patch.wrap(decoding.by_entry, wrong)


@mutant("entries/fault-ends-quietly")
def fault_ends_quietly(patch: Patch) -> None:
    """Ends without an error at the first entry that breaks a rule."""

    def read(right: Callable[..., list[Record]], *args: Any, **options: Any) -> list[Record]:
        try:
            return right(*args, **options)
        except FormatError:
            raise _Ended from None

    def end(right: Callable[..., Iterator[list[Record]]], *args: Any, **options: Any) -> Iterator[list[Record]]:
        try:
            yield from right(*args, **options)
        except _Ended:
            return

    patch.wrap(decoding._interpret, read)
    patch.wrap(decoding.by_entry, end)


@mutant("entries/faulty-entry-is-skipped", source=["estuary/flow#1651"])
def faulty_entry_is_skipped(patch: Patch) -> None:
    """Passes over an entry that breaks a rule."""

    def wrong(right: Callable[..., list[Record]], *args: Any, **options: Any) -> list[Record]:
        try:
            return right(*args, **options)
        except FormatError:
            return []

    patch.wrap(decoding._interpret, wrong)


@mutant("entries/second-compressed-batch-fails", source=["platformatic/kafka#123"])
def second_compressed_batch_fails(patch: Patch) -> None:
    """Cannot decompress any batch but the first."""

    def is_second(data: bytes, entry: Entry, *_args: Any, **_options: Any) -> bool:
        return (
            entry.start > 0
            and entry.magic == 2
            and bool(prefix("record_batch").read(data, entry.start).attributes & CODEC_MASK)
        )

    patch.refuse(decoding._interpret, when=is_second)
