"""What is asked about records, and about offsets of a log."""

import struct
from socket import socket

from apis import (
    A_RECORD,
    API_VERSIONS,
    AT_ERROR,
    AT_FLEXIBLE_ERROR,
    DELETE_RECORDS,
    FETCH,
    LIST_OFFSETS,
    NONE,
    ONE,
    PRODUCE,
    TOPIC,
)
from plain import ask, compact, text, told
from topic_questions import create


def produce(connection: socket) -> None:
    """Make the topic, and append a record."""
    create(connection)
    partition = struct.pack(">ii", 0, len(A_RECORD)) + A_RECORD
    ask(connection, PRODUCE, 3, struct.pack(">hhi", -1, -1, 5000) + ONE + text(TOPIC) + ONE + partition)


def list_offsets(connection: socket, timestamp: int) -> None:
    """Ask for the offset of a time in the first partition of the topic."""
    body = struct.pack(">i", -1) + ONE + text(TOPIC) + ONE + struct.pack(">iq", 0, timestamp)
    answer = ask(connection, LIST_OFFSETS, 1, body)
    place = len(ONE + text(TOPIC) + ONE) + 4
    if told(answer, place) != "no error" if answer else True:
        print("ListOffsets 1:", told(answer, place))
        return
    at, offset = struct.unpack_from(">qq", answer, place + 2)
    print(f"ListOffsets 1: no error, offset {offset}, {'the time of asking' if at > 1 << 40 else f'timestamp {at}'}")


def list_offsets_of_no_topic(connection: socket) -> None:
    """Ask for the end of a topic that there is not."""
    list_offsets(connection, -1)


def list_offsets_of_no_time(connection: socket) -> None:
    """Ask for the offset of the time -9."""
    create(connection)
    list_offsets(connection, -9)


def list_offsets_in_nothing(connection: socket) -> None:
    """Ask for the offset of a time in a topic without records."""
    create(connection)
    list_offsets(connection, 1000)


def list_earliest(connection: socket) -> None:
    """Ask for the first offset of a topic with a record."""
    produce(connection)
    list_offsets(connection, -2)


def delete_records(connection: socket) -> None:
    """Delete the record of a topic."""
    produce(connection)
    body = ONE + text(TOPIC) + ONE + struct.pack(">iqi", 0, 1, 5000)
    print("DeleteRecords 0:", told(ask(connection, DELETE_RECORDS, 0, body), AT_ERROR + len(body) - 8))


def fetch_of_nothing(connection: socket) -> None:
    """Fetch from a topic that there is not."""
    partition = struct.pack(">iqi", 0, 0, 1 << 20)
    body = struct.pack(">iiiib", -1, 0, 0, 1 << 20, 0) + ONE + text(TOPIC) + ONE + partition
    (topics,) = struct.unpack_from(">i", ask(connection, FETCH, 4, body), 4)
    print(f"Fetch 4: {topics} topics")


def fetch_in_no_session(connection: socket) -> None:
    """Fetch in a session that there is not."""
    body = struct.pack(">iiiibii", -1, 0, 0, 1 << 20, 0, 4711, 1) + NONE + NONE
    print("Fetch 7:", told(ask(connection, FETCH, 7, body), AT_ERROR))


def list_with_a_newer_epoch(connection: socket) -> None:
    """Ask for the end of a log as a client that knows a leader epoch which is not yet."""
    create(connection)
    body = struct.pack(">ib", -1, 0) + ONE + text(TOPIC) + ONE + struct.pack(">iiq", 0, 99, -1)
    print("ListOffsets 4:", told(ask(connection, LIST_OFFSETS, 4, body), AT_ERROR + len(ONE + text(TOPIC) + ONE) + 4))


def list_max_timestamp(connection: socket) -> None:
    """Ask for the offset of the largest timestamp, which has a time of its own since KIP-734."""
    produce(connection)
    partition = struct.pack(">iiq", 0, -1, -3) + b"\0"
    body = struct.pack(">ib", -1, 0) + b"\x02" + compact(TOPIC) + b"\x02" + partition + b"\0\0"
    answer = ask(connection, LIST_OFFSETS, 7, body, is_flexible=True)
    print("ListOffsets 7:", told(answer, AT_FLEXIBLE_ERROR + 1 + len(compact(TOPIC)) + 1 + 4))


def fetch_first(connection: socket) -> None:
    """Fetch in the first version that the broker offers."""
    create(connection)
    offered = ask(connection, API_VERSIONS, 0, b"")[6:]
    first = next(first for api, first, _ in struct.iter_unpack(">hhh", offered) if api == FETCH)
    head = struct.pack(">iii", -1, 0, 0) + (struct.pack(">ib", 1 << 20, 0) if first >= 4 else b"")
    body = head + ONE + text(TOPIC) + ONE + struct.pack(">iqi", 0, 0, 1 << 20)
    print(f"Fetch {first} is the first, and gives", "an answer" if ask(connection, FETCH, first, body) else "none")
