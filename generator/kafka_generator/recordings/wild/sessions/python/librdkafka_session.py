"""Write a transaction of two records with librdkafka, and read them as a member of a group."""

import sys

from confluent_kafka import Consumer, Producer

TOPIC = "orders-librdkafka"


def main(address: str) -> None:
    settings = {"bootstrap.servers": address, "topic.metadata.refresh.interval.ms": -1}
    producer = Producer(
        {**settings, "client.id": "librdkafka-writer", "transactional.id": "tx", "compression.type": "lz4"}
    )
    producer.init_transactions()
    producer.begin_transaction()
    for number in range(2):
        producer.produce(TOPIC, key=b"k%d" % number, value=b"order %d" % number)
    producer.commit_transaction()
    consumer = Consumer(
        {
            **settings,
            "client.id": "librdkafka-reader",
            "group.id": "group-librdkafka",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([TOPIC])
    count = 0
    while count < 2:
        record = consumer.poll(1.0)
        if record is not None and record.error() is None:
            count += 1
    consumer.commit(message=record, asynchronous=False)
    consumer.close()
    print(count)


main(sys.argv[1])
