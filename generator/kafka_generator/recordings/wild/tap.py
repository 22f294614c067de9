"""A broker behind a proxy: what producers sent to it, beside what it stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format import protocol

from kafka_generator import real_broker
from kafka_generator.real_broker import RealBroker
from kafka_generator.recordings.wild.proxy import Proxy

_PRODUCE: Final = 0


class TappedBroker(NamedTuple):
    """A running broker behind a proxy.

    Attributes:
        release: its release.
        broker: the broker itself.
        proxy: what stands before it.
        controller: what stands before its controller, if it has one.
    """

    release: str
    broker: RealBroker
    proxy: Proxy
    controller: Proxy

    @property
    def address(self) -> str:
        """Where clients connect."""
        return f"127.0.0.1:{self.proxy.port}"

    def segment(self, topic: str) -> bytes:
        """Return the first segment of the topic's only partition."""
        return self.broker.segment(topic)

    def produced_records(self, topic: str) -> bytes:
        """Return the records of all produce requests for a topic, one after the other."""
        return b"".join(records for name, records in self._produce_requests() if name == topic)

    def first_produced_records(self, topic: str) -> bytes:
        """Return the records of the first produce request for a topic; none if there is none.

        A producer whose request is refused sends the same again and again.
        """
        return next((records for name, records in self._produce_requests() if name == topic), b"")

    def _produce_requests(self) -> Iterator[tuple[str, bytes]]:
        for frame in list(self.proxy.frames):
            if frame.kind == "request" and frame.api == _PRODUCE:
                for topic in protocol.decode_request(frame.data).body.topic_data:
                    yield from ((topic.name, partition.records or b"") for partition in topic.partition_data)


@contextmanager
def tap_broker(
    release: str, cache: Path, folder: Path, settings: str = "", plugins: Path | None = None
) -> Iterator[TappedBroker]:
    """Run a broker of any release behind a proxy, as long as the block runs.

    Args:
        release: the release of Apache Kafka.
        cache: where the jars of brokers are kept.
        folder: where the broker keeps its files.
        settings: more lines of its server.properties.
        plugins: a folder of classes that it needs besides; no broker before KRaft takes one.

    Raises:
        NotReadyError: Java or Maven is missing, or the broker does not come up.
    """
    proxy, controller = Proxy(), Proxy()
    listener = real_broker.free_port()
    if release in real_broker.FORMATS:
        settings += f"advertised.host.name=127.0.0.1\nadvertised.port={proxy.port}\n"
    else:
        controller.serve(("127.0.0.1", listener))
        settings += f"advertised.listeners=PLAINTEXT://127.0.0.1:{proxy.port}\n"
        settings += f"controller.quorum.voters=1@127.0.0.1:{controller.port}\n"
    with real_broker.running(release, cache, folder, settings, listener, plugins) as started:
        host, port = started.address.split(":")
        proxy.serve((host, int(port)))
        yield TappedBroker(release, started, proxy, controller)
