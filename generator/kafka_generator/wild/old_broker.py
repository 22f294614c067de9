"""A real Apache Kafka broker from before KRaft, with its ZooKeeper, for the formats v0 and v1."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_generator.wild.broker import RealBroker, copy_jars, free_port, wait_for

FORMATS: Final = {"0.8.2.2": "v0", "0.9.0.1": "v0", "0.10.2.2": "v1", "2.8.2": "v2"}
"""The releases, with the newest format that they store."""

_SCALA: Final = {"0.8.2.2": "2.11", "0.9.0.1": "2.11", "0.10.2.2": "2.12", "2.8.2": "2.13"}

_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kafkaconformance</groupId><artifactId>old-broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_{scala}</artifactId><version>{version}</version></dependency>
    <dependency><groupId>javax.xml.bind</groupId><artifactId>jaxb-api</artifactId><version>2.3.1</version></dependency>
  </dependencies>
</project>
"""
"""These brokers take the class DatatypeConverter from the JDK, which has it no more since 11."""

_ZOOKEEPER: Final = """\
dataDir={folder}
clientPort={port}
clientPortAddress=127.0.0.1
maxClientCnxns=0
admin.enableServer=false
"""

_CONFIGURATION: Final = """\
broker.id=1
zookeeper.connect=127.0.0.1:{zookeeper}
listeners=PLAINTEXT://127.0.0.1:{port}
host.name=127.0.0.1
port={port}
advertised.host.name=127.0.0.1
advertised.port={advertised}
log.dirs={logs}
num.partitions=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.retention.hours=876000
"""


def jars(version: str, cache: Path) -> Path:
    """Return the folder of the jars of a broker, fetched by Maven the first time.

    Raises:
        NotReadyError: Maven is missing or fails.
    """
    pom = _POM.format(scala=_SCALA[version], version=version)
    return copy_jars(pom, cache / f"broker-{version}")


@contextmanager
def running(
    version: str, cache: Path, folder: Path, settings: str = "", advertised: int | None = None
) -> Iterator[RealBroker]:
    """Run a broker of that version, and a ZooKeeper, as long as the block runs.

    Args:
        version: one of `FORMATS`.
        cache: where the jars of brokers are kept.
        folder: where both keep their files.
        settings: more lines of its server.properties.
        advertised: the port that clients are sent to; its own, unless a proxy stands before it.

    Raises:
        NotReadyError: Java or Maven is missing, or the broker does not come up.
    """
    port, zookeeper = free_port(), free_port()
    java = ["java", "-Xmx256m", "-cp", f"{jars(version, cache)}/*"]
    logs = folder / "logs"
    texts = {
        "zookeeper.properties": _ZOOKEEPER.format(folder=folder / "zookeeper", port=zookeeper),
        "server.properties": _CONFIGURATION.format(
            zookeeper=zookeeper, port=port, advertised=advertised or port, logs=logs
        )
        + settings,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    main = [*java, "org.apache.zookeeper.server.ZooKeeperServerMain", str(folder / "zookeeper.properties")]
    with (
        _process(main, zookeeper, folder / "zookeeper.txt"),
        _process([*java, "kafka.Kafka", str(folder / "server.properties")], port, folder / "broker.txt"),
    ):
        yield RealBroker(f"127.0.0.1:{port}", logs)


@contextmanager
def _process(command: list[str], port: int, output: Path) -> Iterator[None]:
    """Run a server until the block ends, which begins when it listens."""
    with output.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream)
        try:
            wait_for(port, process, output)
            yield
        finally:
            process.terminate()
            process.wait(60)
