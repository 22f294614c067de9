"""kafka-python: what iterating `KafkaConsumer` gives of a partition.

Arguments: the broker's address, the topic.
"""

import sys

from kafka import KafkaConsumer, TopicPartition
from lines import show, show_error


def main(address: str, topic: str) -> None:
    consumer = KafkaConsumer(
        bootstrap_servers=address, auto_offset_reset="earliest", enable_auto_commit=False, consumer_timeout_ms=2000
    )
    consumer.assign([TopicPartition(topic, 0)])
    try:
        for message in consumer:
            show(
                offset=message.offset,
                timestamp=message.timestamp,
                type=message.timestamp_type,
                key=message.key,
                value=message.value,
            )
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
        show_error(error)


main(*sys.argv[1:3])
