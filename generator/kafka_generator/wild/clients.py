"""The producers: how each is installed, in which releases, and what it can be asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kafka_conformance.errors import NotReadyError

_PROGRAMS: Final = Path(__file__).parent / "producers"
_EVERY: Final = frozenset({"headers", "idempotent", "transactional", "level"})
_NO_LEVELS: Final = _EVERY - {"level"}
_WITH_CODECS: Final = ("python-snappy==0.7.3", "lz4==4.4.5", "zstandard==0.25.0", "cramjam==2.11.0")


@dataclass(frozen=True)
class Client:
    """One release of one producer.

    Attributes:
        name: the producer, the second part of a vector's id.
        version: the release to install; empty where a lock file of the program says it.
        install: commands that install it; `{cache}`, `{here}` and `{version}` are replaced.
        run: the command that writes orders.
        can: what it can be asked, see `orders.Order.needs`.
        script: the program, from the folder of the producers, for the vector's provenance.
    """

    name: str
    version: str
    install: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    can: frozenset[str]
    script: str

    @property
    def label(self) -> str:
        """The name with the release, for ids and folders."""
        return f"{self.name}-{self.version}"

    def command(self, cache: Path, address: str) -> list[str]:
        """Return the command that writes orders to the broker at the address.

        Raises:
            NotReadyError: it cannot be installed.
        """
        folder = cache / self.label
        if not (folder / "installed").exists():
            folder.mkdir(parents=True, exist_ok=True)
            for step in self.install:
                self._call(step, folder)
            (folder / "installed").touch()
        return [self._filled(word, folder) for word in self.run] + [address]

    def _call(self, step: tuple[str, ...], folder: Path) -> None:
        command = [self._filled(word, folder) for word in step]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=_PROGRAMS / Path(self.script).parent)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotReadyError(f"{self.label}: {error}", "install its toolchain, see docs/targets.md") from None

    def _filled(self, word: str, folder: Path) -> str:
        return word.format(cache=folder, here=_PROGRAMS, version=self.version, python=sys.executable)


def clients() -> Iterator[Client]:
    """Yield every producer in every release, the newest first."""
    seen: set[str] = set()
    for client in _clients():
        yield client if client.name in seen else replace(client, can=client.can | {"large"})
        seen.add(client.name)


def _clients() -> Iterator[Client]:
    for version in ("2.16.0", "2.11.1", "2.6.1", "2.3.0"):
        yield _python("librdkafka", version, f"confluent-kafka=={version}", "confluent_kafka_producer.py", _EVERY)
    for version in ("3.0.12", "2.2.15", "2.0.2"):
        can = _NO_LEVELS if version.startswith("3") else frozenset({"headers"})
        yield _python("kafka-python", version, f"kafka-python=={version}", "kafka_python_producer.py", can)
    yield _python("aiokafka", "0.14.0", "aiokafka==0.14.0", "aiokafka_producer.py", _NO_LEVELS)
    for version in ("4.4.0", "4.0.0", "3.9.2", "3.6.2", "3.0.2", "2.8.2", "2.4.1", "2.1.1", "1.1.1", "0.11.0.3"):
        yield _java(version)
    for name, version in (("franz-go", "1.22.2"), ("sarama", "1.61.1"), ("segmentio", "0.4.51")):
        yield _go(name, version)
    yield _node("kafkajs", "2.2.4", "kafkajs_producer.js", _NO_LEVELS)
    yield _node("platformatic", "2.12.1", "platformatic_producer.mjs", _NO_LEVELS)
    build = ("cargo", "build", "-q", "--locked", "--release", "--target-dir", "{cache}")
    run = ("{cache}/release/wild-rskafka",)
    yield Client("rskafka", "0.6.0", (build,), run, frozenset({"headers"}), "rust/rskafka/Cargo.toml")


def _python(name: str, version: str, requirement: str, script: str, can: frozenset[str]) -> Client:
    make = ("{python}", "-m", "venv", "--clear", "{cache}/venv")
    pip = ("{cache}/venv/bin/pip", "install", "-q", requirement, *_WITH_CODECS)
    run = ("{cache}/venv/bin/python", f"{{here}}/python/{script}")
    return Client(name, version, (make, pip), run, can, f"python/{script}")


def _java(version: str) -> Client:
    build = ("mvn", "-B", "-q", "-DbuildDirectory={cache}", "-Dkafka.version={version}", "package")
    run = ("java", "-cp", "{cache}/*", "org.kafkaconformance.wild.Producer")
    at_least_3_8 = tuple(map(int, version.split(".")[:2])) >= (3, 8)
    return Client("java", version, (build,), run, _EVERY if at_least_3_8 else _NO_LEVELS, "java/pom.xml")


def _go(name: str, version: str) -> Client:
    folder = name.replace("-", "_")
    can = {"franz-go": _EVERY, "sarama": _EVERY, "segmentio": frozenset({"headers"})}[name]
    build = ("go", "build", "-o", "{cache}/producer", f"../{folder}")
    return Client(name, version, (build,), ("{cache}/producer",), can, f"go/{folder}/main.go")


def _node(name: str, version: str, script: str, can: frozenset[str]) -> Client:
    # npm takes the lock file of the folder that it stands in, whatever --prefix says.
    steps = (("cp", "-r", ".", "{cache}"), ("sh", "-c", "cd '{cache}' && npm ci --silent"))
    return Client(name, version, steps, ("node", f"{{cache}}/{script}"), can, f"node/{script}")
