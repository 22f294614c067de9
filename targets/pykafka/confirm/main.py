"""pykafka: what `SimpleConsumer.consume` gives of a partition.

Arguments: the broker's address, the topic.
"""

import sys

import pykafka
from lines import show, show_error


def main(address: str, topic: str) -> None:
    client = pykafka.KafkaClient(hosts=address, broker_version="0.10.0")
    earliest = pykafka.common.OffsetType.EARLIEST
    consumer = client.topics[topic.encode()].get_simple_consumer(
        auto_offset_reset=earliest, consumer_timeout_ms=2000, compacted_topic=True
    )
    try:
        while (message := consumer.consume()) is not None:
            show(offset=message.offset, timestamp=message.timestamp, key=message.partition_key, value=message.value)
        consumer.consume()  # raises what ended its thread that fetches
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
        show_error(error)


main(*sys.argv[1:3])
