"""librdkafka, through confluent-kafka: what `Producer.produce` sends.

Arguments: the broker's address, the topic, the records, the codec, the release.
"""

import sys

from confluent_kafka import Producer
from records import given

LINGER_MS = 1000
"""How long the producer waits for more records: they are to go out together."""

SECONDS = 10


def main(address: str, topic: str, file: str, codec: str) -> None:
    producer = Producer({"bootstrap.servers": address, "compression.type": codec, "linger.ms": LINGER_MS})
    producer.list_topics(topic, SECONDS)  # else it sends the first record alone when it knows the partition
    for record in given(file):
        producer.produce(
            topic,
            partition=0,
            key=record.key,
            value=record.value,
            timestamp=record.timestamp,
            headers=record.headers or None,
        )
    producer.flush(SECONDS)


main(*sys.argv[1:5])
