"""Consumers: which records reach the application, and where they fetch next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.broker import consumer
from kafka_format.broker.consumer import _Fetch
from kafka_format.codec.prefix import prefix
from kafka_format.records.entries import Entry
from kafka_format.records.model import CONTROL_BIT, TRANSACTIONAL_BIT, Record

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("deliver", "deliver")

_TakeEntry = Callable[[_Fetch, int, Entry], int]


def _head(fetch: _Fetch, entry: Entry) -> Any:
    """Return the fixed fields of a batch."""
    return prefix("record_batch").read(fetch._data, entry.start)


def _next_offset(right: _TakeEntry, self: _Fetch, index: int, entry: Entry) -> int:
    """Read an entry; return the offset after the last record that was delivered or passed over."""
    right(self, index, entry)
    return self._next_offset


@mutant(
    "deliver/control-records-delivered",
    rules=["consumer.control.skipped"],
    source=[
        "dpkp/kafka-python#2361",
        "zendesk/ruby-kafka#893",
        "IBM/sarama#1898",
        "platformatic/kafka#137",
        "kafkaex/kafka_ex#557",
    ],
)
def control_records_delivered(patch: Patch) -> None:
    """Delivers control records to the application."""
    patch.wrap(
        _Fetch._hand_on, lambda right, self, index, records, *, control: right(self, index, records, control=False)
    )


@mutant("deliver/control-only-in-transactions", source=["zendesk/ruby-kafka#893"])
def control_only_in_transactions(patch: Patch) -> None:
    """Takes control batches that are not transactional for data."""
    both = CONTROL_BIT | TRANSACTIONAL_BIT
    patch.replace(consumer._is_control, lambda head: head.attributes & both == both)


@mutant(
    "deliver/next-offset-behind-the-last-record",
    rules=["consumer.next-offset.last-offset"],
    source=["dpkp/kafka-python#1701", "dpkp/kafka-python#1724", "tulios/kafkajs#562", "segmentio/kafka-go#813"],
)
def next_offset_behind_the_last_record(patch: Patch) -> None:
    """Fetches next after the last record that is left, not after the batch."""
    patch.wrap(_Fetch._batch, _next_offset)


@mutant(
    "deliver/next-offset-behind-the-last-delivered",
    source=[
        "tulios/kafkajs#197",
        "tulios/kafkajs#403",
        "confluentinc/librdkafka#2539",
        "kafkaex/kafka_ex#557",
        "quixio/quix-streams#1017",
    ],
)
def next_offset_behind_the_last_delivered(patch: Patch) -> None:
    """Fetches next after the last delivered record, so it never gets past a control batch."""

    def deliver_data(
        right: Callable[..., None], self: _Fetch, index: int, records: list[Record], *, control: bool
    ) -> None:
        if not control:
            right(self, index, records, control=False)

    patch.wrap(_Fetch._hand_on, deliver_data)
    patch.wrap(_Fetch._batch, _next_offset)


@mutant(
    "deliver/empty-batch-does-not-move",
    rules=["consumer.next-offset.empty-batch"],
    source=["dpkp/kafka-python#1571", "IBM/sarama#2053", "kafka4beam/brod#263"],
)
def empty_batch_does_not_move(patch: Patch) -> None:
    """Does not move on after a batch without records."""

    def wrong(right: _TakeEntry, self: _Fetch, index: int, entry: Entry) -> int:
        after = right(self, index, entry)
        return after if _head(self, entry).record_count else self._next_offset

    patch.wrap(_Fetch._batch, wrong)


@mutant("deliver/empty-batch-moves-by-one", source=["segmentio/kafka-go#621", "segmentio/kafka-go#708"])
def empty_batch_moves_by_one(patch: Patch) -> None:
    """Moves by one at a batch without records."""

    def wrong(right: _TakeEntry, self: _Fetch, index: int, entry: Entry) -> int:
        after, head = right(self, index, entry), _head(self, entry)
        return after if head.record_count else int(head.base_offset) + 1

    patch.wrap(_Fetch._batch, wrong)


@mutant("deliver/last-offset-counts-records", source=["segmentio/kafka-go#709", "redpanda-data/redpanda#14966"])
def last_offset_counts_records(patch: Patch) -> None:
    """Computes the last offset of a batch from base_offset and record_count."""
    patch.replace(consumer._last_offset, lambda head: int(head.base_offset + head.record_count - 1))


@mutant(
    "deliver/before-the-fetch-offset",
    rules=["consumer.before-fetch-offset", "consumer.repeated-offset"],
    source=["tulios/kafkajs#562", "tulios/kafkajs#577", "apache/kafka#3191"],
)
def before_the_fetch_offset(patch: Patch) -> None:
    """Delivers records before the fetch offset."""
    patch.always(_Fetch._is_before, returns=False)


@mutant(
    "deliver/gap-is-an-error",
    rules=["consumer.gaps"],
    source=["dpkp/kafka-python#1390", "dpkp/kafka-python#1397", "IBM/sarama#1005", "IBM/sarama#225"],
)
def gap_is_an_error(patch: Patch) -> None:
    """Refuses a hole between the fetch offset, or a batch, and the next batch."""
    patch.refuse(_Fetch._batch, when=lambda self, index, entry: _head(self, entry).base_offset > self._next_offset)


@mutant("deliver/message-moves-by-records", rules=["consumer.wrapper.offset"], source=["zendesk/ruby-kafka#555"])
def message_moves_by_records(patch: Patch) -> None:
    """Fetches next after the last inner message that was delivered, not after the wrapper."""
    patch.wrap(_Fetch._message, _next_offset)


@mutant("deliver/position-moves-back", rules=["consumer.next-offset.never-back"], source=["tulios/kafkajs#577"])
def position_moves_back(patch: Patch) -> None:
    """Lets old entries move the fetch offset back."""
    patch.wrap(_Fetch._end, lambda right, self, error: right(self, error)._replace(next_offset=self._next_offset))
