"""When, where and with what a run was made, and how it ended."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

from kafka_tools.system.distribution import DISTRIBUTION

from kafka_conformance.protocol.hello import PROTOCOL
from kafka_conformance.vectors.vector import Vector

LIBRARIES = ("crc32c", "lz4", "python-snappy", "xxhash", "zstandard")
"""What the suite itself reads codecs and checksums with."""


@dataclass(frozen=True, slots=True)
class RunHeader:
    """When, where and with what a run was made.

    Attributes:
        suite_version: version of this distribution, vectors included.
        vectors_digest: SHA-256 of the ids and bytes of the vectors that were put, 16 hex digits:
            the same for two runs over the same vectors.
        libraries: versions of the libraries that the suite itself reads codecs and checksums with.
        protocol: version of the adapter protocol.
        started: date and time in UTC, ISO 8601.
        platform: operating system, machine and Python version.
        command: the command line, so that the run can be made again.
    """

    suite_version: str
    protocol: int
    started: str
    platform: str
    command: str = ""
    vectors_digest: str = ""
    libraries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Footer:
    """How a run ended.

    Attributes:
        finished: date and time in UTC, ISO 8601.
        seconds: length of the run.
        interrupted: True if it was stopped before every vector was put; the results are still
            sound.
    """

    finished: str
    seconds: float
    interrupted: bool = False


def header(command: str, vectors: Sequence[Vector] = ()) -> RunHeader:
    """Say when, where and with what a run is made that starts now."""
    python = f"Python {platform.python_version()}"
    digest = hashlib.sha256()
    for vector in vectors:
        digest.update(b"%b\0%d\0%b" % (vector.id.encode(), len(vector.data), vector.data))
    return RunHeader(
        suite_version=version(DISTRIBUTION),
        protocol=PROTOCOL,
        started=now(),
        platform=f"{platform.system()} {platform.machine()}, {python}",
        command=command,
        vectors_digest=digest.hexdigest()[:16],
        libraries={name: version(name) for name in LIBRARIES},
    )


def now() -> str:
    """Return date and time in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
