"""A Kafka node on the loopback address: its settings, its start, and its end.

What it logs goes into a file, by slf4j-simple, since the jars of Kafka's broker bring no logger.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from kafka_generator import real_broker as broker

CACHE: Final = Path(__file__).parents[4] / ".targets" / "wild"
JAVA: Final = (
    "java",
    "-Xmx400m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.config=warn",
    "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaConfig=warn",
)
LAST_WITH_ZOOKEEPER: Final = "3.9.2"
UNPRIVILEGED: Final = 65534
"""The user `nobody`: to root no file is unreadable."""

_STOP_SECONDS: Final = 60
_LOGGER: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kafkaconformance</groupId><artifactId>logger</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
"""

_OF_KRAFT: Final = """\
process.roles={roles}
node.id={node}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
"""
_OF_ALL: Final = """\
listeners={listeners}
log.dirs={log_dirs}
num.network.threads=2
num.io.threads=2
num.recovery.threads.per.data.dir=1
background.threads=2
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.enable=false
log.retention.ms=-1
log.message.timestamp.before.max.ms=9223372036854775807
initial.broker.registration.timeout.ms=300000
"""
_TIERED: Final = """\
remote.log.storage.manager.class.name=SinkStorage
remote.log.metadata.manager.listener.name=PLAINTEXT
rlmm.config.remote.log.metadata.topic.num.partitions=1
rlmm.config.remote.log.metadata.topic.replication.factor=1
"""
_ZOOKEEPER: Final = """\
dataDir={folder}/zookeeper
clientPort={port}
clientPortAddress=127.0.0.1
admin.enableServer=false
preAllocSize=64
"""
ZOOKEEPER: Final = "zookeeper"
"""The role of a broker of before KRaft, and the folder in which its ZooKeeper keeps the rest."""

TIERED: Final = "remote.log.storage.system.enable"
"""The setting that turns remote storage on."""

_NEW: Final = """\
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
"""


class Ports(NamedTuple):
    """Where a node listens: for clients, and for the other voters."""

    client: int
    controller: int


def free_ports() -> Ports:
    """Return two ports that nobody uses."""
    return Ports(broker.free_port(), broker.free_port())


class Setting(NamedTuple):
    """How a node is set up.

    Attributes:
        roles: what `process.roles` says; `zookeeper` for none.
        node: its id.
        quorum: the line that names the voters, or where to ask for them, or for a ZooKeeper.
        log_dirs: its data directories.
        more: further lines of its server.properties.
    """

    roles: str
    node: int
    quorum: str
    log_dirs: Sequence[Path]
    more: str = ""

    def text(self, release: str, ports: Ports) -> str:
        """Return its server.properties."""
        places = {
            "PLAINTEXT": f"PLAINTEXT://127.0.0.1:{ports.client}",
            "CONTROLLER": f"CONTROLLER://127.0.0.1:{ports.controller}",
        }
        shown = [
            place
            for name, place in places.items()
            if ("controller" if name == "CONTROLLER" else "broker") in self.roles
        ]
        text = _OF_ALL.format(
            listeners=",".join(shown or [places["PLAINTEXT"]]), log_dirs=",".join(map(str, self.log_dirs))
        )
        of_roles = f"broker.id={self.node}\n"
        if self.roles != ZOOKEEPER:
            of_roles = _OF_KRAFT.format(roles=self.roles, node=self.node)
        more = (_NEW if release >= "4" else "") + (_TIERED if f"{TIERED}=true" in self.more else "")
        return f"{of_roles}{text}{more}{self.quorum}\n{self.more}\n"


def static_quorum(voters: Mapping[int, Ports]) -> str:
    """Return the setting of a quorum whose voters stand in the settings."""
    return "controller.quorum.voters=" + ",".join(
        f"{node}@127.0.0.1:{ports.controller}" for node, ports in voters.items()
    )


def dynamic_quorum(ports: Ports) -> str:
    """Return the setting of a quorum whose voters stand in the metadata log (KIP-853)."""
    return f"controller.quorum.bootstrap.servers=127.0.0.1:{ports.controller}"


def classpath(release: str) -> str:
    """Return the jars of a release, with a logger."""
    return f"{broker.jars(release, CACHE)}/*:{broker.copy_jars(_LOGGER, CACHE / 'logger')}/slf4j-simple-1.7.36.jar"


def sink_storage() -> Path:
    """Return the jar of a remote storage that keeps nothing, for brokers of any release."""
    path, source = CACHE / "sink-storage.jar", Path(__file__).parent / "SinkStorage.java"
    if not path.is_file():
        with TemporaryDirectory() as folder:
            api = f"{broker.jars('3.9.2', CACHE)}/*"
            for command in (
                ["javac", "--release", "11", "-d", folder, "-cp", api, str(source)],
                ["jar", "cf", str(path), "-C", folder, "."],
            ):
                subprocess.run(command, check=True)
    return path


def shared_classes(release: str) -> list[str]:
    """Return the options by which a JVM takes classes from an archive, if somebody made one.

    That halves a start: `-XX:ArchiveClassesAtExit` makes it.
    """
    archive = CACHE / f"classes-{release}.jsa"
    return [f"-XX:SharedArchiveFile={archive}"] if archive.is_file() else []


def format_directory(release: str, settings: Path, options: Sequence[str]) -> None:
    """Have Kafka format the data directories of a node."""
    command = [*JAVA, "-cp", classpath(release), "kafka.tools.StorageTool", "format", "-t", broker.CLUSTER]
    subprocess.run([*command, "-c", str(settings), *options], check=True, capture_output=True)


class Node:
    """A process of Kafka; what it logs is in `output`."""

    def __init__(
        self, release: str, settings: Path, output: Path, user: int | None = None, program: str = "kafka.Kafka"
    ) -> None:
        """Start it, as another user where one is named."""
        self.output = output
        command = [
            "nice",
            "-n",
            "5",
            *JAVA,
            *shared_classes(release),
            "-cp",
            f"{classpath(release)}:{sink_storage()}",
            program,
            str(settings),
        ]
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, user=user, group=user, cwd=settings.parent
            )

    def log(self) -> str:
        """Return what it has logged."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        """Stop it as an operator does, so that it leaves the marker of a clean stop."""
        self.process.terminate()
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


@contextmanager
def zookeeper(folder: Path) -> Iterator[str]:
    """Run a ZooKeeper on FOLDER/zookeeper; yield the setting that leads a broker to it."""
    port, settings = broker.free_port(), folder / "zookeeper.properties"
    settings.write_text(_ZOOKEEPER.format(folder=folder, port=port), encoding="utf-8")
    program = "org.apache.zookeeper.server.ZooKeeperServerMain"
    running = Node(LAST_WITH_ZOOKEEPER, settings, folder / "zookeeper.txt", program=program)
    try:
        broker.wait_for(port, running.process, running.output)
        yield f"zookeeper.connect=127.0.0.1:{port}"
    finally:
        running.stop()


def own(folder: Path, user: int) -> None:
    """Give a folder and all that is in it to a user."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            shutil.chown(path, user, user)


def is_root() -> bool:
    """Tell whether this program may read every file."""
    return os.geteuid() == 0
