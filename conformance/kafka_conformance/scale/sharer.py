"""One Python target that takes blocks out of shared memory: it decodes and compares there, in a child of its own.

The other side is shared_blocks.py, beside the adapters of Python targets. It finds the batches that kill its child by
itself, and replies only with what differs.
"""

import json
import math
import struct
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.exit_text import exit_words
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.messages import InputKind, Reply
from kafka_conformance.scale import images
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.checker import tied
from kafka_conformance.scale.judging import V07, V2, declared, judged
from kafka_conformance.scale.slots import Columns, Form, Images, Kind, Slots
from kafka_conformance.scale.sparing import Sparing
from kafka_conformance.serving.sharing import VARIABLE

_REQUEST = struct.Struct("=cibbqqi")
_ASK_FOR_IMAGES = b"I"
_REPLY = struct.Struct("=cii")
_ENTRY = struct.Struct("=ibi")
_STATUS = struct.Struct("=i?")
_TOLD = ("seconds", "memory", "patience")
"""The limits that the other side watches."""

_LOOK_SECONDS = 0.25
"""How often we look at that process; it looks at its child five times as often."""

_SPARE = 256 << 20
"""Bytes that the process which watches may take besides its child."""


class Word(IntEnum):
    """What the other side says of a batch; 0 to 2 are those of the adapter protocol."""

    RAISED = 3
    CRASHED = 4
    HUNG = 5
    OUT_OF_MEMORY = 6
    NOT_PUT = 7


_DEATHS = (Word.CRASHED, Word.HUNG, Word.OUT_OF_MEMORY)

_GIVEN_UP = (
    "given up: too many batches killed it one after another, or it hung for too long; "
    "`--patience` gives it more time, `--seconds` and `--deaths` need less"
)


class _Entry(NamedTuple):
    place: int
    word: int
    content: bytes


class _Client(AdapterClient):
    """The process that watches, with its child.

    Attributes:
        takes_images: that it understands them.
    """

    def __init__(self, command: Command, limits: Limits) -> None:
        super().__init__(command, limits)
        self._process.look_seconds = _LOOK_SECONDS
        self._process.send(frame(_ASK_FOR_IMAGES))
        self.takes_images = self._speak(limits.start_seconds, _takes_images) and {*self.hello.fields} >= images.NEEDED

    def form(self, batches: Batches) -> Form:
        """How it wants a block."""
        sound_v2 = all((version, fault) == (V2, "") for version, _, fault, _ in batches.sorts)
        if self.takes_images and sound_v2:
            return Images(frozenset(self.hello.fields))
        return Columns("control" not in self.hello.fields)

    def put_shared(self, kind: InputKind, form: Kind, where: tuple[int, int], left_out: list[int]) -> None:
        self._blocks += 1
        head = _REQUEST.pack(b"B", self._blocks, kind, form, *where, len(left_out))
        self._process.send(frame(head + struct.pack(f"={len(left_out)}i", *left_out)))
        self._process.flush(self._limits.seconds)

    def take_shared(self) -> list[_Entry]:
        """Wait as long as it takes: the other side watches the clock, batch by batch."""
        return self._speak(math.inf, lambda body: list(_entries(body)))


@dataclass(slots=True)
class _Open:
    """Batches whose reply is still to come: what was asked, and of whom."""

    batches: Batches
    checked: Checked = field(default_factory=lambda: Checked({}, set()))
    asked: list[tuple[InputKind, list[int]]] = field(default_factory=list)
    client: _Client | None = None


