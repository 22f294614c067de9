"""Targets that read requests and responses: a few of Kafka's, whole and cut.

The bytes are those of Kafka's protocol guide, written by hand.
"""

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import resolve

from tests.kafka_conformance.targets.adapter_client import Adapter

VERSIONS_RESPONSE = bytes.fromhex("00000007 0000 00000001 0012 0000 0002")
"""ApiVersions 0: correlation id 7, no error, and versions 0 to 2 of API 18."""

HEARTBEAT = bytes.fromhex("000c 0000 00000007 0001 63 0001 67 00000003 0001 6d")
"""Heartbeat 0: correlation id 7, client c, group g, generation 3, member m."""

HEARTBEAT_RESPONSE = bytes.fromhex("00000007 001b")
"""Heartbeat 0: correlation id 7, error 27."""

TARGETS = [
    "aiokafka", "franz-go", "kafka-clients", "kafka-clients@3.9.2", "kafka-clients-legacy@2.8.2",
    "kafka-clients-legacy@1.1.1", "kafka-clients-legacy@0.10.2.2", "kafka-protocol-rs", "kafka-python", "kio",
    "platformatic-kafka", "sarama", "segmentio-kafka-go", "tshark",
]  # fmt: skip


WITHOUT_REQUESTS = ["platformatic-kafka", "sarama"]
"""Clients that write requests, and read none."""


@pytest.mark.parametrize("name", TARGETS)
def test_what_kafka_writes_is_read(name: str) -> None:
    installation = resolve.installation(name)
    try:
        installation.check()
    except NotReadyError as missing:
        pytest.skip(f"{name}: {missing}")
    command = installation.command()
    with Adapter(command.arguments, command.environment) as adapter:
        form = adapter.hello()["apis"]["form"]
        messages = [(1, 18, 0, VERSIONS_RESPONSE), (0, 12, 0, HEARTBEAT), (1, 12, 0, HEARTBEAT_RESPONSE)]
        results = adapter.messages(*messages)
        for (kind, _, _, data), result in zip(messages, results, strict=True):
            if form == "bytes":
                assert (result.status, result.content) == (0, data)
            else:
                assert result.status == (2 if kind == 0 and name in WITHOUT_REQUESTS else 0)
        cut, unknown = adapter.messages((1, 12, 0, HEARTBEAT_RESPONSE[:-1]), (1, 9999, 0, HEARTBEAT_RESPONSE))
        assert (cut.status, unknown.status) == (1, 2)
