"""kafka-python's `KafkaConsumer`, assigned many topics; one that raises is assigned no longer.

After an error the application polls once more before it gives a topic up. That poll may take the
processor for ever, so it is stopped when it has had enough of it.
"""

import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from consumer_driver import Settings, error, hello, hung, record, serve
from kafka import KafkaConsumer, TopicPartition

_MILLISECONDS = 100
_BOOTSTRAP_MILLISECONDS = 5000
_MEMBER = {
    "enable_auto_commit": True,
    "auto_commit_interval_ms": 100,
    "heartbeat_interval_ms": 100,
    "session_timeout_ms": 10_000,
}
"""A member of a group commits by itself, and often."""

_TOPIC = re.compile(r"\bt[0-9]+\b")
_SPIN_SECONDS = 0.06
"""Processor time that a poll after an error may take: others take a third of it at most."""
_LONG_SECONDS = 1.0
"""Processor time that any poll may take."""


class _SpinningError(BaseException):
    """A poll had its processor time; the library catches every Exception."""


@dataclass(frozen=True)
class _Told:
    """An exception of a poll, and the topics that it was told of; none, if it names none."""

    text: str
    topics: list[str]

    @property
    def nameless(self) -> list[str]:
        """The line of an exception that turned out to be about no topic that is known."""
        return [] if self.topics else [error("?", self.text)]


_LEVELS = ("read_uncommitted", "read_committed")
_SINCE = {"instance": "group_instance_id", "rack": "client_rack"}
"""Settings that not all releases have, and what they are called there."""

_LOGIN = {"security_protocol": "SASL_PLAINTEXT", "sasl_plain_username": "reader", "sasl_plain_password": "any"}


