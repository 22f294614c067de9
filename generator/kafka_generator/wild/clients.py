"""The producers: how each is installed, in which releases, and what it can be asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kafka_conformance.errors import NotReadyError

NEWEST_BROKER: Final = "3.9.2"
"""The newest broker that takes what all clients say; 4.0 removed the old versions."""

_ROOT: Final = Path(__file__).parents[3]
_PROGRAMS: Final = Path("targets", "common", "producers")
_TOO_OLD: Final = Path("generator", "kafka_generator", "wild", "producers")
"""The programs of producers, and those of producers that are too old to be targets, too."""

_EVERY: Final = frozenset({"headers", "idempotent", "transactional", "level"})
_NO_LEVELS: Final = _EVERY - {"level"}
_OF_V1: Final = "0.10.2.2"
_OF_V0: Final = "0.9.0.1"
"""The brokers for the old formats."""

_OF_BOTH: Final = ("3.9.2", "0.11.0.3")
"""Producers of v2 that still write v1 for an old broker."""

_OLD_JAVA: Final = {
    "0.10.2.2": (_OF_V1, NEWEST_BROKER),
    "0.10.1.1": (_OF_V1,),
    "0.10.0.1": (_OF_V1,),
    "0.9.0.1": (_OF_V0, NEWEST_BROKER),
    "0.8.2.2": ("0.8.2.2",),
}
"""Apache Kafka's producers of the formats v1 and v0, and the brokers that they write to: the newest
converts to v2."""

_SCALA: Final = {
    "0.10.2.2": ("2.11", (_OF_V1,)),
    "0.9.0.1": ("2.11", (_OF_V0,)),
    "0.8.2.2": ("2.11", ("0.8.2.2",)),
    "0.8.1.1": ("2.10", ("0.8.2.2",)),
    "0.8.0": ("2.10", ("0.8.2.2",)),
}
"""Apache Kafka's first producers: the release of Scala, and the brokers that they write to."""

