"""kafka-python: what `KafkaProducer` sends.

Arguments: the broker's address, the topic, the records, the codec, the release.
"""

import sys

from kafka import KafkaProducer
from lines import show_error
from records import given

LINGER_MS = 500
"""How long the producer waits for more records: they are to go out together."""


def main(address: str, topic: str, file: str, codec: str) -> None:
    compression = None if codec == "none" else codec
    producer = KafkaProducer(bootstrap_servers=address, compression_type=compression, linger_ms=LINGER_MS)
    try:
        for record in given(file):
            producer.send(
                topic,
                partition=0,
                key=record.key,
                value=record.value,
                timestamp_ms=record.timestamp,
                headers=record.headers,
            )
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
        show_error(error)
    producer.flush()
    producer.close()


main(*sys.argv[1:5])
