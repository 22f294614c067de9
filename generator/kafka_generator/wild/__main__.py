"""Have real producers write, and store what they wrote: `python -m kafka_generator.wild [PRODUCER...]`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kafka_conformance.errors import NotReadyError

from kafka_generator.wild import broker, stored
from kafka_generator.wild.broker import Broker
from kafka_generator.wild.clients import Client, clients
from kafka_generator.wild.orders import Order, orders

ROOT = Path(__file__).parents[3]
_SECONDS = 120


def main() -> int:
    """Write the lines of every named producer anew; 0 if each wrote what it was asked."""
    known = list(clients())
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.wild", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"producers, or one release of one: {known[0].label}; default: all")
    parser.add_argument("--broker", default="3.9.2", help="release of the Apache Kafka broker (default: 3.9.2)")
    options = parser.parse_args()
    chosen = [client for client in known if not options.names or {client.name, client.label} & set(options.names)]
    cache, status = ROOT / ".targets" / "wild", 0
    with TemporaryDirectory() as folder, broker.running(options.broker, cache, Path(folder)) as running:
        for client in chosen:
            print(f"{client.label} ...", file=sys.stderr)
            try:
                lines = list(_written(client, cache, running, options.broker))
            except NotReadyError as error:
                print(f"  left out: {error}", file=sys.stderr)
                status = 1
                continue
            stored.replace(ROOT / stored.FILE, client.label, lines)
            print(f"  {len(lines)} segments", file=sys.stderr)
    return status


def _written(client: Client, cache: Path, running: Broker, release: str) -> Iterator[dict[str, Any]]:
    """Have a producer write what it can be asked, and yield a line for each segment."""
    asked = [order for order in orders() if order.needs <= client.can]
    for order, outcome in zip(asked, _run(client, cache, running, asked), strict=True):
        if outcome["failures"]:
            print(f"  {order.name}: {outcome['failures'][0]}", file=sys.stderr)
            continue
        data = running.segment(_topic(client, order))
        yield stored.line(client, order, outcome["version"], release, data)


def _run(client: Client, cache: Path, running: Broker, asked: Sequence[Order]) -> list[dict[str, Any]]:
    documents = [order.document() | {"topic": _topic(client, order)} for order in asked]
    try:
        output = subprocess.run(
            client.command(cache, running.address),
            input=json.dumps(documents).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    outcomes = {outcome["order"]: outcome for outcome in map(json.loads, output.decode().splitlines())}
    silent = {"failures": ["the producer hung before it was done"], "version": ""}
    return [outcomes.get(order.name, silent) for order in asked]


def _topic(client: Client, order: Order) -> str:
    return f"{client.label}-{order.topic}"


if __name__ == "__main__":
    sys.exit(main())
