"""Write three records with kafka-python; read them and the committed offset in a group."""

import sys

from kafka import KafkaConsumer, KafkaProducer

TOPIC = "orders-kafka-python"


def main(address: str) -> None:
    producer = KafkaProducer(bootstrap_servers=address, client_id="kafka-python-writer", compression_type="gzip")
    for number in range(3):
        producer.send(TOPIC, key=b"k%d" % number, value=b"order %d" % number, headers=[("n", b"%d" % number)])
        producer.flush()
    producer.close()
    consumer = KafkaConsumer(
        TOPIC,
        bootstrap_servers=address,
        client_id="kafka-python-reader",
        group_id="group-kafka-python",
        auto_offset_reset="earliest",
    )
    count = 0
    for _ in consumer:
        count += 1
        if count == 3:
            break
    consumer.commit()
    consumer.close()
    offsets = KafkaConsumer(
        "__consumer_offsets",
        bootstrap_servers=address,
        client_id="kafka-python-offsets",
        auto_offset_reset="earliest",
        exclude_internal_topics=False,
        consumer_timeout_ms=3000,
    )
    print(count, sum(1 for _ in offsets))
    offsets.close()


main(sys.argv[1])
