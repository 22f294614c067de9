"""A real Apache Kafka broker from Maven's jars, of any release, on the loopback address.

The program that starts it is that of the target broker-kafka: one node with KRaft, or with a
ZooKeeper before Kafka 3.0.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets.folders import TARGETS

FORMATS: Final = {"0.8.2.2": "v0", "0.9.0.1": "v0", "0.10.2.2": "v1", "2.8.2": "v2"}
"""The releases from before KRaft, with the newest format that they store."""

_HERE: Final = TARGETS / "kafka-clients" / "broker"
_BROKER: Final = "kafka_2.13"
_FIRST_WITH_SCALA_213: Final = (2, 4)

_TOOLS_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kafkaconformance</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""

_SETTINGS: Final = """\
auto.create.topics.enable=true
log.cleaner.enable=true
log.cleaner.dedupe.buffer.size=8000000
log.message.timestamp.before.max.ms=9223372036854775807
log.message.timestamp.after.max.ms=9223372036854775807
log.retention.hours=876000
"""
"""Records with the fixed, old create times of the orders are let in and kept."""

CLUSTER: Final = "a2Fma2EtZm9ybWF0LWNvbg"
_START_SECONDS: Final = 120
_PORTS: Final = range(20_000, 32_768)
"""Linux gives those from 32,768 on to whoever connects somewhere."""

_STOP_SECONDS: Final = 150


class RealBroker(NamedTuple):
    """A running broker: where it listens, and where its segments are."""

    address: str
    logs: Path

    def segment(self, topic: str) -> bytes:
        """Return the first segment of the topic's only partition."""
        return (self.logs / f"{topic}-0" / "00000000000000000000.log").read_bytes()

    def log(self, topic: str) -> bytes:
        """Return all segments of the topic's only partition, one after the other."""
        return b"".join(file.read_bytes() for file in sorted((self.logs / f"{topic}-0").glob("*.log")))


def jars(version: str, cache: Path, artifact: str = _BROKER) -> Path:
    """Return the folder of the jars of a broker, fetched by Maven the first time.

    Args:
        version: the release of Apache Kafka.
        cache: where the folders are kept.
        artifact: what the jars are for, beside the broker: `kafka-tools` has the tools of 4.3 and
            newer.

    Raises:
        NotReadyError: Maven is missing or fails.
    """
    if artifact != _BROKER:
        return copy_jars(_TOOLS_POM.format(version=version, artifact=artifact), cache / f"{artifact}-{version}")
    numbers = tuple(map(int, version.split(".")))
    scala = "2.13" if numbers >= _FIRST_WITH_SCALA_213 else "2.11"
    versions = [f"-Dkafka.version={version}", f"-Dscala.version={scala}"]
    return _fetch(_HERE / "pom.xml", cache / f"broker-{version}", versions)


def copy_jars(pom: str, folder: Path) -> Path:
    """Have Maven copy a pom.xml's dependencies into a folder, once; return the folder.

    Raises:
        NotReadyError: Maven is missing or fails.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    file = folder.with_suffix(folder.suffix + ".xml")
    file.write_text(pom, encoding="utf-8")
    return _fetch(file, folder)


def _fetch(pom: Path, folder: Path, properties: Sequence[str] = ()) -> Path:
    if not folder.is_dir():
        output = f"-DoutputDirectory={folder}"
        command = ["mvn", "-B", "-q", "-f", str(pom), *properties, "dependency:copy-dependencies", output]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotReadyError(f"the jars of {folder.name}: {error}", "install Maven 3.6 or newer") from None
    return folder


@contextmanager
def running(
    version: str,
    cache: Path,
    folder: Path,
    settings: str = "",
    controller: int | None = None,
    plugins: Path | None = None,
) -> Iterator[RealBroker]:
    """Run a broker of that version as long as the block runs, and then stop it as an operator does.

    Args:
        version: the release of Apache Kafka.
        cache: where the jars of brokers are kept.
        folder: where it keeps its files, which stay when the block is left.
        settings: more lines of its server.properties.
        controller: the port on which its controller listens; any free one, unless it is said.
        plugins: a folder of classes that it needs besides.

    Raises:
        NotReadyError: Java or Maven is missing, or the broker does not come up.
    """
    file, output = folder / "settings.properties", folder / "broker.txt"
    file.write_text(_SETTINGS + settings, encoding="utf-8")
    command = [sys.executable, str(_HERE / "start.py"), str(jars(version, cache)), version]
    command += [f"--folder={folder}", f"--settings={file}"]
    command += [f"--controller={controller}"] * bool(controller) + [f"--classes={plugins}"] * bool(plugins)
    env = os.environ | {"PYTHONPATH": str(TARGETS / "common" / "python")}
    with output.open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=env)
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    try:
        address = process.stdout.readline().decode().strip()
        if not address:
            raise _not_up(output)
        yield RealBroker(address, folder / "logs")
    finally:
        process.stdin.close()
        process.wait(_STOP_SECONDS)


def wait_for(port: int, process: subprocess.Popen[bytes], output: Path) -> None:
    """Wait until a process listens on a port of the loopback address.

    Raises:
        NotReadyError: it ends before, or takes two minutes.
    """
    for _ in range(_START_SECONDS * 4):
        if process.poll() is not None:
            break
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.25)
    raise _not_up(output)


def _not_up(output: Path) -> NotReadyError:
    return NotReadyError(f"the broker did not come up: {output.read_text(errors='replace')[-500:]}", "see its output")


def free_port() -> int:
    """Return a port of the loopback address that nobody uses.

    No client gets it before the server does.

    Raises:
        OSError: there is none.
    """
    for port in random.sample(_PORTS, len(_PORTS)):
        with suppress(OSError), closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port from {_PORTS[0]} to {_PORTS[-1]} is free")
