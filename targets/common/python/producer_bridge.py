"""Puts a program that writes orders behind the frames of the adapter protocol (docs/broker.md).

`producer_bridge.py FOLDER NAME VERSION PROGRAM ARGUMENTS`: the manifest in FOLDER says what the
producer NAME can do. The program gets the address and the release of a broker after its own
arguments, orders on its standard input, and prints a line of JSON for each. If it dies before the
last, the bridge dies as it did.

It runs with the Python of the suite, and reads the manifest with it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kafka_conformance.targets import manifest


def hello(folder: str, name: str, version: str) -> dict[str, Any]:
    """Make the hello of a producer, of its manifest."""
    [described] = [target for target in manifest.load(Path(folder, "manifest.yaml")) if target.name == name]
    fields = ["offset", "timestamp", "timestamp_type", "key", "value", "headers"]
    return {
        "protocol": 1,
        "name": name.removeprefix("producer-"),
        "version": version,
        "language": described.language,
        "formats": described.formats,
        "codecs": described.codecs,
        "fields": fields,
        "checks_crc": True,
        "directions": ["encode"],
        "requests": ["produce"],
        "settings": described.settings,
        "url": described.url,
    }


def run(command: Sequence[str], asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Have the program write orders; give each line that it prints, and die as it does."""
    words = [*command, asked["broker"], asked["release"]]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None  # noqa: S101 - both are pipes
        assert program.stdout is not None  # noqa: S101
        program.stdin.write(json.dumps(asked["orders"]).encode())
        program.stdin.close()
        missing = len(asked["orders"])
        for line in program.stdout:
            missing -= 1
            yield line.strip()
    if missing and program.returncode < 0:
        signal.signal(-program.returncode, signal.SIG_DFL)
        os.kill(os.getpid(), -program.returncode)
    if missing:
        sys.exit(program.returncode or 1)


def reply(body: bytes) -> None:
    """Write a frame."""
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()


def main() -> None:
    """Answer until the input ends: a hello with one, orders with a frame for each."""
    folder, name, version, *command = sys.argv[1:]
    while len(size := sys.stdin.buffer.read(4)) == 4:
        body = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        if body[:1] == b"H":
            reply(b"H" + json.dumps(hello(folder, name, version)).encode())
            continue
        for line in run(command, json.loads(body[1:])):
            reply(b"O" + line)


if __name__ == "__main__":
    main()
