"""An installation: one version of a known target on this machine, its state, how to start it.

An installation is a folder in the cache, filled by the manifest's install commands. A marker file,
written last, holds a fingerprint of what it was made from; after a change of the lock file or of
the adapter's sources the target counts as not installed, instead of being run as something that it
no longer is.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kafka_tools.errors import UsageError
from kafka_tools.system import user_cache

import kafka_conformance
from kafka_conformance.child.launch import Command
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets.manifest import Manifest

_MARKER = ".made-from"

_BUILDS = {"Cargo.toml", "pom.xml"}
"""Files by which a build is named, and that stand for their folders."""

_BUILD_FILES = {".mod", ".rs", ".xml"}
"""Suffixes of the files by which a build finds sources in other folders: go.mod, main.rs,
pom.xml."""

_NOT_BUILT = {"__pycache__", "confirm", "findings", "manifest.yaml"}
"""What is in the folder of a library and in no installation."""

_ELSEWHERE = re.compile(rb"(?:\.\./)+[a-z0-9][\w./-]*")
_TAIL_LINES = 15
_SECONDS_TO_ANSWER = 30


@dataclass(frozen=True, slots=True)
class Installation:
    """A known target in one of its versions."""

    manifest: Manifest
    version: str

    @property
    def name(self) -> str:
        """The name that selects this target and version on the command line."""
        manifest = self.manifest
        return manifest.name if self.version == manifest.version else f"{manifest.name}@{self.version}"

    @property
    def folder(self) -> Path:
        """Its folder in the cache."""
        return cache_folder() / f"{self.manifest.name}-{self.version}"

    def check(self) -> None:
        """Raise an error unless the target can be started.

        Raises:
            NotReadyError: a program that it needs is missing, or it is not installed as it is now
                defined.
        """
        self._check_programs()
        if self.manifest.install and not self._is_current():
            raise NotReadyError("not installed", f"kafka-conformance targets --install {self.name}")

    def missing(self) -> NotReadyError | None:
        """Return why the target cannot be started; empty if it can."""
        try:
            self.check()
        except NotReadyError as reason:
            return reason
        return None

    def command(self) -> Command:
        """How to start the adapter."""
        return Command(self._fill_command(self.manifest.run), environment=self._environment())

    def isolated_command(self) -> Command | None:
        """How to start the adapter so that it decodes in isolation; None if it cannot."""
        isolated = self.manifest.isolated
        return Command(self._fill_command(isolated), environment=self._environment()) if isolated else None

    def install(self, say: Callable[[str], None]) -> None:
        """Run the install commands, unless the target is installed; pass each to `say` first.

        Raises:
            NotReadyError: a program that it needs is missing.
            UsageError: a command failed; the text has the end of what it printed.
        """
        self._check_programs()
        if self._is_current():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        self._marker.unlink(missing_ok=True)
        for command in self.manifest.install:
            self._run(self._fill_command(command), say)
        self._marker.write_text(self._fingerprint(), encoding="ascii")

    def _check_programs(self) -> None:
        for words, advice in self.manifest.needs.items():
            program, *version = words.split()
            if shutil.which(program) is None:
                raise NotReadyError(f"{program} is not on the PATH", advice)
            if version and not _answers([program, *version, "--version"]):
                raise NotReadyError(f"{words} does not start", advice)

    @property
    def _marker(self) -> Path:
        return self.folder / _MARKER

    def _is_current(self) -> bool:
        try:
            return self._marker.read_text(encoding="ascii") == self._fingerprint()
        except OSError:
            return False

    def _fingerprint(self) -> str:
        """Digest what the installation is made from: its commands, and the files that they read.

        What the run command names is read at every start instead, and what else the manifest says
        changes nothing.
        """
        started = {Path(os.path.normpath(argument)) for argument in self._fill_command(self.manifest.run)}
        made_by = json.dumps([self.manifest.install, dict(self.manifest.env)])
        digest = hashlib.sha256(made_by.encode())
        for file in self._sources():
            if file not in started:
                place = Path(os.path.relpath(file, self.manifest.folder.parent)).as_posix()
                digest.update(place.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()

    def _sources(self) -> list[Path]:
        """List the files that its installation reads, and those that their build files name."""
        home = self.manifest.folder.parent
        named = {
            Path(os.path.normpath(word)) for command in self.manifest.install for word in self._fill_command(command)
        }
        read = {file for place in named if home in place.parents for file in _files(_built(place))}
        built_from = {place for file in read if file.suffix in _BUILD_FILES for place in _elsewhere(file)}
        return sorted(read | {file for place in built_from for file in _files(place)})

    def _fill_command(self, command: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._fill(argument) for argument in command)

    def _fill(self, text: str) -> str:
        for name, value in self._places().items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def _places(self) -> dict[str, str]:
        here, cache = str(self.manifest.folder), str(self.folder)
        own = {"name": self.manifest.name, "version": self.version}
        return {"python": sys.executable, "here": here, "cache": cache, **own}

    def _environment(self) -> dict[str, str]:
        return {name: self._fill(value) for name, value in self.manifest.env.items()}

    def _run(self, command: tuple[str, ...], say: Callable[[str], None]) -> None:
        say(" ".join(command))
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, **self._environment()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            tail = "\n".join(done.stdout.splitlines()[-_TAIL_LINES:])
            raise UsageError(f"cannot install {self.name}: `{' '.join(command)}` failed.", tail)


def _answers(command: list[str]) -> bool:
    """Tell whether a command ends well; `cargo +1.98.1 --version` needs that very release."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS_TO_ANSWER, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _elsewhere(file: Path) -> list[Path]:
    """List the files and folders outside of its own folder that a build file names."""
    return [Path(os.path.normpath(file.parent / name.decode())) for name in _ELSEWHERE.findall(file.read_bytes())]


def _built(place: Path) -> Path:
    """Return the folder that a build file stands for; anything else as it is."""
    return place.parent if place.name in _BUILDS else place


def _files(place: Path) -> list[Path]:
    """List a file, or a folder's files that can be built from; nothing if it does not exist."""
    if place.is_file():
        return [place]
    below = (file for file in sorted(place.rglob("*")) if file.is_file())
    return [file for file in below if not _NOT_BUILT.intersection(file.relative_to(place).parts)]


def cache_folder() -> Path:
    """Where targets are installed: `.targets` of a checkout, else a folder in the user's cache."""
    checkout = Path(kafka_conformance.__file__).parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "spec").is_dir():
        return checkout / ".targets"
    return user_cache.folder()
