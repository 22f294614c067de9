"""What is asked about records, and about offsets of a log."""

import struct
from socket import socket

from apis import A_RECORD, AT_ERROR, DELETE_RECORDS, FETCH, LIST_OFFSETS, NONE, ONE, PRODUCE, TOPIC
from plain import ask, text, told
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
