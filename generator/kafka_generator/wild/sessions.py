"""What clients do besides producing: they administer, join groups, and share records."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_generator.wild import broker, old_broker
from kafka_generator.wild.clients import Client, clients

PROGRAMS: Final = Path(__file__).parent / "sessions"
_SECONDS: Final = 180

SETTINGS: Final = """\
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
group.initial.rebalance.delay.ms=0
group.coordinator.rebalance.protocols=classic,consumer{more}
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
"""


class ClientProgram(NamedTuple):
    """A program that talks to a broker.

    Attributes:
        label: the client and what it does, the last part of a vector's id.
        program: the program, in the folder of the sessions, and its arguments behind the address.
        brokers: the releases of brokers that it talks to.
        client: the client in whose environment it runs; none for Java, which comes with the broker.
    """

    label: str
    program: tuple[str, ...]
    brokers: tuple[str, ...]
    client: str = ""

    def run(self, cache: Path, release: str, address: str) -> None:
        """Run the program to its end.

        Raises:
            NotReadyError: the client or Java cannot be installed.
        """
        subprocess.run(self._command(cache, release, address), timeout=_SECONDS, check=False)

    def _command(self, cache: Path, release: str, address: str) -> list[str]:
        program, *arguments = self.program
        file = PROGRAMS / program
        if not self.client:
            jars = (old_broker if release in old_broker.FORMATS else broker).jars(release, cache)
            return ["java", "-cp", f"{jars}/*", str(file), address, *arguments]
        first = _client(self.client).command(cache, address)[0]
        if file.suffix != ".js":
            return [first, str(file), address]
        return ["env", f"NODE_PATH={cache / self.client / 'node_modules'}", first, str(file), address]


def sessions() -> Iterator[ClientProgram]:
    """Yield every session."""
    for release in ("4.4.0", "3.9.2"):
        yield ClientProgram(f"java-{release}-admin", ("java/AdminSession.java",), (release,))
        for protocol in ("classic", "consumer"):
            yield ClientProgram(f"java-{release}-{protocol}", ("java/GroupSession.java", protocol), (release,))
    for release in ("2.8.2", "0.10.2.2", "0.9.0.1"):
        yield ClientProgram(f"java-{release}-classic", ("java/OldGroupSession.java",), (release,))
    yield ClientProgram("java-4.4.0-share", ("java/ShareSession.java",), ("4.4.0",))
    for client, program in _OTHERS:
        word = Path(program).stem.rpartition("_")[2]
        yield ClientProgram(f"{client}-{word}", (program,), ("4.4.0", "3.9.2"), client)


_OTHERS: Final = (
    ("librdkafka-2.16.0", "python/librdkafka_session.py"),
    ("librdkafka-2.16.0", "python/librdkafka_admin.py"),
    ("kafka-python-3.0.12", "python/kafka_python_session.py"),
    ("kafka-python-3.0.12", "python/kafka_python_admin.py"),
    ("aiokafka-0.14.0", "python/aiokafka_session.py"),
    ("kafkajs-2.2.4", "node/kafkajs_session.js"),
)


def settings(release: str) -> str:
    """Return the settings with which a broker has what all sessions ask for; old ones need none."""
    if release in old_broker.FORMATS:
        return ""
    return SETTINGS.format(more=",share,streams" if release.startswith("4") else "")


def _client(label: str) -> Client:
    return next(client for client in clients() if client.label == label)