class KafkaPython:
    """The client."""

    def __init__(self, broker: str, isolation: str, settings: Settings) -> None:
        """Make it."""
        member: dict[str, Any] = (
            {"group_id": settings["group"], **_MEMBER} if "group" in settings else {"enable_auto_commit": False}
        )
        member |= {"group_instance_id": settings["instance"]} if "instance" in settings else {}
        member |= {"client_rack": settings["rack"]} if "rack" in settings else {}
        member |= {**_LOGIN, "sasl_mechanism": settings["sasl"]} if "sasl" in settings else {}
        # else it tells only after half a minute that it cannot authenticate
        member |= {"bootstrap_timeout_ms": _BOOTSTRAP_MILLISECONDS} if _knows("bootstrap_timeout_ms") else {}
        self._is_member = "group" in settings
        self._consumer = KafkaConsumer(
            bootstrap_servers=broker,
            **({"isolation_level": isolation} if _knows("isolation_level") else {}),
            auto_offset_reset=settings.get("reset", "none"),
            max_partition_fetch_bytes=int(settings.get("max_bytes", 1 << 20)),
            request_timeout_ms=int(settings.get("timeout", 305_000)),
            check_crcs=True,
            max_poll_records=1000,
            fetch_max_wait_ms=_MILLISECONDS,
            **member,
        )
        self._assigned: dict[str, Any] = {}
        self._told: _Told | None = None
        self._given: set[str] = set()
        self._lines: list[str] = []
        self._later: list[Exception] = []
        signal.signal(signal.SIGVTALRM, _spin)

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Assign the topics, or subscribe to them."""
        self._told, self._given = None, set()
        if self._is_member:
            self._consumer.subscribe([name for name, _ in topics])
            return
        self._assigned = {name: TopicPartition(name, 0) for name, _ in topics}
        self._consumer.assign(list(self._assigned.values()))
        for name, offset in topics:
            self._consumer.seek(self._assigned[name], offset)

    def poll(self) -> Iterator[str]:
        """Poll once."""
        assignment, self._told = self._told, None
        try:
            yield from self._polled(_SPIN_SECONDS if assignment else _LONG_SECONDS)
        except _SpinningError:
            yield from self._stuck(assignment or _Told("", []))
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            yield from assignment.nameless if assignment else ()
            yield from self._raised(raised)
        else:
            yield from assignment.nameless if assignment else ()
        if assignment:
            self._leave(assignment.topics)

    def _polled(self, seconds: float) -> list[str]:
        """Poll, for so much processor time; return lines of records."""
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            polled = self._consumer.poll(timeout_ms=0 if seconds == _SPIN_SECONDS else _MILLISECONDS)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        self._given.update(partition.topic for partition in polled)
        return [_line(partition.topic, message) for partition, messages in polled.items() for message in messages]

    def stop(self) -> Iterator[str]:
        """Assign nothing."""
        for name, partition in self._assigned.items():
            yield f"position\t{name}\t{self._consumer.position(partition)}"
        self._consumer.unsubscribe()

    def _raised(self, raised: Exception) -> Iterator[str]:
        """Tell an exception of the topics that it names; of one that names none, wait and see."""
        text = f"{type(raised).__name__}: {raised}"
        self._told = _Told(text, [name for name in dict.fromkeys(_TOPIC.findall(text)) if name in self._assigned])
        for name in self._told.topics:
            yield error(name, text)

    def _stuck(self, assignment: "_Told") -> Iterator[str]:
        """Tell of which topic no poll comes back, and assign it no longer."""
        self._lines, self._later = [], []
        is_named = bool(assignment.topics) and self._spins(assignment.topics)
        topics = assignment.topics if is_named else self._culprit()
        self._consumer.resume(*self._assigned.values())
        yield from self._lines
        if assignment.text and not is_named:
            yield from (error(name, assignment.text) for name in topics or ["?"])
        text = f"poll took {_SPIN_SECONDS} s of processor time when it was called again, and did not return"
        yield from (hung(name, text) for name in topics)
        self._leave(topics)
        for raised in self._later:
            yield from self._raised(raised)

    def _culprit(self) -> list[str]:
        """Find the topic alone with which poll does not come back, if there is one.

        Likely are those that gave no record yet, in the order in which they are fetched.
        """
        likely = sorted(self._assigned, key=lambda name: name in self._given)
        return next(([name] for name in likely if self._spins([name]) and self._spins([name])), [])

    def _spins(self, names: Sequence[str]) -> bool:
        """Tell whether poll comes back if all topics but these are paused; keep what it brings."""
        self._consumer.pause(*self._assigned.values())
        self._consumer.resume(*(self._assigned[name] for name in names))
        try:
            self._lines += self._polled(_SPIN_SECONDS)
        except _SpinningError:
            return True
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            self._later.append(raised)
        return False

    def _leave(self, names: Sequence[str]) -> None:
        """Assign some topics no longer."""
        for name in names:
            self._assigned.pop(name, None)
        if names:
            self._consumer.assign(list(self._assigned.values()))


def _knows(setting: str) -> bool:
    return setting in KafkaConsumer.DEFAULT_CONFIG


def _spin(_number: int, _frame: object) -> None:
    raise _SpinningError


def _line(topic: str, message: Any) -> str:  # noqa: ANN401 - the library's own object
    key, value = message.key, message.value
    kind = -1 if message.timestamp_type is None else message.timestamp_type
    timestamp = -1 if message.timestamp is None else message.timestamp
    headers = [(name.encode("utf-8", "surrogateescape"), content) for name, content in message.headers or ()]
    return record(topic, message.offset, timestamp, kind, key, value, headers)


def _declared() -> dict[str, Any]:
    """Return what a release has: isolation levels came with 2.2, static members and racks later."""
    known = ["reset", "max_bytes", "timeout", "group", "instance", "rack", "sasl"]
    return hello(
        "kafka-python",
        version("kafka-python"),
        "Python",
        "https://github.com/dpkp/kafka-python",
        isolations=_LEVELS if _knows("isolation_level") else _LEVELS[:1],
        settings=[setting for setting in known if setting not in _SINCE or _knows(_SINCE[setting])],
    )


if __name__ == "__main__":
    serve(_declared(), KafkaPython)
