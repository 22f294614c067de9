"""Have real brokers compact, stamp and convert, and store what they wrote.

Call it as `python -m kafka_generator.recordings.wild.by_brokers`.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_format import protocol

from kafka_generator.recordings.wild import case_file
from kafka_generator.recordings.wild.clients import clients
from kafka_generator.recordings.wild.scenes import CONVERTED, SCENES, Scene
from kafka_generator.recordings.wild.tap import TappedBroker, tap_broker
from kafka_generator.wild_cases import FILE

ROOT: Final = Path(__file__).parents[4]
_SESSION: Final = Path(__file__).parent / "sessions" / "python" / "broker_session.py"
_CLIENT: Final = "librdkafka-2.16.0"
_SETTINGS: Final = """\
log.cleaner.backoff.ms=200
log.initial.task.delay.ms=500
log.cleaner.min.compaction.lag.ms=0
"""
_COMPACTION_SECONDS: Final = 12
_SECONDS: Final = 180
_MOST: Final = 1 << 20


def main() -> int:
    """Write the lines of every broker that is named; 0 if all went well."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild.by_brokers", description=__doc__)
    parser.add_argument("releases", nargs="*", help=f"releases of brokers, of {', '.join(SCENES)}; default: all")
    for release in parser.parse_args().releases or SCENES:
        lines = list(_lines(release, list(SCENES[release]())))
        case_file.replace(ROOT / FILE, f"broker-{release}", release, lines)
        print(f"{release}: {len(lines)}", file=sys.stderr)
    return 0


def _lines(release: str, scenes: Sequence[Scene]) -> Iterator[dict[str, Any]]:
    """Yield a line for each log, and for what the broker converts it to."""
    cache = ROOT / ".targets" / "wild"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        running = stack.enter_context(tap_broker(release, cache, folder, _SETTINGS))
        _play(running, cache, scenes)
        time.sleep(_COMPACTION_SECONDS)
        for scene in scenes:
            if scene.stores:
                data = running.broker.log(scene.name)
                yield case_file.broker_line(release, scene.name, scene.title, scene.rules, data)
            for version in scene.fetches:
                form = CONVERTED[version]
                data = _fetch(running, scene.name, version)
                title = f"{scene.title}, fetched as {form}"
                yield case_file.broker_line(release, f"{scene.name}-as-{form}", title, scene.rules, data)


def _play(running: TappedBroker, cache: Path, scenes: Sequence[Scene]) -> None:
    """Send everything, in the environment of a client.

    Raises:
        NotReadyError: the client cannot be installed.
    """
    (client,) = (client for client in clients() if client.label == _CLIENT)
    python = client.command(cache, running.address)[0]
    steps = [step for scene in scenes for step in scene.steps()]
    subprocess.run([python, _SESSION, running.address], input=json.dumps(steps).encode(), check=True, timeout=_SECONDS)


def _fetch(running: TappedBroker, topic: str, version: int) -> bytes:
    """Return the records of a topic as a consumer gets them that speaks an old version."""
    partition = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": _MOST}
    body: dict[str, Any] = {"replica_id": -1, "max_wait_ms": 500, "min_bytes": 1}
    body |= {"max_bytes": _MOST} if version > 2 else {}
    body["topics"] = [{"topic": topic, "partitions": [partition]}]
    request = protocol.encode_request("fetch", version, body, client_id="wild")
    host, port = running.address.split(":")
    with (
        socket.create_connection((host, int(port)), timeout=_SECONDS) as connection,
        connection.makefile("rb") as stream,
    ):
        connection.sendall(len(request).to_bytes(4, "big") + request)
        data = stream.read(int.from_bytes(stream.read(4), "big"))
    response = protocol.decode_response(data, "fetch", version).body.responses[0].partitions[0]
    if response.error_code:
        raise SystemExit(f"{topic}: error {response.error_code}")
    return bytes(response.records or b"")


if __name__ == "__main__":
    sys.exit(main())
