"""The programs that confirm findings: how they are built, started and run.

A library may take the program with it. Then the signal that ended it is the last line of what it
printed; a panic in Go ends in one, too.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from kafka_tools.errors import UsageError
from kafka_tools.system.exit_text import exit_words

from kafka_conformance.targets import resolve
from kafka_conformance.targets.catalogue import Finding, Findings
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.installation import Installation

_COMMON: Final = TARGETS / "common" / "confirm"
"""What the programs share."""

_SECONDS = 60.0  # a consumer waits two seconds for more records, and some take a few to start
_PACKAGES = ('name = "adapter"', 'name = "driver"', 'name = "wild-rskafka"')
_SOURCES: Final = ("-C", "--manifest-path")
"""Options of `go` and `cargo` that say where a target is built from."""

_HEAP_MIB = 256  # for scripts in JavaScript and Java: a library that fills any heap is to end soon


@dataclass(frozen=True, slots=True)
class Program:
    """How to start a script."""

    command: tuple[str, ...]
    folder: Path | None = None
    environment: tuple[tuple[str, str], ...] = ()


@contextmanager
def scripts(findings: Findings) -> Iterator[Callable[[Finding], Program]]:
    """Yield what starts the script of a finding; each script is built once, and gone at the end.

    It raises what `program` does.
    """
    with tempfile.TemporaryDirectory() as folder:

        @cache
        def started(name: str) -> Program:
            scratch = Path(folder, name or "script")
            scratch.mkdir()
            return program(findings, scratch, name)

        yield lambda finding: started(finding.script)


def program(findings: Findings, scratch: Path, name: str = "") -> Program:
    """Return how to start the script of findings; built programs go into `scratch`.

    Args:
        findings: what it confirms.
        scratch: a folder to build in.
        name: another script beside that of the findings, without the end of its name.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script.
    """
    installation = resolve.installation(f"{findings.target}@{findings.version}")
    installation.check()
    wanted = findings.script.with_name(name or findings.script.name)
    script = next(wanted.parent.glob(f"{wanted.name}.*"), None)
    if script is None:
        place = wanted.relative_to(wanted.parents[2])
        hint = f"Write targets/{place}.*; CONTRIBUTING.md says how."
        raise UsageError(f"there is no script that confirms findings about {findings.target}.", hint)
    return _STARTERS[script.suffix](script, installation, scratch)


def _python(script: Path, installation: Installation, _scratch: Path) -> Program:
    places = [_COMMON, TARGETS / "common" / "python"]
    path = os.pathsep.join(map(str, places))
    own = installation.folder / "venv" / "bin" / "python"
    interpreter = str(own) if own.is_file() else sys.executable  # a broker that is no library of Python has none
    environment = {**installation.manifest.env, "PYTHONPATH": path, "INSTALLATION": str(installation.folder)}
    return Program((interpreter, "-W", "ignore", str(script)), environment=tuple(environment.items()))


def _javascript(script: Path, installation: Installation, _scratch: Path) -> Program:
    modules = str(installation.folder / "node_modules")
    return Program(("node", f"--max-old-space-size={_HEAP_MIB}", str(script)), environment=(("NODE_PATH", modules),))


def _go(script: Path, installation: Installation, scratch: Path) -> Program:
    """Build where the target is built, whose go.mod names the version.

    Go wants the files of a program together.
    """
    files = [script, *sorted(_COMMON.glob("*.go"))]
    copies = [str(shutil.copy(file, scratch)) for file in files]
    built = str(scratch / "confirm")
    _build("go", "build", "-mod=readonly", "-o", built, *copies, folder=_sources(installation))
    return Program((built,), environment=(("GOTRACEBACK", "crash"),))  # a panic ends it by a signal


def _rust(script: Path, installation: Installation, scratch: Path) -> Program:
    """Build with the versions of the target, and with what was compiled for it."""
    (scratch / "src").mkdir()
    shutil.copy(script, scratch / "src" / "main.rs")
    for name in ("Cargo.toml", "Cargo.lock"):  # another name, so that the target's program stays as it is
        text = (_sources(installation) / name).read_text(encoding="utf-8")
        for package in _PACKAGES:
            text = text.replace(package, 'name = "confirm"')
        (scratch / name).write_text(text, encoding="utf-8")
    target = installation.folder / "target"
    _build("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(target), folder=scratch)
    return Program((str(target / "release" / "confirm"),))


def _java(script: Path, installation: Installation, _scratch: Path) -> Program:
    folders = sorted({jar.parent for jar in installation.folder.glob("*/*.jar")})
    jars = os.pathsep.join(str(folder / "*") for folder in folders)
    return Program(("java", f"-Xmx{_HEAP_MIB}m", "-cp", jars, str(script)))


def _sources(installation: Installation) -> Path:
    """Return the folder with the go.mod or Cargo.toml of a target: its own, unless it is shared."""
    here = installation.manifest.folder
    for option, words in (pair for command in installation.manifest.install for pair in pairwise(command)):
        if option in _SOURCES:
            named = Path(words.replace("{here}", str(here)))
            return named.parent if named.suffix else named
    return here


def _build(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise UsageError(f"`{' '.join(command)}` failed.", "Its output is above.")


_STARTERS: dict[str, Callable[[Path, Installation, Path], Program]] = {
    ".py": _python,
    ".js": _javascript,
    ".go": _go,
    ".rs": _rust,
    ".java": _java,
}


def run(program: Program, given: Sequence[str], content: bytes, *more: str) -> tuple[str, ...]:
    """Run a script on a file of this content; return its output, and the signal that ended it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "vector.bin")
        file.write_bytes(content)
        try:
            done = subprocess.run(
                [*program.command, *given, str(file), *more],
                cwd=program.folder,
                env={**os.environ, **dict(program.environment)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            problem = f"{' '.join(program.command)} did not end within {_SECONDS:g} s."
            raise UsageError(problem, "Start it by hand to see where it waits.") from None
    if done.returncode < 0:
        return (*done.stdout.splitlines(), f"error: the program {exit_words(done.returncode)}")
    if done.returncode:
        tail = done.stderr.splitlines()[-5:]
        raise UsageError("\n".join([f"{' '.join(program.command)} exited with status {done.returncode}.", *tail]))
    return tuple(done.stdout.splitlines())
