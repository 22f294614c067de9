"""A broker for tests: it keeps what the reference assigns, and can be told to go wrong."""

from __future__ import annotations

import socketserver
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kafka_conformance.targets.broker_address import Address
from kafka_format import protocol
from kafka_format.broker.conversion import down_convert
from kafka_format.broker.offsets import TopicState, assign
from kafka_format.errors import FormatError

KAFKA_4 = {
    "produce": (3, 13),
    "fetch": (4, 18),
    "metadata": (0, 13),
    "api_versions": (0, 4),
    "create_topics": (2, 7),
    "delete_topics": (1, 6),
}
KAFKA_3 = {**KAFKA_4, "produce": (0, 11), "fetch": (0, 17), "create_topics": (0, 7), "delete_topics": (0, 6)}
BEFORE_CREATE_TOPICS = {"produce": (0, 2), "fetch": (0, 3), "metadata": (0, 1), "api_versions": (0, 0)}

_UNKNOWN_TOPIC, _INVALID_RECORD, _INVALID_CONFIG = 3, 87, 40

Meddle = Callable[[str, int, Any, bytes], bytes | None]
"""Is told API, version and request body, and the answer with its header; what it returns is sent.
None hangs up."""


def obey(_api: str, _version: int, _body: Any, answer: bytes) -> bytes | None:
    return answer


@dataclass
class Log:
    """One partition: its entries with their first and last offsets."""

    entries: list[tuple[int, int, bytes]] = field(default_factory=list)
    producers: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def end(self) -> int:
        return self.entries[-1][1] + 1 if self.entries else 0


