"""A driver whose client is made of the project's own codec, sound or with one of some faults.

    python reference_driver.py [dies|hangs|spins|eats|gets_out|stops|skips|refetches|raises|rubbish|
                                overflows|slow|ends|headers]

A fault shows at topics whose bytes hold the text `fault`, but for `slow`, which says 500 lines a
poll, `ends`, which dies when it is told to stop, and `headers`, which dies of records with headers.
"""

import os
import socket
import sys
import time
from pathlib import Path

from kafka_format import protocol
from kafka_format.broker.consumer import ISOLATIONS, deliver

sys.path.insert(0, str(Path(__file__).parents[4] / "targets" / "common" / "python"))
import consumer_driver
from consumer_driver import error, hung, record, serve

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


class Reference:
    def __init__(self, broker, isolation, _settings):
        host, port = broker.split(":")
        self._socket = socket.create_connection((host, int(port)))
        self._isolation = isolation
        self._positions = {}
        self._stopped = set()
        self._raises = False
        self._waiting = []

    def assign(self, topics):
        self._positions, self._stopped, self._raises = dict(topics), set(), False

    def poll(self):
        if FAULT != "slow":
            return self._polled()
        self._waiting += self._polled()
        said, self._waiting = self._waiting[:500], self._waiting[500:]
        return said

    def _polled(self):
        if self._raises:
            yield error("?", "something is wrong")
            return
        asked = [
            {"topic": name, "partitions": [{"partition": 0, "fetch_offset": offset, "partition_max_bytes": 1 << 30}]}
            for name, offset in self._positions.items()
            if name not in self._stopped
        ]
        level = ISOLATIONS.index(self._isolation)
        body = {"max_wait_ms": 100, "max_bytes": 1 << 30, "isolation_level": level, "topics": asked}
        data = protocol.encode_request("fetch", 12, body, client_id="reference")
        self._socket.sendall(len(data).to_bytes(4, "big") + data)
        answer = protocol.decode_response(self._exactly(int.from_bytes(self._exactly(4), "big")), "fetch", 12)
        for topic in answer.body.responses:
            yield from self._taken(topic.topic, topic.partitions[0])

    def stop(self):
        if FAULT == "ends":
            os.abort()
        for name, offset in self._positions.items():
            yield f"position\t{name}\t{offset}"

    def _taken(self, name, partition):
        if not partition.records:
            return
        if FAULT and b"fault" in partition.records:
            yield from self._wrong(name)
            return
        pairs = [
            (transaction.producer_id, transaction.first_offset) for transaction in partition.aborted_transactions or ()
        ]
        got = deliver(partition.records, self._positions[name], self._isolation, pairs)
        if FAULT == "headers" and any(each_record.headers for each_record in got.records):
            os.abort()
        for each_record in got.records:
            yield record(name, *each_record[:6])
        self._positions[name] = got.next_offset
        if got.error is not None or got.too_small:
            self._stopped.add(name)
            yield error(name, got.error or "no whole entry")

    def _wrong(self, name):  # noqa: C901 - a line a fault
        if FAULT == "dies":
            os.abort()
        if FAULT == "hangs":
            time.sleep(3600)
        if FAULT == "spins":
            while True:
                pass
        if FAULT == "eats":
            eaten = []
            while True:
                eaten.append(b"x" * (1 << 24))
        if FAULT == "gets_out":
            self._stopped.add(name)
            yield hung(name, "poll did not return")
        if FAULT == "stops":
            self._stopped.add(name)
        if FAULT == "skips":
            self._positions[name] += 100
        if FAULT == "raises":
            self._raises = True
        if FAULT == "rubbish":
            yield "what is this"
        if FAULT == "overflows":
            yield record(name, 5, 1 << 63, 0, None, None)

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            data += self._socket.recv(size - len(data)) or sys.exit("the broker hung up")
        return data


if __name__ == "__main__":
    serve(consumer_driver.hello("reference", "0", "Python", "https://kafka.apache.org", settings=[]), Reference)
