"""The sound directories of which variants are made.

`python -m kafka_generator.recordings.starts.bases OUT` has Kafka write them.

`static` was written by 3.9.2, whose voters stand in the settings; both releases start on it.
`dynamic` was written by 4.4.0, whose voter stands in the metadata log. `controller` and `broker`
are two nodes of one cluster, by 3.9.2. Each has topics, transactional ids, groups, and metadata
above its newest snapshot, and was stopped.

`tiered`, by 3.9.2, has remote storage, and a topic whose oldest segments are there alone.
`zookeeper` is a broker of 3.9.2 from before KRaft, and what its ZooKeeper keeps.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kafka_generator.recordings.starts import nodes, watching

_HERE: Final = Path(__file__).parent
_QUIET: Final = """\
metadata.max.idle.interval.ms=300000
metadata.log.max.record.bytes.between.snapshots=3000
log.index.size.max.bytes=4096
"""
"""Few records of no meaning, and a snapshot now and then."""

_TIERING: Final = (
    f"{nodes.TIERED}=true\nremote.log.manager.task.interval.ms=500\n"
    "log.initial.task.delay.ms=1000\nlog.retention.check.interval.ms=1000\n"
)
"""Segments go to remote storage, and away from here, within seconds."""

_SECONDS: Final = 240
_SETTLE_SECONDS: Final = 3


def write(name: str, release: str, out: Path, more: str = "", program: str = "FillNode.java") -> None:
    """Write the directory of a combined node: OUT/NAME/data."""
    folder = out / name
    folder.mkdir(parents=True)
    ports = nodes.free_ports()
    is_dynamic = name == "dynamic"
    quorum = nodes.dynamic_quorum(ports) if is_dynamic else nodes.static_quorum({1: ports})
    settings = folder / "server.properties"
    setting = nodes.Setting("broker,controller", 1, quorum, [folder / "data"], _QUIET + more)
    settings.write_text(setting.text(release, ports), encoding="utf-8")
    nodes.format_directory(release, settings, ["--standalone"] if is_dynamic else [])
    _run(nodes.Node(release, settings, folder / "log.txt"), release, ports, program, is_new=is_dynamic)


def write_with_zookeeper(out: Path) -> None:
    """Write the directories of a broker and of its ZooKeeper: OUT/zookeeper/data and /zookeeper."""
    folder, release, ports = out / nodes.ZOOKEEPER, nodes.LAST_WITH_ZOOKEEPER, nodes.free_ports()
    folder.mkdir(parents=True)
    settings = folder / "server.properties"
    with nodes.zookeeper(folder) as address:
        setting = nodes.Setting(nodes.ZOOKEEPER, 1, address, [folder / "data"], "log.index.size.max.bytes=4096\n")
        settings.write_text(setting.text(release, ports), encoding="utf-8")
        _run(nodes.Node(release, settings, folder / "log.txt"), release, ports, "FillNode.java", is_new=False)


def _run(node: nodes.Node, release: str, ports: nodes.Ports, program: str, *, is_new: bool) -> None:
    """Fill a node when it serves, and stop it."""
    try:
        watching.await_start(node)
        _fill(release, ports, program, is_new=is_new)
    finally:
        node.stop()


def write_pair(release: str, out: Path) -> None:
    """Write the directories of two nodes of one cluster: OUT/controller and OUT/broker."""
    ports = {1: nodes.free_ports(), 2: nodes.free_ports()}
    quorum = nodes.static_quorum({1: ports[1]})
    started = list[nodes.Node]()
    try:
        for number, role in ((1, "controller"), (2, "broker")):
            folder = out / role
            folder.mkdir(parents=True)
            settings = folder / "server.properties"
            setting = nodes.Setting(role, number, quorum, [folder / "data"], _QUIET)
            settings.write_text(setting.text(release, ports[number]), encoding="utf-8")
            nodes.format_directory(release, settings, [])
            started.append(nodes.Node(release, settings, folder / "log.txt"))
        watching.await_start(started[-1])
        _fill(release, ports[2], "FillNode.java", is_new=False)
    finally:
        for node in reversed(started):  # the broker says goodbye to the controller
            node.stop()


def _fill(release: str, ports: nodes.Ports, program: str, *, is_new: bool) -> None:
    command = [*nodes.JAVA[:4], "-cp", nodes.classpath(release), str(_HERE / program)]
    more = ["new"] if is_new else []
    subprocess.run(
        [*command, f"127.0.0.1:{ports.client}", *more], check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL
    )
    time.sleep(_SETTLE_SECONDS)


def main() -> int:
    """Write all of them, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", default=list(_WRITERS), choices=list(_WRITERS))
    given = parser.parse_args()
    out = given.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    for name in given.names:
        _WRITERS[name](out)
    return 0


_WRITERS: Final[dict[str, Callable[[Path], None]]] = {
    "static": lambda out: write("static", "3.9.2", out),
    "dynamic": lambda out: write("dynamic", "4.4.0", out),
    "pair": lambda out: write_pair("3.9.2", out),
    "tiered": lambda out: write("tiered", "3.9.2", out, _TIERING, "FillTiered.java"),
    nodes.ZOOKEEPER: write_with_zookeeper,
}


if __name__ == "__main__":
    sys.exit(main())
