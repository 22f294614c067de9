"""Decoders that do not do something at all, put to the golden vectors: what is said of them is
that, in plain words.

Each is a function around the reference, so what it does wrong is known. None of them may be given
the name of a wrong decoder that fails in the same way for another reason.
"""

from collections.abc import Callable, Iterable
from functools import cache

import pytest
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder.judge import judge_decode
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector
from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record

Decoder = Callable[[bytes], Iterable[Record]]

FIELDS = ("offset", "timestamp", "key", "value", "headers")
HELLO = Hello("toy", "1", "Python", ("v0", "v1", "v2"), CODECS, FIELDS, checks_crc=True)
SHARE = 4


class LostError(Exception):
    """The process is gone."""


@cache
def vectors() -> dict[str, Vector]:
    known = [vector for vector in golden.load() if vector.format != "v07" and not vector.is_large]
    return {vector.id: vector for vector in known[::SHARE]} | {sample.id: sample for sample in known if not sample.data}


@cache
def right(data: bytes) -> list[Record] | None:
    try:
        return [record for record in records.decode(data) if not record.control]
    except FormatError:
        return None


def found(decoder: Decoder, most: int | None = None) -> Diagnosis:
    """Return the diagnosis of a decoder, after so many vectors that is given up."""
    results = [told(decoder, vector) for vector in list(vectors().values())[:most]]
    return diagnose("toy", results, vectors(), fields=FIELDS)


def told(decoder: Decoder, vector: Vector) -> Result:
    try:
        reply: Reply | Loss = Reply(Status.ANSWER, answers.to_bytes(list(decoder(vector.data))))
    except LostError:
        reply = Loss(Outcome.CRASHED, "exited with status 3")
    except ValueError as error:
        reply = Reply(Status.REFUSED, str(error).encode())
    return judge_decode(vector, HELLO, "toy", Reaction(0, reply, 0.0))


def reference(data: bytes) -> list[Record]:
    decoded = right(data)
    if decoded is None:
        raise ValueError("wrong")
    return decoded


def refuses(_: bytes) -> list[Record]:
    raise ValueError("boom")


def dies(_: bytes) -> list[Record]:
    raise LostError


def unless(holds: Callable[[bytes, list[Record]], bool]) -> Decoder:
    def decode(data: bytes) -> list[Record]:
        decoded = reference(data)
        if holds(data, decoded):
            raise ValueError("not implemented")
        return decoded

    return decode


def swallows(data: bytes) -> list[Record]:
    return right(data) or []


@pytest.mark.parametrize(
    ("decoder", "cause", "does"),
    [
        (refuses, "missing/everything", "refuses everything that it is asked for"),
        (dies, "missing/everything", "crashes on everything that it is asked for"),
        (swallows, "missing/refusals", "gives an answer without records where it should refuse"),
        (unless(lambda data, _: data[16:17] == b"\1"), "missing/v1", "refuses nearly everything in v1"),
        (unless(lambda _, got: any(record.codec for record in got)), "missing/compressed", None),
        (unless(lambda _, got: any(record.codec == 1 for record in got)), "missing/gzip", None),
        (
            unless(lambda _, got: any(record.headers for record in got)),
            "missing/headers",
            "refuses everything with headers",
        ),
        (unless(lambda data, _: not data), "missing/empty-input", "refuses an input of no bytes"),
    ],
)
def test_what_is_not_done_at_all_is_said_in_plain_words(decoder: Decoder, cause: str, does: str | None) -> None:
    diagnosis = found(decoder)
    assert [cause.id for cause in diagnosis.causes] == [cause]
    assert does in {None, diagnosis.causes[0].does}
    assert diagnosis.causes[0].note
    assert not diagnosis.unexplained


def test_an_empty_answer_to_everything_is_told_for_what_is_valid_and_for_what_is_not() -> None:
    does = {cause.id: cause.does for cause in found(lambda _: []).causes}
    assert does == {
        "missing/records": "gives no record of everything with a record in it",
        "missing/refusals": "gives an answer without records where it should refuse",
    }


def test_what_is_given_up_after_forty_crashes_crashes_on_everything() -> None:
    (cause,) = found(dies, 41).causes
    assert (cause.does, len(cause.findings)) == ("crashes on everything that it is asked for", 41)
    assert cause.note == "no answer comes to 41 of 41 inputs"


def test_formats_that_are_not_read_are_a_cause_each_and_can_be_declared() -> None:
    causes = found(unless(lambda data, _: data[16:17] in {b"\0", b"\1"})).causes
    assert {cause.id for cause in causes} == {"missing/v0", "missing/v1"}
    assert all("leave v" in cause.note for cause in causes)


def test_what_two_omissions_explain_is_told_of_both() -> None:
    def several(_: bytes, got: list[Record]) -> bool:
        return bool(got and got[0].headers) or any(one.codec for one in got)

    causes = {cause.id: {one.vector for one in cause.findings} for cause in found(unless(several)).causes}
    assert causes.keys() == {"missing/headers", "missing/compressed"}
    assert causes["missing/headers"] & causes["missing/compressed"]


def test_crashes_are_no_part_of_what_is_accepted() -> None:
    def decode(data: bytes) -> list[Record]:
        if right(data) is None and len(data) % 40 == 1:
            raise LostError
        return swallows(data)

    causes = found(decode).causes
    (refusals,) = (cause for cause in causes if cause.id == "missing/refusals")
    assert Outcome.CRASHED not in {result.outcome for result in refusals.findings}
    assert any(cause.id.startswith("loss/") for cause in causes)


def test_a_few_vectors_are_not_everything() -> None:
    causes = found(refuses, 9).causes
    assert not [cause.id for cause in causes if cause.id.startswith("missing/")]


def test_a_right_decoder_misses_nothing() -> None:
    assert found(reference) == Diagnosis()
