"""Puts a program that writes orders behind the frames of the adapter protocol (docs/broker.md).

`producer_bridge.py FOLDER NAME VERSION PROGRAM ARGUMENTS`: the manifest in FOLDER says what the
producer NAME can do. The program gets the address and the release of a broker after its own
arguments, orders as JSON on its standard input, and prints a line of JSON for each. If it dies
before the last, the bridge dies as it did.

It runs with the Python of the suite, and reads the manifest with it.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kafka_conformance.targets import manifest


def hello(folder: str, name: str, version: str) -> dict[str, Any]:
    """Make the hello of a producer, of its manifest."""
    [described] = [target for target in manifest.load(Path(folder, "manifest.yaml")) if target.name == name]
    fields = ["offset", "timestamp", "timestamp_type", "key", "value", "headers"]
    return {
        "protocol": 1,
        "kind": "producer",
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


def orders(rows: Iterable[Sequence[str]]) -> list[dict[str, Any]]:
    """Read orders, as docs/your-client.md describes them."""
    read: list[dict[str, Any]] = []
    for word, first, *words in rows:
        if word == "order":
            asked = dict(word.split("=", 1) for word in words)
            numbers = {name: int(asked[name]) if name in asked else None for name in ("level", "acks")}
            flags = {name: name in asked for name in ("idempotent", "transactional")}
            read.append({"name": first, "topic": first, "records": [], "codec": asked["codec"], **numbers, **flags})
        elif word == "step":
            read[-1].setdefault("steps", []).append([first, *words])
        else:
            key, value, *headers = map(text, words)
            pairs = [list(pair) for pair in zip(headers[::2], headers[1::2], strict=True)]
            read[-1]["records"].append({"timestamp": int(first), "key": key, "value": value, "headers": pairs})
    return read


def text(word: str) -> str | None:
    """Read the hex of a text; `-` is null."""
    return None if word == "-" else bytes.fromhex(word).decode()


def run(command: Sequence[str], request: str) -> Iterator[bytes]:
    """Have the program write orders; give the failures of each, and die as it does."""
    [first, *rows] = (line.split("\t") for line in request.split("\n"))
    words, asked = [*command, *first], orders(rows)
    helpers = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=helpers) as program:
        assert program.stdin is not None  # noqa: S101 - both are pipes
        assert program.stdout is not None  # noqa: S101
        program.stdin.write(json.dumps(asked).encode())
        program.stdin.close()
        missing = len(asked)
        for line in program.stdout:
            missing -= 1
            yield "\n".join(" ".join(str(text).split()) for text in json.loads(line)["failures"]).encode()
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
        for failures in run(command, body[1:].decode()):
            reply(b"O" + failures)


if __name__ == "__main__":
    main()
