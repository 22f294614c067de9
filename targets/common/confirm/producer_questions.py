"""What is asked about producers and transactions."""

import struct
from socket import socket

from apis import (
    ADD_OFFSETS,
    AT_ERROR,
    AT_FLEXIBLE_ERROR,
    END_TXN,
    FIND_COORDINATOR,
    GROUP,
    INIT_PRODUCER_ID,
    ONE,
    PRODUCER,
    TOPIC,
    TXN_OFFSET_COMMIT,
)
from group_questions import offsets_of_no_group
from plain import ask, ask_ready, compact, text, told
from topic_questions import create


def init(connection: socket, name: str = PRODUCER, milliseconds: int = 60000) -> tuple[str, int, int]:
    """Ask for a producer id; return which error there is, the id and the epoch."""
    answer = ask_ready(connection, INIT_PRODUCER_ID, 0, text(name) + struct.pack(">i", milliseconds), AT_ERROR)
    producer, epoch = struct.unpack_from(">qh", answer, AT_ERROR + 2)
    return told(answer, AT_ERROR), producer, epoch


def init_twice(connection: socket) -> None:
    """Ask for a producer id twice, as a producer does that is started again."""
    first, again = init(connection), init(connection)
    print(f"InitProducerId 0: {first[0]}; again: {again[0]}, an epoch larger by {again[2] - first[2]}")


def init_for_long(connection: socket) -> None:
    """Ask for transactions of 23 days."""
    print("InitProducerId 0:", init(connection, milliseconds=2_000_000_000)[0])


def init_nothing(connection: socket) -> None:
    """Ask for the producer id of the empty transactional id, in a version with an epoch."""
    body = compact("") + struct.pack(">iqhb", 60000, -1, -1, 0)
    print("InitProducerId 4:", told(ask(connection, INIT_PRODUCER_ID, 4, body, is_flexible=True), AT_FLEXIBLE_ERROR))


def end_of_nobody(connection: socket) -> None:
    """End a transaction of a producer that there is not."""
    body = text(PRODUCER) + struct.pack(">qhb", 4711, 0, 1)
    print("EndTxn 0:", told(ask_ready(connection, END_TXN, 0, body, AT_ERROR), AT_ERROR))


def end_of_nothing(connection: socket) -> None:
    """End a transaction that was not begun."""
    _, producer, epoch = init(connection)
    body = text(PRODUCER) + struct.pack(">qhb", producer, epoch, 1)
    print("EndTxn 0:", told(ask(connection, END_TXN, 0, body), AT_ERROR))


def offsets_of_a_transaction(connection: socket) -> None:
    """Ask for the offset of a group whose first one a transaction has that goes on."""
    create(connection)
    ask_ready(connection, FIND_COORDINATOR, 1, text(GROUP) + b"\0", AT_ERROR)
    _, producer, epoch = init(connection)
    of_producer = struct.pack(">qh", producer, epoch)
    ask(connection, ADD_OFFSETS, 0, text(PRODUCER) + of_producer + text(GROUP))
    offset = ONE + text(TOPIC) + ONE + struct.pack(">iq", 0, 7) + text("")
    body = text(PRODUCER) + text(GROUP) + of_producer + offset
    at_error = AT_ERROR + len(ONE + text(TOPIC) + ONE) + 4
    answer = ask_ready(connection, TXN_OFFSET_COMMIT, 0, body, at_error)
    print("TxnOffsetCommit 0:", told(answer, at_error))
    offsets_of_no_group(connection)
