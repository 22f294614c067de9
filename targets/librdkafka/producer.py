"""Write orders with confluent-kafka (librdkafka): `... HOST:PORT BROKER-RELEASE < orders`."""

import json
import sys

import confluent_kafka
from producer_steps import take

WAIT = 30
SOON = 8


class Stepping:
    """The client in a conversation."""

    def __init__(self, address, order):
        settings = {"bootstrap.servers": address, "linger.ms": 0, "enable.idempotence": order["idempotent"]}
        settings |= {
            "socket.timeout.ms": 2000,
            "message.timeout.ms": SOON * 1000,
            "retry.backoff.ms": 50,
            "log_level": 0,
        }
        if order["transactional"]:
            settings |= {"transactional.id": order["topic"], "transaction.timeout.ms": SOON * 1000}
        self.producer, self.topic = confluent_kafka.Producer(settings), order["topic"]

    def init(self):
        """See `producer_steps.Producer`."""
        self.producer.init_transactions(SOON)

    def begin(self):
        """See `producer_steps.Producer`."""
        self.producer.begin_transaction()

    def send(self, value):
        """See `producer_steps.Producer`."""
        outcomes = []
        self.producer.produce(
            self.topic, value.encode(), partition=0, on_delivery=lambda error, _: outcomes.append(error)
        )

        def wait():
            self.producer.flush(SOON)
            if outcomes != [None]:
                raise confluent_kafka.KafkaException(*outcomes)

        return wait

    def commit(self):
        """See `producer_steps.Producer`."""
        self.producer.commit_transaction(SOON)

    def abort(self):
        """See `producer_steps.Producer`."""
        self.producer.abort_transaction(SOON)

    def is_fatal(self, error):
        """See `producer_steps.Producer`."""
        return bool(error.args) and hasattr(error.args[0], "fatal") and error.args[0].fatal()

    def close(self):
        """See `producer_steps.Producer`."""
        self.producer.purge()
        self.producer.flush(1)


def write(address, broker, order):
    settings = {
        "bootstrap.servers": address,
        "compression.type": order["codec"],
        "linger.ms": 1000,
        "enable.idempotence": order["idempotent"],
    }
    if order.get("acks") is not None:
        settings["acks"] = order["acks"]
    if broker < (0, 10):
        settings |= {"api.version.request": False, "broker.version.fallback": "0.9.0"}
    if order["level"] is not None:
        settings["compression.level"] = order["level"]
    if order["transactional"]:
        settings["transactional.id"] = order["topic"]
    producer = confluent_kafka.Producer(settings)
    failures = []
    if order["transactional"]:
        producer.init_transactions(WAIT)
        producer.begin_transaction()
    for record in order["records"]:
        headers = [(name, None if value is None else value.encode()) for name, value in record["headers"]]
        producer.produce(
            order["topic"],
            key=None if record["key"] is None else record["key"].encode(),
            value=None if record["value"] is None else record["value"].encode(),
            partition=0,
            timestamp=record["timestamp"],
            headers=headers or None,
            on_delivery=lambda error, _: error and failures.append(str(error)),
        )
    if producer.flush(WAIT):
        failures.append("not all was delivered")
    if order["transactional"]:
        producer.commit_transaction(WAIT)
    return failures


broker = tuple(map(int, sys.argv[2].split(".")))
version = f"librdkafka {confluent_kafka.libversion()[0]}"
for order in json.load(sys.stdin):
    try:
        if "steps" in order:
            stepping = Stepping(sys.argv[1], order)
            failures = take(stepping, order["steps"], is_transactional=order["transactional"])
        else:
            failures = write(sys.argv[1], broker, order)
    except Exception as error:
        failures = [f"{type(error).__name__}: {error}"]
    print(
        json.dumps(
            {"order": order["name"], "version": version, "failures": failures if "steps" in order else failures[:3]}
        ),
        flush=True,
    )
