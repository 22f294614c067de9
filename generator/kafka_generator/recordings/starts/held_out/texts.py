"""Damage to files of text: numbers, words and lines changed by hand."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from kafka_generator.recordings.starts.held_out.damage import METADATA, NotHere, View, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit

_FILES: Final = ("-checkpoint", "partition.metadata", "meta.properties", ".kafka_cleanshutdown", "quorum-state")
_NUMBERS: Final = (
    "0",
    "1",
    "-1",
    "3",
    "7",
    "100",
    "99999999",
    "2147483648",
    "9223372036854775808",
    "1e3",
    "x",
    "",
    " 5",
    "0x1",
)
_NUMBER: Final = re.compile(rb"-?\d+")


def _text(random: Random, view: View) -> tuple[str, bytes]:
    wanted = random.choice(_FILES)
    found = [path for path in view.paths(wanted) if view.files[path]]
    if not found:
        raise NotHere
    path = random.choice(found)
    return path, view.files[path]


@kind("text/number")
def _one_number(random: Random, view: View) -> list[Edit]:
    path, content = _text(random, view)
    places = list(_NUMBER.finditer(content))
    if not places:
        raise NotHere
    place = random.choice(places)
    number = random.choice([*_NUMBERS, str(int(place[0]) + random.choice([-2, -1, 1, 2, 5]))])
    return [edits.write(path, content[: place.start()] + number.encode() + content[place.end() :])]


@kind("text/line")
def _line(random: Random, view: View) -> list[Edit]:
    """Remove, repeat, exchange or cut a line, or put one in."""
    path, content = _text(random, view)
    lines = content.split(b"\n")
    at = random.randrange(len(lines))
    deed = random.randrange(5)
    if deed == 0:
        del lines[at]
    elif deed == 1:
        lines.insert(at, lines[at])
    elif deed == 2:
        other = random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif deed == 3:
        lines[at] = lines[at][: len(lines[at]) // 2]
    else:
        lines.insert(
            at, random.choice([b"", b"#", b"rubbish", b"5 5", b"plain 0 5", b"a=b", b"version=1", b"version: 0"])
        )
    return [edits.write(path, b"\n".join(lines))]


@kind("text/word")
def _word(random: Random, view: View) -> list[Edit]:
    path, content = _text(random, view)
    places = list(re.finditer(rb"[\w.-]+", content))
    place = random.choice(places)
    words = [
        b"",
        b"plain",
        b"other",
        b"version",
        b"node.id",
        b"AAAAAAAAAAAAAAAAAAAAAA",
        b"AAAAAAAAAAAAAAAAAAAAAQ",
        place[0][:-1],
        place[0] + b"x",
        place[0].upper(),
    ]
    return [edits.write(path, content[: place.start()] + random.choice(words) + content[place.end() :])]


@kind("text/line-ends")
def _line_ends(random: Random, view: View) -> list[Edit]:
    path, content = _text(random, view)
    changed = random.choice(
        [
            content.replace(b"\n", b"\r\n"),
            content.rstrip(b"\n"),
            content + b"\n\n",
            b"\xef\xbb\xbf" + content,
            content.replace(b" ", b"  "),
            content.replace(b" ", b"\t"),
            b"\n" + content,
        ]
    )
    return [edits.write(path, changed)]


@kind("text/properties")
def _properties(random: Random, view: View) -> list[Edit]:
    path = random.choice(view.paths("meta.properties"))
    lines = view.files[path].decode().splitlines()
    key = random.choice(["version", "node.id", "cluster.id", "directory.id", "broker.id"])
    value = random.choice(
        [
            "0",
            "1",
            "2",
            "-1",
            "",
            "x",
            "AAAAAAAAAAAAAAAAAAAAAQ",
            "Nf7Gw6SdT9KR3zz2pImHoQ",
            "a2Fma2EtZm9ybWF0LWNvbg",
            " 1",
            "1 ",
        ]
    )
    kept = [line for line in lines if not line.startswith(f"{key}=")]
    more = [] if random.random() < 1 / 4 else [f"{key}={value}"]
    return [edits.write(path, ("\n".join(kept + more) + "\n").encode())]


@kind("text/quorum-state")
def _quorum_state(random: Random, view: View) -> list[Edit]:
    path = random.choice(view.paths("quorum-state"))
    state: dict[str, Any] = json.loads(view.files[path])
    key = random.choice([*state, "leaderEpoch", "votedId", "leaderId"])
    deed = random.randrange(4)
    if deed == 0:
        del state[key]
    else:
        state[key] = random.choice(
            [
                -1,
                0,
                1,
                2,
                3,
                100,
                2**31,
                2**40,
                "1",
                "x",
                None,
                True,
                1.5,
                [],
                {},
                "",
                [{"voterId": 2}],
                [{"voterId": 1}],
                "AAAAAAAAAAAAAAAAAAAAAA",
            ]
        )
    text = json.dumps(state, separators=(",", ":"))
    return [edits.write(path, random.choice([text, text, text + "\n{}", f" {text}"]).encode())]


@kind("text/epochs")
def _epochs(random: Random, view: View) -> list[Edit]:
    folder = random.choice([*view.folders, f"{view.directories[0]}/{METADATA}"])
    rows = [
        f"{random.choice([0, 1, 2, 3, 5, -1])} {random.choice([0, 1, 3, 6, 7, 12, 18, 20, 100, -1])}"
        for _ in range(random.randrange(4))
    ]
    count = random.choice([len(rows)] * 4 + [len(rows) + 1, 0])
    return [edits.write(f"{folder}/leader-epoch-checkpoint", "\n".join(["0", str(count), *rows, ""]).encode())]


@kind("text/offsets")
def _offsets(random: Random, view: View) -> list[Edit]:
    """Write a checkpoint of offsets with rows of partitions that are there, and of others."""
    directory = random.choice(view.directories)
    name = random.choice(
        [
            "recovery-point-offset-checkpoint",
            "replication-offset-checkpoint",
            "log-start-offset-checkpoint",
            "cleaner-offset-checkpoint",
        ]
    )
    names = [
        each.rpartition("/")[2]
        for each in view.folders
        if each.startswith(f"{directory}/") and "." not in each.rpartition("-")[0]
    ] + ["gone-7", "absent-0"]
    drawn = random.sample(names, min(len(names), random.randrange(1, 5)))
    rows = [
        f"{each.rpartition('-')[0]} {each.rpartition('-')[2]} {random.choice([0, 1, 3, 6, 7, 9, 12, 18, 30, 1000, -1])}"
        for each in drawn
    ]
    return [edits.write(f"{directory}/{name}", "\n".join(["0", str(len(rows)), *rows, ""]).encode())]
