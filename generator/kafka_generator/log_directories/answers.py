"""What Kafka's own classes say of a packed directory, asked once and kept beside it."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any, Final

from kafka_generator.log_directories import packing
from kafka_generator.wild import broker

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent
NEWEST: Final = "4.4.0"
"""The release that opens whole logs; `Open.java` is written for it."""

_READ: Final = ("orders-0", "payments-0", "events-0", "prices-0", "__transaction_state-0", "__cluster_metadata-0")
_OPENED: Final = _READ[:4]
_STARTS: Final = "orders-0=7"
"""The start of the log that `Fill.java` moves."""


def write(release: str, archive: Path, scratch: Path) -> None:
    """Ask about a packed directory, and write `<name>.json.gz` beside it.

    Args:
        release: release of Kafka whose indexes and segments are asked.
        archive: the zip file.
        scratch: a folder to work in.
    """
    folder = packing.unpack(archive, scratch / "files")
    document = {
        "read_by": release,
        "read": _run(release, "Ask.java", str(scratch / "read"), *(str(folder / name) for name in _READ)),
        "opened_by": NEWEST,
        "opened": _run(
            NEWEST, "Open.java", str(scratch / "opened"), _STARTS, *(str(folder / name) for name in _OPENED)
        ),
    }
    data = gzip.compress(json.dumps(document, separators=(",", ":")).encode(), mtime=0)
    archive.with_suffix(".json.gz").write_bytes(data)


def _run(release: str, program: str, *arguments: str) -> Any:
    jars = broker.jars(release, ROOT / ".targets" / "wild")
    command = ["java", "-Xmx512m", "-cp", f"{jars}/*", str(HERE / program), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)
