"""What a coordinator makes of the records in its partition, and which of them it cannot load.

Group and share coordinators: CoordinatorLoaderImpl and the serdes and shards of each. Transaction
coordinator: TransactionStateManager.loadTransactionMetadata, TransactionLog. The group coordinator
that 3.9 and older have by default: kafka.coordinator.group.GroupMetadataManager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.log.contents.group_states import Groups
from kafka_format.log.contents.kafka_error import KafkaError, Refused
from kafka_format.log.contents.reading import UnknownKey, UnknownVersion, read_framed, read_key, read_value
from kafka_format.log.contents.releases import Release
from kafka_format.log.partition import PartitionLog
from kafka_format.protocol.records import SchemaRecord
from kafka_format.records import Record

OFFSETS: Final = "__consumer_offsets"
TRANSACTIONS: Final = "__transaction_state"
SHARE: Final = "__share_group_state"
REMOTE: Final = "__remote_log_metadata"
_NEW_GROUPS: Final = (4, 0)
"""The first release whose group coordinator is the new one, whatever the settings say."""

_EMPTY, _LAST_STATUS = 0, 7


class Cost(StrEnum):
    """What it costs that a record cannot be loaded."""

    PARTITION = "partition"
    """Nothing of the partition is served."""

    SERVED_EMPTY = "served-empty"
    """The partition is served as if it were empty."""

    REST = "rest"
    """The record and all behind it are not loaded; what came before is served."""

    RECORD = "record"
    """The record alone is passed over, with a warning."""


class Unloaded(NamedTuple):
    """A record that a coordinator cannot load.

    Attributes:
        path: the segment.
        batch: the batch that it is in.
        offset: the offset of the record.
        error: what Kafka logs.
        cost: what it costs.
    """

    path: Path
    batch: Batch
    offset: int
    error: KafkaError
    cost: Cost


@dataclass(slots=True)
class Loaded:
    """What a coordinator has after loading.

    Attributes:
        groups: groups and committed offsets, of `__consumer_offsets`.
        transactions: the newest state of each transactional id, of `__transaction_state`.
        shares: the newest snapshot and updates of share partitions, of `__share_group_state`.
        remote: the segments in remote storage, of `__remote_log_metadata`.
        unloaded: the records that it cannot load.
    """

    groups: Groups = field(default_factory=Groups)
    transactions: dict[str, Any] = field(default_factory=dict)
    shares: dict[tuple[str, bytes, int], Any] = field(default_factory=dict)
    remote: dict[bytes, Any] = field(default_factory=dict)
    unloaded: list[Unloaded] = field(default_factory=list)


def load(
    log: PartitionLog, topic: str, release: Release, *, to_end: bool = False, kept: Mapping[Path, int] | None = None
) -> Loaded:
    """Load a partition of one of Kafka's own topics.

    Args:
        log: the log, opened.
        topic: the topic.
        release: the release that loads.
        to_end: go on behind a record that cannot be loaded, where Kafka ends.
        kept: the bytes that stay of segments that a start cuts or removes before.

    Raises:
        KeyError: it is none of them.
    """
    loaded = Loaded()
    take, cost = _LOADERS[topic], _cost(topic, release)
    ended = False
    for path, batch, record in _records(log, loaded, cost, kept or {}, is_checked=topic == REMOTE):
        if ended:
            break
        try:
            take(loaded, record, release)
        except UnknownKey:
            continue
        except Refused as refused:
            is_passed = isinstance(refused, UnknownVersion) and topic == TRANSACTIONS and release >= _NEW_GROUPS
            paid = Cost.RECORD if is_passed or isinstance(refused, _PassedOver) else cost
            loaded.unloaded.append(Unloaded(path, batch, record.offset, refused.error, paid))
            ended = paid is not Cost.RECORD and not to_end
    return loaded


class _PassedOver(Refused):
    """A record that is passed over with a warning."""


def _cost(topic: str, release: Release) -> Cost:
    if topic in {TRANSACTIONS, REMOTE}:
        return Cost.REST
    return Cost.PARTITION if topic == SHARE or release >= _NEW_GROUPS else Cost.SERVED_EMPTY


def _records(
    log: PartitionLog, loaded: Loaded, cost: Cost, kept: Mapping[Path, int], *, is_checked: bool
) -> Iterator[tuple[Path, Batch, Record]]:
    """Yield the records of a log that are no control records.

    A coordinator reads its log as it is; a consumer, which reads that of remote storage, looks at
    checksums.
    """
    for segment in log.segments:
        try:
            end = kept.get(segment.path, segment.size)
            for batch in batches(segment.data[:end] if end < segment.size else segment.data):
                if batch.has("is_control"):
                    continue
                if is_checked:
                    batch.check()
                for record in batch.unchecked_records():
                    yield segment.path, batch, record
        except FormatError as error:
            batch = Batch(segment.data, 0, 0, 2, segment.base_offset)
            said = KafkaError("CorruptRecordException", error.detail)
            loaded.unloaded.append(Unloaded(segment.path, batch, segment.base_offset, said, cost))
            return


def _group(loaded: Loaded, record: Record, release: Release) -> None:
    key = read_key(OFFSETS, record.key, release)
    if release < _NEW_GROUPS and not key.layout.startswith(("offset_commit", "legacy_offset_commit", "group_metadata")):
        return  # the old coordinator passes keys over that it does not know
    loaded.groups.add(key, _value(key, record, release))


def _value(key: SchemaRecord, record: Record, release: Release) -> SchemaRecord | None:
    return None if record.value is None else read_value(key, record.value, release)


def _transaction(loaded: Loaded, record: Record, release: Release) -> None:
    if record.key is None:
        raise Refused("NullPointerException")
    key = read_key(TRANSACTIONS, record.key, release)
    value = _value(key, record, release)
    name = key.value.transactional_id
    if value is None:
        loaded.transactions.pop(name, None)
        return
    state = value.value
    if not 0 <= state.transaction_status <= _LAST_STATUS:
        raise Refused(
            "IllegalStateException",
            f"Unknown transaction state id {state.transaction_status} from the transaction status message",
        )
    if state.transaction_status == _EMPTY:
        state = state._replace(transaction_partitions=[])  # they are not read (TransactionLog)
    elif state.transaction_partitions is None:
        raise Refused("NullPointerException")
    loaded.transactions[name] = state


def _share(loaded: Loaded, record: Record, release: Release) -> None:
    key = read_key(SHARE, record.key, release)
    value = _value(key, record, release)
    if value is None and key.layout == "share_update_key":
        raise Refused("NullPointerException")  # a tombstone is one of a snapshot's key
    if value is not None and any(each.first_offset > each.last_offset for each in value.value.state_batches):
        raise Refused("NullPointerException")  # PersisterStateBatchCombiner; seen in 4.4.0
    at = (key.value.group_id, key.value.topic_id, key.value.partition)
    if value is None:
        loaded.shares.pop(at, None)
    else:
        loaded.shares[at] = value.value


_FINISHED, _DELETE_STARTED, _DELETED = 1, 2, 3
_STATES: Final = range(4)


def _remote(loaded: Loaded, record: Record, release: Release) -> None:
    if record.value is None:
        raise Refused("NullPointerException")
    content = read_framed("remote_log_record", record.value, release)
    if content.layout.startswith("remote_log_segment_metadata_record"):
        loaded.remote[content.value.remote_log_segment_id.id] = content.value
    elif content.layout.startswith("remote_log_segment_metadata_update"):
        _update(loaded, content.value)


def _update(loaded: Loaded, update: Any) -> None:
    if update.remote_log_segment_state not in _STATES:
        raise Refused("NullPointerException", "state can not be null")
    number = update.remote_log_segment_id.id
    known = loaded.remote.get(number)
    if known is None:
        raise _PassedOver("RemoteResourceNotFoundException", "No remote log segment metadata found for the segment")
    loaded.remote[number] = known._replace(remote_log_segment_state=update.remote_log_segment_state)


_LOADERS: Final[dict[str, Callable[[Loaded, Record, Release], None]]] = {
    OFFSETS: _group,
    TRANSACTIONS: _transaction,
    SHARE: _share,
    REMOTE: _remote,
}
TOPICS: Final = tuple(_LOADERS)
"""The topics that coordinators, or the store of remote log metadata, load."""
