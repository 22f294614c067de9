"""What a request or response is about: topics, partitions, offsets, records, and errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import NoneType
from typing import Any, Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.text.lines import id_text
from kafka_format.records.entries import split
from kafka_format.spec.layout import specification

from kafka_tools.text import one_line, plural

_TOPICS: Final = ("topic", "name", "topic_name")
_SIGNS: Final = ("topic", "topic_name", "topic_id")
"""Fields that a topic has; one with `partition` in its name is a sign, too."""

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
_LEAVES: Final = frozenset({int, bool, float, str, bytes, tuple, NoneType})
"""Types of values that nothing is in: the tuple is that of unknown tagged fields."""

_BATCH: Final = prefix("record_batch")


class Place(NamedTuple):
    """A topic or a partition that is spoken of, and what is said of it: offsets, records.

    Of a message's places, only the first ones, which the list shows, have something said of them.
    """

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


class _Plan(NamedTuple):
    """Where fields that say something stand in the values of a class, made once for each.

    Attributes:
        names: what may be a topic's name, if it is a topic.
        is_topic: whether the other fields show that it is one.
        topic_id: the field of that name.
        partitions: what may be a partition's number.
        offsets: with the word before each.
        records: bytes of records.
        named: further fields, with the word before each.
        owners: what an error is of that is in no topic.
        errors: the code, and the texts that may go with it.
    """

    names: tuple[int, ...]
    is_topic: bool
    topic_id: int | None
    partitions: tuple[int, ...]
    offsets: tuple[tuple[int, str], ...]
    records: tuple[int, ...]
    named: tuple[tuple[int, str], ...]
    owners: tuple[int, ...]
    errors: tuple[tuple[int, tuple[int, ...]], ...]


@cache
def _plan(fields: tuple[str, ...]) -> _Plan:
    """Return the plan of a class with these fields."""
    at = {name: place for place, name in enumerate(fields)}

    def places(names: Iterable[str]) -> tuple[int, ...]:
        return tuple(at[name] for name in names if name in at)

    def worded(names: Mapping[str, str]) -> tuple[tuple[int, str], ...]:
        return tuple((at[name], word) for name, word in names.items() if name in at)

    codes = [name for name in fields if name.endswith(_ERROR)]
    return _Plan(
        names=places(_TOPICS),
        is_topic=any(name in _SIGNS or "partition" in name for name in fields),
        topic_id=at.get("topic_id"),
        partitions=places(_PARTITIONS),
        offsets=worded(_OFFSETS),
        records=places(_RECORDS),
        named=worded(_NAMED),
        owners=places(("group_id", "transactional_id")),
        errors=tuple((at[name], places((_MESSAGE, f"{name.removesuffix(_ERROR)}{_MESSAGE}"))) for name in codes),
    )


class _Walk:
    def __init__(self, topics: Mapping[bytes, str]) -> None:
        self._topics = topics
        self.places: list[Place] = []
        self.others: list[str] = []
        self.errors: list[ErrorSaid] = []

    def structure(self, value: Any, topic: str, partition: int | None, around: str = "") -> None:  # noqa: ANN401 - the same
        """Look at a structure and at those in it."""
        plan = _plan(value._fields)
        own = self._topic(plan, value, around) if plan.names or plan.topic_id is not None else ""
        topic = own or topic
        number = _number(plan, value) if topic else None
        partition = partition if number is None else number
        if number is not None:
            said = _said(plan, value) if len(self.places) < _MOST_SHOWN else ""
            self.places.append(Place(topic, number, said))
        for at, word in plan.named:
            if value[at]:
                self.others.append(f"{word} {value[at]}")
        if plan.errors:
            self._error(plan, value, topic, partition)
        before = len(self.places)
        for name, inner in zip(value._fields, value, strict=True):
            if type(inner) not in _LEAVES:
                self._inside(name, inner, topic, partition)
        if own and number is None and len(self.places) == before:
            self.places.append(Place(topic, None, ""))

    def _inside(self, name: str, inner: Any, topic: str, partition: int | None) -> None:  # noqa: ANN401 - the same
        """Look at a structure, or at an array, whose items are of one type."""
        if hasattr(inner, "_fields"):
            self.structure(inner, topic, partition, name)
        elif not inner:
            return
        elif hasattr(inner[0], "_fields"):
            for item in inner:
                self.structure(item, topic, partition, name)
        elif topic and isinstance(inner[0], int) and name.startswith("partition"):
            self.places += [Place(topic, item, "") for item in inner]
        elif isinstance(inner[0], str) and name == "topics":
            self.places += [Place(item, None, "") for item in inner]

    def _topic(self, plan: _Plan, value: Any, around: str) -> str:  # noqa: ANN401 - the same
        if plan.is_topic or "topic" in around:
            for at in plan.names:
                if isinstance(value[at], str):
                    if value[at]:
                        return str(value[at])
                    break
        number = None if plan.topic_id is None else value[plan.topic_id]
        if isinstance(number, bytes) and any(number):
            return self._topics.get(number) or id_text(number)
        return ""

    def _error(self, plan: _Plan, value: Any, topic: str, partition: int | None) -> None:  # noqa: ANN401 - the same
        for code, messages in plan.errors:
            number = value[code]
            if isinstance(number, int) and number:
                where = f"{topic}-{partition}" if topic and partition is not None else topic
                where = where or str(_first(value, plan.owners))
                name = specification().enums["error"].values.get(number, f"error {number}")
                self.errors.append(ErrorSaid(where, name, str(_first(value, messages))))


def _number(plan: _Plan, value: Any) -> int | None:  # noqa: ANN401 - the same
    """Return the number of the partition that a structure is about, if it has one."""
    for at in plan.partitions:
        number = value[at]
        if isinstance(number, int):
            return number
    return None


def _first(value: Any, places: tuple[int, ...]) -> Any:  # noqa: ANN401 - the same
    """Return the first of some fields that says something, else an empty text."""
    return next((value[at] for at in places if value[at]), "")


def _said(plan: _Plan, value: Any) -> str:  # noqa: ANN401 - the same
    """Say what a partition has: offsets, records."""
    offsets = [f"{word} {value[at]}" for at, word in plan.offsets if value[at] not in (-1, None)]
    batches = [_records(value[at]) for at in plan.records if isinstance(value[at], bytes) and value[at]]
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