_WITH_CODECS: Final = ("python-snappy==0.7.3", "lz4==4.4.5", "zstandard==0.25.0", "cramjam==2.11.0", "xxhash==3.6.0")


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
        brokers: the releases of brokers that it writes to.
    """

    name: str
    version: str
    install: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    can: frozenset[str]
    script: str
    brokers: tuple[str, ...] = (NEWEST_BROKER,)

    @property
    def label(self) -> str:
        """The name with the release, for ids and folders."""
        return f"{self.name}-{self.version}"

    @property
    def source(self) -> Path:
        """The program, from the folder of the project."""
        return (_TOO_OLD if self.name == "scala" else _PROGRAMS) / self.script

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
        return [self._fill(word, folder) for word in self.run] + [address]

    def _call(self, step: tuple[str, ...], folder: Path) -> None:
        command = [self._fill(word, folder) for word in step]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=(_ROOT / self.source).parent)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotReadyError(f"{self.label}: {error}", "install its toolchain, see docs/targets.md") from None

    def _fill(self, word: str, folder: Path) -> str:
        return word.format(cache=folder, here=_ROOT / _PROGRAMS, version=self.version, python=sys.executable)


def clients() -> Iterator[Client]:
    """Yield every producer in every release, the newest first."""
    seen: set[str] = set()
    for client in _clients():
        yield client if client.name in seen else replace(client, can=client.can | {"large"})
        seen.add(client.name)


def _clients() -> Iterator[Client]:
    yield from _librdkafka()
    for version in ("3.0.12", "2.2.15", "2.0.2"):
        can = _NO_LEVELS if version.startswith("3") else frozenset({"headers"})
        python = _python("kafka-python", version, f"kafka-python=={version}", "kafka_python_producer.py", can)
        yield replace(python, brokers=(NEWEST_BROKER, _OF_V1, _OF_V0))
    yield _python("aiokafka", "0.14.0", "aiokafka==0.14.0", "aiokafka_producer.py", _NO_LEVELS)
    old = _python("aiokafka", "0.8.1", "aiokafka==0.8.1 kafka-python==2.0.2", "aiokafka_producer.py", _NO_LEVELS)
    yield replace(old, brokers=(_OF_V1, _OF_V0))
    pykafka = _python("pykafka", "2.8.0", "pykafka==2.8.0", "pykafka_producer.py", frozenset())
    yield replace(pykafka, brokers=(_OF_V1, _OF_V0))
    yield from _all_java()
    for name, version in (("franz-go", "1.22.2"), ("sarama", "1.61.1")):
        yield replace(_go(name, version), brokers=(NEWEST_BROKER, _OF_V1, _OF_V0))
    yield replace(_go("segmentio", "0.4.51"), brokers=(NEWEST_BROKER, _OF_V1))
    yield replace(_node("kafkajs", "2.2.4", "node/kafkajs_producer.js", _NO_LEVELS), brokers=(NEWEST_BROKER, _OF_V1))
    yield _node("platformatic", "2.12.1", "node/platformatic_producer.mjs", _NO_LEVELS)
    yield _kafka_ts("1.5.0")
    kafka_node = _node("kafka-node", "5.0.0", "node_old/kafka_node_producer.js", frozenset())
    yield replace(kafka_node, brokers=(_OF_V1, _OF_V0))
    yield replace(_node("no-kafka", "3.4.4", "node_old/no_kafka_producer.js", frozenset()), brokers=(_OF_V0,))
    yield _rust("rskafka", "0.6.0", "rskafka", frozenset({"headers"}))
    yield replace(_rust("kafka-rust", "0.10.0", "kafka_rust", frozenset()), brokers=(_OF_V0,))


def _librdkafka() -> Iterator[Client]:
    for version in ("2.16.0", "2.11.1", "2.6.1", "2.3.0", "2.0.2"):
        requirement = f"confluent-kafka=={version}"
        can = _NO_LEVELS if version == "2.0.2" else _EVERY
        python = _python("librdkafka", version, requirement, "confluent_kafka_producer.py", can)
        yield replace(python, brokers=(NEWEST_BROKER, _OF_V1, _OF_V0)) if version == "2.16.0" else python
    # These have no wheels for today's Pythons; the Go binding has the library inside, built.
    source = ("cp", "-r", "..", "{cache}/source")
    module = "github.com/confluentinc/confluent-kafka-go@v{version}"
    build = ("sh", "-c", f"cd '{{cache}}/source' && go get {module} && go build -o ../producer ./librdkafka")
    steps, run, script = (source, build), ("{cache}/producer",), "go/librdkafka/main.go"
    yield Client("librdkafka", "1.6.1", steps, run, _NO_LEVELS, script)
    yield Client("librdkafka", "1.4.2", steps, run, _EVERY, script, (NEWEST_BROKER, _OF_V1, _OF_V0))


def _all_java() -> Iterator[Client]:
    for version in ("4.4.0", "4.0.0", "3.9.2", "3.6.2", "3.0.2", "2.8.2", "2.4.1", "2.1.1", "1.1.1", "0.11.0.3"):
        yield replace(_java(version), brokers=(NEWEST_BROKER, _OF_V1)) if version in _OF_BOTH else _java(version)
    for version, brokers in _OLD_JAVA.items():
        can = frozenset({"large"} if version == brokers[0] else ())
        yield replace(_java(version), brokers=brokers, can=can)
    for version, (scala, brokers) in _SCALA.items():
        yield replace(_scala(version, scala), brokers=brokers)


def _python(name: str, version: str, requirement: str, script: str, can: frozenset[str]) -> Client:
    make = ("{python}", "-m", "venv", "--clear", "{cache}/venv")
    pip = ("{cache}/venv/bin/pip", "install", "-q", *requirement.split(), *_WITH_CODECS)
    run = ("{cache}/venv/bin/python", f"{{here}}/python/{script}")
    return Client(name, version, (make, pip), run, can, f"python/{script}")


def _java(version: str) -> Client:
    build = ("mvn", "-B", "-q", "-DbuildDirectory={cache}", "-Dkafka.version={version}", "package")
    run = ("java", "-Dkafka.version={version}", "-cp", "{cache}/*", "org.kafkaconformance.wild.Producer")
    at_least_3_8 = tuple(map(int, version.split(".")[:2])) >= (3, 8)
    return Client("java", version, (build,), run, _EVERY if at_least_3_8 else _NO_LEVELS, "java/pom.xml")


def _scala(version: str, scala: str) -> Client:
    define = ("-DbuildDirectory={cache}", "-Dkafka.version={version}", f"-Dscala.version={scala}")
    # The first releases of snappy-java define a class by reflection.
    java = ("java", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-Dkafka.version={version}")
    run = (*java, "-cp", "{cache}/*", "org.kafkaconformance.wild.ScalaProducer")
    return Client("scala", version, (("mvn", "-B", "-q", *define, "package"),), run, frozenset(), "scala/pom.xml")


def _go(name: str, version: str) -> Client:
    folder = name.replace("-", "_")
    can = {"franz-go": _EVERY, "sarama": _EVERY, "segmentio": frozenset({"headers"})}[name]
    build = ("go", "build", "-o", "{cache}/producer", f"../{folder}")
    return Client(name, version, (build,), ("{cache}/producer",), can, f"go/{folder}/main.go")


def _node(name: str, version: str, script: str, can: frozenset[str]) -> Client:
    # npm takes the lock file of the folder that it stands in, whatever --prefix says.
    steps: tuple[tuple[str, ...], ...] = (
        ("cp", "-r", ".", "{cache}"),
        ("sh", "-c", "cd '{cache}' && npm ci --silent"),
    )
    if script.startswith("node_old/"):  # of all that is installed, only the codec is built
        steps = (*steps, ("sh", "-c", "cd '{cache}' && npm rebuild --silent --ignore-scripts=false snappy"))
    return Client(name, version, steps, ("node", f"{{cache}}/{Path(script).name}"), can, script)


def _kafka_ts(version: str) -> Client:
    """Return kafka-ts, which is installed from the lock file of the decoder."""
    copy = ("cp", "{here}/../../kafka-ts/package.json", "{here}/../../kafka-ts/package-lock.json", "{cache}")
    install = ("sh", "-c", "cd '{cache}' && npm ci --silent --ignore-scripts")
    run = ("env", "NODE_PATH={cache}/node_modules", "node", "{here}/node/kafka_ts_producer.js")
    return Client(
        "kafka-ts", version, (copy, install), run, frozenset({"headers", "idempotent"}), "node/kafka_ts_producer.js"
    )


def _rust(name: str, version: str, folder: str, can: frozenset[str]) -> Client:
    build = ("cargo", "build", "-q", "--locked", "--release", "--target-dir", "{cache}")
    run = (f"{{cache}}/release/wild-{name}",)
    return Client(name, version, (build,), run, can, f"rust/{folder}/Cargo.toml")
