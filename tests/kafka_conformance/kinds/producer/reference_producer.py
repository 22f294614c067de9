"""A producer made of the project's own codec, sound or with one of some faults, which all orders
show: `reference_producer.py [FAULT] HOST:PORT BROKER-RELEASE < orders`."""

import json
import os
import socket
import sys

from kafka_format import protocol, records, structure
from kafka_format.records import Header, Record

FAULT, ADDRESS, RELEASE = ("", *sys.argv[1:]) if len(sys.argv) == 3 else sys.argv[1:]
VERSIONS = {"3.9.2": (3, 2), "0.10.2.2": (2, 1), "0.9.0.1": (1, 0)}
"""By release, the version of Produce, and the magic of what it has."""


def data(text):
    return None if text is None else text.encode()


def batch(order, magic):
    made = []
    for offset, record in enumerate(order["records"]):
        time, kind = (record["timestamp"], 0) if magic else (-1, -1)
        headers = tuple(Header(data(name), data(value)) for name, value in record["headers"])
        made.append(Record(offset, time, kind, data(record["key"]), data(record["value"]), headers))
    if FAULT == "drops":
        del made[-1]
    if FAULT == "magic":
        magic = 3 - magic if magic else 1
    written = records.encode(made, magic=magic)
    if FAULT == "crc":
        written = written[:-1] + bytes([written[-1] ^ 1])
    if FAULT == "max-timestamp":
        layout = structure("record_batch")
        found = layout.decode(written)
        written = layout.encode({**found._asdict(), "max_timestamp": 5, "crc": None})
    return written


def send(order):
    version, magic = VERSIONS[RELEASE]
    partition = {"index": 0, "records": batch(order, magic)}
    body = {"acks": 7 if FAULT == "acks" else -1, "timeout_ms": 1000}
    body["topic_data"] = [{"name": order["topic"], "partition_data": [partition]}]
    request = protocol.encode_request("produce", version, body, client_id="reference")
    host, port = ADDRESS.split(":")
    with socket.create_connection((host, int(port))) as there:
        there.sendall(len(request).to_bytes(4, "big") + request)
        there.recv(4)


for order in json.load(sys.stdin):
    if FAULT == "dies":
        os.abort()
    if FAULT != "silent":
        send(order)
    failures = ["it did not work"] if FAULT == "silent" else []
    sys.stdout.write(json.dumps({"order": order["name"], "version": "reference", "failures": failures}) + "\n")
    sys.stdout.flush()
