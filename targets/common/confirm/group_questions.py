"""What is asked about groups, and about offsets that they commit."""

import struct
from socket import socket

from apis import (
    AT_ERROR,
    AT_FLEXIBLE_ERROR,
    DESCRIBE_GROUPS,
    DESCRIBE_SHARE,
    GROUP,
    JOIN_GROUP,
    NONE,
    OFFSET_COMMIT,
    OFFSET_FETCH,
    ONE,
    SHARE_HEARTBEAT,
    SYNC_GROUP,
    TIMEOUTS,
    TOPIC,
)
from plain import SECONDS, ask, ask_ready, compact, text, told
from topic_questions import create


def join(connection: socket) -> None:
    """Join a group alone, in two steps as KIP-394 has it."""
    protocol = text("consumer") + ONE + text("range") + ONE + b"\0"
    answer = ask_ready(connection, JOIN_GROUP, 4, text(GROUP) + TIMEOUTS + text("") + protocol, AT_ERROR)
    print("JoinGroup 4:", told(answer, AT_ERROR))
    place = 4 + 2 + 4
    for _ in range(2):  # behind the names of the protocol and of the leader
        place += 2 + struct.unpack_from(">h", answer, place)[0]
    (size,) = struct.unpack_from(">h", answer, place)
    member = answer[place + 2 : place + 2 + size].decode()
    try:
        again = ask(connection, JOIN_GROUP, 4, text(GROUP) + TIMEOUTS + text(member) + protocol)
        print("with that id:", told(again, 4))
    except TimeoutError:
        print(f"with that id: no answer in {SECONDS} s")


def join_without_protocols(connection: socket) -> None:
    """Ask as a member that names no assignor."""
    body = text(GROUP) + TIMEOUTS + text("") + text("consumer") + NONE
    print("JoinGroup 4:", told(ask_ready(connection, JOIN_GROUP, 4, body, AT_ERROR), AT_ERROR))


def join_nothing(connection: socket) -> None:
    """Join the empty group."""
    body = text("") + TIMEOUTS + text("") + text("consumer") + ONE + text("range") + ONE + b"\0"
    print("JoinGroup 4:", told(ask(connection, JOIN_GROUP, 4, body), AT_ERROR))


def join_as_static_member(connection: socket) -> None:
    """Join with an instance, in the first version with compact strings; then once more.

    A member does that which is started again.
    """
    protocols = compact("consumer") + b"\x02" + compact("range") + b"\x02\x00\x00"
    body = compact(GROUP) + TIMEOUTS + compact("") + compact("one") + protocols + b"\x00"
    answer = ask_ready(connection, JOIN_GROUP, 6, body, AT_FLEXIBLE_ERROR, is_flexible=True)
    print("JoinGroup 6:", told(answer, AT_FLEXIBLE_ERROR))
    if not answer:
        return
    generation, member, _ = joined(answer)
    assigned = b"\x02" + compact(member) + b"\x02\x00\x00"
    named = compact(GROUP) + struct.pack(">i", generation) + compact(member) + compact("one")
    ask(connection, SYNC_GROUP, 4, named + assigned + b"\x00", is_flexible=True)
    again = ask(connection, JOIN_GROUP, 6, body, is_flexible=True)
    print(f"again: {told(again, AT_FLEXIBLE_ERROR)}, {joined(again)[2]} members")


def joined(answer: bytes) -> tuple[int, str, int]:
    """Return the generation, the member and how many members an answer to JoinGroup 6 lists."""
    place = AT_FLEXIBLE_ERROR + 2
    (generation,) = struct.unpack_from(">i", answer, place)
    place += 4
    for _ in range(2):  # behind the names of the protocol and of the leader
        place += max(1, answer[place])
    member = answer[place + 1 : place + answer[place]].decode()
    return generation, member, answer[place + answer[place]] - 1


