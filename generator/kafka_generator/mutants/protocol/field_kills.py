"""The mutants of every field of the protocol, put to the vectors of their layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kafka_conformance.kinds.message.wrong_layouts import LayoutMutant, mutants
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict
from kafka_format.codec.readings import interpreter_only
from kafka_format.spec.layout import Layout, specification
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.layout.versioned.resolver import resolve

from kafka_generator.mutants.protocol.questions import Questions, caught
from kafka_generator.mutants.protocol.versions import Interpreted


class FieldKills(NamedTuple):
    """What became of the mutants of one layout.

    Attributes:
        made: how many there are that read anything otherwise.
        survivors: ids of those that no vector kills.
    """

    made: int
    survivors: list[str]


def field_kills(layout: VersionedLayout, questions: Questions, vectors: Sequence[ProtocolVector]) -> FieldKills:
    """Put the mutants of a layout to the vectors of that layout."""
    questions.learn(vectors)
    by_version = {number: _of_version(vectors, number) for number in layout.versions.numbers}
    made, survivors = 0, []
    with interpreter_only():
        for mutant in mutants(layout):
            wrong = dict(_wrong(layout, mutant))
            made += bool(wrong)
            if wrong and not _is_killed(wrong, questions, by_version):
                survivors.append(mutant.id)
    return FieldKills(made, survivors)


def _of_version(vectors: Sequence[ProtocolVector], number: int) -> list[ProtocolVector]:
    """Return a version's vectors, those most likely to kill first: valid ones with much in them."""
    own = [vector for vector in vectors if number in vector.versions]
    return sorted(own, key=lambda vector: (vector.verdict is not Verdict.VALID, -len(vector.data)))


def _wrong(layout: VersionedLayout, mutant: LayoutMutant) -> Iterator[tuple[int, Layout]]:
    """Yield the versions that the mutant has otherwise."""
    forms = specification().forms
    for number in layout.versions.numbers:
        wrong = resolve(mutant.layout, number, forms)
        if wrong != resolve(layout, number, forms):
            yield number, wrong


def _is_killed(
    wrong: Mapping[int, Layout], questions: Questions, by_version: Mapping[int, Sequence[ProtocolVector]]
) -> bool:
    for number, layout in wrong.items():
        version = Interpreted(layout)
        for vector in by_version[number]:
            answer = caught(lambda: version.decode(vector.data))  # noqa: B023 - called at once
            if questions.is_read_wrong(vector, answer):
                return True
    return False
