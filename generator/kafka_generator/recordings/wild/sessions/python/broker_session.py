"""Do what a list of steps says with confluent-kafka: `python broker_session.py HOST:PORT < steps`.

A step makes a topic, changes its settings, sends one batch to it, perhaps in a transaction, or
commits an offset.
"""

import json
import sys
import time

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic

WAIT = 30
SETTLE = 3
"""Seconds until a broker goes by settings that were changed; ZooKeeper tells it."""

address = sys.argv[1]
admin = AdminClient({"bootstrap.servers": address})
producers = {}


def create(topic, settings):
    for future in admin.create_topics([NewTopic(topic, 1, 1, config=settings)]).values():
        future.result(WAIT)


def alter(topic, settings):
    """Change the settings, twice: brokers of 2.8 were seen to go by the change before the last."""
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic, set_config=settings)
    for _ in range(2):
        for future in admin.alter_configs([resource]).values():
            future.result(WAIT)
        time.sleep(SETTLE)


def producer_of(send):
    """Return one producer for all batches that are sent in one way, so that sequences go on."""
    name = json.dumps([send["topic"], send["codec"], send["idempotent"], send["transactional"]])
    if name not in producers:
        settings = {"bootstrap.servers": address, "linger.ms": 1000, "compression.type": send["codec"]}
        settings["enable.idempotence"] = send["idempotent"] or send["transactional"]
        if send["transactional"]:
            settings["transactional.id"] = send["topic"]
        producers[name] = Producer(settings)
        if send["transactional"]:
            producers[name].init_transactions(WAIT)
    return producers[name]


def deliver(**send):
    producer, failures = producer_of(send), []
    if send["transactional"]:
        producer.begin_transaction()
    for record in send["records"]:
        headers = [(name, None if value is None else value.encode()) for name, value in record["headers"]]
        producer.produce(
            send["topic"],
            key=None if record["key"] is None else record["key"].encode(),
            value=None if record["value"] is None else record["value"].encode(),
            partition=0,
            timestamp=record["timestamp"],
            headers=headers or None,
            on_delivery=lambda error, _: error and failures.append(str(error)),
        )
    if producer.flush(WAIT) or failures:
        raise SystemExit(f"{send['topic']}: not all was delivered: {failures}")
    if send["transactional"]:
        (producer.abort_transaction if send["aborts"] else producer.commit_transaction)(WAIT)


def commit(group, topic):
    consumer = Consumer({"bootstrap.servers": address, "group.id": group})
    consumer.commit(offsets=[TopicPartition(topic, 0, 3)], asynchronous=False)
    consumer.close()


for step in json.load(sys.stdin):
    {"create": create, "alter": alter, "deliver": deliver, "commit": commit}[step.pop("do")](**step)
