"""Write orders with kafka-python: `... HOST:PORT BROKER-RELEASE < orders`."""

import json
import sys

import kafka

VERSION = f"kafka-python {kafka.__version__}"

WAIT = 30


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
        failures = write(sys.argv[1], order)
    except Exception as error:
        failures = [f"{type(error).__name__}: {error}"]
    print(
        json.dumps({"order": order["name"], "version": VERSION, "failures": failures}),
        flush=True,
    )
