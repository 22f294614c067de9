"""kcat, a process for each topic: records are framed by the sizes that its format string gives."""

import os
import re
import selectors
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from consumer_driver import Settings, error, hello, record, serve

_SECONDS = 0.1
_CHUNK = 1 << 16
_FORMAT = "%o %T %K %S\\n%k%s"
_HEAD = re.compile(rb"(-?[0-9]+) (-?[0-9]+) (-?[0-9]+) (-?[0-9]+)\n")
_MOST_DIGITS = 90


@dataclass
class _Kcat:
    """A process, and what it wrote of which no line is made yet."""

    topic: str
    process: subprocess.Popen[bytes]
    output: bytearray = field(default_factory=bytearray)
    errors: bytearray = field(default_factory=bytearray)

    def records(self) -> Iterator[str]:
        """Yield the lines of records that are there as a whole, and forget them."""
        while head := _HEAD.match(self.output):
            offset, timestamp, key, value = map(int, head.groups())
            start, end = head.end(), head.end() + max(key, 0) + max(value, 0)
            if end > len(self.output):
                return
            middle = start + max(key, 0)
            contents = _none(key, self.output[start:middle]), _none(value, self.output[middle:end])
            del self.output[:end]
            yield record(self.topic, offset, timestamp, 0, *contents)
        if len(self.output) > _MOST_DIGITS:
            yield error(self.topic, f"wrote what cannot be read: {bytes(self.output[:_MOST_DIGITS])!r}")
            self.output.clear()

    def told(self) -> Iterator[str]:
        """Yield the lines of what it wrote on standard error, and forget it."""
        *lines, rest = self.errors.decode("utf-8", "replace").split("\n")
        self.errors = bytearray(rest.encode())
        for line in lines:
            if line.startswith("% ") and "Reached end of topic" not in line:
                yield error(self.topic, line[2:])


def _none(size: int, text: bytearray) -> bytes | None:
    return None if size < 0 else bytes(text)


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdout is None or process.stderr is None:
        raise ValueError("the process was started without pipes")
    return process.stdout, process.stderr


class Kcat:
    """The client."""

    def __init__(self, broker: str, isolation: str, _settings: Settings) -> None:
        """Note what it is told."""
        self._words = ["-b", broker, "-X", f"isolation.level={isolation}"]
        self._running: list[_Kcat] = []
        self._selector = selectors.DefaultSelector()

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Start a process for each topic."""
        for topic, offset in topics:
            words = [
                *("kcat", "-C", "-u", *self._words, "-t", topic, "-p", "0", "-o", str(offset), "-f", _FORMAT),
                *("-X", "check.crcs=true", "-X", "fetch.wait.max.ms=100", "-X", "fetch.error.backoff.ms=50"),
            ]
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            running = _Kcat(topic, process)
            self._running.append(running)
            for stream, where in zip(_streams(process), (running.output, running.errors), strict=True):
                self._selector.register(stream, selectors.EVENT_READ, (running, where is running.output))

    def poll(self) -> Iterator[str]:
        """Read what the processes wrote, for a tenth of a second."""
        ends = time.monotonic() + _SECONDS
        while (left := ends - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                yield from self._read(key.fd, key.fileobj, *key.data)

    def _read(self, number: int, stream: Any, running: _Kcat, is_output: bool) -> Iterator[str]:  # noqa: ANN401, FBT001 - as the selector keeps them
        text = os.read(number, _CHUNK)
        if not text:
            self._selector.unregister(stream)
            if is_output:
                yield from self._ended(running)
        elif is_output:
            running.output += text
            yield from running.records()
        else:
            running.errors += text
            yield from running.told()

    def stop(self) -> Iterator[str]:
        """End all processes."""
        for running in self._running:
            running.process.kill()
        for running in self._running:
            running.process.wait()
            for stream in _streams(running.process):
                stream.close()
        self._selector.close()
        self._selector = selectors.DefaultSelector()
        self._running = []
        return iter(())

    @staticmethod
    def _ended(running: _Kcat) -> Iterator[str]:
        """Tell that a process ended by itself: kcat does at the first error."""
        status = running.process.wait()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        yield error(running.topic, f"kcat {how}")


def _version() -> str:
    said = subprocess.run(["kcat", "-V"], capture_output=True, text=True, check=False)  # noqa: S607 - wherever it is
    match = re.search(r"Version ([0-9.]+)", said.stdout + said.stderr)
    return match[1] if match else "unknown"


if __name__ == "__main__":
    fields: dict[str, Any] = {"fields": ["offset", "timestamp", "key", "value"]}
    serve(hello("kcat", _version(), "C", "https://github.com/edenhill/kcat", **fields), Kcat)
