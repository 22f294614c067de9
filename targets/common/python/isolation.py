"""Decoding in a forked child, so that an input on which the child is lost is known at once.

This process has imported the library, and decodes nothing. It forks a child, which reads requests
and replies to them. The child writes the number of the input at hand into a page that the suite
watches: when it crashes, exits, hangs or grows too large, the suite knows the input. This process
says that the child has ended, and forks the next one, in milliseconds. docs/adapter-protocol.md
describes page and messages in its section "In isolation".

Only the standard library is used, since this runs in the target's own environment. Linux only.
"""

import ctypes
import gc
import mmap
import os
import signal
import struct
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

VARIABLE = "KAFKA_CONFORMANCE_PAGE"
"""The environment variable that asks for isolation, and names the file that holds the page."""

ANSWERED, REFUSED, UNSUPPORTED, RAISED = 0, 1, 2, 4
"""Status of a result: those of the protocol, and one more for an exception that is no refusal."""

_PROCESS, _BLOCK, _INPUT = range(3)
"""Fields of the page, each an int64: the layout `isolation_page`."""

_NONE = -1
_PART_RESULTS = 256
_PART_BYTES = 1 << 16
"""Results are sent after so many, or so many bytes of them. Those that are not sent are lost with
the child."""

_READ_BYTES = 1 << 20
_KILL_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""

_KEPT_MEMORY = ((-3, 32 << 20), (-1, 256 << 20))
"""M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3): glibc else gives the memory of each block
back to the system."""

_LENGTH = struct.Struct(">i")
_REQUEST = struct.Struct(">bibi")
_REPLY = struct.Struct(">bii")
_RESULT = struct.Struct(">bi")
_ENDED = struct.Struct(">bii")


class Decoder(NamedTuple):
    """A library as the child uses it.

    Attributes:
        hello: the JSON of the reply to hello.
        decode: by the kind of the input, bytes to whatever `answer` takes, and never to None.
        answer: what was decoded to the bytes of an answer.
        careful: the same for whatever `answer` raises on; what this raises is the library's fault.
        refusal: status and text for an exception that `decode` raises.
        text: name and text of any exception.
    """

    hello: bytes
    decode: Mapping[int, Callable[[bytes], Any]]
    answer: Callable[[Any], bytes]
    careful: Callable[[Any], bytes]
    refusal: Callable[[BaseException], tuple[int, bytes]]
    text: Callable[[BaseException], bytes]


def serve(decoder: Decoder, requests: int, replies: int) -> None:
    """Answer requests until the end of input, and exit; the numbers are file descriptors."""
    page = _page(os.environ.pop(VARIABLE))
    gc.collect()
    gc.freeze()
    while True:
        page[_INPUT] = _NONE
        child = _fork(_Child(decoder, requests, replies, page).run)
        _, status = os.waitpid(child, 0)
        with suppress(ProcessLookupError):  # what the library has started ends with its child
            os.killpg(child, signal.SIGKILL)
        if (number := page[_INPUT]) == _NONE:  # the end of input; or no input is to blame, and nothing is left to do
            os._exit(status != 0)
        _send(replies, _ENDED.pack(ord("X"), os.waitstatus_to_exitcode(status), number))


def _page(path: str) -> memoryview:
    with open(path, "r+b") as file:  # noqa: PTH123 - a few lines less to import in every environment
        return memoryview(mmap.mmap(file.fileno(), 0)).cast("q")


def _fork(run: Callable[[], None]) -> int:
    """Fork a child, the first of a group of its own, which ends together with this process."""
    if child := os.fork():
        return child
    status = 1
    try:
        libc = ctypes.CDLL(None)
        libc.prctl(_KILL_WITH_PARENT, signal.SIGKILL)
        with suppress(AttributeError):  # another C library than glibc
            for what, size in _KEPT_MEMORY:
                libc.mallopt(what, size)
        os.setpgid(0, 0)
        gc.disable()
        run()
        status = 0
    except BaseException:  # noqa: BLE001 - an error of ours; the suite quotes the end of standard error
        traceback.print_exc()
    finally:
        os._exit(status)


class _Child:
    """Reads requests, decodes, replies."""

    def __init__(self, decoder: Decoder, requests: int, replies: int, page: memoryview) -> None:
        self._decoder = decoder
        self._requests = requests
        self._replies = replies
        self._page = page

    def run(self) -> None:
        """Answer requests until the end of input."""
        self._page[_PROCESS] = os.getpid()
        while (head := self._read(_LENGTH.size)) is not None:
            body = self._read(*_LENGTH.unpack(head)) or b""
            if body[:1] == b"H":
                _send(self._replies, b"H" + self._decoder.hello)
            else:
                self._decode(body)
            del body
            gc.collect()

    def _decode(self, body: bytes) -> None:
        """Decode a block, and send the results part by part.

        It is one loop, because each call in it would take a percent of the time of a small batch.
        """
        _, block, kind, count = _REQUEST.unpack_from(body)
        if kind not in self._decoder.decode:
            text = f"does not decode inputs of kind {kind}".encode()
            self._send_results(block, [_RESULT.pack(UNSUPPORTED, len(text)), text] * count)
            return
        decode, answer = self._decoder.decode[kind], self._decoder.answer
        page, length_at, result_head = self._page, _LENGTH.unpack_from, _RESULT.pack
        results: list[bytes] = []
        at, size = _REQUEST.size, 0
        page[_BLOCK] = block
        for number in range(count):
            page[_INPUT] = number
            start = at + 4
            at = start + length_at(body, at)[0]
            decoded = None
            try:
                decoded = decode(body[start:at])
                status, content = ANSWERED, answer(decoded)
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is what the library does with these bytes
                status, content = self._otherwise(error, decoded)
            results += (result_head(status, len(content)), content)
            size += len(content)
            if size >= _PART_BYTES or number % _PART_RESULTS == _PART_RESULTS - 1:
                page[_INPUT] = _NONE
                self._send_results(block, results)
                results, size = [], 0
        page[_INPUT] = _NONE
        self._send_results(block, results)

    def _otherwise(self, error: BaseException, decoded: Any) -> tuple[int, bytes]:  # noqa: ANN401 - of the library
        if decoded is None:
            return self._decoder.refusal(error)
        try:
            return ANSWERED, self._decoder.careful(decoded)
        except BaseException as another:  # noqa: BLE001 - of the library's values
            return RAISED, b"gave records that no answer can hold: " + self._decoder.text(another)

    def _send_results(self, block: int, results: Sequence[bytes]) -> None:
        if results:
            _send(self._replies, _REPLY.pack(ord("D"), block, len(results) // 2) + b"".join(results))

    def _read(self, size: int) -> bytes | None:
        """Read exactly so much and never more: another child may have to read the rest."""
        parts: list[bytes] = []
        while size:
            part = os.read(self._requests, min(size, _READ_BYTES))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _send(file: int, body: bytes) -> None:
    left = memoryview(_LENGTH.pack(len(body)) + body)
    while left:
        left = left[os.write(file, left) :]
