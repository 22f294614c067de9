"""Damage to the bytes of files: what disks, crashes and hands do."""

from __future__ import annotations

from random import Random

from kafka_generator.recordings.starts.held_out.damage import NotHere, View, any_file, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit


def _with_bytes(random: Random, view: View) -> tuple[str, bytes]:
    for _ in range(20):
        path = any_file(random, view)
        if view.files[path]:
            return path, view.files[path]
    raise NotHere


def _range(random: Random, content: bytes) -> tuple[int, int]:
    first = random.randrange(len(content))
    return first, min(len(content), first + random.choice([1, 4, 16, 61, 200]))


@kind("bytes/bit")
def _bit(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    at = random.randrange(len(content))
    return [edits.overwrite(path, at, bytes([content[at] ^ 1 << random.randrange(8)]))]


@kind("bytes/random")
def _random(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    first, end = _range(random, content)
    return [edits.overwrite(path, first, random.randbytes(end - first))]


@kind("bytes/zeros")
def _zeros(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    first, end = _range(random, content)
    if random.random() < 1 / 4:
        first, end = 0, len(content)
    return [edits.overwrite(path, first, bytes(end - first))]


@kind("bytes/cut")
def _cut(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    return [edits.cut(path, random.choice([0, random.randrange(len(content)), random.randrange(len(content))]))]


@kind("bytes/behind")
def _behind(random: Random, view: View) -> list[Edit]:
    path = any_file(random, view)
    count = random.choice([1, 10, 17, 18, 40, 300])
    return [edits.append(path, random.choice([bytes(count), b"\xff" * count, random.randbytes(count)]))]


@kind("bytes/own-behind")
def _own_behind(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    return [edits.append(path, content[random.choice([0, random.randrange(len(content))]) :])]


@kind("bytes/taken-out")
def _taken_out(random: Random, view: View) -> list[Edit]:
    path, content = _with_bytes(random, view)
    first, end = _range(random, content)
    return [edits.write(path, content[:first] + content[end:])]
