"""What clients do besides producing: they administer, join groups, and share records."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import resolve

from kafka_generator import real_broker
from kafka_generator.recordings.wild.clients import Client, clients

PROGRAMS: Final = Path(__file__).parent / "sessions"
_MODULE: Final = Path(__file__).parent / "producers" / "go"
"""The module that says which clients in Go are built."""
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

_SASL: Final = """\
listener.security.protocol.map=PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
super.users=User:ANONYMOUS;User:alice
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.plaintext.plain.sasl.jaas.config={plain} username=alice password=not-secret user_alice=not-secret;
listener.name.plaintext.scram-sha-256.sasl.jaas.config={scram};
""".format(
    plain="org.apache.kafka.common.security.plain.PlainLoginModule required",
    scram="org.apache.kafka.common.security.scram.ScramLoginModule required",
)
"""The listener keeps its name, so all else stays as it is."""

_TOKENS: Final = """\
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,OAUTHBEARER
listener.name.plaintext.oauthbearer.sasl.jaas.config={module} required unsecuredLoginStringClaim_sub="broker";
delegation.token.secret.key=not-secret-either
connections.max.reauth.ms=3000
""".format(module="org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule")
"""Clients log in again on the same connection while they talk (KIP-368)."""

_PLUGIN: Final = "org.apache.kafka.server.streams.InMemoryTopologyDescriptionPlugin"

_LIBRARY_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.kafkaconformance</groupId><artifactId>library</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""

_MORE: Final = {
    "": "",
    "deletion": "",
    "sasl": _SASL,
    "telemetry": "metric.reporters=TelemetryReceiver\n",
    "tokens": _SASL + _TOKENS,
    "topology": f"group.streams.topology.description.plugin.class={_PLUGIN}\n",
}


class ClientProgram(NamedTuple):
    """A program that talks to a broker.

    Attributes:
        label: the client and what it does, the last part of a vector's id.
        program: the program, in the folder of the sessions, and its arguments after the address.
        brokers: the releases of brokers that it talks to.
        client: the client in whose environment it runs; none for Java, which comes with the broker.
        place: what its broker has besides, see `settings`.
        library: what it runs with instead of the broker's own jars: `kafka-streams 4.4.0`.
        target: the target in whose environment it runs, for releases of librdkafka that no Python
            of today can import.
    """

    label: str
    program: tuple[str, ...]
    brokers: tuple[str, ...]
    client: str = ""
    place: str = ""
    library: str = ""
    target: str = ""

    def run(self, cache: Path, release: str, address: str) -> None:
        """Run the program to its end.

        Raises:
            NotReadyError: the client or Java cannot be installed.
        """
        subprocess.run(self._command(cache, release, address), timeout=_SECONDS, check=False)

    def _command(self, cache: Path, release: str, address: str) -> list[str]:
        program, *arguments = self.program
        file = PROGRAMS / program
        if self.target:
            installation = resolve.installation(self.target)
            installation.check()
            python = installation.folder / "venv" / "bin" / "python"
            return [str(python), str(file), address, str(installation.folder / "library")]
        if not self.client:
            return ["java", "-cp", f"{self._jars(cache, release)}/*", str(file), address, *arguments]
        if file.suffix == ".go":
            return ["go", "run", "-C", str(_MODULE), str(file), address]
        first = _client(self.client).command(cache, address)[0]
        if file.suffix != ".js":
            return [first, str(file), address]
        return ["env", f"NODE_PATH={cache / self.client / 'node_modules'}", first, str(file), address]

    def _jars(self, cache: Path, release: str) -> Path:
        if self.library:
            name, version = self.library.split()
            return real_broker.copy_jars(_LIBRARY_POM.format(name=name, version=version), cache / f"{name}-{version}")
        return real_broker.jars(release, cache)


def sessions() -> Iterator[ClientProgram]:
    """Yield every session."""
    for release in ("4.4.0", "3.9.2"):
        yield ClientProgram(f"java-{release}-admin", ("java/AdminSession.java",), (release,))
        yield ClientProgram(f"java-{release}-quota", ("java/QuotaSession.java",), (release,))
        for protocol in ("classic", "consumer"):
            yield ClientProgram(f"java-{release}-{protocol}", ("java/GroupSession.java", protocol), (release,))
        for place in ("sasl", "tokens"):
            login = (f"java/{place.capitalize()}Session.java",)
            yield ClientProgram(f"java-{release}-{place}", login, (release,), place=place)
    for release in ("2.8.2", "0.10.2.2", "0.9.0.1"):
        yield ClientProgram(f"java-{release}-classic", ("java/OldGroupSession.java",), (release,))
    yield ClientProgram("java-2.8.2-admin", ("java/OldAdminSession.java",), ("2.8.2",), place="deletion")
    yield ClientProgram("java-4.4.0-share", ("java/ShareSession.java",), ("4.4.0",))
    yield ClientProgram("java-4.4.0-regex", ("java/RegexSession.java",), ("4.4.0",))
    yield ClientProgram("java-4.4.0-telemetry", ("java/TelemetrySession.java",), ("4.4.0",), place="telemetry")
    yield ClientProgram("java-4.3.1-streams", ("java/StreamsSession.java",), ("4.4.0",), library="kafka-streams 4.3.1")
    yield ClientProgram(
        "java-4.4.0-topology",
        ("java/TopologySession.java",),
        ("4.4.0",),
        place="topology",
        library="kafka-streams 4.4.0",
    )
    yield ClientProgram("java-4.3.1-mirror", ("java/MirrorSession.java",), ("4.4.0",), library="connect-mirror 4.3.1")
    yield from _of_earlier_releases()
    for release in _LISTING:
        target = f"consumer-librdkafka@{release}"
        scripts = ("python/librdkafka_listing.py",)
        brokers = ("4.4.0", "3.9.2", "2.8.2")
        yield ClientProgram(f"librdkafka-{release}-listing", scripts, brokers, target=target)
    for client, program in _OTHERS:
        word = Path(program).stem.rpartition("_")[2]
        place = word if word in _MORE else ""
        yield ClientProgram(f"{client}-{word}", (program,), ("4.4.0", "3.9.2"), client, place)


def _of_earlier_releases() -> Iterator[ClientProgram]:
    """Yield Java's clients of many releases, which speak versions that newer ones do not."""
    for release in _EARLIER:
        for word in ("group", "transaction", "admin"):
            if word == "group" or _numbers(release) >= _FIRST_WITH[word]:
                program = (f"java/Old{word.capitalize()}Session.java",)
                library = f"kafka-clients {release}"
                yield ClientProgram(f"java-{release}-{word}", program, ("3.9.2",), library=library)


