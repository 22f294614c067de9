"""Kinds of answers, or of entries in them, where a consumer goes wrong and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format.broker.consumer import READ_COMMITTED

from kafka_conformance.diagnosis.match import Match
from kafka_conformance.kinds.consumer.fetched import FetchedEntry
from kafka_conformance.kinds.consumer.wrong_answers import ConsumerAnswer
from kafka_conformance.kinds.consumer.wrong_consumers import Way, within
from kafka_conformance.kinds.consumer.wrong_consumers.features import FEATURES, Has


class Scope(NamedTuple):
    """Answers of one kind, or that have entries of one kind, where all that goes wrong is in these.

    Attributes:
        id: what stands behind the id of a cause.
        words: what is said of it.
        is_answer: tells whether an answer is one; None if this is about entries.
        is_entry: tells whether an entry is one.
    """

    id: str
    words: str
    is_answer: Callable[[ConsumerAnswer], bool] | None = None
    is_entry: Callable[[FetchedEntry], bool] = lambda _: True

    def has(self, asked: ConsumerAnswer) -> bool:
        """Tell whether an answer is one, or has such an entry."""
        return self.is_answer(asked) if self.is_answer else any(map(self.is_entry, asked.answer.entries))

    def way(self, way: Way) -> Way:
        """Return what goes wrong so in this alone."""
        return way if self.is_answer else within(way, self.is_entry)

    def of(self, match: Match) -> Match:
        """Return what explains the same, said of this kind."""
        signature = match.signature
        does = f"{signature.does}, {self.words}"
        return replace(match, signature=replace(signature, id=f"{signature.id}/{self.id}", does=does))


_BATCHES: Final = 2
"""The magic byte of record batches."""


def _is_batch(entry: FetchedEntry) -> bool:
    return entry.magic >= _BATCHES


def _is_compressed(entry: FetchedEntry) -> bool:
    return any(record.codec for record in entry.records)


def _is_old_and_compressed(entry: FetchedEntry) -> bool:
    return not _is_batch(entry) and _is_compressed(entry)


def _is_old_and_plain(entry: FetchedEntry) -> bool:
    return not _is_batch(entry) and not _is_compressed(entry)


def _is_plain_of(magic: int) -> Callable[[FetchedEntry], bool]:
    return lambda entry: entry.magic == magic and not _is_compressed(entry)


def _lacks_its_end(entry: FetchedEntry) -> bool:
    return _is_batch(entry) and bool(entry.records) and entry.records[-1].offset < entry.last


def _has_gaps(entry: FetchedEntry) -> bool:
    return _is_batch(entry) and 0 < len(entry.records) <= entry.last - entry.first


def _is_compressed_batch(entry: FetchedEntry) -> bool:
    return _is_batch(entry) and _is_compressed(entry)


def _is_empty(entry: FetchedEntry) -> bool:
    return _is_batch(entry) and not entry.records


def _of_feature(name: str, words: str, has: Has) -> Scope:
    """Return the entries with a record that has a feature."""
    return Scope(
        f"of-{name}", f"in {words}", is_entry=lambda entry: any(has(record, entry) for record in entry.records)
    )


_SCOPES: Final = (
    Scope("uncompressed-old-formats", "in what is not compressed in v0 and v1", is_entry=_is_old_and_plain),
    Scope("uncompressed-v0", "in what is not compressed in v0", is_entry=_is_plain_of(0)),
    Scope("uncompressed-v1", "in what is not compressed in v1", is_entry=_is_plain_of(1)),
    Scope("uncompressed-batches", "in batches that are not compressed", is_entry=_is_plain_of(2)),
    Scope("read-committed", "with read_committed", lambda each: each.answer.view.isolation == READ_COMMITTED),
    Scope("old-and-compressed", "in what is compressed in v0 and v1", is_entry=_is_old_and_compressed),
    Scope("compressed", "in what is compressed", is_entry=_is_compressed),
    Scope("compressed-batches", "in compressed batches", is_entry=_is_compressed_batch),
    Scope("old-formats", "in the formats v0 and v1", is_entry=lambda entry: not _is_batch(entry)),
    Scope("at-an-empty-batch", "at a batch without records", is_entry=_is_empty),
    Scope("at-a-marker", "at the marker of a transaction", is_entry=lambda entry: entry.is_control),
    Scope("at-a-compacted-end", "at a batch whose last records compaction removed", is_entry=_lacks_its_end),
    Scope("at-a-compacted-batch", "at a batch from which compaction removed records", is_entry=_has_gaps),
    Scope("in-transactions", "in transactions", is_entry=lambda entry: entry.is_transactional),
    Scope(
        "within-a-batch",
        "where it asks for an offset inside of a batch",
        lambda each: any(one.first < each.answer.view.fetch_offset <= one.last for one in each.answer.entries),
    ),
    *(_of_feature(*feature) for feature in FEATURES),
)
"""All of them."""


def scopes_of(wrong: Sequence[ConsumerAnswer]) -> Sequence[Scope]:
    """Return the kinds of answers that all wrong ones are of, the narrowest first."""
    told = [answer for answer in wrong if answer.answer.is_sound and not answer.is_conversation]
    return [scope for scope in _SCOPES if told and all(map(scope.has, told))]
