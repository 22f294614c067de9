"""A user's producer: the template, with a client of the project's own codec in its gap.

`own_producer.py [dies|hangs|loses|lies] TOPIC`: a fault shows at the order for TOPIC.
"""

import importlib.util
import os
import socket
import sys
import time

from kafka_conformance.targets.folders import TEMPLATES
from kafka_format import protocol, records
from kafka_format.records import Header, Record

FAULT, MARK = (*sys.argv[1:], "", "")[:2]


def template():
    described = importlib.util.spec_from_file_location("producer", TEMPLATES["python"]["producer"])
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


def produce(broker, order):
    fault = FAULT if order.topic == MARK else ""
    if fault == "dies":
        os.abort()
    while fault == "hangs":
        time.sleep(3600)
    if fault == "loses":
        raise ConnectionError("the broker is gone")
    made = [
        Record(offset, record.timestamp, 0, record.key, record.value, tuple(Header(*pair) for pair in record.headers))
        for offset, record in enumerate(order.records)
    ]
    sent = [*made[:-1], made[-1]._replace(value=b"another")] if fault == "lies" else made
    partition = {"index": 0, "records": records.encode(sent, codec=order.codec)}
    body = {"acks": -1, "timeout_ms": 1000}
    body["topic_data"] = [{"name": order.topic, "partition_data": [partition]}]
    request = protocol.encode_request("produce", 7, body, client_id="mine")
    host, port = broker.split(":")
    with socket.create_connection((host, int(port))) as there:
        there.sendall(len(request).to_bytes(4, "big") + request)
        there.recv(4)
    return []


producer = template()
producer.serve(producer.HELLO, produce)
