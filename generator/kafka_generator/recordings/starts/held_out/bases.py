"""Sound directories for the held-out starts, richer than those of the vectors.

Two data directories, metadata in several segments, indexes with entries, all codecs, a compacted
topic, a log whose start was moved, and an open transaction; by 3.9.2 and 4.4.0, each as a crash
leaves it and as a clean stop does. They are written once, and kept beside the jars of the brokers.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from kafka_generator.recordings.starts import nodes, watching

_HERE: Final = Path(__file__).parent
FOLDER: Final = nodes.CACHE / "held-out"
WRITERS: Final = {"wide": "3.9.2", "new": "4.4.0"}
DIRECTORIES: Final = ("data", "more")
_SETTINGS: Final = """\
metadata.max.idle.interval.ms=300000
metadata.log.max.record.bytes.between.snapshots=3000
metadata.log.segment.ms=1000
metadata.max.retention.bytes=4000
metadata.max.retention.ms=1000000
log.index.size.max.bytes=4096
log.cleaner.backoff.ms=500
log.cleaner.dedupe.buffer.size=3000000
log.flush.offset.checkpoint.interval.ms=5000
"""
_CLEANER: Final = ("log.cleaner.enable=false", "log.cleaner.enable=true")
_SECONDS: Final = 300
_LEFT_OUT: Final = {".lock"}
_PREALLOCATED: Final = 100_000
"""Indexes of the metadata log have 10 MiB of zeros; every start makes them anew."""


def load() -> dict[str, dict[str, bytes]]:
    """Return the files of each base by its name; have Kafka write what is not there."""
    for name in WRITERS:
        if not (FOLDER / f"{name}-stopped").is_dir():
            _write(name)
    return {folder.name: _files(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()}


def _files(folder: Path) -> dict[str, bytes]:
    found = [
        path
        for directory in DIRECTORIES
        for path in sorted((folder / directory).rglob("*"))
        if path.is_file() and path.name not in _LEFT_OUT and path.stat().st_size < _PREALLOCATED
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _write(name: str) -> None:
    release, folder = WRITERS[name], FOLDER / f"{name}-work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    ports, is_dynamic = nodes.free_ports(), name == "new"
    quorum = nodes.dynamic_quorum(ports) if is_dynamic else nodes.static_quorum({1: ports})
    settings = folder / "server.properties"
    directories = [folder / each for each in DIRECTORIES]
    setting = nodes.Setting("broker,controller", 1, quorum, directories, _SETTINGS)
    settings.write_text(setting.text(release, ports).replace(*_CLEANER), encoding="utf-8")
    nodes.format_directory(release, settings, ["--standalone"] if is_dynamic else [])
    node = nodes.Node(release, settings, folder / "log.txt")
    try:
        watching.await_start(node)
        for program in (_HERE.parent / "FillNode.java", _HERE / "FillMore.java"):
            _run(release, program, ports, is_new=is_dynamic)
        time.sleep(3)
    finally:
        node.kill()
    _keep(folder, FOLDER / f"{name}-crashed")
    node = nodes.Node(release, settings, folder / "log.txt")
    try:
        watching.await_start(node)
    finally:
        node.stop()
    _keep(folder, FOLDER / f"{name}-stopped")
    shutil.rmtree(folder)


def _run(release: str, program: Path, ports: nodes.Ports, *, is_new: bool) -> None:
    command = [*nodes.JAVA[:4], "-cp", nodes.classpath(release), str(program), f"127.0.0.1:{ports.client}"]
    more = ["new"] if is_new else []
    subprocess.run(
        [*command, *more], check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _keep(folder: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    for directory in DIRECTORIES:
        shutil.copytree(folder / directory, to / directory)
