"""Facts from Kafka's own topics: owners of producer ids."""

from pathlib import Path
from typing import Any, NamedTuple

from kafka_format.log.topic_names import schema_records
from kafka_format.spec.layout import specification

TRANSACTIONS = "__transaction_state"


class Transaction(NamedTuple):
    """The coordinator's last word on a transactional id: producer, state, start and timeout."""

    transactional_id: str
    producer_id: int
    producer_epoch: int
    state: str
    start_ms: int
    timeout_ms: int


def transactions(data: Path) -> dict[int, Transaction]:
    """Return by producer id the coordinator's last record, from this data directory alone."""
    by_producer: dict[int, Transaction] = {}
    for folder in sorted(data.glob(f"{TRANSACTIONS}-*")):
        for key, value in schema_records(folder, TRANSACTIONS):
            if key is not None and value is not None:
                entry = _transaction(key.value, value.value)
                by_producer[entry.producer_id] = entry
    return by_producer


def _transaction(key: Any, value: Any) -> Transaction:  # noqa: ANN401 - values of layouts
    names = specification().enums["transaction_status"].values
    state = names.get(value.transaction_status, str(value.transaction_status))
    started, timeout = value.transaction_start_timestamp_ms, value.transaction_timeout_ms
    return Transaction(key.transactional_id, value.producer_id, value.producer_epoch, state, started, timeout)
