"""What a broker must do with a Produce request and a fetch of it: as Kafka's LogValidator does.

`kafka_format.broker` has most of it. What it does not look at, because it depends on the version of
the request, is here: from version 3 on a request has one batch of v2 for each partition, and zstd
came with version 7 (clients ProduceRequest.validateRecords; KIP-98, KIP-110).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from kafka_format.broker.conversion import down_convert
from kafka_format.broker.offsets import Assigned, TopicState, assign
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records.entries import split
from kafka_format.records.formats import head_of
from kafka_format.records.model import CODEC_MASK

from kafka_conformance.kinds.broker.questions import Question
from kafka_conformance.kinds.broker.replies import Append, FetchReply
from kafka_conformance.kinds.broker.versions import served_magic

_ZSTD: Final = 4
_BATCH_ONLY: Final = 3
_ZSTD_SINCE: Final = 7
_BATCH: Final = prefix("record_batch")


class Refused(NamedTuple):
    """What is refused, and why.

    Attributes:
        rule: id of the rule that the bytes break; empty if the version of the request is why.
        words: why, as a person would say it.
    """

    rule: str
    words: str


def expected_append(question: Question, append: Append, flags: frozenset[str] = frozenset()) -> Assigned | Refused:
    """Return what the broker must append, or why it must refuse it.

    Offset, leader epoch and the broker's time are those that the broker answered.

    Args:
        question: what was sent.
        append: what came of it.
        flags: names of the leniencies that are allowed.
    """
    assigned = _assign(question.data, max(append.base_offset, 0), topic(question, append), flags)
    if isinstance(assigned, Refused):
        return assigned
    return _by_version(question.data, append.version) or assigned


@lru_cache(maxsize=64)
def _assign(data: bytes, first_offset: int, topic: TopicState, flags: frozenset[str]) -> Assigned | Refused:
    """Do what a broker does; versions of Produce ask for the same again and again."""
    try:
        return assign(data, first_offset, topic, flags=flags)
    except FormatError as error:
        return Refused(error.rule or "", str(error))


def topic(question: Question, append: Append) -> TopicState:
    """Return the topic as the reference has it."""
    settings = question.settings
    epoch = append.leader_epoch if append.leader_epoch is not None else _stored_epoch(append)
    return TopicState(append.magic, settings.codec, settings.timestamp_type, _now(append), epoch)


def expected_content(appended: Assigned, got: FetchReply, flags: frozenset[str] = frozenset()) -> bytes | Refused:
    """Return what a fetch must give of what was appended; it may give more behind it."""
    magic = served_magic(got.version)
    if any(entry.magic > magic for entry in split(appended.data)):
        try:
            return _convert(appended.data, magic, got.offset, flags)
        except FormatError as error:
            return Refused(error.rule or "", str(error))
    return appended.data


@lru_cache(maxsize=64)
def _convert(data: bytes, magic: int, offset: int, flags: frozenset[str]) -> bytes:
    return down_convert(data, magic, offset, flags=flags).data


def _by_version(data: bytes, version: int) -> Refused | None:
    """Return why a version of Produce does not carry entries that are sound."""
    entries = list(split(data))
    if version >= _BATCH_ONLY and any(entry.magic < 2 for entry in entries):
        return Refused("", f"Produce {version} carries batches of v2 alone")
    if version < _ZSTD_SINCE and any(_codec(data, entry) == _ZSTD for entry in entries):
        return Refused("", f"Produce {version} does not carry zstd, {_ZSTD_SINCE} and newer do")
    return None


def _codec(data: bytes, entry: Any) -> int:
    form, start = head_of(entry)
    return int(form.read(data, start).attributes) & CODEC_MASK


def _now(append: Append) -> int:
    """Return the broker's time: as it answered it, else as it wrote it."""
    if append.append_time >= 0 or not append.fetches:
        return append.append_time
    data = append.fetches[0].data
    try:
        first = next(iter(split(data)), None)
    except FormatError:
        return -1
    if first is None or first.magic == 0:
        return -1
    form, start = head_of(first)
    if first.end - start < form.size:
        return -1
    head = form.read(data, start)
    return int(head.max_timestamp if first.magic == 2 else head.timestamp)


def _stored_epoch(append: Append) -> int:
    """Return the epoch that a broker wrote that does not tell it."""
    for fetched in append.fetches:
        if len(fetched.data) >= _BATCH.size and fetched.data[_BATCH.places["magic"]] == 2:
            return int(_BATCH.value(fetched.data, 0, "partition_leader_epoch"))
    return -1
