"""The path of a record: from a producer through a broker's log to a consumer, in bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka_format import protocol
from kafka_format.broker.offsets import TopicState, assign
from kafka_format.explain.lines import Line, explain
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.records import Record, decode, encode
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

from kafka_site.model import Site
from kafka_site.pictures.byte_map import byte_map, legend_of
from kafka_site.pictures.route import Stop, route

_TOPIC: Final = "orders"
_OFFSET: Final = 42
_EPOCH: Final = 3
_TIME: Final = 1_600_000_000_000
_PRODUCE: Final = ("produce", 12)
_FETCH: Final = ("fetch", 12)
"""The last versions that name the topic, which later ones know by its id."""

_LAYERS: Final = {
    "place": "size of the frame",
    "format": "header of the request or response",
    "time": "its body",
    "producer": "header of the batch",
    "content": "the record",
}
"""What stands around what, from the outside to the inside; each has a colour of the byte map."""


class Station(NamedTuple):
    """Bytes of one step, drawn by how deep they are; those that the step changed stand out."""

    size: int
    picture: str


def values(_site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    record = Record(offset=0, timestamp=_TIME, timestamp_type=0, key=b"key", value=b"hello")
    batch = encode([record])
    kept = assign(batch, _OFFSET, TopicState(leader_epoch=_EPOCH)).data
    changed = frozenset(at for at, (before, other) in enumerate(zip(batch, kept, strict=True)) if before != other)
    asked, answered = _produce(batch), _fetch(kept)
    stations = {
        "batch": _of_batch(batch),
        "produce": _of_frame(asked, explain_request(asked, start=4).explanation.lines),
        "kept": _of_batch(kept, changed),
        "fetch": _of_frame(answered, explain_response(answered, *_FETCH, start=4).explanation.lines),
    }
    sizes = {name: minimum_size(Nested(find(name))) for name in ("offset_index_entry", "time_index_entry")}
    return {
        "stations": stations,
        "record": len(batch) - minimum_size(Nested(find("record_batch"))),
        "content": len(record.key or b"") + len(record.value or b""),
        "changed": len(changed),
        "indexes": sizes,
        "offset": _OFFSET,
        "epoch": _EPOCH,
        "delivered": decode(kept)[0],
        "produce_version": _PRODUCE[1],
        "fetch_version": _FETCH[1],
        "legend": legend_of(_LAYERS),
        "route": route(list(_stops(stations)), "The path of a record, from the producer to the consumer"),
    }


def _stops(stations: dict[str, Station]) -> Iterator[Stop]:
    yield Stop("producer", "a record", "key and value", "#a-record-becomes-part-of-a-batch")
    yield Stop("producer", "record batch", f"{stations['batch'].size} bytes", "#a-record-becomes-part-of-a-batch")
    yield Stop("network", "Produce request", f"{stations['produce'].size} bytes", "#the-batch-travels")
    yield Stop("broker", "offset and epoch", f"{stations['kept'].size} bytes", "#the-broker-writes-two-fields")
    yield Stop("broker", ".log, .index, .timeindex", "segment", "#the-log-keeps-it")
    yield Stop("network", "Fetch response", f"{stations['fetch'].size} bytes", "#a-consumer-fetches-it")
    yield Stop("consumer", "a record, or none", f"offset {_OFFSET}", "#the-application-gets-it")


def _produce(records: bytes) -> bytes:
    """Return a produce request with some records, after its size."""
    known = protocol.request(*_PRODUCE)
    partition = known.types["partition_produce_data"](index=0, records=records)
    topic = known.types["topic_produce_data"](name=_TOPIC, partition_data=[partition])
    body = known.type(acks=-1, timeout_ms=30_000, topic_data=[topic])
    return _framed(protocol.encode_request(*_PRODUCE, body, correlation_id=7, client_id="shop"))


def _fetch(records: bytes) -> bytes:
    """Return a fetch response with some records, after its size."""
    known = protocol.response(*_FETCH)
    end = _OFFSET + 1
    partition = known.types["partition_data"](
        partition_index=0, high_watermark=end, last_stable_offset=end, log_start_offset=0, records=records
    )
    topic = known.types["fetchable_topic_response"](topic=_TOPIC, partitions=[partition])
    return _framed(protocol.encode_response(*_FETCH, known.type(responses=[topic]), correlation_id=8))


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _of_batch(data: bytes, changed: frozenset[int] = frozenset()) -> Station:
    return _station(
        data, explain(data).lines, lambda line: "content" if line.path.startswith("records[") else "producer", changed
    )


def _of_frame(data: bytes, lines: Sequence[Line]) -> Station:
    return _station(data, lines, _layer)


def _layer(line: Line) -> str:
    _, is_inside, rest = line.path.partition(".records[")
    if is_inside:
        return "content" if ".records[" in rest else "producer"
    return {"size": "place", "header": "format"}.get(line.path.partition(".")[0], "time")


def _station(
    data: bytes, lines: Sequence[Line], role: Callable[[Line], str], changed: frozenset[int] = frozenset()
) -> Station:
    return Station(len(data), byte_map(lines, f"{len(data)} bytes, by how deep they are", changed, role=role))
