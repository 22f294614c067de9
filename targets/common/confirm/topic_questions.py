"""What is asked about topics and their settings."""

import struct
import time
from collections.abc import Callable
from socket import socket

from apis import ALTER_CONFIGS, AT_ERROR, CREATE_TOPICS, DESCRIBE_CONFIGS, METADATA, NONE, ONE, TOPIC
from plain import SECONDS, ask, compact, text, told


def create(connection: socket, name: str = TOPIC, configs: bytes = NONE, partitions: int = 1) -> str:
    """Make a topic; wait until it is there, and return which error there is."""
    topic = text(name) + struct.pack(">ih", partitions, 1) + NONE + configs
    answer = ask(connection, CREATE_TOPICS, 2, ONE + topic + struct.pack(">ib", 5000, 0))
    said = told(answer, AT_ERROR + len(ONE + text(name)))
    until = time.monotonic() + SECONDS
    while said == "no error" and "error" in told_of_topic(connection, name)[:5] and time.monotonic() < until:
        time.sleep(0.1)
    return said


def told_of_topic(connection: socket, name: str) -> str:
    """Return which error Metadata 1 has for a topic."""
    answer = ask(connection, METADATA, 1, ONE + text(name))
    return told(answer, behind_brokers(answer) + 4)


def behind_brokers(answer: bytes) -> int:
    """Return where the list of topics begins in an answer of Metadata 1."""
    place = 4
    for _ in range(struct.unpack_from(">i", answer)[0]):
        place += 4
        place += 2 + struct.unpack_from(">h", answer, place)[0] + 4
        place += 2 + max(0, struct.unpack_from(">h", answer, place)[0])  # a rack may be null
    return place + 4


def say_create(name: str = TOPIC, configs: bytes = NONE, partitions: int = 1) -> Callable[[socket], None]:
    """Return what makes a topic, and says which error there is."""
    return lambda connection: print("CreateTopics 2:", create(connection, name, configs, partitions))


def create_defaults(connection: socket) -> None:
    """Make a topic with the broker's own count of partitions."""
    topic = text(TOPIC) + struct.pack(">ih", -1, -1) + NONE + NONE
    ask(connection, CREATE_TOPICS, 4, ONE + topic + struct.pack(">ib", 5000, 0))
    time.sleep(0.5)
    answer = ask(connection, METADATA, 1, ONE + text(TOPIC))
    place = behind_brokers(answer) + 4 + 2 + len(text(TOPIC)) + 1
    print(f"CreateTopics 4: {struct.unpack_from('>i', answer, place)[0]} partitions")


def metadata_of_no_topics(connection: socket) -> None:
    """Ask for the brokers alone."""
    create(connection)
    answer = ask(connection, METADATA, 1, NONE)
    print(f"Metadata 1: {struct.unpack_from('>i', answer, behind_brokers(answer))[0]} topics")


def describe(connection: socket) -> None:
    """Ask for a setting of a topic."""
    create(connection)
    body = ONE + b"\x02" + text(TOPIC) + ONE + text("cleanup.policy") + b"\0"
    answer = ask(connection, DESCRIBE_CONFIGS, 1, body)
    print("DescribeConfigs 1:", told(answer, AT_ERROR + 4), end="")
    place = AT_ERROR + 4 + 2
    words = struct.unpack_from(">h", answer, place)[0] if answer else 0
    place += 2 + max(0, words) + 1 + len(text(TOPIC))
    print(f", {struct.unpack_from('>i', answer, place)[0]} settings" if answer else "")


def create_twice(connection: socket) -> None:
    """Make a topic that a request names twice."""
    topic = text(TOPIC) + struct.pack(">ih", 1, 1) + NONE + NONE
    answer = ask(connection, CREATE_TOPICS, 2, struct.pack(">i", 2) + topic * 2 + struct.pack(">ib", 5000, 0))
    print("CreateTopics 2:", told(answer, AT_ERROR + len(ONE + text(TOPIC))))


def fetch_by_id(connection: socket) -> None:
    """Ask which id a topic has."""
    create(connection)
    topics = b"\x02" + bytes(16) + compact(TOPIC) + b"\0"
    answer = ask(connection, METADATA, 12, topics + b"\0\0\0", is_flexible=True)
    place = answer.index(compact(TOPIC)) + len(compact(TOPIC))
    print("Metadata 12:", "an id" if any(answer[place : place + 16]) else "no id")


def alter(connection: socket) -> None:
    """Give a topic a setting that there is not."""
    create(connection)
    setting = text("no.such.setting") + b"\0" + text("1")
    answer = ask(connection, ALTER_CONFIGS, 0, ONE + b"\x02" + text(TOPIC) + ONE + setting + b"\0")
    print("IncrementalAlterConfigs 0:", told(answer, AT_ERROR + 4))
