"""The runner's side of adapter protocol 1, written from the contract alone.

The tests of an adapter use this and not the project's own protocol code, so that one mistake cannot
hide in both ends.
"""

import json
import os
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self


class AnswerRecord(NamedTuple):
    """One record of an answer; the defaults are those of a record that says nothing about
    itself."""

    offset: int = 0
    timestamp: int = -1
    timestamp_type: int = -1
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[bytes | None, bytes | None], ...] = ()
    producer_id: int = -1
    producer_epoch: int = -1
    sequence: int = -1
    flags: int = 0
    codec: int = 0


class Result(NamedTuple):
    """One result of a block: 0 answer, 1 refused, 2 not supported, 3 partial answer."""

    status: int
    content: bytes

    @property
    def answer(self) -> list[AnswerRecord]:
        """The records of a status 0 decode result."""
        assert self.status == 0, self.content.decode()
        return read_answer(self.content)

    @property
    def text(self) -> str:
        return self.content.decode("utf-8")


class Adapter:
    """An adapter process; a context manager."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def finish(self, last: bytes = b"") -> tuple[int, bytes, str]:
        """Write raw bytes and end the input; answer the exit status, what was still written, and
        the log."""
        output, log = self.process.communicate(last, timeout=1800)
        return self.process.returncode, output, log.decode()

    def hello(self, **more: object) -> dict[str, Any]:
        reply = self.ask(b"H" + json.dumps({"protocol": 1, **more}).encode())
        assert reply[:1] == b"H"
        return json.loads(reply[1:])

    def decode(self, *inputs: bytes, input_kind: int = 0) -> list[Result]:
        return self.block(b"D", struct.pack(">b", input_kind), [_bytes(item) for item in inputs])

    def encode(self, magic: int, codec: int, *answers: Sequence[AnswerRecord]) -> list[Result]:
        head = struct.pack(">bb", magic, codec)
        return self.block(b"E", b"", [head + _bytes(write_answer(answer)) for answer in answers])

    def messages(self, *messages: tuple[int, int, int, bytes]) -> list[Result]:
        inputs = [struct.pack(">bhh", kind, api, version) + _bytes(data) for kind, api, version, data in messages]
        return self.block(b"M", b"", inputs)

    def block(self, kind: bytes, head: bytes, inputs: Sequence[bytes]) -> list[Result]:
        block_id = 0x01020304
        body = kind + struct.pack(">i", block_id) + head + struct.pack(">i", len(inputs)) + b"".join(inputs)
        reply = Reader(self.ask(body))
        assert reply.take(1) == kind
        assert reply.unpack(">i") == block_id
        results = [Result(reply.unpack(">b"), reply.bytes() or b"") for _ in range(reply.unpack(">i"))]
        reply.end()
        return results

    def ask(self, body: bytes) -> bytes:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        frame = memoryview(struct.pack(">i", len(body)) + body)
        while frame:
            frame = frame[stdin.write(frame) :]  # a signal cuts short what an unbuffered pipe takes
        (length,) = struct.unpack(">i", b"".join(_exactly(stdout, 4)))
        return b"".join(_exactly(stdout, length))


class Reader:
    """Takes big-endian values off the front of bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take(self, size: int) -> bytes:
        taken = self.data[self.place : self.place + size]
        assert len(taken) == size, "the adapter's frame ends too early"
        self.place += size
        return taken

    def unpack(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def bytes(self) -> bytes | None:
        length = self.unpack(">i")
        return None if length == -1 else self.take(length)

    def end(self) -> None:
        assert self.place == len(self.data), "the adapter's frame has bytes left over"


def read_answer(data: bytes) -> list[AnswerRecord]:
    reader = Reader(data)
    records = [_read_record(reader) for _ in range(reader.unpack(">i"))]
    reader.end()
    return records


def read_partial(data: bytes) -> tuple[list[AnswerRecord], str]:
    """Records, and after them the error text."""
    reader = Reader(data)
    records = [_read_record(reader) for _ in range(reader.unpack(">i"))]
    return records, reader.data[reader.place :].decode("utf-8")


def write_answer(records: Sequence[AnswerRecord]) -> bytes:
    return struct.pack(">i", len(records)) + b"".join(map(_write_record, records))


def _read_record(reader: Reader) -> AnswerRecord:
    offset, timestamp, timestamp_type = struct.unpack(">qqb", reader.take(17))
    key, value = reader.bytes(), reader.bytes()
    headers = tuple((reader.bytes(), reader.bytes()) for _ in range(reader.unpack(">i")))
    return AnswerRecord(
        offset, timestamp, timestamp_type, key, value, headers, *struct.unpack(">qhibb", reader.take(16))
    )


def _write_record(record: AnswerRecord) -> bytes:
    headers = b"".join(_bytes(key) + _bytes(value) for key, value in record.headers)
    return b"".join(
        (
            struct.pack(">qqb", record.offset, record.timestamp, record.timestamp_type),
            _bytes(record.key),
            _bytes(record.value),
            struct.pack(">i", len(record.headers)),
            headers,
            struct.pack(">qhibb", *record[6:]),
        )
    )


def _bytes(data: bytes | None) -> bytes:
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def _exactly(stream: Any, size: int) -> Iterator[bytes]:
    while size > 0:
        chunk = stream.read(size)
        assert chunk, "the adapter ended its output"
        yield chunk
        size -= len(chunk)
