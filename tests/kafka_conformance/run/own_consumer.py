"""A user's consumer: the template, with a client of the project's own codec in its gaps.

`own_consumer.py [dies|hangs|spins|loses|lies] [HEX]`: a fault shows at the bytes in HEX, or at all.
"""

import importlib.util
import os
import sys
import time
from pathlib import Path

from kafka_conformance.targets.folders import TEMPLATES

sys.path.insert(0, str(Path(__file__).parents[1] / "kinds" / "consumer"))
from reference_driver import Reference

FAULT, MARK = (*sys.argv[1:], "", "")[:2]


def template():
    described = importlib.util.spec_from_file_location("consumer", TEMPLATES["python"]["consumer"])
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


class Client(Reference):
    def assign(self, topics):
        super().assign(topics.items())

    def close(self):
        self._socket.close()

    def _taken(self, name, partition):
        if not FAULT or not partition.records or bytes.fromhex(MARK) not in bytes(partition.records):
            yield from super()._taken(name, partition)
        elif FAULT == "lies":
            yield consumer.record(name, self._positions[name], 0, 0, b"nobody", b"wrote this")
        elif FAULT == "loses":
            self._socket.close()
            raise ConnectionError("the broker is gone")
        elif FAULT == "dies":
            os.abort()
        while FAULT in {"hangs", "spins"} and bytes.fromhex(MARK) in bytes(partition.records or b""):
            time.sleep(3600 if FAULT == "hangs" else 0)


consumer = template()
consumer.serve(consumer.HELLO, Client)
