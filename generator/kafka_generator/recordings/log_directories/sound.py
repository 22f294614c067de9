"""Make the sound directories anew.

Call it as `python -m kafka_generator.recordings.log_directories.sound [RELEASE...]`.

They are of releases from 0.8.2 on, and hold what has set off false alarms: compacted topics in
several codecs, transactions, a start after a crash. Nothing in them is broken, so nothing that
reads them may report anything.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator import real_broker
from kafka_generator.log_vectors import archives

ROOT: Final = Path(__file__).parents[4]
HERE: Final = Path(__file__).parent
FOLDER: Final = ROOT / "tests" / "kafka_format" / "log" / "sound"
RELEASES: Final = (
    "0.8.2.2", "0.9.0.1", "0.10.0.1", "0.10.2.2", "0.11.0.3", "1.1.1", "2.4.1", "2.6.3", "2.8.2", "3.3.2", "3.6.2",
    "3.9.2", "4.0.1", "4.4.0",
)  # fmt: skip

_SETTINGS: Final = """\
log.index.size.max.bytes=20000
log.cleaner.backoff.ms=200
log.initial.task.delay.ms=500
log.flush.offset.checkpoint.interval.ms=1000
log.flush.start.offset.checkpoint.interval.ms=1000
replica.high.watermark.checkpoint.interval.ms=1000
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
"""
_JAVA: Final = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dzookeeper.jmx.log4j.disable=true"]
_SMALL: Final = ("index.interval.bytes=300",)
_COMPACT: Final = ("cleanup.policy=compact", "min.cleanable.dirty.ratio=0.01", "delete.retention.ms=100")
_ROUNDS: Final = 90
_MORE: Final = 20
_SECONDS: Final = 240
_COMPACTION_SECONDS: Final = 6


def main() -> int:
    """Make the directories of every release that is named; 0 if all went well."""
    parser = argparse.ArgumentParser(
        prog="python -m kafka_generator.recordings.log_directories.sound", description=__doc__
    )
    parser.add_argument("releases", nargs="*", default=list(RELEASES), help="default: all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the zip files go")
    asked = parser.parse_args()
    for release in asked.releases:
        sys.stderr.write(f"{release} ...\n")
        with TemporaryDirectory() as folder:
            for state, directory in _directories(release, Path(folder)):
                shutil.copytree(directory, Path(folder) / "states" / state)
            archives.pack_alike(Path(folder) / "states", asked.folder / f"kafka-{release}.tar.xz")
    return 0


def _directories(release: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files while the broker runs, after a clean stop, and after a crash and a start."""
    jars, port = real_broker.jars(release, ROOT / ".targets" / "wild"), real_broker.free_port()
    killed = folder / "killed"
    with real_broker.running(release, ROOT / ".targets" / "wild", folder, _settings(release), port) as running:
        _create(release, jars, running.address, port)
        _fill(release, jars, running.address, 0, _ROUNDS)
        time.sleep(_COMPACTION_SECONDS)
        shutil.copytree(running.logs, killed)
        address = running.address
    yield "killed", killed
    yield "stopped", folder / "logs"
    shutil.rmtree(folder / "logs")
    shutil.move(killed, folder / "logs")
    (folder / "logs" / ".lock").unlink(missing_ok=True)
    with _started(release, jars, folder, port, int(address.partition(":")[2])):
        _fill(release, jars, address, _ROUNDS, _ROUNDS + _MORE)
        time.sleep(_COMPACTION_SECONDS)
    yield "recovered", folder / "logs"


def _settings(release: str) -> str:
    small = (
        ""
        if _numbers(release) >= (4, 1)
        else "offsets.topic.segment.bytes=6000\ntransaction.state.log.segment.bytes=6000\n"
    )
    return _SETTINGS + small


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _topics(release: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the topics that a release can have: name, how it is written, settings."""
    numbers = _numbers(release)
    yield "plain", "none", ()
    yield "compact", "none", _COMPACT
    yield "plain-gzip", "gzip", ()
    if numbers >= (0, 9):
        yield "compact-lz4", "lz4", _COMPACT
        yield "compact-gzip", "gzip", _COMPACT
    if numbers >= (0, 10):
        yield "stamped", "snappy", ("message.timestamp.type=LogAppendTime",)
    if numbers >= (0, 11):
        yield "txn", "none:transactional", ()
        yield "txn-gzip", "gzip:transactional", ()
        yield "txn-compact", "lz4:transactional", _COMPACT
    if numbers >= (2, 1):
        yield "compact-zstd", "zstd", _COMPACT


def _create(release: str, jars: Path, address: str, port: int) -> None:
    size = "internal.segment.bytes" if _numbers(release) >= (4, 1) else "segment.bytes"
    topics = [(name, (f"{size}=4000", *_SMALL, *settings)) for name, _, settings in _topics(release)]
    if _numbers(release) >= (0, 11):
        _java(jars, HERE / "CreateTopics.java", address, *(",".join((name, *settings)) for name, settings in topics))
        return
    for name, settings in topics:
        configs = [word for setting in settings for word in ("--config", setting)]
        asked = ["--create", "--topic", name, "--partitions", "1", "--replication-factor", "1"]
        _java(jars, "kafka.admin.TopicCommand", "--zookeeper", f"127.0.0.1:{port}", *asked, *configs)


def _fill(release: str, jars: Path, address: str, first: int, end: int) -> None:
    topics = [f"{name}:{codec}" for name, codec, _ in _topics(release)]
    _java(jars, HERE / "FillSound.java", address, str(first), str(end), *topics)
    if _numbers(release) >= (0, 9):
        _java(jars, HERE / "CommitOffsets.java", address, "100", *(name for name, _, _ in _topics(release)))


def _java(jars: Path, program: Path | str, *arguments: str) -> None:
    command = [*_JAVA, "-cp", f"{jars}/*", str(program), *arguments]
    subprocess.run(command, check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL)


@contextmanager
def _started(release: str, jars: Path, folder: Path, other: int, port: int) -> Iterator[None]:
    """Start the broker of a folder again, as it was set up; stop it cleanly at the end."""
    with ExitStack() as stack:
        if _numbers(release) < (3,):
            zookeeper = ["org.apache.zookeeper.server.ZooKeeperServerMain", str(folder / "zookeeper.properties")]
            stack.enter_context(_process(jars, folder, zookeeper, other))
        stack.enter_context(_process(jars, folder, ["kafka.Kafka", str(folder / "server.properties")], port))
        yield


@contextmanager
def _process(jars: Path, folder: Path, what: Sequence[str], port: int) -> Iterator[None]:
    output = folder / "started.txt"
    with output.open("ab") as file:
        process = subprocess.Popen([*_JAVA, "-cp", f"{jars}/*", *what], stdout=file, stderr=file)
    try:
        real_broker.wait_for(port, process, output)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
