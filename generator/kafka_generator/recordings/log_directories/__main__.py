"""Make the packed directories anew.

Call it as `python -m kafka_generator.recordings.log_directories [RELEASE...]`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator import real_broker
from kafka_generator.log_vectors import archives
from kafka_generator.recordings.log_directories import answers

ROOT: Final = Path(__file__).parents[4]
HERE: Final = Path(__file__).parent
FOLDER: Final = ROOT / "tests" / "kafka_format" / "log" / "directories"

SEGMENT_BYTES: Final = {"3.9.2": "segment.bytes", "4.4.0": "internal.segment.bytes"}
"""The setting that makes small segments, by release: since 4.1 the public one refuses less than 1
MiB."""

_SETTINGS: Final = """\
log.index.size.max.bytes=20000
log.cleaner.backoff.ms=200
log.initial.task.delay.ms=500
log.flush.offset.checkpoint.interval.ms=1000
log.flush.start.offset.checkpoint.interval.ms=1000
replica.high.watermark.checkpoint.interval.ms=1000
group.initial.rebalance.delay.ms=0
"""
_SECONDS: Final = 180
_COMPACTION_SECONDS: Final = 8


def main() -> int:
    """Make the directories of every release that is named; 0 if all went well."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.log_directories", description=__doc__)
    parser.add_argument("releases", nargs="*", default=list(SEGMENT_BYTES), help="default: all")
    for release in parser.parse_args().releases:
        with TemporaryDirectory() as folder:
            for name, directory in _directories(release, Path(folder)):
                print(f"{name} ...", file=sys.stderr)
                archives.pack(directory, FOLDER / f"{name}.zip")
                answers.write(release, FOLDER / f"{name}.zip", Path(folder) / f"{name}-answers")
    return 0


def _directories(release: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the files of a broker while it runs, and after it was stopped."""
    cache, killed = ROOT / ".targets" / "wild", folder / "killed"
    with real_broker.running(release, cache, folder, _SETTINGS) as running:
        jars = real_broker.jars(release, cache)
        command = ["java", "-cp", f"{jars}/*", str(HERE / "Fill.java"), running.address, SEGMENT_BYTES[release]]
        subprocess.run(command, check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL)
        time.sleep(_COMPACTION_SECONDS)
        shutil.copytree(running.logs, killed)
    yield f"kafka-{release}-killed", killed
    yield f"kafka-{release}-stopped", running.logs


if __name__ == "__main__":
    sys.exit(main())
