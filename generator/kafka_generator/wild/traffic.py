"""Recording of real clients and a real broker: `python -m kafka_generator.wild.traffic`.

A proxy stands between them, which the broker advertises as its own address. Of each client the
first request and the first response of every API and version are stored, header and body.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_conformance.errors import NotReadyError

from kafka_generator.wild.__main__ import ROOT, run
from kafka_generator.wild.clients import clients
from kafka_generator.wild.orders import orders
from kafka_generator.wild.proxy import Frame
from kafka_generator.wild.tapped import tapped

FILE: Final = ROOT / "vectors" / "cases" / "protocol-wild.jsonl"
RELEASE: Final = "4.4.0"
ASKED: Final = (
    *("java-4.4.0", "java-2.8.2", "java-1.1.1", "librdkafka-2.16.0", "franz-go-1.22.2", "sarama-1.61.1"),
    *("kafka-python-3.0.12", "aiokafka-0.14.0", "segmentio-0.4.51", "kafkajs-2.2.4", "platformatic-2.12.1"),
    "rskafka-0.6.0",
)
"""The clients that are recorded."""

_MOST: Final = 8000
"""Bytes of the largest message that is stored."""


def main() -> int:
    """Record every client anew; 1 if one could not be run."""
    lines: list[str] = []
    cache, status = ROOT / ".targets" / "wild", 0
    with TemporaryDirectory() as folder, tapped(RELEASE, cache, Path(folder)) as running:
        for client in (one for one in clients() if one.label in ASKED):
            running.proxy.frames.clear()
            asked = [order for order in orders() if order.needs <= client.can][:3]
            asked += [order for order in orders() if order.transactional and order.needs <= client.can][:1]
            try:
                run(client, cache, running.address, RELEASE, asked)
            except NotReadyError as error:
                sys.stderr.write(f"{client.label}: left out: {error}\n")
                status = 1
                continue
            found = list(_first(running.proxy.frames))
            sys.stderr.write(f"{client.label}: {len(found)} of {len(running.proxy.frames)} messages\n")
            lines += [json.dumps(_line(client.label, frame)) for frame in found]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return status


def _first(frames: list[Frame]) -> Iterator[Frame]:
    """Yield the first message of each kind, API and version that is not too large."""
    seen: set[tuple[str, int, int]] = set()
    for frame in list(frames):
        key = (frame.kind, frame.api, frame.version)
        if key not in seen and len(frame.data) <= _MOST:
            seen.add(key)
            yield frame


def _line(label: str, frame: Frame) -> dict[str, Any]:
    kind, api, version, data = frame
    return {"client": label, "broker": RELEASE, "kind": kind, "api": api, "version": version, "hex": data.hex()}


if __name__ == "__main__":
    sys.exit(main())
