"""Wrong codecs that once passed: one is planted for each gap, and its cause is named."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.further_questions import ask_further
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.kinds.message.wrong_answers import Probe, probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import protocol
from kafka_format.spec.layout.model import Field
from kafka_format.spec.layout.versioned import VersionedLayout, VersionedStructure

from tests.kafka_conformance.kinds.message.faults import BrokenError
from tests.kafka_conformance.kinds.message.fresh_codecs import Fresh, fresh
from tests.kafka_conformance.kinds.message.fresh_harness import asked, code, lacked_as_zero
from tests.kafka_conformance.kinds.message.own_codec import OwnCodec

MOST_CAUSES = 3


def _tags_of_all_versions(layout: VersionedLayout) -> VersionedLayout:
    """Return a layout whose tagged fields are known in all flexible versions."""

    def of(structure: VersionedStructure, *, is_tagged: bool) -> VersionedStructure:
        known = [(field, is_tagged or field.tag is not None) for field in structure.fields]
        fields = (
            replace(
                field,
                versions=layout.flexible if is_known else field.versions,
                structure=field.structure and of(field.structure, is_tagged=is_known),
            )
            for field, is_known in known
        )
        return replace(structure, fields=tuple(fields))

    return replace(layout, body=of(layout.body, is_tagged=False))


def _two_bytes(self: OwnCodec, data: bytes, at: int) -> tuple[int, int]:
    number, after = OwnCodec.uvarint(self, data, at)
    if after > at + 2:
        raise BrokenError
    return number, after


def _put_two_bytes(self: OwnCodec, number: int) -> bytes:
    return OwnCodec.put_uvarint(self, number & 0x3FFF)


def _without_nul(_: OwnCodec, content: bytes) -> str:
    if b"\0" in content:
        raise BrokenError
    return content.decode()


def _as_cesu(_: OwnCodec, content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")


def _unknown(outermost: bool) -> Any:
    def tag(self: OwnCodec, _: int, known: Field | None, tag: int, content: bytes, values: Any, unknown: Any) -> None:
        if known is not None or (len(self.place) == 1) is not outermost:
            OwnCodec.tag(self, 0, known, tag, content, values, unknown)

    return tag


def _no_timestamp(_: OwnCodec, __: Any, values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "commit_timestamp": 0} if "commit_timestamp" in values else values


GAPS = {
    "fetch": [
        fresh("tagged fields of other versions known", form, "accepted/other-versions", layout=_tags_of_all_versions)
        for form in ("json", "bytes")
    ],
    "metadata fetch produce": [
        *(fresh("no varints of three bytes", form, "varint-refused-beyond-two-bytes", uvarint=_two_bytes)
          for form in ("json", "bytes")),
        fresh("writes varints of two bytes", "bytes", "varint-.*(two-bytes|14-bits)", put_uvarint=_put_two_bytes),
    ],
    "api_versions metadata": [
        *(fresh("text to NUL", form, "text-to-nul", text=lambda _, c: c.partition(b"\0")[0].decode())
          for form in ("json", "bytes")),
        fresh("NUL refused", "json", "text-with-nul-refused", text=_without_nul),
        *(fresh("surrogates taken", form, "otherwise/utf8", text=_as_cesu) for form in ("json", "bytes")),
    ],
    "metadata offset_fetch": [
        fresh("what a version lacks is 0", "json", "lacked-not-default", shown=lacked_as_zero),
        *(fresh(f"unknown tags dropped {where}", form, f"{where}-unknown-tags-lost", tag=_unknown(where == "outer"),
                shows_unknown=True) for form in ("json", "bytes") for where in ("inner", "outer")),
    ],
    "api_versions frames": [fresh("answer to ApiVersions in version 0", "json", "api-versions-fallback", fallback=3)],
    "alter_user_scram_credentials metadata": [
        fresh("a byte behind SCRAM credentials", "json", "refused/surplus", is_exact=True)
    ],
    "topic_records": [
        fresh("no time of commits", "json", "commit_timestamp", message="offset_commit_value", fields=_no_timestamp)
    ],
}  # fmt: skip
"""Faults by the vectors that show them, each with what its first cause must be."""


@cache
def probes(families: str) -> list[Probe]:
    questions = list(in_versions(protocol.load(families=families.split())))
    newest: dict[str, int] = {}
    for each in questions:
        newest[each.vector.layout] = max(newest.get(each.vector.layout, 0), each.number)
    few = [each for each in questions if each.number >= newest[each.vector.layout] - 1 or each.vector.canonical]
    return [probe(vector, Result(vector.id, "planted", Outcome.PASSED)) for vector in message_vectors(few)]


@pytest.mark.sampled(6, of="mutants")
@pytest.mark.parametrize(
    ("families", "fault"), [(names, fault) for names, faults in GAPS.items() for fault in faults], ids=str
)
def test_a_gap_is_closed(families: str, fault: Fresh) -> None:
    about = probes(families)
    right = Fresh("none", fault.form, "", shows_unknown=fault.shows_unknown)
    lax = {result.vector for result in code(about, right) if result.is_finding}
    about = [each for each in about if each.vector.id not in lax]
    vectors = {each.vector.id: each.vector for each in about}
    found = diagnose_messages(list(code(about, fault)), vectors, fault.form)
    found = ask_further(found, vectors, fault.form, partial(asked, fault))
    assert found.causes, "no vector shows it"
    said = [(each.id, each.does, each.example, len(each.findings)) for each in found.causes]
    assert re.search(fault.cause, found.causes[0].id), said
    assert len(found.causes) <= MOST_CAUSES, said
