"""Writes orders with pykafka: `python producer.py HOST:PORT BROKER-RELEASE < orders`."""

import datetime as dt
import json
import sys

import pykafka
from pykafka.common import CompressionType

CODECS = {"none": 0, "gzip": CompressionType.GZIP, "snappy": CompressionType.SNAPPY, "lz4": CompressionType.LZ4}
EPOCH = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - the library wants datetimes without a time zone


def write(address, release, order):
    client = pykafka.KafkaClient(hosts=address, broker_version=release)
    topic = client.topics[order["topic"]]
    settings = {"linger_ms": 1000, "min_queued_messages": len(order["records"]), "compression": CODECS[order["codec"]]}
    with topic.get_producer(**settings) as producer:
        for record in order["records"]:
            when = EPOCH + dt.timedelta(milliseconds=record["timestamp"])
            producer.produce(
                None if record["value"] is None else record["value"].encode(),
                partition_key=None if record["key"] is None else record["key"].encode(),
                timestamp=None if release.startswith("0.9") else when,
            )
    return []


for order in json.load(sys.stdin):
    try:
        failures = write(sys.argv[1], ".".join(sys.argv[2].split(".")[:3]), order)
    except Exception as error:
        failures = [f"{type(error).__name__}: {error}"]
    line = {"order": order["name"], "version": f"pykafka {pykafka.__version__}", "failures": failures}
    print(json.dumps(line), flush=True)
