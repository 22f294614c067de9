"""Recording of three nodes that elect a leader: `python -m kafka_generator.recordings.wild.quorum`.

Each is a broker and a controller, with a proxy in front of both. The leader of the controllers is
stopped, so that another is elected; then it comes back without its files, and gets a snapshot. The
nodes of 3.9.2 know the voters by their settings; those of 4.4.0 keep them in the metadata log
(KIP-853), and tell one another that a voter has moved, since it says another address than the log.
"""

from __future__ import annotations

import argparse
import base64
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator import real_broker
from kafka_generator.recordings.wild import traffic
from kafka_generator.recordings.wild.__main__ import ROOT
from kafka_generator.recordings.wild.proxy import Frame, Proxy
from kafka_generator.recordings.wild.sessions import PROGRAMS

RELEASES: Final = ("4.4.0", "3.9.2")
_IDS: Final = (1, 2, 3)
_SETTLE_SECONDS: Final = 12
_SECONDS: Final = 180
_STOP_SECONDS: Final = 40

_CONFIGURATION: Final = """\
process.roles=broker,controller
node.id={id}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners={advertised}
controller.listener.names=CONTROLLER
{voters}
log.dirs={folder}/first,{folder}/second
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
replica.lag.time.max.ms=2000
metadata.log.max.snapshot.interval.ms=5000
metadata.log.max.record.bytes.between.snapshots=200
"""
"""With two log directories, so that brokers tell the controller which replica lies where."""


class _Node:
    """A node, which can be stopped and started again, behind its proxies."""

    def __init__(self, number: int, folder: Path, java: list[str]) -> None:
        self.number, self.folder, self._java = number, folder / str(number), java
        self._port, self._listener = real_broker.free_port(), real_broker.free_port()
        self.proxy, self.voter, self.moved = Proxy(), Proxy(), Proxy()
        for proxy, port in ((self.proxy, self._port), (self.voter, self._listener), (self.moved, self._listener)):
            proxy.serve(("127.0.0.1", port))
        self._directory = base64.urlsafe_b64encode(bytes([number]) * 16).decode().rstrip("=")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> str:
        """Its id, and where others find its controller."""
        return f"{self.number}@127.0.0.1:{self.voter.port}"

    @property
    def frames(self) -> list[Frame]:
        """What was said to it."""
        return self.proxy.frames + self.voter.frames + self.moved.frames

    def start(self, nodes: list[_Node], release: str) -> None:
        """Format its directories and run it, until it listens."""
        dynamic = release.startswith("4")
        self.folder.mkdir(parents=True)
        self._configure(nodes, dynamic=dynamic)
        voters = ",".join(f"{node.endpoint}:{node._directory}" for node in nodes)  # noqa: SLF001 - of its own class
        initial = ["--initial-controllers", voters] if dynamic else []
        command = [
            *self._java,
            "kafka.tools.StorageTool",
            "format",
            "-t",
            real_broker.CLUSTER,
            "-c",
            str(self._properties),
        ]
        subprocess.run([*command, *initial], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with (self.folder / "broker.txt").open("wb") as output:
            command = [*self._java, "kafka.Kafka", str(self._properties)]
            self._process = subprocess.Popen(command, stdout=output, stderr=output)

    def wait(self) -> None:
        """Wait until it listens."""
        if self._process is not None:
            real_broker.wait_for(self._port, self._process, self.folder / "broker.txt")

    @property
    def _properties(self) -> Path:
        return self.folder / "server.properties"

    def _configure(self, nodes: list[_Node], *, dynamic: bool) -> None:
        advertised = f"PLAINTEXT://127.0.0.1:{self.proxy.port}"
        voters = "controller.quorum.voters=" + ",".join(node.endpoint for node in nodes)
        if dynamic:
            advertised += f",CONTROLLER://127.0.0.1:{self.moved.port}"
            servers = ",".join(node.endpoint.partition("@")[2] for node in nodes)
            voters = f"controller.quorum.bootstrap.servers={servers}"
        lines = _CONFIGURATION.format(
            id=self.number,
            port=self._port,
            controller=self._listener,
            advertised=advertised,
            voters=voters,
            folder=self.folder,
        )
        self._properties.write_text(lines, encoding="utf-8")

    def stop(self) -> None:
        """Stop it as an operator does; kill the last, which finds no controller any more."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


def main() -> int:
    """Record the nodes of each release; 1 if something was wrong with what they said."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild.quorum", description=__doc__)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help="default: all")
    is_well = True
    for release in parser.parse_args().releases or RELEASES:
        with TemporaryDirectory() as folder:
            is_well &= traffic.keep(f"broker-{release}-quorum", release, _run(release, Path(folder)))
    return 0 if is_well else 1


def _run(release: str, folder: Path) -> list[Frame]:
    """Return what three nodes and their client say to one another."""
    jars = real_broker.jars(release, ROOT / ".targets" / "wild")
    nodes = [_Node(number, folder, ["java", "-Xmx256m", "-cp", f"{jars}/*"]) for number in _IDS]
    try:
        for node in nodes:
            node.start(nodes, release)
        for node in nodes:
            node.wait()
        time.sleep(_SETTLE_SECONDS)
        leader = next(node for node in nodes if node.number == _talk(jars, nodes[0]))
        time.sleep(_SETTLE_SECONDS)  # for a snapshot
        leader.stop()
        other = next(node for node in nodes if node is not leader)
        _talk(jars, other)
        shutil.rmtree(leader.folder)
        leader.start(nodes, release)
        leader.wait()
        time.sleep(_SETTLE_SECONDS)
        _talk(jars, other)
    finally:
        for node in nodes:
            node.stop()
    return [frame for node in nodes for frame in node.frames]


def _talk(jars: Path, node: _Node) -> int:
    """Run the client; return who leads the controllers."""
    program = [str(PROGRAMS / "java" / "QuorumSession.java"), f"127.0.0.1:{node.proxy.port}"]
    command = ["java", "-cp", f"{jars}/*", *program]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=_SECONDS, check=True, text=True)
    return int(done.stdout.split()[-1])


if __name__ == "__main__":
    sys.exit(main())