class Sharer:
    """A target under test, with the same ways as a `Checker`. Always `close` it.

    Attributes:
        target: its name.
        problem: why it was given up; empty while it lives.
        notes: what happened besides.
    """

    def __init__(self, target: str, command: Command, limits: Limits, slots: Slots) -> None:
        """Describe the target; it starts with the first batches."""
        self.target = target
        self.problem = ""
        self.notes: list[str] = []
        told = json.dumps({"path": slots.path} | {name: getattr(limits, name) for name in _TOLD})
        self._command = tied(
            replace(command, arguments=command.sharing, environment={**command.environment, VARIABLE: told})
        )
        self._limits = limits
        self._sparing = Sparing(target, limits.deaths)
        self._slots = slots
        self._client: _Client | None = None
        self._open: deque[_Open] = deque()

    def put(self, batches: Batches) -> None:
        """Put the batches to the target; at most two may be open."""
        opened = _Open(batches)
        self._open.append(opened)
        client = self._alive()
        if client is None:
            opened.checked.not_put.update(range(len(batches)))
            return
        numbers = declared(batches, client.hello, self.target, opened.checked.results)
        self._sparing.put(batches)
        numbers = self._sparing.spare(batches, numbers, opened.checked.results)
        left_out = [] if len(numbers) == len(batches) else sorted(opened.checked.results)
        opened.asked = _requests(batches, left_out)
        self._ask(opened, client)

    def take(self) -> Checked:
        """Wait for what the target makes of the batches that were put first, and judge it."""
        opened = self._open.popleft()
        if opened.asked and (self._alive() is None or opened.client is not self._client):
            opened.checked.not_put.update(set(range(len(opened.batches))) - opened.checked.results.keys())
            return opened.checked
        for _, left_out in opened.asked:
            try:
                assert opened.client is not None  # noqa: S101 - who was asked has a client
                entries = opened.client.take_shared()
            except TargetLostError as lost:
                first, last = opened.batches.start, opened.batches.start + len(opened.batches) - 1
                self.problem = (
                    f"given up on one of batches {first} to {last} (`--index` puts one alone): it {lost.detail}"
                )
                opened.checked.not_put.update(set(range(len(opened.batches))) - set(left_out))
                break
            self._judge(opened, entries, left_out)
        return opened.checked

    def close(self) -> None:
        """End the target."""
        if self._client is not None:
            self._client.close()

    def _alive(self) -> _Client | None:
        if self._client is None and not self.problem:
            limits = replace(self._limits, memory=2 * self._limits.memory + _SPARE)
            try:
                self._client = _Client(self._command, limits)
            except TargetLostError as lost:
                self.problem = f"did not come up: it {lost.detail}"
        return None if self.problem else self._client

    def _ask(self, opened: _Open, client: _Client) -> None:
        opened.client = client
        form = client.form(opened.batches)
        where = self._slots.place(opened.batches, form)
        for kind, left_out in opened.asked:
            client.put_shared(kind, form.kind, where, left_out)

    def _judge(self, opened: _Open, entries: list[_Entry], left_out: list[int]) -> None:
        assert opened.client is not None  # noqa: S101 - who was asked has a client
        words = {entry.place: entry for entry in entries if entry.word != Word.NOT_PUT}
        for entry in entries:
            if entry.word == Word.NOT_PUT:
                self.problem = _GIVEN_UP
                rest = range(entry.place, len(opened.batches))
                opened.checked.not_put.update(set(rest) - words.keys() - set(left_out))
        for place, entry in words.items():
            if entry.word in _DEATHS:
                self._sparing.died(opened.batches, place)
            word = self._word(entry)
            result = judged(opened.batches, place, opened.client.hello, self.target, word)
            if result.outcome is not Outcome.PASSED:
                opened.checked.results[place] = result

    def _word(self, entry: _Entry) -> Reply | Loss:
        make = _LOSSES.get(entry.word)
        return make(entry.content, self._limits) if make else Reply(entry.word, entry.content)


def _requests(batches: Batches, left_out: list[int]) -> list[tuple[InputKind, list[int]]]:
    """What to ask: for each kind of input that there is, the batches to leave out."""
    if not any(version == V07 for version, *_ in batches.sorts):
        return [(InputKind.RECORDS, left_out)]
    old = {number for number in range(len(batches)) if batches.sort(number)[0] == V07}
    new = set(range(len(batches))) - old
    asked = [(InputKind.RECORDS, old), (InputKind.MESSAGE_SET_07, new)]
    return [(kind, sorted(others | {*left_out})) for kind, others in asked if len(others) < len(batches)]


def _takes_images(body: bytes) -> bool:
    if body[:1] != _ASK_FOR_IMAGES or len(body) != len(_ASK_FOR_IMAGES) + 1:
        raise ProtocolError(f"answered what it was asked about images with {body[:16]!r}")
    return bool(body[-1])


def _entries(body: bytes) -> Iterator[_Entry]:
    if body[:1] != b"B" or len(body) < _REPLY.size:
        raise ProtocolError(f"answered a block with {body[:16]!r}")
    at = _REPLY.size
    for _ in range(_REPLY.unpack_from(body)[2]):
        place, word, size = _ENTRY.unpack_from(body, at)
        at += _ENTRY.size
        yield _Entry(place, word, body[at : at + size])
        at += size


def _crashed(content: bytes, _: Limits) -> Loss:
    code, again = _STATUS.unpack(content)
    how = "again in a fresh process" if again else "but not in a fresh process: an earlier input may be to blame"
    return Loss(Outcome.CRASHED, f"{exit_words(code)} ({how})")


_LOSSES: Mapping[int, Callable[[bytes, Limits], Loss]] = {
    Word.RAISED: lambda content, _: Loss(Outcome.CRASHED, content.decode("utf-8", "replace")),
    Word.CRASHED: _crashed,
    Word.HUNG: lambda _, limits: Loss(Outcome.HUNG, f"gave no reply for {limits.seconds:g} s"),
    Word.OUT_OF_MEMORY: lambda _, limits: Loss(
        Outcome.OUT_OF_MEMORY, f"took more memory than the limit of {limits.memory >> 20} MiB"
    ),
}
