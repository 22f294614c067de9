"""Data directories of a cluster: three brokers, one of which was killed while the others went on.

`python -m kafka_generator.log_directories.cluster OUT [RELEASE]` starts three brokers from Maven's
jars on the loopback address, writes plain, compacted and transactional topics with three replicas,
kills one, writes on, stops the others, and leaves their directories in OUT: `broker1` to `broker3`.
`kafka-conformance audit --replicas OUT/broker*` is then to find what Kafka would do, and nothing
else.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from kafka_generator.log_directories.__main__ import SEGMENT_BYTES
from kafka_generator.wild import broker

_HERE: Final = Path(__file__).parent
_CACHE: Final = Path(__file__).parents[3] / ".targets" / "wild"
_NODES: Final = (1, 2, 3)
_KILLED: Final = 3
_ROUNDS: Final = (0, 40, 70)
"""The first round, the one before which a broker is killed, and the end."""

_SECONDS: Final = 300
_COMPACTION_SECONDS: Final = 8

_CONFIGURATION: Final = """\
process.roles=broker,controller
node.id={node}
controller.quorum.voters={voters}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={logs}
offsets.topic.num.partitions=1
transaction.state.log.num.partitions=1
transaction.state.log.min.isr=1
log.message.timestamp.before.max.ms=9223372036854775807
log.message.timestamp.after.max.ms=9223372036854775807
log.retention.ms=-1
log.index.size.max.bytes=20000
log.cleaner.backoff.ms=200
log.initial.task.delay.ms=500
replica.lag.time.max.ms=5000
broker.session.timeout.ms=6000
log.flush.offset.checkpoint.interval.ms=1000
log.flush.start.offset.checkpoint.interval.ms=1000
replica.high.watermark.checkpoint.interval.ms=1000
"""


class Node:
    """One broker of the cluster, and its part of the quorum."""

    def __init__(self, node: int, ports: dict[int, tuple[int, int]], out: Path, jars: Path) -> None:
        """Format its directory and start it."""
        self.logs = out / f"broker{node}"
        voters = ",".join(f"{number}@127.0.0.1:{controller}" for number, (_, controller) in ports.items())
        self.port, controller = ports[node]
        file = out / f"broker{node}.properties"
        fields = {"node": node, "voters": voters, "port": self.port, "controller": controller, "logs": self.logs}
        file.write_text(_CONFIGURATION.format(**fields), encoding="utf-8")
        java = ["java", "-Xmx384m", "-cp", f"{jars}/*"]
        tool = [*java, "kafka.tools.StorageTool", "format", "-t", broker.CLUSTER, "-c", str(file)]
        subprocess.run(tool, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.output = out / f"broker{node}.txt"
        self._file = self.output.open("wb")
        self.process = subprocess.Popen([*java, "kafka.Kafka", str(file)], stdout=self._file, stderr=self._file)

    def wait(self) -> None:
        """Wait until it listens."""
        broker.wait_for(self.port, self.process, self.output)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Stop it as an operator does, unless it is ended already."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(_SECONDS / 3)
            except subprocess.TimeoutExpired:  # the last of a quorum waits for a majority
                self.kill()
        self._file.close()


def write(out: Path, release: str) -> None:
    """Write the directories of a cluster of a release into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    jars = broker.jars(release, _CACHE)
    ports = {node: (broker.free_port(), broker.free_port()) for node in _NODES}
    with ExitStack() as stack:
        nodes = {node: Node(node, ports, out, jars) for node in _NODES}
        for node in nodes.values():
            stack.callback(node.stop)
        for node in nodes.values():
            node.wait()
        addresses = ",".join(f"127.0.0.1:{port}" for port, _ in ports.values())
        first, killed, end = _ROUNDS
        _fill(jars, addresses, release, first, killed)
        nodes[_KILLED].kill()
        _fill(jars, addresses, release, killed, end)
        time.sleep(_COMPACTION_SECONDS)


def _fill(jars: Path, addresses: str, release: str, first: int, end: int) -> None:
    program = ["java", "-cp", f"{jars}/*", str(_HERE / "FillCluster.java"), addresses, SEGMENT_BYTES[release]]
    subprocess.run(
        [*program, str(first), str(end)],
        check=True,
        timeout=_SECONDS,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def main() -> int:
    """Write the directories; 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("release", nargs="?", default="4.4.0", choices=SEGMENT_BYTES)
    asked = parser.parse_args()
    write(asked.out.resolve(), asked.release)
    return 0


if __name__ == "__main__":
    sys.exit(main())
