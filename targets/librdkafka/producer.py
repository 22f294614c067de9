"""Write orders with confluent-kafka (librdkafka): `... HOST:PORT BROKER-RELEASE < orders`."""

import json
import sys

import confluent_kafka

WAIT = 30


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
        failures = write(sys.argv[1], broker, order)
    except Exception as error:
        failures = [f"{type(error).__name__}: {error}"]
    print(json.dumps({"order": order["name"], "version": version, "failures": failures[:3]}), flush=True)
