"""How fast the broker of chosen bytes serves and takes, beside kfake and librdkafka's mock cluster.

Each broker is a process of its own. They take turns, round by round, so that a slow moment meets
all of them; the client is the same, sends frames that were made before, keeps 32 on the way over
one connection, and looks into no response. Shown is the median of the rounds: requests in a second,
and how many times as fast as kfake.

    kafka-conformance targets --install broker-kfake broker-librdkafka
    python benchmarks/brokers.py [--rounds N]

One that is not installed is left out.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from kafka_conformance.child.launch import Command
from kafka_conformance.kinds.broker import requests
from kafka_conformance.kinds.broker.connection import Call, Connection
from kafka_conformance.targets import resolve
from kafka_conformance.targets.broker_launch import NOWHERE, StartedBroker
from kafka_format import protocol, records
from kafka_format.records import Record

OURS: Final = """
import sys
from kafka_tools.server import Serving, BrokerSettings, Topic, Topics, running
from kafka_format import records
from kafka_format.records import Record
def batch(size):
    return records.encode([Record(0, 1_700_000_000_000, 0, None, bytes(size))])
topics = Topics(Topic(f"t{{size}}", batch(size), 0, 1, serving=Serving.AS_LOG) for size in {sizes})
with running(topics, BrokerSettings(creates_topics=True, most_captured_bytes=1 << 40)) as broker:
    broker.state.on_produced = lambda _: broker.state.produced_records.clear()
    print(broker.address, flush=True)
    sys.stdin.read()
"""
"""Our broker. What it takes is thrown away, as by kfake's and the mock's clients."""

WINDOW: Final = 32
_PRODUCE, _FETCH = 8, 11
"""Versions that all three have, and that name topics."""

_SIZES: Final = {"1 KB": 1_000, "100 KB": 100_000}
_SECONDS_A_TURN: Final = 0.3


class Work(NamedTuple):
    """A request that is sent again and again."""

    name: str
    call: Call


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with ExitStack() as stack:
        places = dict(_started(stack))
        for place in places.values():
            _fill(place)
        _print(works(), _measure(places, rounds))
    return 0


def works() -> Iterator[Work]:
    """Yield what is measured."""
    for size, count in _SIZES.items():
        yield Work(f"take {size}", _produce(f"taken{count}", count))
        yield Work(f"serve {size}", requests.fetch(_FETCH, f"t{count}", bytes(16), {0: 0}, count))


def _produce(topic: str, size: int) -> Call:
    return requests.produce(_PRODUCE, topic, bytes(16), 0, _batch(size))


def _batch(size: int) -> bytes:
    return records.encode([Record(0, 1_700_000_000_000, 0, None, bytes(size))])


def _started(stack: ExitStack) -> Iterator[tuple[str, StartedBroker]]:
    code = OURS.format(sizes=list(_SIZES.values()))
    ours = StartedBroker(NOWHERE, command=Command((sys.executable, "-c", code)))
    for name, place in {"ours": ours, **_others()}.items():
        place.start()
        stack.callback(place.stop)
        yield name, place


def _others() -> dict[str, StartedBroker]:
    places = {}
    for name in ("broker-kfake", "broker-librdkafka"):
        candidate = resolve.candidate(name)
        if isinstance(candidate.place, StartedBroker):
            places[name] = candidate.place
        else:
            print(f"{name} is left out: {candidate.problem}", file=sys.stderr)
    return places


def _fill(place: StartedBroker) -> None:
    """Make the topics, and put one batch into each.

    What is taken goes elsewhere: the mock cluster drops the oldest of a log beyond 5 MB.
    """
    connection = Connection(place.address, 30)
    for size in _SIZES.values():
        for topic in (f"t{size}", f"taken{size}"):
            if place.name == "broker-kfake":
                connection.ask(requests.create_topic(2, topic, 1, None, {}))
            connection.ask(requests.metadata(4, [topic]))
            connection.ask(_produce(topic, size))
    connection.close()


def _measure(places: dict[str, StartedBroker], rounds: int) -> dict[tuple[str, str], list[float]]:
    """Return the seconds of a request, by work and broker, of each round."""
    seconds: dict[tuple[str, str], list[float]] = {}
    for work in works():
        frame = _frame(work.call)
        counts = {name: _count(place, frame) for name, place in places.items()}
        for _ in range(rounds):
            for name, place in places.items():
                seconds.setdefault((work.name, name), []).append(_turn(place, frame, counts[name]) / counts[name])
    return seconds


def _frame(call: Call) -> bytes:
    data = protocol.encode_request(call.api, call.version, call.body(), correlation_id=1, client_id="bench")
    return len(data).to_bytes(4, "big") + data


def _count(place: StartedBroker, frame: bytes) -> int:
    """Return how many requests fill a turn."""
    count = WINDOW
    while (taken := _turn(place, frame, count)) < _SECONDS_A_TURN / 2:
        count *= 2
    return max(WINDOW, int(count * _SECONDS_A_TURN / taken))


def _turn(place: StartedBroker, frame: bytes, count: int) -> float:
    """Send a request so many times; return the seconds until the last response was there."""
    with socket.create_connection(place.address) as connection, connection.makefile("rb", 1 << 18) as stream:
        began = time.perf_counter()
        sent = 0
        for taken in range(count):
            while sent < min(count, taken + WINDOW):
                connection.sendall(frame)
                sent += 1
            _skip(stream.read)
        return time.perf_counter() - began


def _skip(read: Callable[[int], bytes]) -> None:
    read(int.from_bytes(read(4), "big"))


def _print(every: Iterator[Work], seconds: dict[tuple[str, str], list[float]]) -> None:
    names = list(dict.fromkeys(name for _, name in seconds))
    stick = "broker-kfake" if "broker-kfake" in names else names[0]
    print(f"{'':14}" + "".join(f"{name:>26}" for name in names))
    for work in every:
        cells: list[Any] = []
        for name in names:
            mine, other = seconds[work.name, name], seconds[work.name, stick]
            ratio = statistics.median(rate / two for rate, two in zip(other, mine, strict=True))
            cells.append(f"{1 / statistics.median(mine):>14,.0f}/s {ratio:>8.2f}x")
        print(f"{work.name:14}" + "".join(f"{cell:>26}" for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
