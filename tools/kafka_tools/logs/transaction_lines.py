"""Records of `__transaction_state` as the lines that kafka-dump-log printed before 4.1.

Source: TransactionLog.formatRecordKeyAndValue.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.protocol.records import decode_key, decode_value
from kafka_format.records import Record
from kafka_format.spec.layout import specification

_TOPIC: Final = "__transaction_state"
_BUCKETS: Final = 16
"""Of a new HashSet of Scala 2.13, which doubles when it is three quarters full."""


def lines(record: Record) -> tuple[str, str | None]:
    """Return the texts of key and value.

    Raises:
        FormatError: the bytes break a rule, on which the tool stops.
    """
    data = record.key or b""
    number = structure("record_number").read(data, 0, len(data), flags=frozenset())[0].number
    if number != 0:
        return f"unknown::version={number}", None
    key = decode_key(_TOPIC, data)
    shown = f"transaction_metadata::transactionalId={key.value.transactional_id}"
    if record.value is None:
        return shown, "<DELETE>"
    return shown, _value(decode_value(_TOPIC, record.value, key).value)


def _value(value: Any) -> str:  # noqa: ANN401 - a value of transaction_log_value
    name = specification().enums["transaction_status"].values.get(value.transaction_status)
    if name is None:
        detail = f"there is no transaction status {value.transaction_status}"
        raise FormatError(detail, rule="protocol.record.known", stage=Stage.SEMANTICS, offset=0)
    pairs = [(each.topic, number) for each in value.transaction_partitions or () for number in each.partition_ids]
    partitions = ",".join(f"{topic}-{number}" for topic, number in _hash_order(pairs if name != "empty" else []))
    return (
        f"producerId:{value.producer_id},producerEpoch:{value.producer_epoch},"
        f"state={''.join(word.capitalize() for word in name.split('_'))},partitions=[{partitions}],"
        f"txnLastUpdateTimestamp={value.transaction_last_update_timestamp_ms},"
        f"txnTimeoutMs={value.transaction_timeout_ms}"
    )


def _hash_order(pairs: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return partitions in the order of a HashSet of Scala: by bucket, then by hash."""
    kept, buckets = list(dict.fromkeys(pairs)), _BUCKETS
    while len(kept) + 1 > buckets * 3 // 4:
        buckets *= 2
    return sorted(kept, key=lambda pair: (_hash(pair) & (buckets - 1), _as_int32(_hash(pair))))


def _hash(pair: tuple[str, int]) -> int:
    """Return the hash of a TopicPartition, spread as HashSet does."""
    text = 0
    units = pair[0].encode("utf-16-be")
    for at in range(0, len(units), 2):
        text = (31 * text + int.from_bytes(units[at : at + 2], "big")) & 0xFFFFFFFF
    number = (31 * (31 + pair[1]) + text) & 0xFFFFFFFF
    return number ^ (number >> 16)


def _as_int32(number: int) -> int:
    return number - (1 << 32) if number >> 31 else number
