"""pykafka: what `Producer.produce` sends.

Arguments: the broker's address, the topic, the records.
"""

import datetime as dt
import sys

import pykafka
from records import given

EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - the library wants datetimes without a time zone
LINGER_MS = 500
"""How long the producer waits for more records: they are to go out together."""


def main(address: str, topic: str, file: str) -> None:
    client = pykafka.KafkaClient(hosts=address, broker_version="0.10.0")
    with client.topics[topic.encode()].get_producer(linger_ms=LINGER_MS) as producer:
        for record in given(file):
            timestamp = EPOCH + dt.timedelta(milliseconds=record.timestamp)
            producer.produce(record.value, partition_key=record.key, timestamp=timestamp)


main(*sys.argv[1:4])
