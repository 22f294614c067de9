"""Consumers: the records of aborted transactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.broker import consumer
from kafka_format.broker.consumer import READ_COMMITTED, Aborted, Delivery, _Fetch
from kafka_format.errors import FormatError
from kafka_format.records import control
from kafka_format.records.entries import Entry
from kafka_format.records.model import CODEC_MASK

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("deliver", "deliver")

_TakeEntry = Callable[[_Fetch, int, Entry], int]

_SWAPPED = {"abort": "commit", "commit": "abort"}


def _next_offset(right: _TakeEntry, self: _Fetch, index: int, entry: Entry) -> int:
    """Read an entry; return the offset after the last record that was delivered or passed over."""
    right(self, index, entry)
    return self._next_offset


@mutant(
    "deliver/aborted-delivered",
    rules=["consumer.aborted.filtered", "consumer.aborted.unread"],
    source=["segmentio/kafka-go#261", "streamnative/kop#1283"],
)
def aborted_delivered(patch: Patch) -> None:
    """Delivers the records of aborted transactions."""
    patch.always(_Fetch._is_aborted, returns=False)


@mutant("deliver/aborted-do-not-move", source=["segmentio/kafka-go#1332"])
def aborted_do_not_move(patch: Patch) -> None:
    """Does not move on after aborted batches."""
    patch.replace(_Fetch._pass_over, lambda self, index, head: self._next_offset)


@mutant(
    "deliver/aborted-only-is-too-small",
    source=["confluentinc/librdkafka#3020", "confluentinc/librdkafka#2993", "confluentinc/librdkafka#3639"],
)
def aborted_only_is_too_small(patch: Patch) -> None:
    """Treats a response from which nothing is delivered as one that is too small."""

    def wrong(right: Callable[..., Delivery], self: _Fetch, error: FormatError | None) -> Delivery:
        if error is None and not self._delivered:
            return Delivery([], self._fetch_offset, [], too_small=True)
        return right(self, error)

    patch.wrap(_Fetch._end, wrong)


@mutant(
    "deliver/filters-what-is-uncommitted",
    rules=["consumer.aborted.read-uncommitted"],
    source=["twmb/franz-go#758"],
)
def filters_what_is_uncommitted(patch: Patch) -> None:
    """Filters by the aborted list also under read_uncommitted."""

    def wrong(
        right: Callable[..., Delivery], entries: bytes, fetch_offset: int, _isolation: str, *rest: Any, **options: Any
    ) -> Delivery:
        return right(entries, fetch_offset, READ_COMMITTED, *rest, **options)

    patch.wrap(consumer.deliver, wrong)


@mutant("deliver/any-marker-ends-an-abort", source=["kafka4beam/brod#659", "kafka4beam/brod#329"])
def any_marker_ends_an_abort(patch: Patch) -> None:
    """Treats the first control batch of a producer as its abort marker."""
    patch.always(_Fetch._is_abort, returns=True)


@mutant("deliver/abort-and-commit-swapped")
def abort_and_commit_swapped(patch: Patch) -> None:
    """Reads the control type 1 as abort and 0 as commit."""
    patch.result(control.check_key, lambda name: _SWAPPED.get(name, name))


@mutant("deliver/abort-never-ends", rules=["consumer.aborted.abort-ends"], source=["kafka4beam/brod#659"])
def abort_never_ends(patch: Patch) -> None:
    """Filters a producer for the rest of the response."""
    patch.skip(_Fetch._end_aborted)


@mutant("deliver/abort-ends-for-all")
def abort_ends_for_all(patch: Patch) -> None:
    """Stops filtering all producers at the abort marker of one."""
    patch.replace(_Fetch._end_aborted, lambda self, producer_id: self._aborting.clear())


@mutant("deliver/aborted-from-the-start", source=["kafka4beam/brod#329"])
def aborted_from_the_start(patch: Patch) -> None:
    """Filters the producers of the aborted list from the start, whatever their first offsets."""
    patch.wrap(_Fetch._begin_aborted, lambda right, self, last_offset: right(self, 1 << 63))


@mutant("deliver/aborted-from-the-next-batch", source=["redpanda-data/redpanda#3036", "redpanda-data/redpanda#6630"])
def aborted_from_the_next_batch(patch: Patch) -> None:
    """Starts filtering one batch too late where the first offset is the last of a batch."""
    patch.wrap(_Fetch._begin_aborted, lambda right, self, last_offset: right(self, last_offset - 1))


@mutant("deliver/aborted-list-in-the-order-given")
def aborted_list_in_the_order_given(patch: Patch) -> None:
    """Assumes that the aborted list is sorted."""

    def wrong(
        right: Callable[..., None],
        self: _Fetch,
        data: bytes,
        fetch_offset: int,
        waiting: list[Aborted] | None,
        *rest: Any,
    ) -> None:
        right(self, data, fetch_offset, waiting, *rest)
        self._waiting = list(waiting or ())[::-1]

    patch.wrap(_Fetch.__init__, wrong)


@mutant("deliver/aborted-without-transaction", rules=["consumer.aborted.transactional"])
def aborted_without_transaction(patch: Patch) -> None:
    """Filters batches of an aborting producer that are not transactional."""
    patch.replace(_Fetch._is_aborted, lambda self, head: head.producer_id in self._aborting)


@mutant("deliver/compressed-is-not-aborted")
def compressed_is_not_aborted(patch: Patch) -> None:
    """Delivers aborted batches that are compressed."""
    patch.wrap(_Fetch._is_aborted, lambda right, self, head: right(self, head) and not head.attributes & CODEC_MASK)


@mutant("deliver/producer-zero-is-none")
def producer_zero_is_none(patch: Patch) -> None:
    """Treats the producer id 0 as none."""
    patch.wrap(_Fetch._is_filtered, lambda right, self, head: right(self, head) and head.producer_id != 0)


@mutant("deliver/control-key-of-any-size", source=["apache/kafka#21866"])
def control_key_of_any_size(patch: Patch) -> None:
    """Treats a control key that is too short as a commit."""
    patch.replace(control.check_key, lambda key: control.type_name(int.from_bytes((key or b"")[2:4])))


@mutant("deliver/last-control-record", rules=["consumer.aborted.first-record"])
def last_control_record(patch: Patch) -> None:
    """Looks at the last record of a control batch for an abort marker."""
    patch.wrap(
        _Fetch._is_abort,
        lambda right, self, index, entry, first: right(self, index, entry, self._read(index, entry)[-1]),
    )
