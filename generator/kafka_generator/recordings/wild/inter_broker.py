"""Recording of two brokers of the time of ZooKeeper.

Call it as `python -m kafka_generator.recordings.wild.inter_broker`.

They speak to each other as an earlier release did (`inter.broker.protocol.version`), so that one
release speaks the versions of many. A proxy stands in front of each; the second is stopped, comes
back, and catches up.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_conformance.errors import NotReadyError

from kafka_generator import real_broker
from kafka_generator.recordings.wild import traffic
from kafka_generator.recordings.wild.__main__ import ROOT
from kafka_generator.recordings.wild.proxy import Frame, Proxy
from kafka_generator.recordings.wild.sessions import PROGRAMS

SPOKEN: Final = {
    "2.8.2": ("0.9.0", "0.10.0", "0.10.2", "0.11.0", "1.0", "1.1", "2.0", "2.1", "2.2", "2.3", "2.4", "2.6", "2.8"),
    "3.9.2": ("2.8", "3.2", "3.4", "3.9"),
}
"""The releases of brokers, and those as which they speak to one another."""

_APIS: Final = traffic.BETWEEN | {1, 2, 23, 56, 57, 67}
"""What brokers say to each other: the APIs of the controller, and those of followers."""

_SETTLE_SECONDS: Final = 6
_SECONDS: Final = 180
_STOP_SECONDS: Final = 60

_ZOOKEEPER: Final = (
    "dataDir={folder}/zookeeper\nclientPort={port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n"
)

_CONFIGURATION: Final = """\
broker.id={id}
zookeeper.connect=127.0.0.1:{zookeeper}
listeners=PLAINTEXT://127.0.0.1:{port}
advertised.listeners=PLAINTEXT://127.0.0.1:{advertised}
log.dirs={folder}/{id}
inter.broker.protocol.version={spoken}
log.message.format.version={spoken}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=2
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=2
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
replica.lag.time.max.ms=2000
delete.topic.enable=true
controlled.shutdown.retry.backoff.ms=500
"""


class _Pair:
    """ZooKeeper, and two brokers behind proxies."""

    def __init__(self, release: str, spoken: str, folder: Path) -> None:
        self._jars = real_broker.jars(release, ROOT / ".targets" / "wild")
        self._java = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{self._jars}/*"]
        self._spoken, self._folder = spoken, folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._zookeeper = real_broker.free_port()
        self._ports = (real_broker.free_port(), real_broker.free_port())
        self.proxies = (Proxy(), Proxy())
        for proxy, port in zip(self.proxies, self._ports, strict=True):
            proxy.serve(("127.0.0.1", port))

    def start(self) -> None:
        """Start all three, and wait until they listen."""
        file = self._folder / "zookeeper.properties"
        file.write_text(_ZOOKEEPER.format(folder=self._folder, port=self._zookeeper), encoding="utf-8")
        self._run("org.apache.zookeeper.server.ZooKeeperServerMain", file, self._zookeeper)
        for number in (0, 1):
            self.start_broker(number)

    def start_broker(self, number: int) -> None:
        """Start one of the brokers, and wait until it listens."""
        file = self._folder / f"server-{number}.properties"
        places = {"zookeeper": self._zookeeper, "port": self._ports[number], "advertised": self.proxies[number].port}
        text = _CONFIGURATION.format(id=number + 1, folder=self._folder, spoken=self._spoken, **places)
        file.write_text(text, encoding="utf-8")
        self._run("kafka.Kafka", file, self._ports[number])

    def _run(self, name: str, file: Path, port: int) -> None:
        output = file.with_suffix(".txt")
        with output.open("ab") as written:
            process = subprocess.Popen([*self._java, name, str(file)], stdout=written, stderr=written)
        self._processes.append(process)
        real_broker.wait_for(port, process, output)

    def stop_last(self) -> None:
        """Stop what was started last, as an operator does."""
        process = self._processes.pop()
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def stop(self) -> None:
        """Stop all, ZooKeeper last."""
        while self._processes:
            self.stop_last()

    def talk(self, what: str) -> None:
        """Run the client."""
        program = [str(PROGRAMS / "java" / "ReplicatedSession.java"), f"127.0.0.1:{self.proxies[0].port}", what]
        command = ["java", "-cp", f"{self._jars}/*", *program]
        subprocess.run(command, timeout=_SECONDS, check=False)


def main() -> int:
    """Record each pair of brokers; 1 if something was wrong with what they said."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild.inter_broker", description=__doc__)
    parser.add_argument("spoken", nargs="*", metavar="RELEASE", help="as which brokers speak; default: all")
    asked, is_well = parser.parse_args().spoken, True
    for release, every in SPOKEN.items():
        for spoken in every:
            if not asked or spoken in asked:
                try:
                    frames = _record(release, spoken)
                except NotReadyError as error:
                    sys.stderr.write(f"{release} as {spoken}: left out: {error}\n")
                    is_well = False
                else:
                    is_well &= traffic.keep(f"broker-{release}-as-{spoken}", release, frames)
    return 0 if is_well else 1


def _record(release: str, spoken: str) -> list[Frame]:
    """Return what two brokers say to each other."""
    with _running(release, spoken) as pair:
        pair.talk("write")
        time.sleep(_SETTLE_SECONDS)
        pair.stop_last()
        pair.talk("write")
        pair.start_broker(1)
        time.sleep(_SETTLE_SECONDS)
        pair.talk("delete")
        time.sleep(_SETTLE_SECONDS)
    return [frame for proxy in pair.proxies for frame in proxy.frames if _is_between(frame)]


def _is_between(frame: Frame) -> bool:
    return frame.api in _APIS


@contextmanager
def _running(release: str, spoken: str) -> Iterator[_Pair]:
    with TemporaryDirectory() as folder:
        pair = _Pair(release, spoken, Path(folder))
        try:
            pair.start()
            yield pair
        finally:
            pair.stop()


if __name__ == "__main__":
    sys.exit(main())
