"""What a request or response is about: topics, partitions, offsets, records, and errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.text.lines import id_text
from kafka_format.records.entries import split
from kafka_format.spec.layout import specification

from kafka_tools.text import one_line, plural

_TOPICS: Final = ("topic", "name", "topic_name")
_PARTITIONS: Final = ("partition", "partition_index", "index", "partition_id")
_OFFSETS: Final = {
    "fetch_offset": "from",
    "base_offset": "at",
    "committed_offset": "to",
    "start_offset": "from",
    "offset": "at",
}
"""Fields of offsets, and the word before them."""

_RECORDS: Final = ("records", "record_set")
_NAMED: Final = {"group_id": "group", "transactional_id": "transaction", "mechanism": "mechanism"}
"""Further fields that say what a request is about."""

_ERROR: Final = "error_code"
_MESSAGE: Final = "error_message"
_MOST_SHOWN: Final = 4
_BATCH: Final = prefix("record_batch")


class Place(NamedTuple):
    """A topic or a partition that is spoken of, and what is said of it: offsets, records."""

    topic: str
    partition: int | None
    said: str

    def __str__(self) -> str:
        """As the list shows it: `orders-3 from 7`."""
        name = self.topic if self.partition is None else f"{self.topic}-{self.partition}"
        return " ".join(filter(None, (name, self.said)))


class ErrorSaid(NamedTuple):
    """An error that a response tells: where, its name as in Kafka, and what a broker says of it."""

    where: str
    name: str
    message: str

    def __str__(self) -> str:
        """As the list shows it."""
        where = f" in {self.where}" if self.where else ""
        return f"{self.name}{where}" + (f": {one_line(self.message)}" if self.message else "")


class Facts(NamedTuple):
    """What a request or response is about.

    Attributes:
        places: topics and partitions.
        others: groups, transactions and the like, `group orders-app`.
        errors: the errors in it.
    """

    places: tuple[Place, ...] = ()
    others: tuple[str, ...] = ()
    errors: tuple[ErrorSaid, ...] = ()

    @property
    def topics(self) -> frozenset[str]:
        """The topics that are named."""
        return frozenset(place.topic for place in self.places)

    def about(self) -> str:
        """Return it as the list shows it, but for errors; of many places the first ones."""
        shown = [*self.others, *map(str, self.places[:_MOST_SHOWN])]
        left = len(self.places) - _MOST_SHOWN
        return ", ".join([*shown, f"and {left} more"] if left > 0 else shown)


def facts_of(body: Any, topics: Mapping[bytes, str]) -> Facts:  # noqa: ANN401 - a body of any version
    """Return what a body is about.

    Args:
        body: the body, as its version has it.
        topics: names of topics by their ids, as far as they are known.
    """
    walk = _Walk(topics)
    walk.structure(body, "", None)
    others = dict.fromkeys(walk.others)
    return Facts(tuple(walk.places), tuple(others), tuple(walk.errors))


class _Walk:
    def __init__(self, topics: Mapping[bytes, str]) -> None:
        self._topics = topics
        self.places: list[Place] = []
        self.others: list[str] = []
        self.errors: list[ErrorSaid] = []

    def structure(self, value: Any, topic: str, partition: int | None, around: str = "") -> None:  # noqa: ANN401 - the same
        """Look at a structure and at those in it."""
        fields = value._asdict()
        own = self._topic(fields, around)
        topic = own or topic
        number = next((fields[name] for name in _PARTITIONS if topic and isinstance(fields.get(name), int)), None)
        partition = partition if number is None else number
        where = f"{topic}-{partition}" if topic and partition is not None else topic
        if number is not None:
            self.places.append(Place(topic, number, _said(fields)))
        self.others += [f"{word} {fields[name]}" for name, word in _NAMED.items() if fields.get(name)]
        self._error(fields, where or str(fields.get("group_id") or fields.get("transactional_id") or ""))
        before = len(self.places)
        for name, inner in fields.items():
            self._inside(name, inner, topic, partition)
        if own and number is None and len(self.places) == before:
            self.places.append(Place(topic, None, ""))

    def _inside(self, name: str, inner: Any, topic: str, partition: int | None) -> None:  # noqa: ANN401 - the same
        if hasattr(inner, "_asdict"):
            self.structure(inner, topic, partition, name)
        elif isinstance(inner, list):
            for item in inner:
                if hasattr(item, "_asdict"):
                    self.structure(item, topic, partition, name)
                elif topic and isinstance(item, int) and name.startswith("partition"):
                    self.places.append(Place(topic, item, ""))
                elif isinstance(item, str) and name == "topics":
                    self.places.append(Place(item, None, ""))

    def _topic(self, fields: dict[str, Any], around: str) -> str:
        name = next((fields[one] for one in _TOPICS if isinstance(fields.get(one), str)), "")
        signs = ("topic", "topic_name", "topic_id")
        is_topic = any(one in signs or "partition" in one for one in fields) or "topic" in around
        if name and is_topic:
            return str(name)
        number = fields.get("topic_id")
        if isinstance(number, bytes) and any(number):
            return self._topics.get(number) or id_text(number)
        return ""

    def _error(self, fields: dict[str, Any], where: str) -> None:
        for field, number in fields.items():
            if field.endswith(_ERROR) and isinstance(number, int) and number:
                names = specification().enums["error"].values
                message = fields.get(_MESSAGE) or fields.get(f"{field.removesuffix(_ERROR)}{_MESSAGE}") or ""
                self.errors.append(ErrorSaid(where, names.get(number, f"error {number}"), str(message)))


def _said(fields: dict[str, Any]) -> str:
    """Say what a partition has: offsets, records."""
    offsets = [f"{word} {fields[name]}" for name, word in _OFFSETS.items() if fields.get(name, -1) not in (-1, None)]
    batches = [_records(fields[name]) for name in _RECORDS if isinstance(fields.get(name), bytes) and fields[name]]
    return " ".join((*offsets, *batches))


def _records(data: bytes) -> str:
    """Say how many records there are, and their offsets, by the headers of the batches."""
    count, first, last, entries = 0, -1, -1, 0
    try:
        for entry in split(data):
            entries += 1
            if entry.magic != 2:
                continue
            base = _BATCH.value(data, entry.start, "base_offset")
            first = base if first < 0 else first
            last = base + _BATCH.value(data, entry.start, "last_offset_delta")
            count += max(0, _BATCH.value(data, entry.start, "record_count"))
    except FormatError:
        return f"{plural(len(data), 'byte')} that are no records"
    if not entries:
        return f"{plural(len(data), 'byte')} of a cut batch"
    return f"{plural(count, 'record')} {first}..{last}" if first >= 0 else plural(entries, "message")


def entries_of(texts: tuple[ErrorSaid, ...]) -> Iterator[dict[str, str]]:
    """Yield errors for `json.dumps`."""
    for one in texts:
        yield {"where": one.where, "error": one.name, "message": one.message}
