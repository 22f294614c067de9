"""pykafka: what `Producer.produce` sends.

Arguments: the broker's address, the topic, the records, the codec, the release.
"""

import datetime as dt
import sys

import pykafka
from pykafka.common import CompressionType
from records import given

CODECS = {"none": CompressionType.NONE, "gzip": CompressionType.GZIP}
EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - the library wants datetimes without a time zone
LINGER_MS = 500
"""How long the producer waits for more records: they are to go out together."""


def main(address: str, topic: str, file: str, codec: str, release: str) -> None:
    client = pykafka.KafkaClient(hosts=address, broker_version=release)
    with client.topics[topic.encode()].get_producer(linger_ms=LINGER_MS, compression=CODECS[codec]) as producer:
        for record in given(file):
            timestamp = EPOCH + dt.timedelta(milliseconds=record.timestamp)
            producer.produce(record.value, partition_key=record.key, timestamp=timestamp)


main(*sys.argv[1:])
