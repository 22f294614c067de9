"""Sound directories of real brokers in states that nobody fitted: no command may raise an alarm.

`python -m kafka_generator.recordings.starts.held_out.sound OUT [NAME...]` has brokers write them,
asks `verify`, `start`, `audit` and `origin` of each, and prints what is told as wrong.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_generator.recordings.starts import nodes, watching

_HERE: Final = Path(__file__).parent
_FILL: Final = _HERE.parent / "FillNode.java"
_MORE: Final = _HERE / "FillMore.java"
_SETTINGS: Final = "log.cleaner.backoff.ms=500\nlog.cleaner.dedupe.buffer.size=3000000\n"
_SNAPSHOTS: Final = "metadata.log.max.record.bytes.between.snapshots=2000\n"
_TIERING: Final = (
    f"{nodes.TIERED}=true\nremote.log.manager.task.interval.ms=500\n"
    "log.initial.task.delay.ms=1000\nlog.retention.check.interval.ms=1000\n"
)
_OLD, _NEW = "3.9.2", "4.4.0"
_SECONDS: Final = 300
_NODES: Final = 3


class Cluster:
    """Nodes of one cluster, each with its folder."""

    def __init__(
        self, folder: Path, release: str, count: int = 1, more: str = "", dirs: Sequence[str] = ("data",)
    ) -> None:
        """Format the directories of combined nodes whose voters stand in the settings."""
        self.folder, self.release, self._more, self._dirs = folder, release, _SETTINGS + more, dirs
        self.ports = {number: nodes.free_ports() for number in range(1, count + 1)}
        self.running = dict[int, nodes.Node]()
        for number in self.ports:
            (folder / str(number)).mkdir(parents=True)
            nodes.format_directory(release, self._settings(number), [])

    def _settings(self, number: int) -> Path:
        path = self.folder / str(number) / "server.properties"
        dirs = [path.parent / name for name in self._dirs]
        quorum = nodes.static_quorum(self.ports)
        setting = nodes.Setting("broker,controller", number, quorum, dirs, self._more)
        path.write_text(setting.text(self.release, self.ports[number]).replace("log.cleaner.enable=false", ""))
        return path

    @property
    def address(self) -> str:
        """Where to ask the cluster."""
        return ",".join(f"127.0.0.1:{self.ports[number].client}" for number in self.running)

    def start(self, *numbers: int) -> None:
        """Start nodes, all of them if none is named, and wait until they serve."""
        for number in numbers or self.ports:
            log = self.folder / str(number) / "log.txt"
            self.running[number] = nodes.Node(self.release, self._settings(number), log)
        for number in numbers or self.ports:
            watching.await_start(self.running[number])

    def end(self, number: int, *, kill: bool = False) -> None:
        """Stop a node, or kill it."""
        node = self.running.pop(number)
        (node.kill if kill else node.stop)()

    def change(self, *arguments: str) -> None:
        """Do one thing to the cluster."""
        self.run(_HERE / "Change.java", *arguments)

    def run(self, program: Path, *arguments: str) -> None:
        """Run a program that asks the cluster."""
        command = [*nodes.JAVA[:4], "-cp", nodes.classpath(self.release), str(program), self.address, *arguments]
        subprocess.run(command, check=True, timeout=_SECONDS, capture_output=True)
        time.sleep(2)


@contextmanager
def _cluster(
    folder: Path, release: str, count: int = 1, more: str = "", dirs: Sequence[str] = ("data",)
) -> Iterator[Cluster]:
    """Run a cluster; kill what runs at the end."""
    made = Cluster(folder, release, count, more, dirs)
    try:
        made.start()
        yield made
    finally:
        for node in made.running.values():
            node.kill()


def _moved(folder: Path) -> None:
    """Kill a node while a partition is copied to its other data directory."""
    with _cluster(folder, _NEW, dirs=("data", "more")) as cluster:
        cluster.change("create", "many", "1")
        cluster.change("fill", "many", "500")
        here = next(name for name in ("data", "more") if (folder / "1" / name / "many-0").exists())
        cluster.change("move", "many", str(folder / "1" / ({"data", "more"} - {here}).pop()))


def _led_anew(folder: Path) -> None:
    """Have three voters lose their leader, and write snapshots; one stays behind."""
    with _cluster(folder, _NEW, 3, _SNAPSHOTS) as cluster:
        cluster.change("create", "many", "3")
        cluster.change("fill", "many", "50")
        cluster.end(1, kill=True)
        for number in range(8):
            cluster.change("create", f"later-{number}", "2")
        cluster.start(1)
        cluster.change("fill", "many", "50")
        cluster.end(2)


def _killed_twice(folder: Path) -> None:
    """Kill a node, start it, and kill it again at work."""
    with _cluster(folder, _OLD) as cluster:
        cluster.run(_FILL)
        cluster.end(1, kill=True)
        cluster.start(1)
        cluster.change("fill", "plain", "200")


def _deleted(folder: Path) -> None:
    """Delete a topic while one of its brokers is down."""
    with _cluster(folder, _OLD, 3) as cluster:
        for topic in ("many", "kept"):
            cluster.change("create", topic, "3")
            cluster.change("fill", topic, "50")
        cluster.end(3)
        cluster.change("delete", "many")


def _open(folder: Path) -> None:
    """Kill a node with transactions that ended, were aborted, and stay open."""
    with _cluster(folder, _NEW) as cluster:
        cluster.run(_MORE)


def _open_stopped(folder: Path) -> None:
    """Stop the same."""
    with _cluster(folder, _NEW) as cluster:
        cluster.run(_MORE)
        cluster.end(1)


def _tombstones(folder: Path) -> None:
    """Have the cleaner remove tombstones that have expired."""
    with _cluster(folder, _OLD) as cluster:
        cluster.run(_MORE)
        for what in ("tombstones", "fill", "tombstones"):
            cluster.change(what, "cleaned", "7")
            time.sleep(5)
        cluster.end(1)


def _upgraded(folder: Path) -> None:
    """Start the newer release on a directory, and raise the levels of its features."""
    with _cluster(folder, _OLD) as cluster:
        cluster.run(_FILL)
        cluster.end(1)
        cluster.release = _NEW
        cluster.start(1)
        for feature, level in (
            ("metadata.version", "33"),
            ("transaction.version", "2"),
            ("group.version", "1"),
            ("share.version", "1"),
        ):
            cluster.change("raise", feature, level)
        cluster.change("fill", "plain", "20")
        cluster.run(_FILL.with_name("DescribeNode.java"))


def _eligible(folder: Path) -> None:
    """Have replicas leave the ISR below min.insync.replicas, so that they are eligible leaders."""
    with _cluster(folder, _NEW, 3) as cluster:
        cluster.change("raise", "eligible.leader.replicas.version", "1")
        cluster.change("create", "many", "3")
        cluster.change("fill", "many", "50")
        cluster.end(2)
        cluster.end(3)


def _shared(folder: Path) -> None:
    """Kill a node with share groups at work."""
    with _cluster(folder, _NEW) as cluster:
        cluster.run(_FILL, "new")
        cluster.change("fill", "plain", "100")


def _tiered(folder: Path) -> None:
    """Kill a node of the newer release whose oldest segments are in remote storage."""
    with _cluster(folder, _NEW, more=_TIERING) as cluster:
        cluster.run(_FILL.with_name("FillTiered.java"))


def _tiered_stopped(folder: Path) -> None:
    """Stop the same of the older release, after it was killed and started."""
    with _cluster(folder, _OLD, more=_TIERING) as cluster:
        cluster.run(_FILL.with_name("FillTiered.java"))
        cluster.end(1, kill=True)
        cluster.start(1)
        cluster.change("fill", "tiered", "40")
        time.sleep(3)
        cluster.end(1)


KINDS: Final[dict[str, Callable[[Path], None]]] = {
    "moved": _moved, "led-anew": _led_anew, "killed-twice": _killed_twice, "deleted": _deleted, "open": _open,
    "open-stopped": _open_stopped, "tombstones": _tombstones, "upgraded": _upgraded, "eligible": _eligible,
    "shared": _shared, "tiered": _tiered, "tiered-stopped": _tiered_stopped,
}  # fmt: skip


def _ask(*question: str) -> None:
    """Print what a command says, if it is not content, or is asked for the origin."""
    command = [str(Path(sys.executable).with_name("kafka-format")), *question]
    said = subprocess.run(command, check=False, capture_output=True, text=True, timeout=_SECONDS)
    sys.stdout.write(f"{' '.join(question)}: {said.returncode}\n")
    if said.returncode or "origin" in question:
        sys.stdout.write(f"{said.stdout}{said.stderr}\n")


def _ask_all(folders: Sequence[Path]) -> None:
    """Ask of each node, and audit all of them at once."""
    directories = list[str]()
    for node in (path for folder in folders for path in sorted(folder.iterdir())):
        own = [str(path) for path in sorted(node.iterdir()) if path.is_dir()]
        _ask("log", "start", *own)
        for each in own:
            _ask("log", "verify", each)
            _ask("log", "origin", each)
        directories += own
    _ask("audit", "--out", str(folders[0].parent / "audit"), *directories)


def main() -> int:
    """Write the directories that are not there yet, and ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", default=list(KINDS), choices=list(KINDS))
    given = parser.parse_args()
    for name in given.names:
        folder = given.out.resolve() / name
        if not folder.is_dir():
            work = folder.with_name(f"{name}-work")
            shutil.rmtree(work, ignore_errors=True)
            KINDS[name](work)
            work.rename(folder)
    _ask_all([given.out.resolve() / name for name in given.names])
    return 0


if __name__ == "__main__":
    sys.exit(main())
