"""Sound message sets of v0 and v1, and replacement of a part with all around it put right."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from kafka_format import compression
from kafka_format.codec.prefix import prefix
from kafka_format.records.entries import OVERHEAD
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import int32, overwritten
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_ENTRY: Final = prefix("message_set_entry")
_MESSAGES: Final = (prefix("message_v0"), prefix("message_v1"))
SIZE: Final = _ENTRY.places["message_size"]
CRC, MAGIC, ATTRIBUTES = (_ENTRY.size + _MESSAGES[0].places[name] for name in ("crc", "magic", "attributes"))
KEY: Final = tuple(_ENTRY.size + message.size for message in _MESSAGES)
"""Where the length of the key stands, by magic."""
LENGTH_SIZE: Final = minimum_size(find("message_v0").field("key").type)
"""Bytes of the length of a key or value."""

_Result = TypeVar("_Result")


class Span(NamedTuple):
    """An entry: where it begins and ends."""

    start: int
    end: int


class MessageSet:
    """A sound message set: messages, or one wrapper.

    Attributes:
        data: its bytes.
        codec: name of the codec of its wrapper, or `none`.
        magic: 0 or 1.
        entries: the messages, or the wrapper.
    """

    def __init__(self, data: bytes, codec: str, magic: int) -> None:
        self.data = data
        self.codec = codec
        self.magic = magic
        self.entries = entries_of(data)

    def value_at(self, data: bytes, start: int) -> int:
        """Where the length of the value stands of the entry that begins at `start`."""
        key = start + KEY[self.magic]
        return key + LENGTH_SIZE + max(int.from_bytes(data[key : key + LENGTH_SIZE], "big", signed=True), 0)

    @property
    def wrapped(self) -> bytes:
        """The compressed payload of the wrapper."""
        return self.data[self.value_at(self.data, 0) + LENGTH_SIZE :]

    def messages(self) -> bytes:
        """The messages, not compressed."""
        return self.data if self.codec == "none" else compression.decompress(self.codec, self.wrapped, magic=self.magic)

    def with_messages(self, messages: bytes) -> bytes:
        """Return the set with other messages, compressed as before, in a wrapper put right."""
        if self.codec == "none":
            return messages
        return self.with_wrapped(compression.compress(self.codec, messages, magic=self.magic))

    def with_wrapped(self, payload: bytes) -> bytes:
        """The wrapper with another payload."""
        return seal(self.data[: self.value_at(self.data, 0)] + int32(len(payload)) + payload)


def entries_of(data: bytes) -> list[Span]:
    """Find the entries of sound bytes."""
    spans, at = [], 0
    while at < len(data):
        end = at + OVERHEAD + _ENTRY.value(data, at, "message_size")
        spans.append(Span(at, end))
        at = end
    return spans


def offset_of(data: bytes, at: int) -> int:
    """Read the offset of the entry that begins at `at`."""
    return _ENTRY.value(data, at, "offset")


def seal(entry: bytes) -> bytes:
    """Put size and checksum of an entry right."""
    crc = zlib.crc32(entry[MAGIC:])
    return entry[:SIZE] + int32(len(entry) - OVERHEAD) + int32(crc) + entry[MAGIC:]


class Message(NamedTuple):
    """A message of a set, or in its wrapper. `messages` are all of the set, not compressed."""

    of: MessageSet
    messages: bytes
    span: Span

    @property
    def entry(self) -> bytes:
        """Its bytes."""
        return self.messages[self.span.start : self.span.end]

    def replace_entry(self, entry: bytes) -> bytes:
        """The whole set with another entry in its place."""
        return self.of.with_messages(self.messages[: self.span.start] + entry + self.messages[self.span.end :])

    def seal_with(self, at: int, new: bytes) -> bytes:
        """The whole set with other bytes at a place in the entry; all checksums are right."""
        return self.replace_entry(seal(overwritten(self.entry, at, new)))

    def length_at(self, dice: Dice) -> int:
        """Pick the place of the length of its key, or of its value."""
        return KEY[self.of.magic] if dice.below(2) else self.of.value_at(self.entry, 0)


def of_a_message(change: Callable[[Message, Dice], _Result]) -> Callable[[MessageSet, Dice], _Result]:
    """Turn a change of a message into one of a message set: the dice pick the message."""

    def make(sets: MessageSet, dice: Dice) -> _Result:
        messages = sets.messages()
        spans = entries_of(messages)
        return change(Message(sets, messages, spans[dice.below(len(spans))]), dice)

    return make


def of_a_wrapper(change: Callable[[MessageSet, Dice], _Result]) -> Callable[[MessageSet, Dice], _Result | None]:
    """Leave out message sets without a wrapper."""
    return lambda sets, dice: None if sets.codec == "none" else change(sets, dice)
