"""The recogniser: asks each kind what bytes are as it, and sorts what they say."""

from __future__ import annotations

from typing import Final

from kafka_format.paste import Pasted
from kafka_format.recognition import entries, files, frames, pasted, schema_records, signs, wrapped
from kafka_format.recognition.model import LEAST, SURE, Candidate, Kind, Recognition

_DEEPEST: Final = 3
"""Things inside one another that are looked into: a dump of a packet with a request."""

_DOUBTFUL: Final = 60
"""A score below which something may well begin at a later byte."""

_ORDER: Final = tuple(Kind)
"""Of equal scores, the kind that comes first here wins."""


def recognise(data: bytes, name: str = "") -> Recognition:
    """Return what bytes are.

    Args:
        data: the bytes, from the start of whatever they are.
        name: the name of the file that they are from, without its folder, if there is one.
    """
    found = _all(data, name, 0)
    good = tuple(one for one in found if one.score >= LEAST)
    return Recognition(good, "" if good else _why(data, found))


def read_text(text: str) -> Pasted:
    """Return the bytes that a pasted text stands for, in the order in which they are something.

    Raises:
        PasteError: it stands for none, or for more than there are.
    """
    return pasted.read(text, lambda data: recognise(data).best)


def _all(data: bytes, name: str, depth: int) -> list[Candidate]:
    """Return all candidates, the best first; what is sure by a checksum or mark ends the search."""
    found = [*files.candidates(data, name), *signs.candidates(data), *entries.candidates(data)]
    if not _is_sure(found):
        found += frames.candidates(data)
    if not _is_sure(found):
        found += schema_records.candidates(data)
        if depth < _DEEPEST:
            found += wrapped.candidates(data, lambda inner: tuple(_good(inner, depth + 1)))
    best = max((one.score for one in found), default=0)
    later = wrapped.behind_a_size(data) if best < _DOUBTFUL else None
    if later is None and best < LEAST:
        later = wrapped.elsewhere(data)
    if later is not None:
        found.append(later.behind(0, f"it begins at byte {later.start}"))
    return sorted(found, key=lambda one: (-one.score, _ORDER.index(one.kind)))


def _is_sure(found: list[Candidate]) -> bool:
    return any(one.score >= SURE for one in found)


def _good(data: bytes, depth: int) -> list[Candidate]:
    return [one for one in _all(data, "", depth) if one.score >= LEAST]


def _why(data: bytes, found: list[Candidate]) -> str:
    """Say why nothing is recognised."""
    if not data:
        return "there are no bytes"
    if len(data) < 8:
        return f"{len(data)} byte{'' if len(data) == 1 else 's'} can be anything"
    if not found:
        return "no entry, request, response or file begins so"
    near = found[0]
    return f"nearest is {near.title}, but {'; '.join(near.against) or 'little speaks for it'}"
