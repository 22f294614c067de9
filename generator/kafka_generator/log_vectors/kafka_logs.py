"""Kafka's own classes, which open the log of a partition as a broker does at its start."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from kafka_generator import real_broker

CACHE: Final = Path(__file__).parents[3] / ".targets" / "wild"
"""Where jars of releases are kept."""

NEWEST: Final = "4.4.0"
"""The release that opens whole logs of the tests."""

_SOURCES: Final = Path(__file__).parent / "opening"


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
    answers: dict[str, Any] = run(release, "OpenLogs", str(questions), str(scratch / "copies"), classes=str(classes))
    return answers


def _compile_opening(release: str, folder: Path) -> Path:
    """Compile what opens whole logs against the classes of a release; return the folder."""
    jars = real_broker.jars(release, CACHE)
    files = [str(_SOURCES / "OpenLogs.java"), str(_SOURCES / release / "BrokerLog.java")]
    command = ["javac", "-nowarn", "-d", str(folder), "-cp", f"{jars}/*", *files]
    subprocess.run(command, check=True)
    return folder


def run(release: str, program: str, *arguments: str, classes: str = "") -> Any:
    """Return what a program answers: a source file, or a class in the folder `classes`."""
    jars = real_broker.jars(release, CACHE)
    path = f"{classes}:{jars}/*" if classes else f"{jars}/*"
    command = ["java", "-Xmx512m", "-cp", path, program, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)
