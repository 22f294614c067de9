"""What administrators ask, and what each client asks first."""

import struct
from socket import socket

from apis import (
    ALTER_QUOTAS,
    ALTER_SCRAM,
    API_VERSIONS,
    AT_ERROR,
    AT_FLEXIBLE_ERROR,
    DESCRIBE_SCRAM,
    FIND_COORDINATOR,
    MOVE_REPLICAS,
    ONE,
    REASSIGN,
    TOPIC,
)
from plain import ask, ask_ready, compact, text, told
from topic_questions import create


def coordinator_of_nothing(connection: socket) -> None:
    """Ask for the coordinator of the kind 9."""
    answer = ask_ready(connection, FIND_COORDINATOR, 1, text("n") + b"\x09", AT_ERROR)
    print("FindCoordinator 1:", told(answer, AT_ERROR))


def api_versions_of_no_version(connection: socket) -> None:
    """Ask for the versions in one that there is not, as a client of a later release does."""
    body = compact("client") + compact("1.0") + b"\0"
    print("ApiVersions 99:", told(ask(connection, API_VERSIONS, 99, body, is_flexible=True), 0))


def api_versions_with_wrong_names(connection: socket) -> None:
    """Ask for the versions with a name of the client that Kafka does not take."""
    body = compact("-client-") + compact("1.0") + b"\0"
    print("ApiVersions 3:", told(ask(connection, API_VERSIONS, 3, body, is_flexible=True), 0))


def scram_of_nobody(connection: socket) -> None:
    """Ask for the password of a user that there is not."""
    answer = ask(connection, DESCRIBE_SCRAM, 0, b"\x02" + compact("ann") + b"\0\0", is_flexible=True)
    count = answer[AT_FLEXIBLE_ERROR + 3] - 1 if answer else None  # behind an error without words
    words = {None: "hung up", -1: "null for the list of results"}
    print("DescribeUserScramCredentials 0:", words.get(count, f"{count} results"))


def scram_refused(connection: socket) -> None:
    """Give a user a password of one iteration; Kafka wants 4,096."""
    password = compact("ann") + b"\x01" + struct.pack(">i", 1) + b"\x02s\x02p\0"
    answer = ask(connection, ALTER_SCRAM, 0, b"\x01\x02" + password + b"\0", is_flexible=True)
    print("AlterUserScramCredentials 0:", told(answer, AT_FLEXIBLE_ERROR + 1 + len(compact("ann"))))


def move_to_no_directory(connection: socket) -> None:
    """Move a partition to a directory that there is not."""
    create(connection)
    body = ONE + text("/no/such/directory") + ONE + text(TOPIC) + ONE + struct.pack(">i", 0)
    answer = ask(connection, MOVE_REPLICAS, 1, body)
    print("AlterReplicaLogDirs 1:", told(answer, AT_ERROR + len(ONE + text(TOPIC) + ONE) + 4))


def reassign_to_nobody(connection: socket) -> None:
    """Move the replica of a partition to a broker that there is not."""
    create(connection)
    partition = struct.pack(">ibi", 0, 2, 1999) + b"\0"
    body = struct.pack(">i", 5000) + b"\x02" + compact(TOPIC) + b"\x02" + partition + b"\0\0"
    answer = ask(connection, REASSIGN, 0, body, is_flexible=True)
    partitions = answer[AT_FLEXIBLE_ERROR + 2 + 1 + 1 + len(compact(TOPIC)) + 1 :]
    print("AlterPartitionReassignments 0:", told(partitions, 4))


def alter_quotas(connection: socket) -> None:
    """Set a quota that there is not."""
    quota = text("no_such_rate") + struct.pack(">db", 1.0, 0)
    body = ONE + ONE + text("user") + text("ann") + ONE + quota + b"\x01"
    print("AlterClientQuotas 0:", told(ask(connection, ALTER_QUOTAS, 0, body), AT_ERROR + 4))
