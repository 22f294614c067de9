"""Starts Apache Kafka on the loopback address: `start.py JARS VERSION`.

Kafka 3.0 and newer run as one KRaft node, older ones with a ZooKeeper beside them. `HOST:PORT` on
standard output says that it listens; it ends with the end of standard input, and writes what it
complains about to standard error. Its files are in a temporary folder, or in one that `--folder`
names, where they stay.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from started_server import free_port, is_up, wait

SECONDS = 110
STOP_SECONDS = 60
JAVA = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dzookeeper.jmx.log4j.disable=true"]

SHARED = """\
log.dirs={folder}/logs
num.partitions=1
num.network.threads=2
num.io.threads=4
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.cleaner.enable=false
"""

KRAFT = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{other}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{other}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
auto.create.topics.enable=false
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
"""

WITH_ZOOKEEPER = """\
broker.id=1
zookeeper.connect=127.0.0.1:{other}
listeners=PLAINTEXT://127.0.0.1:{port}
host.name=127.0.0.1
port={port}
delete.topic.enable=true
auto.create.topics.enable=true
"""

AUTHORIZER = """\
authorizer.class.name={}
allow.everyone.if.no.acl.found=true
"""
"""Everyone may do everything, but where there are rules."""

AUTHORIZERS = {
    True: "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    False: "kafka.security.authorizer.AclAuthorizer",
}
"""Kafka's own authorizer, with KRaft and with a ZooKeeper."""

# Before CreateTopics came, with 0.10.1, to ask about a topic was the way to make one.

ZOOKEEPER = """\
dataDir={folder}/zookeeper
clientPort={other}
clientPortAddress=127.0.0.1
maxClientCnxns=0
admin.enableServer=false
"""

CLUSTER = "a2Fma2EtZm9ybWF0LWNvbg"


def main() -> int:
    """Start the broker and wait for the end of the input; 1 if it does not come up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jars", help="the folder of its jars")
    parser.add_argument("version", help="the release of Apache Kafka")
    parser.add_argument("--folder", type=Path, help="where its files stay: `logs` has the partitions")
    parser.add_argument("--settings", type=Path, help="a file of more lines of server.properties; the last one counts")
    parser.add_argument("--authorizer", action="store_true", help="with Kafka's authorizer, and no rule yet")
    parser.add_argument("--classes", help="a folder of classes that it needs besides")
    parser.add_argument("--controller", type=int, help="the port of its controller; any free one, unless it is said")
    asked = parser.parse_args()
    if asked.folder:
        return _run(asked, asked.folder, signal.SIGTERM)
    with tempfile.TemporaryDirectory() as name:
        return _run(asked, Path(name), signal.SIGKILL)  # nothing of it stays, so nothing need be written


def _run(asked: argparse.Namespace, folder: Path, end: signal.Signals) -> int:
    port, processes = free_port(), list[subprocess.Popen[bytes]]()
    try:
        for command, listens in _commands(asked, folder, port):
            processes.append(subprocess.Popen(command, stdout=sys.stderr, stdin=subprocess.DEVNULL))
            if not is_up(processes[-1], listens, SECONDS):
                sys.stderr.write(f"Kafka {asked.version} did not come up\n")
                return 1
        sys.stdout.write(f"127.0.0.1:{port}\n")
        sys.stdout.flush()
        return wait(processes)
    finally:
        _end(processes, end)


def _commands(asked: argparse.Namespace, folder: Path, port: int) -> Iterator[tuple[list[str], int]]:
    """Yield what is started, one after another, with the port by which it is seen to be up."""
    java = [*JAVA, "-cp", ":".join(filter(None, [f"{asked.jars}/*", asked.classes]))]
    other: int = asked.controller or free_port()
    places = {"folder": folder, "port": port, "other": other}
    configuration = folder / "server.properties"
    is_kraft = int(asked.version.partition(".")[0]) >= 3
    wanted = (KRAFT if is_kraft else WITH_ZOOKEEPER) + SHARED
    text = wanted.format(**places) + (AUTHORIZER.format(AUTHORIZERS[is_kraft]) if asked.authorizer else "")
    configuration.write_text(text + (asked.settings.read_text() if asked.settings else ""), encoding="utf-8")
    if is_kraft:
        tool = [*java, "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(configuration)]
        subprocess.run(tool, check=True, stdout=sys.stderr, stdin=subprocess.DEVNULL)
    else:
        zookeeper = folder / "zookeeper.properties"
        zookeeper.write_text(ZOOKEEPER.format(**places), encoding="utf-8")
        yield [*java, "org.apache.zookeeper.server.ZooKeeperServerMain", str(zookeeper)], other
    yield [*java, "kafka.Kafka", str(configuration)], port


def _end(processes: Sequence[subprocess.Popen[bytes]], how: signal.Signals) -> None:
    """End processes, the last one first: the broker says goodbye to its ZooKeeper."""
    for process in reversed(processes):
        process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
