"""Two brokers of the time of ZooKeeper, with a program in Kafka's place that only listens."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_generator.recordings.wild import inter_broker
from kafka_generator.recordings.wild.proxy import Frame

KAFKA = """\
import pathlib, socket, sys

said = dict(line.split("=", 1) for line in pathlib.Path(sys.argv[2]).read_text().splitlines())
port = int(said["clientPort"] if "clientPort" in said else said["listeners"].rpartition(":")[2])
with socket.create_server(("127.0.0.1", port)) as server:
    while True:
        server.accept()
"""


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[inter_broker._Pair]:
    monkeypatch.setattr(inter_broker.real_broker, "jars", lambda *_: tmp_path)
    found = inter_broker._Pair("2.8.2", "1.1", tmp_path)
    program = tmp_path / "kafka.py"
    program.write_text(KAFKA)
    found._java = [sys.executable, str(program)]
    yield found
    found.stop()


def configured(folder: Path, number: int) -> dict[str, str]:
    lines = (folder / f"server-{number}.properties").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_brokers_speak_as_an_earlier_release_behind_proxies(pair: inter_broker._Pair, tmp_path: Path) -> None:
    pair.start()
    brokers = [configured(tmp_path, number) for number in (0, 1)]
    assert [one["broker.id"] for one in brokers] == ["1", "2"]
    assert {one["inter.broker.protocol.version"] for one in brokers} == {"1.1"}
    assert [one["advertised.listeners"] for one in brokers] == [
        f"PLAINTEXT://127.0.0.1:{proxy.port}" for proxy in pair.proxies
    ]
    assert len({one["zookeeper.connect"] for one in brokers}) == 1
    assert len({one["log.dirs"] for one in brokers}) == 2


def test_the_second_broker_goes_and_comes_back(pair: inter_broker._Pair) -> None:
    pair.start()
    second = pair._processes[-1]
    pair.stop_last()
    assert second.poll() is not None
    pair.start_broker(1)
    assert pair._processes[-1].poll() is None


@pytest.mark.parametrize(("api", "is_between"), [(1, True), (4, True), (23, True), (0, False), (3, False)])
def test_what_brokers_say_to_each_other_is_kept(api: int, *, is_between: bool) -> None:
    assert inter_broker._is_between(Frame("request", api, 0, b"")) == is_between
