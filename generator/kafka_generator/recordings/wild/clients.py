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

_ROOT: Final = Path(__file__).parents[4]
_TARGETS: Final = Path("targets")
_TOO_OLD: Final = Path("generator", "kafka_generator", "recordings", "wild", "producers")
"""The libraries with their programs, and programs of producers that are too old to be targets."""

_EVERY: Final = frozenset({"headers", "idempotent", "transactional", "level"})
_NO_LEVELS: Final = _EVERY - {"level"}
_OF_V1: Final = "0.10.2.2"
_OF_V0: Final = "0.9.0.1"
"""The brokers for the old formats."""

_OF_BOTH: Final = ("3.9.2", "0.11.0.3")
"""Producers of v2 that still write v1 for an old broker."""

_JAVA: Final = _TARGETS / "kafka-clients" / "producer" / "pom.xml"

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
        install: commands that install it; `{cache}`, `{here}` (its program's folder), `{targets}`
            and `{version}` are replaced.
        run: the command that writes orders.
        can: what it can be asked, see `orders.Order.needs`.
        source: the program, from the folder of the project, for the vector's provenance.
        brokers: the releases of brokers that it writes to.
    """

    name: str
    version: str
    install: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    can: frozenset[str]
    source: Path
    brokers: tuple[str, ...] = (NEWEST_BROKER,)

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
        return [self._fill(word, folder) for word in self.run] + [address]

    def _call(self, step: tuple[str, ...], folder: Path) -> None:
        command = [self._fill(word, folder) for word in step]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=(_ROOT / self.source).parent)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotReadyError(f"{self.label}: {error}", "install its toolchain, see docs/targets.md") from None

    def _fill(self, word: str, folder: Path) -> str:
        here = (_ROOT / self.source).parent
        return word.format(
            cache=folder, here=here, targets=_ROOT / _TARGETS, version=self.version, python=sys.executable
        )


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
        python = _python("kafka-python", version, f"kafka-python=={version}", "kafka-python", can)
        yield replace(python, brokers=(NEWEST_BROKER, _OF_V1, _OF_V0))
    yield _python("aiokafka", "0.14.0", "aiokafka==0.14.0", "aiokafka", _NO_LEVELS)
    old = _python("aiokafka", "0.8.1", "aiokafka==0.8.1 kafka-python==2.0.2", "aiokafka", _NO_LEVELS)
    yield replace(old, brokers=(_OF_V1, _OF_V0))
    pykafka = _python("pykafka", "2.8.0", "pykafka==2.8.0", "pykafka", frozenset())
    yield replace(pykafka, brokers=(_OF_V1, _OF_V0))
    yield from _all_java()
    for name, version in (("franz-go", "1.22.2"), ("sarama", "1.61.1")):
        yield replace(_go(name, version), brokers=(NEWEST_BROKER, _OF_V1, _OF_V0))
    yield replace(_go("segmentio", "0.4.51"), brokers=(NEWEST_BROKER, _OF_V1))
    kafkajs = _node("kafkajs", "2.2.4", _TARGETS / "kafkajs" / "producer.js", _NO_LEVELS)
    yield replace(kafkajs, brokers=(NEWEST_BROKER, _OF_V1))
    yield _node("platformatic", "2.12.1", _TARGETS / "platformatic-kafka" / "producer.mjs", _NO_LEVELS)
    no_levels = frozenset({"headers", "idempotent"})
    yield _node("kafka-ts", "1.5.0", _TARGETS / "kafka-ts" / "producer.js", no_levels)
    kafka_node = _old_node("kafka-node", "5.0.0", _TARGETS / "kafka-node" / "producer.js")
    yield replace(kafka_node, brokers=(_OF_V1, _OF_V0))
    no_kafka = _old_node("no-kafka", "3.4.4", _TOO_OLD / "node_old" / "no_kafka_producer.js")
    yield replace(no_kafka, brokers=(_OF_V0,))
    yield _rust("rskafka", "0.6.0", frozenset({"headers"}))
    yield replace(_rust("kafka-rust", "0.10.0", frozenset()), brokers=(_OF_V0,))


def _librdkafka() -> Iterator[Client]:
    for version in ("2.16.0", "2.11.1", "2.6.1", "2.3.0", "2.0.2"):
        requirement = f"confluent-kafka=={version}"
        can = _NO_LEVELS if version == "2.0.2" else _EVERY
        python = _python("librdkafka", version, requirement, "librdkafka", can)
        yield replace(python, brokers=(NEWEST_BROKER, _OF_V1, _OF_V0)) if version == "2.16.0" else python
    # These have no wheels for today's Pythons; the Go binding has the library inside, built.
    copy = ("cp", "-r", ".", "{cache}/source")
    replaced = {"common": "{targets}/common/go", "adapter": "{targets}/../adapters/go"}
    ours = " ".join(f"-replace kafkaconformance/{name}={place}" for name, place in replaced.items())
    module = "github.com/confluentinc/confluent-kafka-go@v{version}"
    build = f"cd '{{cache}}/source' && go mod edit {ours} && go get {module} && go build -o ../producer ."
    steps, run, source = (copy, ("sh", "-c", build)), ("{cache}/producer",), _TOO_OLD / "go" / "main.go"
    yield Client("librdkafka", "1.6.1", steps, run, _NO_LEVELS, source)
    yield Client("librdkafka", "1.4.2", steps, run, _EVERY, source, (NEWEST_BROKER, _OF_V1, _OF_V0))


def _all_java() -> Iterator[Client]:
    for version in ("4.4.0", "4.0.0", "3.9.2", "3.6.2", "3.0.2", "2.8.2", "2.4.1", "2.1.1", "1.1.1", "0.11.0.3"):
        yield replace(_java(version), brokers=(NEWEST_BROKER, _OF_V1)) if version in _OF_BOTH else _java(version)
    for version, brokers in _OLD_JAVA.items():
        can = frozenset({"large"} if version == brokers[0] else ())
        yield replace(_java(version), brokers=brokers, can=can)
    for version, (scala, brokers) in _SCALA.items():
        yield replace(_scala(version, scala), brokers=brokers)


def _python(name: str, version: str, requirement: str, library: str, can: frozenset[str]) -> Client:
    make = ("{python}", "-m", "venv", "--clear", "{cache}/venv")
    pip = ("{cache}/venv/bin/pip", "install", "-q", *requirement.split(), *_WITH_CODECS)
    run = ("{cache}/venv/bin/python", "{here}/producer.py")
    return Client(name, version, (make, pip), run, can, _TARGETS / library / "producer.py")


def _java(version: str) -> Client:
    build = ("mvn", "-B", "-q", "-DbuildDirectory={cache}", "-Dkafka.version={version}", "package")
    run = ("java", "-Dkafka.version={version}", "-cp", "{cache}/*", "org.kafkaconformance.wild.Producer")
    at_least_3_8 = tuple(map(int, version.split(".")[:2])) >= (3, 8)
    return Client("java", version, (build,), run, _EVERY if at_least_3_8 else _NO_LEVELS, _JAVA)


def _scala(version: str, scala: str) -> Client:
    define = ("-DbuildDirectory={cache}", "-Dkafka.version={version}", f"-Dscala.version={scala}")
    # The first releases of snappy-java define a class by reflection.
    java = ("java", "--add-opens=java.base/java.lang=ALL-UNNAMED", "-Dkafka.version={version}")
    run = (*java, "-cp", "{cache}/*", "org.kafkaconformance.wild.ScalaProducer")
    return Client(
        "scala", version, (("mvn", "-B", "-q", *define, "package"),), run, frozenset(), _TOO_OLD / "scala" / "pom.xml"
    )


def _go(name: str, version: str) -> Client:
    can = {"franz-go": _EVERY, "sarama": _EVERY, "segmentio": frozenset({"headers"})}[name]
    build = ("go", "build", "-o", "{cache}/producer", ".")
    library = "segmentio-kafka-go" if name == "segmentio" else name
    return Client(name, version, (build,), ("{cache}/producer",), can, _TARGETS / library / "producer" / "main.go")


def _node(name: str, version: str, source: Path, can: frozenset[str]) -> Client:
    """Return a producer with the lock file of its library, which is the target's."""
    copy = ("cp", "package.json", "package-lock.json", source.name, "{cache}")
    install = ("sh", "-c", "cd '{cache}' && npm ci --silent --ignore-scripts --engine-strict=false")
    return Client(name, version, (copy, install), ("node", f"{{cache}}/{source.name}"), can, source)


def _old_node(name: str, version: str, source: Path) -> Client:
    """Return a producer with the lock file of old ones.

    Of all that is installed, only the codec is built.
    """
    # npm takes the lock file of the folder that it stands in, whatever --prefix says.
    copy = ("sh", "-c", f"cp -r '{_ROOT / _TOO_OLD / 'node_old'}/.' '{{here}}/{source.name}' '{{cache}}'")
    install = ("sh", "-c", "cd '{cache}' && npm ci --silent")
    rebuild = ("sh", "-c", "cd '{cache}' && npm rebuild --silent --ignore-scripts=false snappy")
    return Client(name, version, (copy, install, rebuild), ("node", f"{{cache}}/{source.name}"), frozenset(), source)


def _rust(name: str, version: str, can: frozenset[str]) -> Client:
    build = ("cargo", "build", "-q", "--locked", "--release", "--target-dir", "{cache}")
    run = (f"{{cache}}/release/wild-{name}",)
    return Client(name, version, (build,), run, can, _TARGETS / name / "producer" / "Cargo.toml")
