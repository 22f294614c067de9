"""kafka-python: what `KafkaProducer` sends.

Arguments: the broker's address, the topic, the records, the codec.
"""

import sys

from kafka import KafkaProducer
from records import given

LINGER_MS = 500
"""How long the producer waits for more records: they are to go out together."""


def main(address: str, topic: str, file: str, codec: str) -> None:
    producer = KafkaProducer(bootstrap_servers=address, compression_type=codec, linger_ms=LINGER_MS)
    for record in given(file):
        producer.send(topic, partition=0, key=record.key, value=record.value, timestamp_ms=record.timestamp)
    producer.flush()
    producer.close()


main(*sys.argv[1:])