_EARLIER: Final = (
    *("0.10.1.1", "0.11.0.3", "1.0.2", "1.1.1", "2.0.1", "2.1.1", "2.3.1", "2.4.1", "2.5.1", "2.6.3", "2.7.2"),
    *("3.1.2", "3.2.3", "3.4.1", "3.5.2", "3.6.2", "3.7.2", "3.8.1"),
)
_LISTING: Final = ("2.16.0", "2.3.0", "1.4.2", "0.11.6")
"""Releases of librdkafka. What they write behind the last field is `surplus` in the layouts."""

_FIRST_WITH: Final = {"transaction": (0, 11), "admin": (2, 0)}


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


_OTHERS: Final = (
    ("librdkafka-2.16.0", "python/librdkafka_session.py"),
    ("librdkafka-2.16.0", "python/librdkafka_admin.py"),
    ("kafka-python-3.0.12", "python/kafka_python_session.py"),
    ("kafka-python-3.0.12", "python/kafka_python_admin.py"),
    ("aiokafka-0.14.0", "python/aiokafka_session.py"),
    ("kafkajs-2.2.4", "node/kafkajs_session.js"),
    ("franz-go-1.22.2", "go/franz_go_session.go"),
    ("librdkafka-2.16.0", "python/librdkafka_sasl.py"),
    ("kafka-python-3.0.12", "python/kafka_python_sasl.py"),
    ("kafkajs-2.2.4", "node/kafkajs_sasl.js"),
    ("franz-go-1.22.2", "go/franz_go_sasl.go"),
)


def settings(release: str, place: str = "") -> str:
    """Return the settings with which a broker has what all sessions ask for; old ones need none.

    Args:
        release: the release of the broker.
        place: `sasl`, where clients log in, `tokens`, where they do with tokens and log in again,
            `telemetry`, where it takes their metrics, `topology`, where it takes what applications
            of Kafka Streams are made of, `deletion`, where topics are deleted.
    """
    if release in real_broker.FORMATS:
        return ""
    return SETTINGS.format(more=",share,streams" if release.startswith("4") else "") + _MORE[place]


def _client(label: str) -> Client:
    return next(client for client in clients() if client.label == label)


def compile_plugins(release: str, cache: Path, folder: Path) -> Path:
    """Compile what a broker needs that takes metrics of clients; return the folder of the classes.

    Raises:
        NotReadyError: the JDK or Maven is missing.
    """
    jars, classes = real_broker.jars(release, cache), folder / "plugins"
    command = ["javac", "-cp", f"{jars}/*", "-d", str(classes), str(PROGRAMS / "java" / "TelemetryReceiver.java")]
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotReadyError(f"TelemetryReceiver.java: {error}", "install a JDK, 17 or newer") from None
    return classes
