"""librdkafka, through confluent-kafka: what `Consumer.poll` gives of a partition.

Arguments: the broker's address, the topic, a file that is not read, the isolation level, perhaps
the group.
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


def main(address: str, topic: str, _file: str, isolation: str, group: str = "") -> None:
    settings = {"bootstrap.servers": address, "group.id": group or "confirm", "isolation.level": isolation}
    settings |= {"check.crcs": "true", "auto.offset.reset": "earliest"}
    consumer = Consumer({**settings, "log_level": 0})
    if group:
        consumer.subscribe([topic])
    else:
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    while message := consumer.poll(_QUIET_SECONDS):
        if message.error():
            print(f"error: {message.error().str()}", flush=True)
            return
        kind, timestamp = message.timestamp()
        show(offset=message.offset(), timestamp=timestamp, type=_TYPES[kind], key=message.key(), value=message.value())


main(*sys.argv[1:6])