def describe_group(connection: socket) -> None:
    """Join a group alone, and ask which protocol it has."""
    protocols = compact("consumer") + b"\x02" + compact("range") + b"\x02\x00\x00"
    body = compact(GROUP) + TIMEOUTS + compact("") + compact("one") + protocols + b"\x00"
    answer = ask_ready(connection, JOIN_GROUP, 6, body, AT_FLEXIBLE_ERROR, is_flexible=True)
    generation, member, _ = joined(answer)
    named = compact(GROUP) + struct.pack(">i", generation) + compact(member) + compact("one")
    assigned = b"\x02" + compact(member) + b"\x02\x00\x00"
    ask(connection, SYNC_GROUP, 4, named + assigned + b"\x00", is_flexible=True)
    answer = ask(connection, DESCRIBE_GROUPS, 0, ONE + text(GROUP))
    place = 4 + 2 + len(text(GROUP))
    words = []
    for _ in range(3):
        size = struct.unpack_from(">h", answer, place)[0]
        words.append(answer[place + 2 : place + 2 + size].decode())
        place += 2 + size
    print("DescribeGroups 0: {}, {}, protocol '{}'".format(*words))


def share_group(connection: socket) -> None:
    """Join a share group, leave it, and ask for it."""
    create(connection)
    member = compact(GROUP) + compact("AAAAAAAAAAAAAAAAAAAAAA")
    topics = b"\x02" + compact(TOPIC)
    joining = member + struct.pack(">ib", 0, 0) + topics + b"\0"
    answer = ask_ready(connection, SHARE_HEARTBEAT, 1, joining, AT_FLEXIBLE_ERROR, is_flexible=True)
    print("ShareGroupHeartbeat 1:", told(answer, AT_FLEXIBLE_ERROR))
    if not answer:
        return
    leaving = member + struct.pack(">ibb", -1, 0, 0) + b"\0"
    ask(connection, SHARE_HEARTBEAT, 1, leaving, is_flexible=True)
    answer = ask(connection, DESCRIBE_SHARE, 1, b"\x02" + compact(GROUP) + b"\0\0", is_flexible=True)
    print("ShareGroupDescribe 1:", told(answer, AT_FLEXIBLE_ERROR + 1))


def commit(connection: socket, note: bytes, partition: int = 0) -> str:
    """Commit an offset with a note, which has its length; return which error there is."""
    offset = struct.pack(">iq", partition, 7) + note
    body = text(GROUP) + struct.pack(">i", -1) + text("") + struct.pack(">q", -1) + ONE + text(TOPIC) + ONE + offset
    at_error = len(ONE + text(TOPIC) + ONE) + 4
    return told(ask_ready(connection, OFFSET_COMMIT, 2, body, at_error), at_error)


def fetch_note(connection: socket) -> None:
    """Ask for the offset, and say what note it has."""
    answer = ask(connection, OFFSET_FETCH, 1, text(GROUP) + ONE + text(TOPIC) + ONE + NONE)
    committed, size = struct.unpack_from(">qh", answer, len(ONE + text(TOPIC) + ONE) + 4)
    print(f"OffsetFetch 1: offset {committed}, {'null for a note' if size < 0 else f'a note of {size} bytes'}")


def commit_and_fetch(connection: socket) -> None:
    """Commit an offset with a note, and ask for it."""
    create(connection)
    commit(connection, text("note"))
    fetch_note(connection)


def commit_null(connection: socket) -> None:
    """Commit an offset without a note, and ask for it."""
    create(connection)
    commit(connection, struct.pack(">h", -1))
    fetch_note(connection)


def commit_a_long_note(connection: socket) -> None:
    """Commit an offset with a note of 5,000 bytes; Kafka takes 4,096."""
    create(connection)
    print("OffsetCommit 2:", commit(connection, text("n" * 5000)))


def commit_for_no_partition(connection: socket) -> None:
    """Commit an offset of a partition that a topic does not have."""
    create(connection)
    print("OffsetCommit 2:", commit(connection, text(""), partition=5))


def offsets_of_no_group(connection: socket) -> None:
    """Ask for the offset of a group that there is not."""
    create(connection)
    body = text(GROUP) + ONE + text(TOPIC) + ONE + NONE
    print("OffsetFetch 2:", told(ask_ready(connection, OFFSET_FETCH, 2, body, -2), -2))
