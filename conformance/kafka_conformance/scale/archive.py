"""A class-data archive, from which Java reads Spark's classes ready to use: starting takes six tenths of the time.

Java makes one when it ends, of all classes that it has loaded by then. It fits that Java and that Spark alone, and is
used only where there is one: `scale --prepare` makes it, once. See JEP 350.
"""

import os
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from kafka_conformance.java import JavaHome

_QUIET = "-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off"
"""An archive that does not fit is no reason to complain: Java starts without."""


def file(home: JavaHome) -> Path:
    """Where the archive for a Java is."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    known = f"{version('pyspark')}-java-{home.version}-{_digest(home)}"
    return Path(base) / "kafka-conformance" / f"spark-{known}.jsa"


def use(home: JavaHome) -> str:
    """Options that make Java use the archive; empty if there is none."""
    found = file(home)
    return f"-XX:SharedArchiveFile={found} {_QUIET}" if found.is_file() else ""


def make(home: JavaHome) -> str:
    """Options that make Java write the archive when it ends."""
    wanted = file(home)
    wanted.parent.mkdir(parents=True, exist_ok=True)
    return f"-XX:ArchiveClassesAtExit={wanted} {_QUIET}"


def _digest(home: JavaHome) -> str:
    """Tell one Java from another, and one release of it from another."""
    release = home.path / "release"
    text = release.read_bytes() if release.is_file() else b""
    return sha256(str(home.path).encode() + text).hexdigest()[:12]
