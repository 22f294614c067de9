"""The image of metadata, as Kafka's own classes have it after they replayed a log.

`python -m kafka_generator.recordings.starts.images` asks MetadataDelta of 4.4.0 about the bases of
the family `start`, at their ends and before, and writes
tests/kafka_generator/start_vectors/images.jsonl, a line a base and offset. No node is started.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_format.log import PartitionLog
from kafka_format.log.contents import metadata

from kafka_generator.recordings.starts import nodes
from kafka_generator.start_vectors import files

PATH: Final = files.ROOT / "tests" / "kafka_generator" / "start_vectors" / "images.jsonl"
RELEASE: Final = "4.4.0"
BASES: Final = ("static", "dynamic", "controller")
_PROGRAM: Final = Path(__file__).parent / "ImageOfLog.java"
_BELOW: Final = (0, 4, 20, 33)
"""How far below their ends the logs are replayed to."""


def image(folder: Path, at: int) -> list[list[str]]:
    """Return the facts of the image of a metadata log at an offset, without a snapshot."""
    segments = sorted(map(str, folder.glob("*.log")))
    command = ["java", *nodes.JAVA[1:4], "-cp", nodes.classpath(RELEASE), str(_PROGRAM), "-", "0", str(at), *segments]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in said.splitlines()]


def main() -> int:
    """Ask about all bases, and write the file."""
    lines = list[dict[str, object]]()
    for name in BASES:
        with TemporaryDirectory() as scratch:
            folder = Path(scratch) / "data" / "__cluster_metadata-0"
            files.lay_out(files.bases()[name], [], Path(scratch))
            with PartitionLog(folder) as log:
                end = metadata.replay(log).image.offset
            for below in _BELOW:
                lines.append({"base": name, "at": end - below, "image": image(folder, end - below)})
    files.write(PATH, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
