"""Puts a program that writes orders behind the frames of the adapter protocol (docs/broker.md).

`bridge.py FOLDER VERSION PROGRAM ARGUMENTS`: the manifest in FOLDER says what the producer can do.
The program gets the address and the release of a broker after its own arguments, orders on its
standard input, and prints a line of JSON for each. If it dies before the last, the bridge dies as
it did.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import yaml


def hello(folder, version):
    """Make the hello of a producer, of its manifest."""
    said = yaml.safe_load(Path(folder, "manifest.yaml").read_text(encoding="utf-8"))
    claims = said["claims"]
    fields = ["offset", "timestamp", "timestamp_type", "key", "value", "headers"]
    return {
        "protocol": 1,
        "name": said["name"].removeprefix("producer-"),
        "version": version,
        "language": said["language"],
        "formats": claims["formats"],
        "codecs": claims["codecs"],
        "fields": fields,
        "checks_crc": True,
        "directions": ["encode"],
        "requests": ["produce"],
        "settings": claims["can"],
        "url": said["url"],
    }


def run(command, asked):
    """Have the program write orders; give each line that it prints, and die as it does."""
    words = [*command, asked["broker"], asked["release"]]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
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


def reply(body):
    """Write a frame."""
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()


def main():
    """Answer until the input ends: a hello with one, orders with a frame for each."""
    folder, version, *command = sys.argv[1:]
    while len(size := sys.stdin.buffer.read(4)) == 4:
        body = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        if body[:1] == b"H":
            reply(b"H" + json.dumps(hello(folder, version)).encode())
            continue
        for line in run(command, json.loads(body[1:])):
            reply(b"O" + line)


main()
