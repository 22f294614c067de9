"""Run real producers and store what they wrote.

Call it as `python -m kafka_generator.recordings.wild [PRODUCER...]`.
"""

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
from kafka_format import records
from kafka_format.errors import FormatError

from kafka_generator.real_broker import FORMATS
from kafka_generator.recordings.wild import case_file
from kafka_generator.recordings.wild.clients import NEWEST_BROKER, Client, clients
from kafka_generator.recordings.wild.orders import SENT, Order, old_orders, orders
from kafka_generator.recordings.wild.tap import TappedBroker, tap_broker
from kafka_generator.wild_cases import FILE

ROOT = Path(__file__).parents[4]
_SECONDS = 120


def main() -> int:
    """Write the lines of every named producer anew; 0 if each wrote what it was asked."""
    known = list(clients())
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"producers, or one release of one: {known[0].label}; default: all")
    brokers = [NEWEST_BROKER, *FORMATS]
    parser.add_argument("--broker", action="append", choices=brokers, help="release of the broker; default: all")
    options = parser.parse_args()
    chosen = [client for client in known if not options.names or {client.name, client.label} & set(options.names)]
    cache, is_well = ROOT / ".targets" / "wild", True
    for release in options.broker or brokers:
        asked = [client for client in chosen if release in client.brokers]
        if not asked:
            continue
        with TemporaryDirectory() as folder, tap_broker(release, cache, Path(folder)) as running:
            for client in asked:
                is_well &= _write(client, cache, running)
    return 0 if is_well else 1


def _write(client: Client, cache: Path, running: TappedBroker) -> bool:
    """Have a producer write everything, and store it; False if it cannot be run."""
    print(f"{client.label} to {running.release} ...", file=sys.stderr)
    try:
        lines = list(_run_orders(client, cache, running))
    except NotReadyError as error:
        print(f"  left out: {error}", file=sys.stderr)
        return False
    case_file.replace(ROOT / FILE, client.label, running.release, lines)
    print(f"  {len(lines)} segments", file=sys.stderr)
    return True


def _run_orders(client: Client, cache: Path, running: TappedBroker) -> Iterator[dict[str, Any]]:
    """Run a producer on its orders; yield a line a segment, and for differing requests."""
    form = FORMATS.get(running.release) or ("v2" if client.brokers[0] != NEWEST_BROKER else None)
    asked = [order for order in (old_orders(form) if form else orders()) if order.needs <= client.can]
    for order, outcome in zip(asked, run(client, cache, running.address, running.release, asked), strict=True):
        topic, version = _topic(client, order), outcome["version"]
        if outcome["failures"]:
            print(f"  {order.name}: {outcome['failures'][0]}", file=sys.stderr)
            refused = running.first_produced_records(topic) if order.name in SENT else b""
            if _is_whole(order, refused):
                yield case_file.line(client, order, version, running.release, refused, sent=True, refused=True)
            continue
        segment = running.segment(topic)
        if _offsets(order, segment):
            yield case_file.line(client, order, version, running.release, segment)
        # The Java producers up to 0.9 send 0 for all offsets, pykafka -1: no consumer is ever given
        # such bytes.
        data = running.produced_records(topic) if order.name in SENT else segment
        if data != segment and _is_whole(order, data):
            yield case_file.line(client, order, version, running.release, data, sent=True)


def _is_whole(order: Order, data: bytes) -> bool:
    """Tell whether these are all records of an order, with the offsets that a broker assigns."""
    return _offsets(order, data) == list(range(len(order.records)))


def _offsets(order: Order, data: bytes) -> list[int]:
    """Return the offsets of stored or sent bytes; none if they break a rule, which is a finding."""
    try:
        return [record.offset for record in records.decode(data)]
    except FormatError as error:
        print(f"  {order.name}: {data.hex()} breaks a rule: {error}", file=sys.stderr)
        return []


def run(client: Client, cache: Path, address: str, release: str, asked: Sequence[Order]) -> list[dict[str, Any]]:
    """Have a producer write orders to a broker; return what it says of each, in their order.

    Raises:
        NotReadyError: it cannot be installed.
    """
    documents = [order.document() | {"topic": _topic(client, order)} for order in asked]
    try:
        output = subprocess.run(
            [*client.command(cache, address), release],
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
