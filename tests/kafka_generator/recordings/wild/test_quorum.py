"""Three nodes with a program in Kafka's place that formats nothing, listens, and can be stopped.

SIGTERM ends it as it ends every program that says nothing of signals. A handler in Python would run
only after the next `accept` if the signal came just before it, and `stop` would wait 40 s.
"""

import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kafka_generator.recordings.wild import quorum

KAFKA = """\
import pathlib, socket, sys

properties = pathlib.Path(sys.argv[-1] if sys.argv[1] == "kafka.Kafka" else sys.argv[sys.argv.index("-c") + 1])
if sys.argv[1] == "kafka.tools.StorageTool":
    properties.with_name("formatted").write_text("\\n".join(sys.argv[2:]))
    sys.exit()
said = dict(line.split("=", 1) for line in properties.read_text().splitlines())
port = int(said["listeners"].split(",")[0].rpartition(":")[2])
with socket.create_server(("127.0.0.1", port)) as server:
    while True:
        server.accept()
"""


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[list[quorum._Node]]:
    program = tmp_path / "kafka.py"
    program.write_text(KAFKA)
    found = [quorum._Node(number, tmp_path, [sys.executable, str(program)]) for number in (1, 2, 3)]
    yield found
    for node in found:
        node.stop()


def configured(node: quorum._Node) -> dict[str, str]:
    text = (node.folder / "server.properties").read_text()
    return dict(line.split("=", 1) for line in text.splitlines() if line)


def test_nodes_of_3_9_know_the_voters_by_their_settings(nodes: list[quorum._Node]) -> None:
    nodes[0].start(nodes, "3.9.2")
    said = configured(nodes[0])
    assert said["controller.quorum.voters"] == ",".join(node.endpoint for node in nodes)
    assert said["advertised.listeners"] == f"PLAINTEXT://127.0.0.1:{nodes[0].proxy.port}"
    assert "--initial-controllers" not in (nodes[0].folder / "formatted").read_text()


def test_nodes_of_4_4_begin_with_voters_in_the_log_and_say_that_they_have_moved(nodes: list[quorum._Node]) -> None:
    nodes[1].start(nodes, "4.4.0")
    said = configured(nodes[1])
    assert "controller.quorum.voters" not in said
    assert f"CONTROLLER://127.0.0.1:{nodes[1].moved.port}" in said["advertised.listeners"]
    assert str(nodes[1].voter.port) in said["controller.quorum.bootstrap.servers"]
    formatted = (nodes[1].folder / "formatted").read_text().splitlines()
    voters = formatted[formatted.index("--initial-controllers") + 1].split(",")
    assert [voter.rpartition(":")[0] for voter in voters] == [node.endpoint for node in nodes]
    assert len({voter.rpartition(":")[2] for voter in voters}) == len(nodes)


def test_a_node_listens_is_stopped_and_comes_back(nodes: list[quorum._Node]) -> None:
    node = nodes[0]
    for release in ("3.9.2", "4.4.0"):
        node.folder = node.folder.with_name(f"of-{release}")
        node.start(nodes, release)
        node.wait()
        with closing(socket.create_connection(("127.0.0.1", node.proxy.port), timeout=10)):
            node.stop()
        with closing(socket.socket()) as probe:
            assert probe.connect_ex(("127.0.0.1", node._port)) != 0


def test_what_was_said_to_a_node_is_said_to_one_of_its_three_listeners(nodes: list[quorum._Node]) -> None:
    node = nodes[0]
    for proxy in (node.proxy, node.voter, node.moved):
        proxy.frames.append(proxy)
    assert node.frames == [node.proxy, node.voter, node.moved]
