"""confluent-kafka's `Consumer`, assigned to many topics, with `check.crcs`.

Each assignment gets a new client: librdkafka asks about topics that it did not know when it
connected only once a second.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

import confluent_kafka
from confluent_kafka import Consumer, TopicPartition
from consumer_driver import Settings, error, hello, record, serve

_TYPES = {confluent_kafka.TIMESTAMP_NOT_AVAILABLE: -1, confluent_kafka.TIMESTAMP_CREATE_TIME: 0}
_LOG_APPEND_TIME = 1
_CALLBACKS = {"assign": "assigned", "revoke": "revoked", "lost": "lost"}
_MOST = 1000
_SECONDS = 0.1
_SETTINGS = {
    "group.id": "conformance",
    "check.crcs": True,
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "error",
    "fetch.error.backoff.ms": 50,
    "log_level": 0,
}
_NAMES = {"reset": "auto.offset.reset", "max_bytes": "fetch.message.max.bytes", "timeout": "socket.timeout.ms"}
"""Settings of conversations, and what they are called here."""

_OF_MEMBER = {
    "group": "group.id",
    "instance": "group.instance.id",
    "rack": "client.rack",
    "protocol": "group.protocol",
    "assignor": "partition.assignment.strategy",
}
_MEMBER = {"enable.auto.commit": True, "enable.auto.offset.store": True, "auto.commit.interval.ms": 100}
_CLASSIC = {"heartbeat.interval.ms": 100, "session.timeout.ms": 10_000}
"""What a member of a group does: it commits by itself, and often."""
_WORDS = ["group", "instance", "rack", "consumer-protocol", "regex", "assignor", "commit", "callback"]


class ConfluentKafka:
    """The client."""

    def __init__(self, broker: str, isolation: str, settings: Settings) -> None:
        """Note how to make a client; that is done when topics are assigned."""
        self._settings = {**_SETTINGS, "bootstrap.servers": broker, "isolation.level": isolation}
        known = {**_NAMES, **_OF_MEMBER}
        self._asked = settings
        if "group" in settings:
            self._settings |= _MEMBER | ({} if "protocol" in settings else _CLASSIC)
        if "commit" in settings:
            self._settings["enable.auto.commit"] = False
        self._settings |= {known[setting]: value for setting, value in settings.items() if setting in known}
        self._consumer: Consumer
        self._told: list[str] = []

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics to a new client."""
        self._consumer = Consumer(self._settings)
        if "group" in self._asked:
            names = [f"^({self._asked['regex']})$"] if "regex" in self._asked else [name for name, _ in topics]
            said = {f"on_{what}": self._callback(word) for what, word in _CALLBACKS.items()}
            self._consumer.subscribe(names, **said)
            return
        self._consumer.assign([TopicPartition(name, 0, offset) for name, offset in topics])

    def poll(self) -> Iterator[str]:
        """Take what is in the queue."""
        for message in self._consumer.consume(_MOST, _SECONDS):
            yield self._line(message)
        yield from self._news()

    def commit(self) -> Iterator[str]:
        """Commit what it has, and wait for that."""
        try:
            self._consumer.commit(asynchronous=False)
            yield "committed"
        except confluent_kafka.KafkaException as failed:
            yield f"commit-failed\t{failed.args[0].name()}"
        yield from self._news()

    def stop(self) -> Iterator[str]:
        """End the client."""
        if "group" in self._asked:
            self._consumer.close()
            yield from self._news()
            return
        for partition in self._consumer.position(self._consumer.assignment()):
            if partition.offset >= 0:
                yield f"position\t{partition.topic}\t{partition.offset}"
        self._consumer.close()

    def _callback(self, what: str) -> Callable[[Consumer, Sequence[TopicPartition]], None]:
        """Return what tells of partitions, and takes its time when some are revoked."""

        def tell(_consumer: Consumer, partitions: Sequence[TopicPartition]) -> None:
            if what == "revoked":
                time.sleep(int(self._asked.get("callback", 0)) / 1000)
            self._told.append("\t".join([what, *sorted(partition.topic for partition in partitions)]))

        return tell

    def _news(self) -> Iterator[str]:
        told, self._told = self._told, []
        yield from told

    def _line(self, message: Any) -> str:  # noqa: ANN401 - the library's own object
        problem = message.error()
        if problem is not None:
            topic = message.topic() or "?"
            return error(topic, f"{problem.name()}: {problem.str()}")
        kind, timestamp = message.timestamp()
        kind = _TYPES.get(kind, _LOG_APPEND_TIME)
        try:
            headers = [(name.encode(), value) for name, value in message.headers() or ()]
        except UnicodeDecodeError as refused:  # confluent-kafka has header keys as text
            return error(message.topic(), f"{type(refused).__name__}: {refused}")
        place = (message.topic(), message.offset(), timestamp if kind >= 0 else -1, kind)
        return record(*place, message.key(), message.value(), headers)


if __name__ == "__main__":
    url = "https://github.com/confluentinc/confluent-kafka-python"
    serve(
        hello("confluent-kafka", version("confluent-kafka"), "Python (C)", url, settings=[*_NAMES, *_WORDS]),
        ConfluentKafka,
    )
