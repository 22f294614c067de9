"""librdkafka's consumer, through its C API, assigned to many topics, with `check.crcs`.

The argument is the folder that its wheel was unpacked to. Each assignment gets a new client:
librdkafka asks about topics that it did not know when it connected only once a second.
"""

import sys
from collections.abc import Iterator, Sequence
from ctypes import byref, c_int
from pathlib import Path
from typing import Any

import librdkafka
from consumer_driver import Settings, error, hello, record, serve
from librdkafka import has_setting, takes

_MOST = 1000
_MILLISECONDS = 100
_SETTINGS = {
    "group.id": "conformance",
    "check.crcs": "true",
    "enable.auto.commit": "false",
    "enable.auto.offset.store": "false",
    "auto.offset.reset": "error",
    "fetch.error.backoff.ms": "50",
    "log_level": "0",
}
_NAMES = {
    "reset": "auto.offset.reset",
    "max_bytes": "fetch.message.max.bytes",
    "timeout": "socket.timeout.ms",
    "rack": "client.rack",
    "group": "group.id",
    "instance": "group.instance.id",
}
"""Settings of conversations, and what they are called here."""

_MEMBER = {
    "enable.auto.commit": "true",
    "enable.auto.offset.store": "true",
    "auto.commit.interval.ms": "100",
    "heartbeat.interval.ms": "100",
    "session.timeout.ms": "10000",
}
"""A member of a group commits by itself, and often."""


class Librdkafka:
    """The client."""

    def __init__(self, library: Any, broker: str, isolation: str, settings: Settings) -> None:  # noqa: ANN401 - a shared library
        """Note how to make a client; that is done when topics are assigned."""
        self._library = library
        self._settings = {**_SETTINGS, "bootstrap.servers": broker, "isolation.level": isolation}
        self._settings |= {_NAMES[setting]: value for setting, value in settings.items()}
        self._is_member = "group" in settings
        if self._is_member:
            self._settings |= _MEMBER
        self._assigned: Sequence[tuple[str, int]] = ()
        self._client: librdkafka.Client

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics to a new client."""
        self._assigned = topics
        self._client = librdkafka.Client(self._library, self._settings)
        if self._is_member:
            self._client.subscribe([name for name, _ in topics])
        else:
            self._client.assign(topics)

    def poll(self) -> Iterator[str]:
        """Take what is in the queue."""
        for message in self._client.consume(_MOST, _MILLISECONDS):
            yield self._line(message)
            self._library.rd_kafka_message_destroy(message)

    def stop(self) -> Iterator[str]:
        """End the client."""
        for topic, offset in self._client.positions(self._assigned):
            if offset >= 0:
                yield f"position\t{topic}\t{offset}"
        self._client.close()

    def _line(self, message: Any) -> str:  # noqa: ANN401 - a pointer
        content = message.contents
        topic = self._library.rd_kafka_topic_name(content.rkt).decode() if content.rkt else "?"
        if content.err:
            name = self._library.rd_kafka_err2name(content.err).decode()
            text = librdkafka.content(content.payload, content.len) or self._library.rd_kafka_err2str(content.err)
            return error(topic, f"{name}: {text.decode('utf-8', 'replace')}")
        kind = c_int()
        timestamp = self._library.rd_kafka_message_timestamp(message, byref(kind))
        key, value = (
            librdkafka.content(*part) for part in ((content.key, content.key_len), (content.payload, content.len))
        )
        try:
            headers = librdkafka.headers(self._library, message)
        except ValueError as refused:
            return error(topic, refused)
        return record(topic, content.offset, timestamp if kind.value else -1, kind.value - 1, key, value, headers)


def declared(library: Any) -> dict[str, Any]:  # noqa: ANN401 - what ctypes loads has no type
    """Return what a release has: zstd and isolation levels came with 1.0."""
    codecs = [
        codec for codec in ("none", "gzip", "snappy", "lz4", "zstd") if takes(library, "compression.codec", codec)
    ]
    levels = ("read_uncommitted", "read_committed")
    return hello(
        "librdkafka",
        library.rd_kafka_version_str().decode(),
        "C",
        "https://github.com/confluentinc/librdkafka",
        codecs=[codec for codec in codecs if takes(library, "compression.codec", codec)],
        isolations=levels if has_setting(library, "isolation.level") else levels[:1],
        settings=[setting for setting, name in _NAMES.items() if has_setting(library, name)],
    )


if __name__ == "__main__":
    loaded = librdkafka.load(Path(sys.argv[1]))
    serve(declared(loaded), lambda *given: Librdkafka(loaded, *given))
