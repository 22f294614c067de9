"""Data directories of a cluster: three brokers, one of which was killed while it was ahead.

`python -m kafka_generator.recordings.log_directories.cluster OUT [RELEASE]` starts three brokers
from Maven's jars on the loopback address, and writes plain, compacted and transactional topics with
three replicas. Two of them are held, and the third, the leader of `torn`, takes records that nobody
else has; it is killed, and the others go on and are stopped. Their directories are in OUT:
`broker1` to `broker3`. `kafka-format audit --replicas OUT/broker*` is then to find what Kafka would
do, and nothing else.

What Kafka does is in OUT/rejoined: copies of the same directories, after all three were started and
stopped again. A line a replica says where Kafka cut it there, and where the reference says that it
would; the exit status is 1 if that is not the same.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from kafka_format.log import PartitionLog
from kafka_format.log.comparison import most_trusted, replica, truncation

from kafka_generator import real_broker
from kafka_generator.recordings.log_directories.__main__ import SEGMENT_BYTES

_HERE: Final = Path(__file__).parent
_CACHE: Final = Path(__file__).parents[4] / ".targets" / "wild"
_NODES: Final = (1, 2, 3)
_KILLED: Final = 3
_REJOINED: Final = "rejoined"
_ROUNDS: Final = (0, 40, 70)
"""The first round, the one before which a broker is killed, and the end."""

_SECONDS: Final = 300
_COMPACTION_SECONDS: Final = 8
_HELD_SECONDS: Final = 60
_TORN: Final = "torn-0"
_PLAIN: Final = (_TORN, "orders-0", "orders-1", "payments-0", "payments-1")

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
        """Format its directory, unless it is, and start it."""
        self.logs = out / f"broker{node}"
        voters = ",".join(f"{number}@127.0.0.1:{controller}" for number, (_, controller) in ports.items())
        self.port, controller = ports[node]
        file = out / f"broker{node}.properties"
        fields = {"node": node, "voters": voters, "port": self.port, "controller": controller, "logs": self.logs}
        file.write_text(_CONFIGURATION.format(**fields), encoding="utf-8")
        java = ["java", "-Xmx384m", "-cp", f"{jars}/*"]
        tool = [*java, "kafka.tools.StorageTool", "format", "-t", real_broker.CLUSTER, "-c", str(file)]
        if not self.logs.is_dir():
            subprocess.run(tool, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.output = out / f"broker{node}.txt"
        self._file = self.output.open("wb")
        self.process = subprocess.Popen([*java, "kafka.Kafka", str(file)], stdout=self._file, stderr=self._file)

    def wait(self) -> None:
        """Wait until it listens."""
        real_broker.wait_for(self.port, self.process, self.output)

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
    """Write the directories of a cluster of a release into a folder, before and after they join."""
    out.mkdir(parents=True, exist_ok=True)
    jars = real_broker.jars(release, _CACHE)
    ports = {node: (real_broker.free_port(), real_broker.free_port()) for node in _NODES}
    with ExitStack() as stack:
        nodes = _start(stack, ports, out, jars)
        addresses = ",".join(f"127.0.0.1:{port}" for port, _ in ports.values())
        first, killed, end = _ROUNDS
        _fill(jars, addresses, release, first, killed)
        _tear(nodes, jars)
        _fill(jars, addresses, release, killed, end)
        time.sleep(_COMPACTION_SECONDS)
    rejoined = out / _REJOINED
    rejoined.mkdir()
    for node in _NODES:
        shutil.copytree(out / f"broker{node}", rejoined / f"broker{node}")
    with ExitStack() as stack:
        _start(stack, ports, rejoined, jars)
        _await_end(rejoined)


def _start(stack: ExitStack, ports: dict[int, tuple[int, int]], out: Path, jars: Path) -> dict[int, Node]:
    nodes = {node: Node(node, ports, out, jars) for node in _NODES}
    for node in nodes.values():
        stack.callback(node.stop)
    for node in nodes.values():
        node.wait()
    return nodes


def _tear(nodes: dict[int, Node], jars: Path) -> None:
    """Have one broker write what the others have not when it is killed."""
    address = f"127.0.0.1:{nodes[_KILLED].port}"
    program = ["java", "-cp", f"{jars}/*", str(_HERE / "FillCluster.java"), address, "-", "ahead"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        if writer.stdout is None or not writer.stdout.readline():
            raise RuntimeError(f"the writer to broker {_KILLED} ended before it was ready")
        others = [node.process for number, node in nodes.items() if number != _KILLED]
        for other in others:
            other.send_signal(signal.SIGSTOP)
        try:
            writer.communicate(b"\n", timeout=_HELD_SECONDS)
        finally:
            nodes[_KILLED].kill()
            for other in others:
                other.send_signal(signal.SIGCONT)


def _await_end(out: Path) -> None:
    """Wait until all replicas of the topic that was torn end alike."""
    deadline = time.monotonic() + _SECONDS
    while len(set(_ends(out))) > 1:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the replicas of {_TORN} in {out} do not end alike after {_SECONDS} s")
        time.sleep(1)


def _ends(out: Path) -> Iterator[int]:
    for node in _NODES:
        with PartitionLog(out / f"broker{node}" / _TORN) as log:
            yield max((batch.next_offset for segment in log.segments for batch in segment.whole_batches()), default=0)


def _fill(jars: Path, addresses: str, release: str, first: int, end: int) -> None:
    program = ["java", "-cp", f"{jars}/*", str(_HERE / "FillCluster.java"), addresses, SEGMENT_BYTES[release]]
    subprocess.run(
        [*program, str(first), str(end)],
        check=True,
        timeout=_SECONDS,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def judge(out: Path) -> Iterator[tuple[str, int, int]]:
    """Yield of each replica its name, where it was to be cut, and where Kafka cut it.

    Topics with a cleaner are left out: there more goes than what is cut.
    """
    for topic in _PLAIN:
        folders = [out / f"broker{node}" / topic for node in _NODES]
        with ExitStack() as stack:
            logs = [stack.enter_context(PartitionLog(folder)) for folder in folders]
            replicas = [replica(log) for log in logs]
            leader = most_trusted(replicas)
            for number, (folder, log, each) in enumerate(zip(folders, logs, replicas, strict=True)):
                cut = each.end_offset if number == leader else truncation(each, replicas[leader])
                rejoined = stack.enter_context(PartitionLog(out / _REJOINED / folder.relative_to(out)))
                yield str(folder.relative_to(out)), cut, _end_of_same_batches(log, rejoined)


def _end_of_same_batches(before: PartitionLog, after: PartitionLog) -> int:
    """Return the offset up to which a log has the batches that it had before."""
    left = {batch.offset: batch.data for segment in after.segments for batch in segment.whole_batches()}
    end = before.start_offset
    for batch in (batch for segment in before.segments for batch in segment.whole_batches()):
        if left.get(batch.offset) != batch.data:
            return batch.offset
        end = batch.next_offset
    return end


def main() -> int:
    """Write the directories; 1 if Kafka cuts a replica elsewhere than the reference says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("release", nargs="?", default="4.4.0", choices=SEGMENT_BYTES)
    asked = parser.parse_args()
    write(asked.out.resolve(), asked.release)
    comparisons = list(judge(asked.out.resolve()))
    for name, foretold, kafkas in comparisons:
        sys.stdout.write(f"{name}: to be cut at {foretold}, Kafka cut it at {kafkas}\n")
    return int(any(foretold != kafkas for _, foretold, kafkas in comparisons))


if __name__ == "__main__":
    sys.exit(main())
