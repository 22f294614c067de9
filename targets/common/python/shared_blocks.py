"""Decodes whole blocks of batches out of shared memory, in a forked child that may die of any of them.

The Spark harness puts thousands of batches and the answers that are due into a file in memory, and asks for a block by
its place there. The child decodes batch after batch and compares on the spot, so only what differs is sent back. Where
it stands is written into a page that it shares with its parent. The parent imported the library and does nothing but
watch: when the child dies, stands still or grows too large, the page says which batch it was; the parent notes it and
forks another child, which goes on behind that batch.

Requests and replies are frames, as in the adapter protocol, with a kind of their own:

- `I`: are images understood? Reply: `I` + int8, 1 for yes;
- `B` + int32 block id + int8 input kind + int8 form + int64 offset + int64 size + int32 n + n times int32: decode the
  block that lies there, except for the batches at n places. Form 0 is columns (see shared_answers.py), 1 is images
  (shared_images.py). Integers have the order of the machine;
- reply: `B` + int32 block id + int32 n + n times (int32 place + int8 word + int32 length + bytes): the batches that
  are not proven right. Words 0 to 2 are those of the protocol; the others are `CRASHED` and so on (shared_state.py).

Only the standard library is used, since this runs in the target's own environment. Linux only: memory files, pidfd.
"""

import fcntl
import gc
import json
import os
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from shared_answers import Answers
from shared_groups import Decoded, Group
from shared_images import ImageGroup, Images, Imaging, Taken
from shared_state import ACTIVE, ANSWER, COMPARED, COMPARING, LOGGED, PLACE, RAISED, REFUSED, UNSUPPORTED, State
from shared_watch import Orders, Watch

VARIABLE = "KAFKA_CONFORMANCE_BLOCKS"
"""The environment variable that turns an adapter into this: a JSON object with `path` of the memory file, `seconds` for
one batch, `memory`, resident bytes, and `patience`, seconds that may go into batches on which the child hangs."""

COLUMNS, IMAGES = range(2)
"""Forms of a block."""

_REQUEST = struct.Struct("=cibbqqi")
_REPLY = struct.Struct("=cii")
_FAR_FILE = 100


class Decoder(NamedTuple):
    """A library as the child uses it.

    Attributes:
        hello: the reply to a hello.
        decoders: by input kind, bytes to whatever the library gives for each record; None if it has none.
        decoded: what takes batches for one of them, and puts what came of them into columns.
        imaging: how batches become images; None if they do not.
        answer: records to the canonical bytes of an answer.
        refusal: the text for an exception that refuses the bytes; None if it is no refusal but a crash.
        unsupported: the exception that tells of a gap.
        told: the text for any exception; whether it begins with the name of its class is `named`.
    """

    hello: bytes
    decoders: Sequence[Callable[[bytes], Iterable[Any]] | None]
    decoded: Callable[[Callable[[bytes], Iterable[Any]]], Decoded]
    imaging: Imaging | None
    answer: Callable[[list[Any]], bytes]
    refusal: Callable[[BaseException], bytes | None]
    unsupported: type[Exception]
    told: Callable[..., bytes]


class _NothingDecodesError(Exception):
    """The library has nothing for this kind of input."""


_Decode = Callable[[bytes], Iterable[Any]]


def _nothing(_: bytes) -> list[Any]:
    raise _NothingDecodesError("this kind of input")


def asked_for() -> bool:
    """True if this process was started to share blocks."""
    return VARIABLE in os.environ


def serve(decoder: Decoder, requests: int, replies: int) -> None:
    """Answer requests until the end of input; the arguments are file descriptors."""
    settings = json.loads(os.environ.pop(VARIABLE))
    # Out of the way of decoders that close 0 to 2, or what they take for their own.
    requests, replies = (fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, _FAR_FILE) for one in (requests, replies))
    file = os.open(settings["path"], os.O_RDONLY)
    gc.collect()
    gc.freeze()
    watch = Watch(settings["seconds"], settings["memory"], settings["patience"])
    watch.run(lambda state, orders: _Child(decoder, file, requests, replies, state).run(orders))


