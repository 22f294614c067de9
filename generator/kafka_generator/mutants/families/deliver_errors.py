"""Consumers: what they do with faulty entries, and with responses that hold no whole one."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.broker.consumer import Delivery, _Fetch
from kafka_format.errors import FormatError
from kafka_format.records import entries
from kafka_format.records.entries import MAGIC_AT, Entry

from kafka_generator.mutants.cut import refuse_cut
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("deliver", "deliver")

_TakeEntry = Callable[[_Fetch, int, Entry], int]


@mutant(
    "deliver/too-small-not-told",
    rules=["consumer.too-small"],
    source=[
        "zendesk/ruby-kafka#472",
        "confluentinc/librdkafka#482",
        "confluentinc/librdkafka#320",
        "confluentinc/librdkafka#1623",
    ],
)
def too_small_not_told(patch: Patch) -> None:
    """Does not report a response that holds no whole entry."""
    patch.result(_Fetch.delivery, lambda delivery: delivery._replace(too_small=False))


@mutant(
    "deliver/empty-is-too-small", rules=["consumer.empty-response"], source=["apache/kafka#18726", "apache/kafka#19131"]
)
def empty_is_too_small(patch: Patch) -> None:
    """Treats a response without bytes as one that is too small."""

    def wrong(right: Callable[[_Fetch], Delivery], self: _Fetch) -> Delivery:
        delivery = right(self)
        return delivery if self._data else delivery._replace(too_small=True)

    patch.wrap(_Fetch.delivery, wrong)


@mutant(
    "deliver/cut-entry-is-an-error",
    rules=["consumer.cut"],
    source=["tulios/kafkajs#182", "confluentinc/kafka-rest#111"],
)
def cut_entry_is_an_error(patch: Patch) -> None:
    """Stops with an error at an entry that is cut off."""
    refuse_cut(patch, entries.split, when=lambda rest: rest > MAGIC_AT)


@mutant("deliver/error-loses-what-came-before", rules=["consumer.error.keeps"])
def error_loses_what_came_before(patch: Patch) -> None:
    """Delivers nothing of a response with a faulty entry."""

    def wrong(right: Callable[[_Fetch, FormatError], Delivery], self: _Fetch, error: FormatError) -> Delivery:
        self._delivered.clear()
        return right(self, error)

    patch.wrap(_Fetch._end_with_error, wrong)


@mutant("deliver/error-not-told")
def error_not_told(patch: Patch) -> None:
    """Ends quietly at a faulty entry."""
    patch.wrap(_Fetch._end, lambda right, self, error: right(self, None))


@mutant("deliver/error-moves-on", rules=["consumer.error.no-progress"], source=["estuary/flow#1651"])
def error_moves_on(patch: Patch) -> None:
    """Fetches next after a faulty entry, though nothing was delivered."""

    def wrong(right: Callable[[_Fetch, FormatError], Delivery], self: _Fetch, error: FormatError) -> Delivery:
        delivery = right(self, error)
        return delivery if self._delivered else delivery._replace(next_offset=self._fetch_offset + 1)

    patch.wrap(_Fetch._end_with_error, wrong)


@mutant("deliver/checksum-of-skipped-batches-ignored", source=["confluentinc/librdkafka#1056"])
def checksum_of_skipped_batches_ignored(patch: Patch) -> None:
    """Does not look at the checksum of a batch before it believes its header."""
    patch.skip(_Fetch._check)


@mutant("deliver/checksum-of-skipped-messages", rules=["consumer.checksum.unread-message"])
def checksum_of_skipped_messages(patch: Patch) -> None:
    """Requires a right checksum of messages that it does not deliver."""

    def wrong(right: _TakeEntry, self: _Fetch, index: int, entry: Entry) -> int:
        self._read(index, entry)
        return right(self, index, entry)

    patch.wrap(_Fetch._message, wrong)
