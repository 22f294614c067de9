"""Settings of topics that keep a broker from loading its logs.

LogManager.fetchTopicConfigOverrides makes a LogConfig of the settings of every topic that is there;
a value that does not parse ends the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.contents.releases import Release
from kafka_format.log.start.endings import one_of
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import Fault, Stopped

_TOPIC: Final = 2
_INT: Final = 2**31 - 1
_LONG: Final = 2**63 - 1
_NUMBER: Final = re.compile(r"[+-]?\d+")


def _number(least: int, most: int) -> Callable[[str], str]:
    def check(value: str) -> str:
        text = value.strip()
        if not _NUMBER.fullmatch(text) or not -most - 1 <= int(text) <= most:
            return f"Not a number of type {'INT' if most == _INT else 'LONG'}"
        return f"Value must be at least {least}" if int(text) < least else ""

    return check


def _ratio(value: str) -> str:
    try:
        number = float(value.strip())
    except ValueError:
        return "Not a number of type DOUBLE"
    return "" if 0 <= number <= 1 else f"Value must be {'at least 0' if number < 0 else 'no more than 1'}"


def _boolean(value: str) -> str:
    return "" if value.strip().lower() in {"true", "false"} else "Expected value to be either true or false"


def _one_of(*known: str) -> Callable[[str], str]:
    return lambda value: "" if value.strip() in known else f"String must be one of: {', '.join(known)}"


def _policy(value: str) -> str:
    given = [each.strip() for each in value.split(",") if each.strip()]
    return "" if all(each in {"compact", "delete"} for each in given) else "String must be one of: compact, delete"


_SETTINGS: Final[dict[str, Callable[[str], str]]] = {
    "segment.ms": _number(1, _LONG),
    "segment.jitter.ms": _number(0, _LONG),
    "segment.index.bytes": _number(4, _INT),
    "flush.messages": _number(1, _LONG),
    "flush.ms": _number(0, _LONG),
    "retention.bytes": _number(-_LONG - 1, _LONG),
    "retention.ms": _number(-1, _LONG),
    "local.retention.ms": _number(-2, _LONG),
    "local.retention.bytes": _number(-2, _LONG),
    "max.message.bytes": _number(0, _INT),
    "index.interval.bytes": _number(0, _INT),
    "delete.retention.ms": _number(0, _LONG),
    "min.compaction.lag.ms": _number(0, _LONG),
    "max.compaction.lag.ms": _number(1, _LONG),
    "file.delete.delay.ms": _number(0, _LONG),
    "min.cleanable.dirty.ratio": _ratio,
    "cleanup.policy": _policy,
    "unclean.leader.election.enable": _boolean,
    "min.insync.replicas": _number(1, _INT),
    "compression.type": _one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
    "preallocate": _boolean,
    "message.timestamp.type": _one_of("CreateTime", "LogAppendTime"),
    "message.timestamp.before.max.ms": _number(0, _LONG),
    "message.timestamp.after.max.ms": _number(0, _LONG),
    "remote.storage.enable": _boolean,
    "remote.log.copy.disable": _boolean,
    "remote.log.delete.on.disable": _boolean,
}
"""What a value must be, by the name of the setting; names that are not here are not looked at."""

_SINCE: Final[dict[str, Release]] = {"remote.log.copy.disable": (3, 9), "remote.log.delete.on.disable": (3, 9)}
"""The first releases that know settings; an unknown one is passed over."""

_SEGMENT_BYTES: Final = "segment.bytes"
_LEAST_SEGMENT: Final[tuple[tuple[Release, int], ...]] = (((4, 1), 1_048_576), ((0, 0), 14))
"""The least segment.bytes since a release."""


def refusal(name: str, value: str, release: Release) -> str:
    """Return why a release does not take a value of a topic's setting; empty if it does."""
    if name == _SEGMENT_BYTES:
        least = next(least for since, least in _LEAST_SEGMENT if release >= since)
        return _number(least, _INT)(value)
    check = _SETTINGS.get(name)
    return check(value) if check is not None and release >= _SINCE.get(name, release) else ""


def _shown(name: str, value: str) -> str:
    """Return a value as Kafka prints it: a number of a ratio as a double."""
    try:
        return str(float(value)) if _SETTINGS.get(name) is _ratio else value
    except ValueError:
        return value


def index_interval(image: Image, topic: str) -> int | None:
    """Return the setting index.interval.bytes that a topic has; None if it has none.

    It decides when a recovery adds an entry to an index, and so whether an offset that goes back is
    noticed (OffsetIndex.append). Without one a topic has log.index.interval.bytes of the broker,
    which is in no file.
    """
    settings = {} if image.topic_id(topic) is None else image.configs.get((_TOPIC, topic), {})
    given = settings.get("index.interval.bytes")
    return None if given is None else int(given)


def is_tiered(image: Image, topic: str) -> bool:
    """Tell whether a topic is set to have remote storage."""
    settings = {} if image.topic_id(topic) is None else image.configs.get((_TOPIC, topic), {})
    return settings.get("remote.storage.enable", "").strip().lower() == "true"


def is_compacted(image: Image, topic: str) -> bool:
    """Tell whether a topic is set to be compacted, and so has no remote storage.

    Kafka: UnifiedLog.isRemoteLogEnabled.
    """
    return "compact" in image.configs.get((_TOPIC, topic), {}).get("cleanup.policy", "")


def check_configs(node: Node, image: Image) -> None:
    """Check the settings of topics.

    Raises:
        Stopped: a value is none; the process ends, without a word of topic and offset. In which
            order topics are read is chance.
    """
    faults = list(_faults(node, image))
    if faults:
        raise Stopped(one_of(faults))


def _faults(node: Node, image: Image) -> Iterator[Fault]:
    topics = {topic.name for topic in image.topics.values()}
    for (kind, topic), values in sorted(image.configs.items()):
        if kind != _TOPIC or topic not in topics:
            continue
        for name, value in sorted(values.items()):
            why = refusal(name, value, node.release)
            if why:
                error = KafkaError(
                    "ConfigException", f"Invalid value {_shown(name, value)} for configuration {name}: {why}"
                )
                known = (("topic", topic), ("setting", name), ("value", value))
                yield Fault("topic-setting", node.quorum, error, known=known)
