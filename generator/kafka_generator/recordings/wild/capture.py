"""Capture of real clients and a real broker.

Call it as `python -m kafka_generator.recordings.wild.capture FILE`.

It needs tcpdump, the right to capture on the loopback interface, Java and Maven.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator import real_broker
from kafka_generator.recordings.wild.sessions import sessions, settings

_ROOT: Final = Path(__file__).parents[4]
_USUAL: Final = ("kafka-python-3.0.12-session", "librdkafka-2.16.0-session")
_SECONDS: Final = 120
_SETTLE_SECONDS: Final = 2
"""For tcpdump to begin, and to have written the last packet."""


def main() -> int:
    """Run each session while tcpdump writes what goes over the broker's port."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild.capture", description=__doc__)
    parser.add_argument("file", type=Path, help="where the capture goes")
    parser.add_argument("names", nargs="*", help=f"sessions, see sessions.py (default: {', '.join(_USUAL)})")
    parser.add_argument("--broker", default="3.9.2", help="release of the Apache Kafka broker (default: 3.9.2)")
    parser.add_argument("--interface", default="lo", help="any: with Linux's own header in front of each packet")
    options = parser.parse_args()
    cache = _ROOT / ".targets" / "wild"
    known = {session.label: session for session in sessions()}
    own = settings(options.broker)
    with TemporaryDirectory() as folder, real_broker.running(options.broker, cache, Path(folder), own) as running:
        port = running.address.rpartition(":")[2]
        with _tcpdump(options.file, options.interface, port):
            for name in options.names or _USUAL:
                known[name].run(cache, options.broker, running.address)
    return 0


@contextmanager
def _tcpdump(file: Path, interface: str, port: str) -> Iterator[None]:
    command = ["tcpdump", "-q", "-U", "-s", "0", "-i", interface, "-w", str(file), "tcp", "port", port]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        time.sleep(_SETTLE_SECONDS)
        yield
        time.sleep(_SETTLE_SECONDS)
    finally:
        process.terminate()
        process.wait(_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
