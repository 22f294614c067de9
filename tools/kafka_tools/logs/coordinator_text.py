"""What the coordinator of transactional ids has after loading its partition, as lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.log.contents.coordinators import Loaded
from kafka_format.spec.layout import specification

from kafka_tools.logs.lookups import moment
from kafka_tools.text import one_line, plural

_NOT_STARTED: Final = -1
_ON_LOADING: Final = {
    "ongoing": "its coordinator ends it after the timeout",
    "prepare_commit": "its coordinator commits it as soon as it has loaded",
    "prepare_abort": "its coordinator aborts it as soon as it has loaded",
    "dead": "it was about to be removed",
}
"""What a coordinator does with a transactional id in that state (TransactionStateManager)."""


def state_of(value: Any) -> str:  # noqa: ANN401 - a value of a layout
    """Return the name of a transactional id's state."""
    return specification().enums["transaction_status"].values.get(value.transaction_status, "unknown")


def lines(name: str, loaded: Loaded) -> Iterator[str]:
    """Yield each transactional id: its state, its producer, and the partitions of what is open."""
    yield f"{name}: {plural(len(loaded.transactions), 'transactional id')}"
    for number, value in sorted(loaded.transactions.items()):
        yield from _of_id(number, value)
    for each in loaded.unloaded:
        yield f"  offset {each.offset} CANNOT BE LOADED: {each.error}"
    if loaded.unloaded:
        yield "ids behind a record that cannot be loaded have an older state, or none"


def is_open(value: Any) -> bool:  # noqa: ANN401 - a value of a layout
    """Tell whether a transactional id has a transaction that is not complete."""
    return state_of(value) in {"ongoing", "prepare_commit", "prepare_abort"}


def _of_id(name: str, value: Any) -> Iterator[str]:  # noqa: ANN401 - a value of a layout
    state, start = state_of(value), value.transaction_start_timestamp_ms
    began = f" since {moment(start)}" if is_open(value) and start > _NOT_STARTED else ""
    producer = f"producer {value.producer_id}, epoch {value.producer_epoch}"
    yield f"  {one_line(name)}: {state}{began}, {producer}, timeout {value.transaction_timeout_ms} ms"
    touched = [f"{each.topic}-{part}" for each in value.transaction_partitions or () for part in each.partition_ids]
    if touched:
        yield f"    on {', '.join(map(one_line, touched))}"
    if state in _ON_LOADING:
        yield f"    {_ON_LOADING[state]}"
