"""What coordinators have after a start, as Kafka's admin client says it.

`python -m kafka_generator.recordings.starts.described` starts real nodes on a few variants of the
family `start`, asks them for groups, committed offsets and transactional ids, and writes
tests/kafka_generator/start_vectors/described.jsonl, a line a variant and release.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_generator.recordings.starts import nodes, watching
from kafka_generator.start_vectors import files

PATH: Final = files.ROOT / "tests" / "kafka_generator" / "start_vectors" / "described.jsonl"
VARIANTS: Final = (
    ("start/offsets/static/sound", "3.9.2"),
    ("start/offsets/static/tombstones-of-none", "4.4.0"),
    ("start/offsets/dynamic/consumer-whole", "4.4.0"),
    ("start/offsets/dynamic/classic-over-consumer", "4.4.0"),
    ("start/offsets/dynamic/assignment-alone", "4.4.0"),
    ("start/transactions/static/behind-a-fault", "3.9.2"),
    ("start/transactions/static/behind-a-fault", "4.4.0"),
    ("start/transactions/static/value-version", "4.4.0"),
    ("start/transactions/static/empty-with-partitions", "4.4.0"),
    ("start/transactions/static/tombstone", "4.4.0"),
)
_PROGRAM: Final = Path(__file__).parent / "DescribeNode.java"
_SECONDS: Final = 300


def describe(line: dict[str, Any], release: str) -> list[list[str]]:
    """Start a release on a variant; return the facts that the admin client has of it."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        files.lay_out(files.bases()[line["base"]], line["edits"], folder)
        ports, is_dynamic = nodes.free_ports(), line["base"] == "dynamic"
        quorum = nodes.dynamic_quorum(ports) if is_dynamic else nodes.static_quorum({1: ports})
        settings = folder / "server.properties"
        setting = nodes.Setting("broker,controller", 1, quorum, [folder / name for name in line["log_dirs"]])
        settings.write_text(setting.text(release, ports), encoding="utf-8")
        node = nodes.Node(release, settings, folder / "log.txt")
        try:
            watching.await_start(node)
            return _asked(release, ports)
        finally:
            node.kill()


def _asked(release: str, ports: nodes.Ports) -> list[list[str]]:
    command = [*nodes.JAVA[:4], "-cp", nodes.classpath(release), str(_PROGRAM), f"127.0.0.1:{ports.client}"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=_SECONDS).stdout.splitlines()
    if said[-1:] != ["described"]:
        raise RuntimeError(f"the admin client did not end: {said}")
    return [line.split("\t") for line in said[:-1]]


def main() -> int:
    """Ask about the variants that are not written down yet."""
    variants = {line["id"]: line for line in files.read(files.FOLDER / files.VARIANTS)}
    done = files.read(PATH)
    for name, release in VARIANTS:
        if not any((line["id"], line["release"]) == (name, release) for line in done):
            done.append({"id": name, "release": release, "described": describe(variants[name], release)})
            files.write(PATH, done)
            sys.stderr.write(f"{name} {release}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
