"""Worked examples: real bytes as hex, and beside them the fields; each leads to the other.

Bytes and fields share a number. The style sheet marks both where either is under the pointer or has
the focus, and each is a link to the other, so that this works by keyboard and without scripts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.explain.lines import Explanation, Line, explain, explain_structure, explain_v07

from kafka_site.decoder import links
from kafka_site.model import Site
from kafka_site.templates import ROOT, render

MOST: Final = 120
"""Fields that the style sheet can mark; lines beyond that are shown and not marked."""

_ROW: Final = 16
_LONGEST: Final = 64
"""Bytes of one field that are shown."""


class Piece(NamedTuple):
    """Bytes of one field in one row."""

    number: int
    text: str
    is_first: bool


class Row(NamedTuple):
    """Up to sixteen bytes."""

    offset: int
    pieces: Sequence[Piece]


class Part(NamedTuple):
    """Bytes of an input, or of a decompressed payload, with their numbered lines."""

    title: str
    rows: Sequence[Row]
    lines: Sequence[tuple[int, Line]]


def of_structure(site: Site, name: str, known: dict[str, Any]) -> str:
    """Return the example of a structure as HTML; nothing where it has none.

    Args:
        site: where the vectors are.
        name: the layout.
        known: what site/structures.yaml says of it.
    """
    if "vector" in known:
        vector = site.vectors[known["vector"]]
        reader = explain_v07 if vector.format == "v07" else explain
        source = site.addresses.link("vector", vector.id, f"structures/{name}")
        opened = links.of_vector(f"structures/{name}", vector)
        return html(name, reader(vector.data), f"{vector.title}: {{}}", source, of=name, opened=opened)
    if "log" in known:
        data = bytes.fromhex(_log_file(known["log"])["hex"])
        return html(
            name,
            explain_structure("producer_snapshot_file", data),
            "A whole file: {}",
            f"<code>{known['log']}</code>",
            of=name,
            opened=links.href(f"structures/{name}", data, kind="snapshot"),
        )
    if "hex" in known:
        return html(name, explain_structure(name, bytes.fromhex(known["hex"])), "One entry", "", of=name)
    return ""


def html(
    identity: str, explanation: Explanation, caption: str, source: str = "", of: str = "", opened: str = ""
) -> str:
    """Return bytes and their fields side by side.

    Args:
        identity: what the ids of the elements begin with.
        explanation: the bytes, explained.
        caption: one line about them; `{}` is where the source goes.
        source: where they come from, as HTML.
        of: the layout whose page this is on; empty for none.
        opened: the link that opens the bytes in the decoder; empty for none.
    """
    parts = list(_parts(explanation.lines))
    return render(
        "example.html.j2",
        identity=identity,
        parts=parts,
        caption=caption,
        source=source,
        most=MOST,
        of=of,
        opened=opened,
    )


def style() -> str:
    """Return the rules that mark bytes and field together: the same for every example."""
    return "".join(
        f'.example:has([data-f="{n}"]:is(:hover,:focus-within)) [data-f="{n}"]{{background:var(--kafka-mark)}}\n'
        for n in range(MOST)
    )


def _parts(lines: Sequence[Line]) -> Iterator[Part]:
    numbers = count()
    plain: list[tuple[int, Line]] = []
    payload: list[tuple[int, Line]] = []
    for line in lines:
        if payload and not line.payload:
            yield from _part("", plain)
            yield from _part("decompressed", payload)
            plain, payload = [], []
        (payload if line.payload else plain).append((next(numbers), line))
    yield from _part("", plain)
    yield from _part("decompressed", payload)


def _part(title: str, lines: Sequence[tuple[int, Line]]) -> Iterator[Part]:
    if lines:
        yield Part(title, list(_rows(lines)), lines)


def _rows(lines: Sequence[tuple[int, Line]]) -> Iterator[Row]:
    offset = lines[0][1].start
    row: list[Piece] = []
    room = _ROW
    for number, line in lines:
        raw, is_first = line.raw[:_LONGEST], True
        while raw:
            taken = min(room, len(raw))
            row.append(Piece(number, raw[:taken].hex(" "), is_first))
            raw, room, is_first = raw[taken:], room - taken, False
            if not room:
                yield Row(offset, row)
                offset, row, room = offset + _ROW, [], _ROW
        if len(line.raw) > _LONGEST:
            yield Row(offset, [*row, Piece(number, f"… {len(line.raw) - _LONGEST} more", is_first=False)])
            offset, row, room = line.start + len(line.raw), [], _ROW
    if row:
        yield Row(offset, row)


def _log_file(identity: str) -> dict[str, Any]:
    file = Path(ROOT) / "vectors" / "log" / "files.jsonl"
    with file.open(encoding="utf-8") as lines:
        documents: Iterator[dict[str, Any]] = map(json.loads, lines)
        return next(vector for vector in documents if vector["id"] == identity)
