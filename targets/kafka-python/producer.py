"""Write orders with kafka-python: `... HOST:PORT BROKER-RELEASE < orders`."""

import json
import sys

import kafka
from producer_steps import take

VERSION = f"kafka-python {kafka.__version__}"

WAIT = 30
SOON = 8
FATAL = ("ProducerFencedError", "InvalidPidMappingError", "IllegalStateError", "UnsupportedVersionError")


class Stepping:
    """The client in a conversation."""

    def __init__(self, address, order):
        settings = {"bootstrap_servers": address, "linger_ms": 0, "enable_idempotence": order["idempotent"]}
        settings |= {"request_timeout_ms": 2000, "delivery_timeout_ms": SOON * 1000, "max_block_ms": SOON * 1000}
        settings |= {"retry_backoff_ms": 50}
        if order["transactional"]:
            settings["transactional_id"] = order["topic"]
        self.producer, self.topic = kafka.KafkaProducer(**settings), order["topic"]

    def init(self):
        """See `producer_steps.Producer`."""
        self.producer.init_transactions()

    def begin(self):
        """See `producer_steps.Producer`."""
        self.producer.begin_transaction()

    def send(self, value):
        """See `producer_steps.Producer`."""
        sent = self.producer.send(self.topic, value.encode(), partition=0)
        return lambda: sent.get(2 * SOON)

    def commit(self):
        """See `producer_steps.Producer`."""
        self.producer.commit_transaction()

    def abort(self):
        """See `producer_steps.Producer`."""
        self.producer.abort_transaction()

    def is_fatal(self, error):
        """See `producer_steps.Producer`."""
        names = {kind.__name__ for kind in type(error).__mro__}
        return bool(names & {*FATAL}) or "Authorization" in type(error).__name__

    def close(self):
        """See `producer_steps.Producer`."""
        self.producer.close(timeout=1)


def write(address, order):
    settings = {
        "bootstrap_servers": address,
        "compression_type": None if order["codec"] == "none" else order["codec"],
        "linger_ms": 1000,
        "batch_size": 1 << 20,
    }
    if sys.argv[2].startswith("0.9"):
        settings["api_version"] = (0, 9)  # newer releases do not find it out themselves
    if order.get("acks") is not None:
        settings["acks"] = order["acks"]
    if order["idempotent"] or "enable_idempotence" in kafka.KafkaProducer.DEFAULT_CONFIG:
        settings["enable_idempotence"] = order["idempotent"]
    if order["transactional"]:
        settings["transactional_id"] = order["topic"]
    producer = kafka.KafkaProducer(**settings)
    if order["transactional"]:
        producer.init_transactions()
        producer.begin_transaction()
    sent = [
        producer.send(
            order["topic"],
            key=None if record["key"] is None else record["key"].encode(),
            value=None if record["value"] is None else record["value"].encode(),
            partition=0,
            timestamp_ms=record["timestamp"],
            headers=[(name, None if value is None else value.encode()) for name, value in record["headers"]],
        )
        for record in order["records"]
    ]
    for future in sent:
        future.get(WAIT)
    if order["transactional"]:
        producer.commit_transaction()
    producer.close()
    return []


for order in json.load(sys.stdin):
    try:
        if "steps" in order:
            stepping = Stepping(sys.argv[1], order)
            failures = take(stepping, order["steps"], is_transactional=order["transactional"])
        else:
            failures = write(sys.argv[1], order)
    except Exception as error:
        failures = [f"{type(error).__name__}: {error}"]
    print(
        json.dumps({"order": order["name"], "version": VERSION, "failures": failures}),
        flush=True,
    )
