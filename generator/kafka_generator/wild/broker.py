"""A real Apache Kafka broker from Maven's jars: one KRaft node on the loopback address."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.errors import NotReadyError

_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kafkaconformance</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""

_CONFIGURATION: Final = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={logs}
num.partitions=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.message.timestamp.before.max.ms=9223372036854775807
log.message.timestamp.after.max.ms=9223372036854775807
log.retention.ms=-1
"""
"""Records with the fixed, old create times of the orders are let in and kept."""

CLUSTER: Final = "a2Fma2EtZm9ybWF0LWNvbg"
_START_SECONDS: Final = 120


class RealBroker(NamedTuple):
    """A running broker: where it listens, and where its segments are."""

    address: str
    logs: Path

    def segment(self, topic: str) -> bytes:
        """Return the first segment of the topic's only partition."""
        return (self.logs / f"{topic}-0" / "00000000000000000000.log").read_bytes()

    def log(self, topic: str) -> bytes:
        """Return all segments of the topic's only partition, one behind the other."""
        return b"".join(file.read_bytes() for file in sorted((self.logs / f"{topic}-0").glob("*.log")))


def jars(version: str, cache: Path, artifact: str = "kafka_2.13") -> Path:
    """Return the folder of the jars of a broker, fetched by Maven the first time.

    Args:
        version: the release of Apache Kafka.
        cache: where the folders are kept.
        artifact: what the jars are for, beside the broker: `kafka-tools` has the tools of 4.3 and
            newer.

    Raises:
        NotReadyError: Maven is missing or fails.
    """
    folder = cache / f"{'broker' if artifact == 'kafka_2.13' else artifact}-{version}"
    return copy_jars(_POM.format(version=version, artifact=artifact), folder)


def copy_jars(pom: str, folder: Path) -> Path:
    """Have Maven copy a pom.xml's dependencies into a folder, once; return the folder.

    Raises:
        NotReadyError: Maven is missing or fails.
    """
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = folder.with_suffix(folder.suffix + ".xml")
        file.write_text(pom, encoding="utf-8")
        command = ["mvn", "-B", "-q", "-f", str(file), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
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
    port, controller = free_port(), controller or free_port()
    logs, configuration = folder / "logs", folder / "server.properties"
    lines = _CONFIGURATION.format(port=port, controller=controller, logs=logs) + settings
    configuration.write_text(lines, encoding="utf-8")
    places = [f"{jars(version, cache)}/*", *map(str, filter(None, [plugins]))]
    java = ["java", "-Xmx512m", "-cp", ":".join(places)]
    subprocess.run(
        [*java, "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(configuration)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with (folder / "broker.txt").open("wb") as output:
        process = subprocess.Popen([*java, "kafka.Kafka", str(configuration)], stdout=output, stderr=output)
        try:
            wait_for(port, process, folder / "broker.txt")
            yield RealBroker(f"127.0.0.1:{port}", logs)
        finally:
            process.terminate()
            process.wait(60)


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
    raise NotReadyError(f"the broker did not come up: {output.read_text(errors='replace')[-500:]}", "see its output")


def free_port() -> int:
    """Return a port of the loopback address that nobody uses."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
