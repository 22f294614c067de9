"""Message sets of 0.7."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from kafka_format.errors import FormatError
from kafka_format.records import v07
from kafka_format.records.entries import Entry
from kafka_format.records.model import Record
from kafka_format.spec.layout.model import Field
from kafka_format.spec.layout.types import INTEGERS

from kafka_generator.mutants.cut import refuse_cut
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode", "v07")

_ATTRIBUTES = Field("attributes", INTEGERS["int8"], "", 0, has_default=True, default=0)


def _entries(patch: Patch, change: Callable[[list[Record], int, int], list[Record]], *, plain: bool) -> None:
    """Let plain messages, or wrappers, be given changed.

    `change` gets the records of one entry, and the positions of its first byte and after its last.
    """

    def wrong(right: Callable[..., list[Record]], data: bytes, entry: Entry, base: int, *rest: Any) -> list[Record]:
        records = right(data, entry, base, *rest)
        if not records or (records[0].codec == 0) != plain:
            return records
        return change(records, base + entry.start, base + entry.end)

    patch.wrap(v07._entry_records, wrong)


@mutant("v07/offset-is-the-start", rules=["v07.offset.next"])
def offset_is_the_start(patch: Patch) -> None:
    """Gives the position where a message starts, not the one after it."""
    _entries(patch, lambda records, start, _: [record._replace(offset=start) for record in records], plain=True)


@mutant("v07/last-inner-offset-is-that-of-the-wrapper", rules=["v07.wrapper.offset"])
def last_inner_offset_is_that_of_the_wrapper(patch: Patch) -> None:
    """Gives the last message of a wrapper the position of the wrapper, like those before it."""
    _entries(patch, lambda records, start, _: [record._replace(offset=start) for record in records], plain=False)


@mutant("v07/all-inner-offsets-behind-the-wrapper")
def all_inner_offsets_behind_the_wrapper(patch: Patch) -> None:
    """Gives all messages of a wrapper the position after it."""
    _entries(patch, lambda records, _, end: [record._replace(offset=end) for record in records], plain=False)


@mutant("v07/crc-not-checked")
def crc_not_checked(patch: Patch) -> None:
    """Never compares the checksum."""
    patch.allow("v07.crc.covers-payload")


@mutant("v07/nested-wrappers-refused")
def nested_wrappers_refused(patch: Patch) -> None:
    """Refuses a wrapper inside a wrapper."""
    patch.refuse_result(v07._next_message, when=lambda message: message is not None and v07._is_wrapper(message))


@mutant("v07/nested-wrappers-not-opened", rules=["v07.wrapper.nested"])
def nested_wrappers_not_opened(patch: Patch) -> None:
    """Gives a wrapper inside a wrapper as one message."""

    def plain(message: Any) -> Any:
        return message._replace(attributes=0) if message is not None and v07._is_wrapper(message) else message

    patch.result(v07._next_message, plain)


@mutant("v07/first-entry-may-be-cut", source=["confluentinc/librdkafka#1623"])
def first_entry_may_be_cut(patch: Patch) -> None:
    """Treats a set whose first entry is cut off as empty."""

    def wrong(right: Callable[[bytes], Iterator[Entry]], data: bytes) -> Iterator[Entry]:
        try:
            yield from right(data)
        except FormatError as error:
            if error.rule != "v07.first-entry.whole":
                raise

    patch.wrap(v07.split, wrong)


@mutant("v07/cut-entry-is-an-error", rules=["v07.entry.cut"], source=["okapies/finagle-kafka#3"])
def cut_entry_is_an_error(patch: Patch) -> None:
    """Refuses a set whose last entry is cut off."""
    refuse_cut(patch, v07.split, when=lambda rest: rest >= v07.OVERHEAD)


@mutant("v07/three-codec-bits", rules=["v07.attributes.unused-ignored"])
def three_codec_bits(patch: Patch) -> None:
    """Reads three codec bits, as later formats have them."""
    patch.constant(v07, "CODEC_MASK", 0x07)


@mutant("v07/magic-0-with-attributes", rules=["v07.magic.each"])
def magic_0_with_attributes(patch: Patch) -> None:
    """Reads attributes in messages of magic 0, which have none."""
    patch.layout(
        "v07_message_0",
        lambda layout: replace(layout, fields=(layout.fields[0], _ATTRIBUTES, *layout.fields[1:])),
    )


@mutant("v07/magic-1-without-attributes")
def magic_1_without_attributes(patch: Patch) -> None:
    """Reads messages of magic 1 by the layout of magic 0."""
    patch.remove("v07_message_1", "attributes")
    patch.always(v07._is_wrapper, returns=False)


@mutant("v07/codec-of-inner-messages-lost")
def codec_of_inner_messages_lost(patch: Patch) -> None:
    """Marks messages inside wrappers as not compressed."""
    patch.result(v07._inside, lambda messages: ((payload, 0) for payload, _ in messages))


@mutant("v07/only-the-first", rules=["v07.run"])
def only_the_first(patch: Patch) -> None:
    """Stops after the first entry."""
    patch.result(v07.split, lambda run: islice(run, 1))


@mutant("v07/size-counts-itself", rules=["v07.size.within"])
def size_counts_itself(patch: Patch) -> None:
    """Assumes that the size includes itself."""
    patch.replace(v07._end, lambda position, size: position + size)


@mutant("v07/empty-payload-is-null", rules=["v07.payload"])
def empty_payload_is_null(patch: Patch) -> None:
    """Gives null for an empty payload."""
    _entries(patch, lambda records, *_: [record._replace(value=record.value or None) for record in records], plain=True)


@mutant("v07/wrapper-not-opened", rules=["v07.wrapper"])
def wrapper_not_opened(patch: Patch) -> None:
    """Gives a wrapper as one message with compressed bytes for a payload."""
    patch.always(v07._is_wrapper, returns=False)


@mutant("v07/empty-wrapper-refused", rules=["v07.wrapper.empty"])
def empty_wrapper_refused(patch: Patch) -> None:
    """Refuses a wrapper without messages."""
    patch.refuse_result(v07._entry_records, when=lambda records: not records)
