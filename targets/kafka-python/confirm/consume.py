"""kafka-python: what `KafkaConsumer.poll` gives of a partition when it is called again and again.

Arguments: the broker's address, the topic, a file that is not read, the isolation level.
"""

import os
import signal
import sys

from kafka import KafkaConsumer, TopicPartition
from lines import show, show_error

_SECONDS = 2
"""Processor time for a poll that waits a tenth of a second."""


def main(address: str, topic: str, _file: str, isolation: str) -> None:
    consumer = KafkaConsumer(
        bootstrap_servers=address, auto_offset_reset="earliest", enable_auto_commit=False, isolation_level=isolation
    )
    consumer.assign([TopicPartition(topic, 0)])
    signal.signal(signal.SIGVTALRM, give_up)
    for _ in range(20):
        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
        try:
            batches = consumer.poll(timeout_ms=100)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
            show_error(error)
            continue
        for message in [message for messages in batches.values() for message in messages]:
            show(
                offset=message.offset,
                timestamp=message.timestamp,
                type=message.timestamp_type,
                key=message.key,
                value=message.value,
            )


def give_up(*_: object) -> None:
    print(f"poll took {_SECONDS} s of processor time, and did not return", flush=True)
    os._exit(0)


main(*sys.argv[1:5])
