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
  are not proven right. Words 0 to 2 are those of the protocol; the others are `CRASHED` and so on.

Only the standard library is used, since this runs in the target's own environment. Linux only: memory files, pidfd.
"""

import contextlib
import ctypes
import fcntl
import gc
import json
import mmap
import os
import select
import signal
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from shared_answers import Answers
from shared_groups import Decoded, Group
from shared_images import ImageGroup, Images, Imaging
from shared_processes import Orphans, resident_bytes

VARIABLE = "KAFKA_CONFORMANCE_BLOCKS"
"""The environment variable that turns an adapter into this: a JSON object with `path` of the memory file, `seconds` for
one batch, `memory`, resident bytes, and `patience`, seconds that may go into batches on which the child hangs."""

COLUMNS, IMAGES = range(2)
"""Forms of a block."""

ANSWER, REFUSED, UNSUPPORTED, RAISED, CRASHED, HUNG, OUT_OF_MEMORY, NOT_PUT = range(8)

GIVE_UP = 40
"""Losses without a single batch between them after which the child is not forked again."""

_REQUEST = struct.Struct("=cibbqqi")
_REPLY = struct.Struct("=cii")
_ENTRY = struct.Struct("=ibi")
_STATUS = struct.Struct("=i")
_LOOK_SECONDS = 0.05
_FAR_FILE = 100
_ROOM = 1 << 17
_PLACE, _COMPARED, _LOGGED, _ACTIVE, _BLOCKS, _LENGTH, _COMPARING = range(7)
_HEAD = 8 * 7
_KEPT_MEMORY = ((-3, 32 << 20), (-1, 256 << 20))
"""M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3): glibc else gives a block's memory back each time, and the system
clears every page of it again."""

_KILL_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Orders(NamedTuple):
    """What a child has to know of those before it, in the block at hand.

    Attributes:
        suspect: place of a batch to decode first, alone, because it killed the last child; -1 for none.
        left_out: places of batches that are not decoded any more.
        given_up: decode nothing more of the block.
        singly: compare the batches before this place one by one: a child was lost when it looked at many at a time.
    """

    suspect: int = -1
    left_out: frozenset[int] = frozenset()
    given_up: bool = False
    singly: int = 0


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
    watch = _Watch(settings["seconds"], settings["memory"], settings["patience"])
    watch.run(lambda state: _Child(decoder, file, requests, replies, state))


class _State:
    """What parent and child share: numbers in a page, the request at hand, and what has been found in it.

    Attributes:
        numbers: place of the batch at hand, -1 for none; place before which all are judged; bytes of entries; 1 in a
            block; number of the block; bytes of the request; how many batches are being compared, 0 for none.
    """

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _ROOM)
        self.numbers = memoryview(self._page)[:_HEAD].cast("q")
        self._log = os.memfd_create("found")

    def begin(self, request: bytes) -> None:
        """Take up a block."""
        self._page[_HEAD : _HEAD + len(request)] = request
        self.numbers[_LENGTH] = len(request)
        self.numbers[_PLACE], self.numbers[_COMPARED], self.numbers[_LOGGED] = -1, 0, 0
        self.numbers[_COMPARING] = 0
        self.numbers[_BLOCKS] += 1
        self.numbers[_ACTIVE] = 1

    def end(self) -> None:
        """Be done with the block."""
        self.numbers[_ACTIVE] = 0

    def request(self) -> bytes:
        """The request at hand."""
        return self._page[_HEAD : _HEAD + self.numbers[_LENGTH]]

    def note(self, place: int, word: int, content: bytes) -> None:
        """Add an entry to the reply."""
        entry = _ENTRY.pack(place, word, len(content)) + content
        os.pwrite(self._log, entry, self.numbers[_LOGGED])
        self.numbers[_LOGGED] += len(entry)

    def entries(self) -> list[bytes]:
        """All entries; what was found a second time, after a loss, counts once."""
        data, at, found = os.pread(self._log, self.numbers[_LOGGED], 0), 0, {}
        while at < len(data):
            place, word, size = _ENTRY.unpack_from(data, at)
            # Giving up is told of all that follows a place, and takes nothing back of what is known of the place.
            found[place, word == NOT_PUT] = data[at : at + _ENTRY.size + size]
            at += _ENTRY.size + size
        return list(found.values())


class _Child:
    """Reads requests, decodes, compares, replies."""

    def __init__(self, decoder: Decoder, file: int, requests: int, replies: int, state: _State) -> None:
        self._decoder = decoder
        self._file = file
        self._requests = requests
        self._replies = replies
        self._state = state

    def run(self, orders: Orders) -> None:
        """Finish the block at hand, if there is one, then answer requests until the end of input."""
        if self._state.numbers[_ACTIVE]:
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
        numbers[_PLACE] = -1
        found = self._state.entries()
        self._state.end()
        self._write(_REPLY.pack(b"B", block_id, len(found)) + b"".join(found))
        gc.collect()

    def _alone(self, due: Answers | Images, decode: _Decode, place: int) -> None:
        """Judge a batch that killed the child before, and forget it: if it kills this one too, it is to blame."""
        logged = self._state.numbers[_LOGGED]
        group = self._decoded(due, decode, range(place, place + 1), frozenset())
        for batch in group.differing():
            self._answer(group.records, batch)
        self._state.numbers[_LOGGED] = logged

    def _decode(self, due: Answers | Images, decode: _Decode, left_out: frozenset[int], orders: Orders) -> None:
        """Decode and compare group by group; all before the next one is judged then.

        A batch that killed a child begins a group, so that those before it are not decoded again for the next one.
        """
        numbers = self._state.numbers
        start = numbers[_COMPARED]
        while start < len(due):
            end = start + 1
            if end > orders.singly:
                end = min([due.group_end(start), *(place for place in orders.left_out if place > start)])
            places = range(start, end)
            group = self._decoded(due, decode, places, left_out)
            numbers[_COMPARING] = end - start
            for batch in group.differing():
                self._state.note(group.places[batch], *self._answer(group.records, batch))
            numbers[_COMPARING] = 0
            numbers[_COMPARED] = start = end

    def _decoded(
        self, due: Answers | Images, decode: _Decode, places: range, left_out: frozenset[int]
    ) -> Group | ImageGroup:
        if isinstance(due, Images):
            return self._image_group(due, places, left_out)
        return self._group(due, decode, places, left_out)

    def _group(self, due: Answers, decode: _Decode, places: range, left_out: frozenset[int]) -> Group:
        decoded, numbers, holes = self._decoder.decoded(decode), self._state.numbers, set()
        take = decoded.take
        for place, data in zip(places, due.inputs(places.start, places.stop), strict=True):
            if place in left_out:
                holes.add(place)
                continue
            numbers[_PLACE] = place
            try:
                take(data)
            except BaseException as error:  # noqa: BLE001 - every one is a word on this batch
                decoded.drop()
                holes.add(place)
                word, content = self._said(error)
                if word != REFUSED or not due.verdicts[place]:
                    self._state.note(place, word, content)
        return Group(due, decoded, _without(places, holes))

    def _image_group(self, due: Images, places: range, left_out: frozenset[int]) -> ImageGroup:
        """Decode some batches. It is written for speed: a call of a function takes a hundredth of a small batch."""
        imaging, numbers, place_at = self._decoder.imaging, self._state.numbers, _PLACE
        assert imaging is not None  # noqa: S101 - else nobody asks
        read, decoded, holes = imaging.read, [], set()
        for place, data in zip(places, due.inputs(places.start, places.stop), strict=True):
            if place in left_out:
                holes.add(place)
                continue
            numbers[place_at] = place
            runs = []
            try:
                for state, rows in read(data):
                    runs.append((state, list(rows)))
            except BaseException as error:  # noqa: BLE001 - every one is a word on this batch
                holes.add(place)
                self._state.note(place, *self._said(error))
                continue
            decoded.append(runs)
        return ImageGroup(due, decoded, _without(places, holes), imaging)

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


def _without(places: range, holes: set[int]) -> Sequence[int]:
    return [place for place in places if place not in holes] if holes else places


class _Watch:
    """Forks children, one after another, and notes what becomes of them."""

    def __init__(self, seconds: float, memory: int, patience: float) -> None:
        self._seconds = seconds
        self._memory = memory
        self._state = _State()
        self._orders = Orders()
        self._block = self._place = -1
        self._in_a_row = 0
        self._patience = patience
        self._libc = ctypes.CDLL(None)
        self._orphans = Orphans(self._libc)

    def run(self, child: Callable[[_State], _Child]) -> None:
        """Keep a child running until it has read all input."""
        while True:
            began = time.monotonic()
            word, content = self._wait(self._fork(child))
            self._orphans.end()
            if not self._state.numbers[_ACTIVE]:
                os._exit(0 if (word, content) == (CRASHED, _STATUS.pack(0)) else 1)
            if word == HUNG:
                self._patience -= min(time.monotonic() - began, self._seconds)
            self._note(word, content)

    def _fork(self, child: Callable[[_State], _Child]) -> int:
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            self._libc.prctl(_KILL_WITH_PARENT, signal.SIGKILL)
            with contextlib.suppress(AttributeError):  # another C library than glibc
                for what, size in _KEPT_MEMORY:
                    self._libc.mallopt(what, size)
            gc.disable()
            child(self._state).run(self._orders)
            status = 0
        finally:
            os._exit(status)

    def _note(self, word: int, content: bytes) -> None:
        """Note what the batch at hand did to the child, and give orders to the next one."""
        numbers = self._state.numbers
        if self._block != numbers[_BLOCKS]:
            self._block, self._place, self._orders = numbers[_BLOCKS], -1, Orders()
        place, suspect = numbers[_PLACE], self._orders.suspect
        self._in_a_row = self._in_a_row + 1 if place - self._place <= 1 else 1
        self._place = place
        again = suspect == place
        many, numbers[_COMPARING] = numbers[_COMPARING] > 1, 0
        # Else it died between batches, of a file that one of them closed, say: the next child goes on.
        if place >= 0 and not many:
            self._state.note(place, word, content + bytes([again]) if word == CRASHED else content)
        given_up = self._in_a_row > GIVE_UP or self._patience < 0
        if given_up:
            self._state.note(numbers[_COMPARED], NOT_PUT, b"")
        left_out = self._orders.left_out
        if many:  # any of them may be to blame
            self._orders = Orders(-1, left_out, given_up, place + 1)
            return
        alone = word == CRASHED and not again and place >= 0
        self._orders = Orders(place if alone else -1, left_out | {place}, given_up, self._orders.singly)

    def _wait(self, pid: int) -> tuple[int, bytes]:
        """Wait for the end of a child, or end it."""
        watched = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(watched, select.POLLIN)
        stood, since = (-1, -1, -1), time.monotonic()
        word = CRASHED
        while not poll.poll(_LOOK_SECONDS * 1000):
            stands = (self._state.numbers[_BLOCKS], self._state.numbers[_PLACE], self._state.numbers[_COMPARED])
            if stands != stood or stands[1] < 0 or not self._state.numbers[_ACTIVE]:
                stood, since = stands, time.monotonic()
            elif time.monotonic() - since > self._seconds:
                word = HUNG
            if stands[1] >= 0 and resident_bytes(pid) > self._memory:
                word = OUT_OF_MEMORY
            if word != CRASHED:
                os.kill(pid, signal.SIGKILL)
                break
        _, status = os.waitpid(pid, 0)
        os.close(watched)
        return word, _STATUS.pack(os.waitstatus_to_exitcode(status)) if word == CRASHED else b""
