"""librdkafka's mock cluster: what it answers to requests.

The argument is the id of the scenario that they are of.
"""

import struct
import sys
from pathlib import Path
from socket import socket

from plain import ask, started, text, told

FIND_COORDINATOR, JOIN_GROUP, INIT_PRODUCER_ID, END_TXN = 10, 11, 22, 26
TIMEOUTS = struct.pack(">ii", 30000, 30000)
AT_ERROR = 4  # behind the time for which to wait


def join_as_static_member(connection: socket) -> None:
    """Ask as a member with an instance, in the first version with compact strings."""
    protocols = b"\x02\x06range\x02\x00\x00"
    body = b"\x02g" + TIMEOUTS + b"\x01\x04one\x09consumer" + protocols + b"\x00"
    print("JoinGroup 6:", told(ask(connection, JOIN_GROUP, 6, body, is_flexible=True), AT_ERROR))


def join_without_protocols(connection: socket) -> None:
    """Ask as a member that names no assignor."""
    body = text("g") + TIMEOUTS + text("") + text("consumer") + struct.pack(">i", 0)
    print("JoinGroup 4:", told(ask(connection, JOIN_GROUP, 4, body), AT_ERROR))


def coordinator_of_nothing(connection: socket) -> None:
    """Ask for the coordinator of the kind 9."""
    print("FindCoordinator 1:", told(ask(connection, FIND_COORDINATOR, 1, text("n") + b"\x09"), AT_ERROR))


def init(connection: socket, milliseconds: int = 60000) -> tuple[str, int, int]:
    """Ask for a producer id; return which error there is, the id and the epoch."""
    answer = ask(connection, INIT_PRODUCER_ID, 0, text("x") + struct.pack(">i", milliseconds))
    producer, epoch = struct.unpack_from(">qh", answer, AT_ERROR + 2)
    return told(answer, AT_ERROR), producer, epoch


def init_twice(connection: socket) -> None:
    """Ask for a producer id twice, as a producer does that is started again."""
    first, again = init(connection), init(connection)
    print(f"InitProducerId 0: {first[0]}; again: {again[0]}, an epoch larger by {again[2] - first[2]}")


def init_for_long(connection: socket) -> None:
    """Ask for transactions of 23 days."""
    print("InitProducerId 0:", init(connection, 2_000_000_000)[0])


def end_of_nothing(connection: socket) -> None:
    """End a transaction that was not begun."""
    _, producer, epoch = init(connection)
    body = text("x") + struct.pack(">qhb", producer, epoch, 1)
    print("EndTxn 0:", told(ask(connection, END_TXN, 0, body), AT_ERROR))


ASK = {
    "scenario/groups/static-member": join_as_static_member,
    "scenario/groups/no-protocols": join_without_protocols,
    "scenario/configs/coordinator-of-nothing": coordinator_of_nothing,
    "scenario/transactions/init": init_twice,
    "scenario/transactions/init-long-timeout": init_for_long,
    "scenario/transactions/end-of-nothing": end_of_nothing,
}

if __name__ == "__main__":
    start = Path(__file__).resolve().parents[1] / "start_broker.py"
    library = Path(sys.executable).parents[2] / "library"
    with started(sys.executable, str(start), str(library)) as one:
        ASK[sys.argv[1]](one)