class _Child:
    """Reads requests, decodes, compares, replies."""

    def __init__(self, decoder: Decoder, file: int, requests: int, replies: int, state: State) -> None:
        self._decoder = decoder
        self._file = file
        self._requests = requests
        self._replies = replies
        self._state = state

    def run(self, orders: Orders) -> None:
        """Finish the block at hand, if there is one, then answer requests until the end of input."""
        if self._state.numbers[ACTIVE]:
            self._block(orders)
        while (head := self._read(4)) is not None:
            body = self._read(int.from_bytes(head, "big")) or b""
            if body[:1] == b"H":
                self._write(b"H" + self._decoder.hello)
            elif body[:1] == b"I":
                self._write(b"I" + bytes([self._decoder.imaging is not None]))
            else:
                self._state.begin(body)
                self._block(Orders())

    def _block(self, orders: Orders) -> None:
        request, numbers = self._state.request(), self._state.numbers
        _, block_id, kind, form, offset, size, count = _REQUEST.unpack_from(request)
        data = os.pread(self._file, size, offset)
        due = Images(data) if form == IMAGES else Answers(data)
        decode = self._decoder.decoders[kind] or _nothing
        if orders.suspect >= 0:
            self._alone(due, decode, orders.suspect)
        if not orders.given_up:
            not_asked = struct.unpack_from(f"={count}i", request, _REQUEST.size)
            left_out = frozenset(not_asked) | orders.left_out
            self._decode(due, decode, left_out, orders)
        numbers[PLACE] = -1
        found = self._state.entries()
        self._state.end()
        self._write(_REPLY.pack(b"B", block_id, len(found)) + b"".join(found))
        gc.collect()

    def _alone(self, due: Answers | Images, decode: _Decode, place: int) -> None:
        """Judge a batch that killed the child before, and forget it: if it kills this one too, it is to blame."""
        logged = self._state.numbers[LOGGED]
        group = self._group(due, decode, range(place, place + 1), frozenset())
        for batch in group.differing():
            self._answer(group.records, batch)
        self._state.numbers[LOGGED] = logged

    def _decode(self, due: Answers | Images, decode: _Decode, left_out: frozenset[int], orders: Orders) -> None:
        """Decode and compare group by group; all before the next one is judged then.

        A batch that killed a child begins a group, so that those before it are not decoded again for the next one.
        """
        numbers = self._state.numbers
        start = numbers[COMPARED]
        while start < len(due):
            end = start + 1
            if end > orders.singly:
                end = min([due.group_end(start), *(place for place in orders.left_out if place > start)])
            group = self._group(due, decode, range(start, end), left_out)
            numbers[COMPARING] = end - start
            for batch in group.differing():
                self._state.note(group.places[batch], *self._answer(group.records, batch))
            numbers[COMPARING] = 0
            numbers[COMPARED] = start = end

    def _group(
        self, due: Answers | Images, decode: _Decode, places: range, left_out: frozenset[int]
    ) -> Group | ImageGroup:
        """Decode some batches. It is written for speed: a look-up takes a thousandth of the time of a small one."""
        taken, group = self._taking(due, decode)
        take, numbers, place_at, holes = taken.take, self._state.numbers, PLACE, set()
        for place, data in zip(places, due.inputs(places.start, places.stop), strict=True):
            if place in left_out:
                holes.add(place)
                continue
            numbers[place_at] = place
            try:
                take(data)
            except BaseException as error:  # noqa: BLE001 - every one is a word on this batch
                taken.drop()
                holes.add(place)
                word, content = self._said(error)
                if word != REFUSED or not due.verdicts[place]:
                    self._state.note(place, word, content)
        return group([place for place in places if place not in holes] if holes else places)

    def _taking(
        self, due: Answers | Images, decode: _Decode
    ) -> tuple[Decoded | Taken, Callable[[Sequence[int]], Group | ImageGroup]]:
        """Return what takes batches, and what compares those that it took with what is due at their places."""
        if isinstance(due, Images):
            assert self._decoder.imaging is not None  # noqa: S101 - else nobody asks
            images = Taken(self._decoder.imaging)
            return images, partial(ImageGroup, due, images)
        decoded = self._decoder.decoded(decode)
        return decoded, partial(Group, due, decoded)

    def _answer(self, records: Callable[[Any], list[Any]], decoded: Any) -> tuple[int, bytes]:  # noqa: ANN401
        try:
            return ANSWER, self._decoder.answer(records(decoded))
        except BaseException as error:  # noqa: BLE001 - whatever does not fit into an answer
            return RAISED, b"gave records that no answer can hold: " + self._decoder.told(error)

    def _said(self, error: BaseException) -> tuple[int, bytes]:
        kind = type(error)  # `isinstance` would ask the exception
        if issubclass(kind, (_NothingDecodesError, self._decoder.unsupported)):
            return UNSUPPORTED, self._decoder.told(error, named=False)
        refusal = self._decoder.refusal(error) if issubclass(kind, Exception) else None
        return (RAISED, b"raised " + self._decoder.told(error)) if refusal is None else (REFUSED, refusal)

    def _read(self, size: int) -> bytes | None:
        """Read exactly so much, and never more, since another child may have to read what follows."""
        parts: list[bytes] = []
        while size:
            part = os.read(self._requests, size)
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _write(self, reply: bytes) -> None:
        left = memoryview(struct.pack(">i", len(reply)) + reply)
        while left:
            left = left[os.write(self._replies, left) :]