class FakeBroker:
    """What the broker knows: `made` and `deleted` are names of topics, in order."""

    def __init__(self, versions: dict[str, tuple[int, int]], meddle: Meddle, *, node_port: int | None = None) -> None:
        self.versions, self.meddle = versions, meddle
        self.topics: dict[str, int] = {"orders": 1}
        self.logs: dict[tuple[str, int], Log] = defaultdict(Log)
        self.made: list[str] = []
        self.deleted: list[str] = []
        self.configs: dict[str, dict[str, str]] = {}
        self.address = Address("127.0.0.1", 0)
        self.node_port = node_port
        self.unknown_configs: set[str] = {"message.format.version"}
        self.refuses_deletion = False

    def answer(self, data: bytes) -> bytes | None:
        request = protocol.decode_request(data)
        api = protocol.api_name(request.api)
        body = getattr(self, f"_{api}")(request.version, request.body)
        written = protocol.encode_response(api, request.version, body, correlation_id=request.header.correlation_id)
        return self.meddle(api, request.version, request.body, written)

    def _make(self, api: str, version: int, structure: str, /, **values: Any) -> Any:
        kind = protocol.response(api, version).types[structure]
        return kind(**{key: value for key, value in values.items() if key in kind._fields})

    def _api_versions(self, version: int, _body: Any) -> Any:
        rows = [
            self._make(
                "api_versions",
                version,
                "api_version",
                api_key=protocol.api_number(name),
                min_version=low,
                max_version=high,
            )
            for name, (low, high) in self.versions.items()
        ]
        return self._make("api_versions", version, "api_versions_response", api_keys=rows)

    def _metadata(self, version: int, body: Any) -> Any:
        def make(structure: str, /, **values: Any) -> Any:
            return self._make("metadata", version, structure, **values)

        nodes = [make("metadata_response_broker", node_id=1, host="127.0.0.1", port=self.address.port)]
        if self.node_port is not None:
            nodes = [
                make("metadata_response_broker", node_id=number, host="127.0.0.1", port=self.node_port)
                for number in (1, 2)
            ]
        topics = []
        for topic in body.topics or ():
            if "create_topics" not in self.versions and topic.name not in self.topics:
                self.topics[topic.name] = 4
            count = self.topics.get(topic.name, 0)
            rows = [
                make(
                    "metadata_response_partition",
                    partition_index=index,
                    leader_id=1,
                    leader_epoch=0,
                    replica_nodes=[1],
                    isr_nodes=[1],
                )
                for index in range(count)
            ]
            error = 0 if count else _UNKNOWN_TOPIC
            topics.append(
                make(
                    "metadata_response_topic",
                    name=topic.name,
                    topic_id=topic_id(topic.name),
                    error_code=error,
                    partitions=rows,
                )
            )
        return make("metadata_response", brokers=nodes, topics=topics)

    def _create_topics(self, version: int, body: Any) -> Any:
        (topic,) = body.topics
        configs = {row.name: row.value for row in topic.configs}
        error = _INVALID_CONFIG if self.unknown_configs & set(configs) else 0
        if not error and not getattr(body, "validate_only", False):
            self.made.append(topic.name)
            self.topics[topic.name] = topic.num_partitions if topic.num_partitions > 0 else len(topic.assignments)
            self.configs[topic.name] = configs
        row = self._make("create_topics", version, "creatable_topic_result", name=topic.name, error_code=error)
        return self._make("create_topics", version, "create_topics_response", topics=[row])

    def _delete_topics(self, version: int, body: Any) -> Any:
        names = body.topic_names if version < 6 else [topic.name for topic in body.topics]
        rows = []
        for name in names:
            error = 29 if self.refuses_deletion else 0 if name in self.topics else _UNKNOWN_TOPIC
            if not error:
                self.deleted.append(name)
                self.topics.pop(name)
            rows.append(self._make("delete_topics", version, "deletable_topic_result", name=name, error_code=error))
        return self._make("delete_topics", version, "delete_topics_response", responses=rows)

    def _produce(self, version: int, body: Any) -> Any:
        (one,) = body.topic_data
        name = getattr(one, "name", "") or _name(one.topic_id, self.topics)
        (asked,) = one.partition_data
        error, offset = self._append(version, self.logs[name, asked.index], bytes(asked.records or b""))
        row = self._make(
            "produce", version, "partition_produce_response", index=asked.index, error_code=error, base_offset=offset
        )
        topic = self._make(
            "produce", version, "topic_produce_response", name=name, topic_id=topic_id(name), partition_responses=[row]
        )
        return self._make("produce", version, "produce_response", responses=[topic])

    def _append(self, version: int, log: Log, data: bytes) -> tuple[int, int]:
        try:
            assigned = assign(data, log.end, TopicState(leader_epoch=0))
        except FormatError:
            return _INVALID_RECORD, -1
        if version >= 3 and data[16] != 2:
            return _INVALID_RECORD, -1
        if version < 7 and data[16] == 2 and data[22] & 7 == 4:
            return 76, -1
        pid = int.from_bytes(data[43:51], "big", signed=True) if data[16] == 2 else -1
        key = pid, int.from_bytes(data[53:57], "big", signed=True) if pid >= 0 else 0
        if pid >= 0 and key in log.producers:
            return 0, log.producers[key]
        log.producers[key] = assigned.first_offset
        log.entries.append((assigned.first_offset, assigned.last_offset, assigned.data))
        return 0, assigned.first_offset

    def _fetch(self, version: int, body: Any) -> Any:
        (one,) = body.topics
        name = getattr(one, "topic", "") or _name(one.topic_id, self.topics)
        rows = []
        for asked in one.partitions:
            data = b"".join(
                entry for _, last, entry in self.logs[name, asked.partition].entries if last >= asked.fetch_offset
            )
            if version < 4:
                data = down_convert(data[: asked.partition_max_bytes], 0 if version < 2 else 1, asked.fetch_offset).data
            rows.append(
                self._make(
                    "fetch", version, "partition_data", partition_index=asked.partition, records=data, high_watermark=1
                )
            )
        topic = self._make(
            "fetch", version, "fetchable_topic_response", topic=name, topic_id=topic_id(name), partitions=rows
        )
        return self._make("fetch", version, "fetch_response", responses=[topic])


def topic_id(name: str) -> bytes:
    return name.encode().ljust(16, b"-")[-16:]


def _name(identity: bytes, topics: dict[str, int]) -> str:
    return next(name for name in topics if topic_id(name) == identity)


Broker = TypeVar("Broker", bound=FakeBroker)


@contextmanager
def running(
    versions: dict[str, tuple[int, int]] = KAFKA_4, meddle: Meddle = obey, make: type[Broker] = FakeBroker, **more: Any
) -> Iterator[Broker]:
    """Run a broker on a free port of the loopback address as long as the block does."""
    broker = make(versions, meddle, **more)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while len(size := self.rfile.read(4)) == 4:
                answer = broker.answer(self.rfile.read(int.from_bytes(size, "big")))
                if answer is None:
                    return
                self.wfile.write(len(answer).to_bytes(4, "big") + answer)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """Clients hang up whenever they like."""

    with Server(("127.0.0.1", 0), Handler) as server:
        broker.address = Address("127.0.0.1", server.server_address[1])
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield broker
        server.shutdown()
