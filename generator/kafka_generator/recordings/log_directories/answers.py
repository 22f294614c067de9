"""What Kafka's own classes say of a packed directory, asked once and kept beside it."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from kafka_generator import real_broker
from kafka_generator.log_vectors import archives, damages
from kafka_generator.log_vectors.kafka_logs import CACHE, NEWEST, Opening, open_logs, run

ROOT: Final = Path(__file__).parents[4]
HERE: Final = Path(__file__).parent
_READ: Final = ("orders-0", "payments-0", "events-0", "prices-0", "__transaction_state-0", "__cluster_metadata-0")
_OPENED: Final = _READ[:4]
TOOLS: Final = {
    "3.9.2": ("kafka_2.13", "kafka.tools.DumpLogSegments"),
    "4.3.1": ("kafka-tools", "org.apache.kafka.tools.DumpLogSegments"),
}
"""Where kafka-dump-log is, by release: it moved when it was written anew in Java."""

DAMAGED: Final = f"kafka-{NEWEST}-stopped"
"""The directory whose `orders-0` is damaged in every way of `damages`."""

_DUMPED: Final = (".log", ".checkpoint", ".index", ".timeindex", ".txnindex", ".snapshot")

_STARTS: Final = {"orders-0": 7}
"""The start of the log that `Fill.java` moves."""

_INDEX_INTERVAL: Final = 300
_TIMES: Final = (0, *(1_700_000_000_000 + 505 * step for step in range(123)))
"""Times that are looked up: around all that `Fill.java` gives to records."""


def write(release: str, archive: Path, scratch: Path) -> None:
    """Open a packed directory with Kafka's classes; write their answers to `<name>.json.gz`.

    Args:
        release: release of Kafka whose indexes and segments are asked.
        archive: the zip file.
        scratch: a folder to work in.
    """
    folder = archives.unpack(archive, scratch / "files")
    document = {
        "read_by": release,
        "read": run(release, str(HERE / "Ask.java"), str(scratch / "read"), *(str(folder / name) for name in _READ)),
        "opened_by": NEWEST,
        "opened": _open_all([folder / name for name in _OPENED], scratch / "opened"),
        "dumps": {tool: _dump(tool, folder) for tool in TOOLS},
    }
    if archive.stem == DAMAGED:
        document["damaged"] = _open_damaged(folder / "orders-0", scratch)
    data = gzip.compress(json.dumps(document, separators=(",", ":")).encode(), mtime=0)
    archive.with_suffix(".json.gz").write_bytes(data)


def _open_damaged(partition: Path, scratch: Path) -> Any:
    """Return what becomes of damaged copies of a partition, by the name of the damage."""
    copies = []
    for name, damage in damages.DAMAGES.items():
        copies.append(shutil.copytree(partition, scratch / "damaged" / f"{name}-0"))
        damage(copies[-1])
    return _open_all(copies, scratch / "opened-damaged")


def _open_all(partitions: Sequence[Path], scratch: Path) -> dict[str, Any]:
    """Return what a broker makes of each partition and what it then looks up, by name and stop."""
    asked = [
        Opening(partition.name, partition, _STARTS.get(partition.name, 0), _INDEX_INTERVAL, "all", _TIMES, after="both")
        for partition in partitions
    ]
    return {
        name: {
            stop: {("reads" if key == "offsets" else key): value for key, value in answer.items() if key != "records"}
            for stop, answer in stops.items()
        }
        for name, stops in open_logs(asked, scratch).items()
    }


def _dump(release: str, folder: Path) -> list[str]:
    """Return the lines of kafka-dump-log on all files that it reads, with the records' contents."""
    artifact, tool = TOOLS[release]
    jars = real_broker.jars(release, CACHE, artifact)
    paths = [path.relative_to(folder).as_posix() for name in _READ for path in sorted((folder / name).iterdir())]
    names = [
        path for path in paths if path.endswith(_DUMPED) and not (path.startswith("__") and path.endswith("index"))
    ]
    command = ["java", "-Dfile.encoding=UTF-8", "-Xmx512m", "-cp", f"{jars}/*", tool, "--print-data-log", "--files"]
    output = subprocess.run(
        [*command, ",".join(names)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    )
    return output.stdout.decode("utf-8", "replace").removesuffix("\n").split("\n")
