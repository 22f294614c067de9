"""A class-data archive, with which Java loads Spark's classes in six tenths of the time.

Java makes one when it ends, of all classes that it has loaded by then. It fits that Java and that
Spark alone, and is used only where there is one: `scale --prepare` makes it, once. See JEP 350.
"""

import os
import shlex
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from kafka_tools.errors import UsageError
from kafka_tools.spark.files import DRAFT
from kafka_tools.spark.java import JavaHome
from kafka_tools.system import user_cache

WITHOUT = "Runs work without it as well."

_QUIET = "-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off"
"""An archive that does not fit is no reason to complain: Java starts without."""


def file(home: JavaHome) -> Path:
    """Where the archive for a Java is.

    Raises:
        UsageError: there is no place for it.
    """
    known = f"{version('pyspark')}-java-{home.version}-{_digest(home)}"
    return user_cache.folder() / f"spark-{known}.jsa"


def use(home: JavaHome) -> str:
    """Options that make Java use the archive; empty if there is none that can be read."""
    try:
        path = file(home)
    except UsageError:
        return ""
    return _option("SharedArchiveFile", path) if os.access(path, os.R_OK) else ""


def make(home: JavaHome) -> tuple[Path, str]:
    """A file for Java to write, and options that make it do so when it ends.

    Only when it is whole may it take the name of the archive: Java does not start with a half.

    Raises:
        UsageError: there is no place for it.
    """
    wanted = file(home)
    draft = wanted.with_suffix(DRAFT)
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
    except OSError as error:
        hint = f"{WITHOUT} XDG_CACHE_HOME names another cache folder."
        raise UsageError(f"cannot write {wanted}: {error.strerror}.", hint) from None
    return draft, _option("ArchiveClassesAtExit", draft)


def _option(name: str, path: Path) -> str:
    """Write it as Spark takes apart what it hands on to Java."""
    return f"{shlex.quote(f'-XX:{name}={path}')} {_QUIET}"


def _digest(home: JavaHome) -> str:
    """Tell one Java from another, and one release of it from another."""
    release = home.path / "release"
    text = release.read_bytes() if release.is_file() else b""
    return sha256(str(home.path).encode() + text).hexdigest()[:12]
