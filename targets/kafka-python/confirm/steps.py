"""kafka-python: what `KafkaProducer` tells an application that sends and commits, step by step.

Arguments: the broker's address, the topic, a file with the steps, settings as `name=value`.
"""

import sys
from collections.abc import Callable

from kafka import KafkaProducer
from step_lines import do, take

LIMITS = {"request_timeout_ms": 2000, "delivery_timeout_ms": 8000, "max_block_ms": 8000, "retry_backoff_ms": 50}
SECONDS = 16


class Steps:
    """See `step_lines.Steps`."""

    def __init__(self, producer: KafkaProducer, topic: str) -> None:
        self.producer, self.topic = producer, topic
        self.begin, self.commit = producer.begin_transaction, producer.commit_transaction
        self.abort = producer.abort_transaction

    def send(self, value: bytes) -> Callable[[], object]:
        """See `step_lines.Steps`."""
        sent = self.producer.send(self.topic, value, partition=0)
        return lambda: sent.get(SECONDS)


def main(address: str, topic: str, file: str, *settings: str) -> None:
    is_transactional = "transactional=true" in settings
    name = {"transactional_id": topic} if is_transactional else {}
    producer = KafkaProducer(bootstrap_servers=address, linger_ms=0, enable_idempotence=True, **LIMITS, **name)
    if not is_transactional or do("init", producer.init_transactions):
        take(Steps(producer, topic), file)


main(*sys.argv[1:])
