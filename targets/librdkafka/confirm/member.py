"""librdkafka, through confluent-kafka: what `Consumer.poll` gives a member of a group.

Arguments: the broker's address, the topic, a file that is not read, the isolation level, settings
as `name=value`. It subscribes to `pulse`, too.
"""

import sys
import time

from confluent_kafka import Consumer
from lines import show

SECONDS = 6
NAMES = {"group": "group.id", "instance": "group.instance.id", "protocol": "group.protocol"}


def main(address: str, topic: str, _file: str, isolation: str, *given: str) -> None:
    """Consume for some seconds, and close."""
    settings = dict(pair.split("=", 1) for pair in given)
    said = {NAMES[name]: value for name, value in settings.items() if name in NAMES}
    usual = {"auto.offset.reset": "earliest", "auto.commit.interval.ms": 100, "log_level": 0}
    consumer = Consumer({**usual, **said, "bootstrap.servers": address, "isolation.level": isolation})
    consumer.subscribe([topic, "pulse"])
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        message = consumer.poll(0.1)
        if message is None:
            continue
        if message.error():
            print(f"error: {message.error().str()}", flush=True)
        else:
            show(offset=message.offset(), value=message.value())
    consumer.close()
    print("closed", flush=True)


main(*sys.argv[1:])
