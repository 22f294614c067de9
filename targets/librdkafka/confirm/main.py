"""librdkafka, through confluent-kafka: what `Consumer.poll` gives of a partition.

Arguments: the broker's address, the topic, a file that is not read, the isolation level, perhaps
`group=NAME`.
"""

import sys

from confluent_kafka import (
    OFFSET_BEGINNING,
    TIMESTAMP_CREATE_TIME,
    TIMESTAMP_LOG_APPEND_TIME,
    TIMESTAMP_NOT_AVAILABLE,
    Consumer,
    TopicPartition,
)
from lines import show

_QUIET_SECONDS = 5
_TYPES = {TIMESTAMP_NOT_AVAILABLE: "none", TIMESTAMP_CREATE_TIME: "create", TIMESTAMP_LOG_APPEND_TIME: "append"}


def main(address: str, topic: str, _file: str, isolation: str, *given: str) -> None:
    group = dict(pair.split("=", 1) for pair in given).get("group")
    settings = {"bootstrap.servers": address, "group.id": group or "confirm", "isolation.level": isolation}
    settings |= {"check.crcs": "true", "auto.offset.reset": "earliest"}
    consumer = Consumer({**settings, "log_level": 0})
    if group:
        consumer.subscribe([topic])
    else:
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    while (message := consumer.poll(_QUIET_SECONDS)) is not None:  # an empty one is false
        if message.error():
            print(f"error: {message.error().str()}", flush=True)
            continue
        kind, timestamp = message.timestamp()
        content = {"key": message.key(), "value": message.value()}
        headers = {"headers": _text(message.headers())} if message.headers() else {}
        show(offset=message.offset(), timestamp=timestamp, type=_TYPES[kind], **content, **headers)


def _text(headers: list[tuple[str, bytes | None]]) -> str:
    values = ((key, "null" if value is None else value.hex() or "empty") for key, value in headers)
    return ",".join(f"{key.encode().hex() or 'empty'}:{value}" for key, value in values)


main(*sys.argv[1:])
