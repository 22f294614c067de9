"""What Kafka's own classes say of a packed directory, asked once and kept beside it."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from kafka_generator.log_directories import archives, damages
from kafka_generator.wild import broker

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent
NEWEST: Final = "4.4.0"
"""The release that opens whole logs of the tests."""

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
        "read": _run(release, "Ask.java", str(scratch / "read"), *(str(folder / name) for name in _READ)),
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


class Opening(NamedTuple):
    """A partition to open as a broker does at its start.

    Attributes:
        id: what the answers are found by.
        folder: of the partition, called `TOPIC-PARTITION`. It is copied.
        start: the start of its log, as the checkpoint of the data directory has it.
        interval: index.interval.bytes.
        offsets: to look up; `all` are those from 0 to one past the end.
        times: to look up.
        after: the stops after which to look up: `clean`, or `both` that and a crash. A lookup
            after a crash makes indexes that recovery left away.
    """

    id: str
    folder: Path
    start: int
    interval: int
    offsets: Sequence[int] | Literal["all"]
    times: Sequence[int]
    after: Literal["clean", "both"]

    def line(self) -> str:
        """Return the line that `OpenLogs.java` reads."""
        offsets = self.offsets if self.offsets == "all" else ",".join(map(str, self.offsets))
        times = ",".join(map(str, self.times))
        return "\t".join(map(str, (self.id, self.folder, self.start, self.interval, offsets, times, self.after)))


def open_logs(openings: Iterable[Opening], scratch: Path, release: str = NEWEST) -> dict[str, Any]:
    """Return what a broker makes of each partition, by id: after a `clean` stop, and `crashed`.

    Args:
        openings: the partitions.
        scratch: a folder to work in.
        release: a release of Kafka that has a folder in `opening`.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    questions = scratch / "list"
    questions.write_text("\n".join(opening.line() for opening in openings), encoding="utf-8")
    classes = _compile_opening(release, scratch / "classes")
    answers: dict[str, Any] = _run(release, "OpenLogs", str(questions), str(scratch / "copies"), classes=str(classes))
    return answers


def _compile_opening(release: str, folder: Path) -> Path:
    """Compile what opens whole logs against the classes of a release; return the folder."""
    sources = HERE / "opening"
    jars = broker.jars(release, ROOT / ".targets" / "wild")
    files = [str(sources / "OpenLogs.java"), str(sources / release / "BrokerLog.java")]
    command = ["javac", "-nowarn", "-d", str(folder), "-cp", f"{jars}/*", *files]
    subprocess.run(command, check=True)
    return folder


def _run(release: str, program: str, *arguments: str, classes: str = "") -> Any:
    """Return what a program answers: a file beside this one, or a class in the folder `classes`."""
    jars = broker.jars(release, ROOT / ".targets" / "wild")
    path = f"{classes}:{jars}/*" if classes else f"{jars}/*"
    command = ["java", "-Xmx512m", "-cp", path, program if classes else str(HERE / program), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)


def _dump(release: str, folder: Path) -> list[str]:
    """Return the lines of kafka-dump-log on all files that it reads, with the records' contents."""
    artifact, tool = TOOLS[release]
    jars = broker.jars(release, ROOT / ".targets" / "wild", artifact)
    paths = [path.relative_to(folder).as_posix() for name in _READ for path in sorted((folder / name).iterdir())]
    names = [
        path for path in paths if path.endswith(_DUMPED) and not (path.startswith("__") and path.endswith("index"))
    ]
    command = ["java", "-Dfile.encoding=UTF-8", "-Xmx512m", "-cp", f"{jars}/*", tool, "--print-data-log", "--files"]
    output = subprocess.run(
        [*command, ",".join(names)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    )
    return output.stdout.decode("utf-8", "replace").removesuffix("\n").split("\n")
