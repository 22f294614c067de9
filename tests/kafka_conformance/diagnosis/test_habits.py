"""Decoders that are wrong in one simple way everywhere, put to the golden vectors: each is named
plainly, and nothing else is said of it.

Each is a function around the reference, so what it does wrong is known.
"""

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.signature import Signature
from kafka_conformance.diagnosis.transformations import transformations
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder.encode_questions import encodable
from kafka_conformance.kinds.decoder.judge import judge_encode
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import CODECS, Direction
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.run import runner
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record
from kafka_format.spec import data

from tests.kafka_conformance.diagnosis import test_omissions
from tests.kafka_conformance.diagnosis.test_omissions import FIELDS, Decoder, reference, told, vectors

SHARE = 5
"""One of so many of the vectors of `test_omissions` is put."""

Change = Callable[[Record], Record]


@cache
def put() -> dict[str, Vector]:
    known = list(vectors().values())
    text = [one for one in known if any(part in one.id for part in ("not-utf8", "headers", "found/v2/records"))]
    return {one.id: one for one in [*known[::SHARE], *text]}


def said(decoder: Decoder) -> dict[str, str]:
    """Return the causes by id: what a decoder is said to do."""
    diagnosis = diagnose("toy", [told(decoder, vector) for vector in put().values()], put(), fields=FIELDS)
    assert not diagnosis.unexplained
    return {cause.id: cause.does for cause in diagnosis.causes}


def each(change: Change) -> Decoder:
    return lambda data: [change(record) for record in reference(data)]


def batches(data: bytes) -> list[list[Record]]:
    """Return what a decoder gives that reads entry by entry, told apart by their sizes."""
    reference(data)
    record_lists: list[list[Record]] = []
    while len(data) > 12 and len(data) >= (size := 12 + int.from_bytes(data[8:12], "big")):
        record_lists.append([record for record in records.decode(data[:size]) if not record.control])
        data = data[size:]
    return record_lists


def each_batch(change: Callable[[Sequence[Record]], Iterable[Record]]) -> Decoder:
    return lambda data: [record for batch in batches(data) for record in change(batch)]


def without_null(record: Record) -> Record:
    headers = tuple(Header(header.key, header.value or b"") for header in record.headers)
    return record._replace(key=record.key or b"", value=record.value or b"", headers=headers)


@pytest.mark.parametrize(
    ("decoder", "name", "does"),
    [
        (
            each_batch(lambda batch: batch[:1]),
            "always/only-first-record",
            "returns only the first record of a batch or wrapper",
        ),
        (
            lambda data: reference(data)[:1],
            "always/only-first-of-all",
            "returns only the first of all records that it reads",
        ),
        (
            each(lambda record: record._replace(timestamp=record.timestamp // 1000)),
            "always/timestamps-in-seconds",
            "gives timestamps in seconds, not milliseconds",
        ),
        (
            each(lambda record: record._replace(timestamp=0)),
            "always/timestamps-zero",
            "gives the timestamp 0 for all",
        ),
        (
            each(lambda record: record._replace(key=record.value, value=record.key)),
            "always/key-value-exchanged",
            "exchanges key and value",
        ),
        (each(lambda record: record._replace(headers=())), "always/headers-dropped", "drops all headers"),
        (
            each(
                lambda record: record._replace(
                    headers=tuple(Header(*one) for one in sorted(dict(record.headers).items()))
                )
            ),
            "always/headers-as-a-sorted-map",
            "keeps headers in a map that sorts them by key, where one of a repeated key remains",
        ),
        (
            each(lambda record: record._replace(timestamp=record.timestamp or -1)),
            "always/timestamp-zero-none",
            "gives no timestamp, but -1, for the timestamp 0",
        ),
        (
            each_batch(lambda batch: [record._replace(offset=record.offset - batch[0].offset) for record in batch]),
            "always/offsets-relative",
            "gives offsets that count from the first of the batch or wrapper",
        ),
        (
            each(without_null),
            "always/null-as-empty/keys-values-headers",
            "gives keys, values and header values that are null as empty",
        ),
        (
            each(lambda record: record._replace(value=record.value or None)),
            "answer/empty-value-as-null",
            "gives values that are empty as null",
        ),
        (
            each(lambda record: record._replace(value=record.value and record.value[:4])),
            "always/values-cut",
            "cuts values off behind 4 bytes",
        ),
        (
            each(lambda record: record._replace(value=record.value and base64.b64encode(record.value))),
            "always/base64/values",
            "gives values as base64 text",
        ),
    ],
)
def test_what_is_wrong_everywhere_in_one_simple_way_is_said_plainly(decoder: Decoder, name: str, does: str) -> None:
    assert said(decoder) == {name: does}


def test_two_simple_ways_at_once_are_two_causes() -> None:
    both = each(lambda record: record._replace(timestamp=record.timestamp // 1000, headers=()))
    assert said(both).keys() == {"always/timestamps-in-seconds", "always/headers-dropped"}


def test_what_is_wrong_in_one_format_only_is_said_of_it() -> None:
    def decode(data: bytes) -> list[Record]:
        decoded = reference(data)
        late = data[16:17] == b"\2"
        return [record._replace(offset=record.offset + 1) if late else record for record in decoded]

    assert said(decode)["always/offsets-of-the-next/v2"] == "gives offsets that are one too high in v2"


def test_answers_that_are_wrong_in_no_known_way_are_not_said_to_be() -> None:
    odd = each(lambda record: record._replace(timestamp=record.timestamp ^ 5))
    names = said(odd)
    assert names
    assert not any(name.startswith("always/") for name in names)


def test_a_known_bug_of_the_library_gives_its_name_to_the_habit_that_it_is() -> None:
    without = each(lambda record: record._replace(headers=()))
    results = [told(without, vector) for vector in put().values()]
    known = sorted(result.vector for result in results if result.is_finding)[:2]
    fails = dict.fromkeys([*known, "no/such"], "any field")
    bug = Signature("toy/headers", "loses headers", Direction.DECODE, fails, ("a/b#1",), "toy")
    (cause,) = diagnose("toy", results, put(), [bug], FIELDS).causes
    assert (cause.id, cause.does, cause.reports) == ("toy/headers", "loses headers", ("a/b#1",))
    assert len(cause.findings) > len(known)


def test_a_few_wrong_answers_are_no_habit() -> None:
    seen: list[bytes] = []

    def twice(data: bytes) -> list[Record]:
        decoded = reference(data)
        if decoded and (data in seen or len(seen) < 2):
            seen.append(data)
            return [record._replace(offset=0) for record in decoded]
        return decoded

    diagnosis = diagnose("toy", [told(twice, vector) for vector in put().values()], put(), fields=FIELDS)
    assert not any(cause.id.startswith("always/") for cause in diagnosis.causes)


def test_what_becomes_of_one_timestamp_tells_nothing_of_others() -> None:
    """Messages of v0 have no timestamps: who gives 0 for -1 need not count in seconds."""
    causes = said(each(lambda record: record._replace(timestamp=0) if record.timestamp_type < 0 else record))
    assert "gives the timestamp 0 where there is none, which is -1 in v0" in causes.values()
    assert not any("seconds" in does for does in causes.values())


def test_a_habit_is_told_of_the_formats_that_show_it() -> None:
    """A few right answers in another format do not widen it."""

    def zero_in_v0(data: bytes) -> list[Record]:
        return [record._replace(timestamp=0) if record.timestamp_type < 0 else record for record in reference(data)]

    chosen = golden.load(patterns=("v0/*", "pair/v0/*", "v1/timestamp/none"))
    put = {one.id: one for one in chosen if one.formats in {("v0",), ("v1",)}}
    causes = diagnose("toy", [told(zero_in_v0, vector) for vector in put.values()], put, fields=FIELDS).causes
    assert [cause.does for cause in causes] == ["gives the timestamp 0 where there is none, which is -1 in v0"]


def test_what_came_before_a_refusal_is_no_right_answer() -> None:
    """Who refuses what is tolerated may have given records before: nobody held them against
    others."""

    def headers_never_null(record: Record) -> Record:
        return record._replace(headers=tuple(Header(header.key, header.value or b"") for header in record.headers))

    put = {one.id: one for one in golden.load(patterns=("v2/header/*", "pair/v2/none/*", "check/v2/*"))}
    results = []
    for name, vector in put.items():
        if name.startswith("check/") and vector.verdict is Verdict.LENIENT:
            given = tuple(map(headers_never_null, vector.records()))
            results.append(Result(name, "toy", Outcome.PASSED, answer=given, error="boom"))
        elif not name.startswith("check/"):
            results.append(told(each(headers_never_null), vector))
    diagnosis = diagnose("toy", results, put, fields=FIELDS)
    assert sum(result.outcome is Outcome.PASSED and bool(result.error) for result in results) > len(results) / 10
    (cause,) = diagnosis.causes
    assert cause.does == "gives header values that are null as empty"  # as a habit: always, and in the habit's words


def test_each_mutant_that_does_the_same_is_in_the_kill_table() -> None:
    table = json.loads((data.path("vectors") / "kills.json").read_text(encoding="utf-8"))
    named = {transformation.mutant for transformation in transformations(1, 1)} - {""}
    assert named <= {mutant["id"] for mutant in table["mutants"]}


def test_names_are_told_once() -> None:
    known = [transformation.id for transformation in transformations(1, 1)]
    assert len(known) == len(set(known))


def seconds(data: bytes) -> list[dict[str, object]]:
    """Decode as a user's function that gives timestamps in seconds."""
    try:
        decoded = records.decode(data)
    except FormatError as error:
        raise ValueError(str(error)) from error
    fields = [record._replace(timestamp=record.timestamp // 1000)._asdict() for record in decoded if not record.control]
    return [{name: field[name] for name in ("offset", "timestamp", "key", "value", "headers")} for field in fields]


def test_the_function_of_a_user_is_told_what_it_does() -> None:
    chosen = golden.load(patterns=("v1/*", "v2/timestamp*"))
    run = runner.run([resolve.candidate(f"python:{__name__}:seconds")], chosen)
    (diagnosis,) = run.diagnoses.values()
    assert [cause.does for cause in diagnosis.causes] == ["gives timestamps in seconds, not milliseconds"]


def written(vector: Vector, change: Change) -> Reaction:
    """Return what an encoder gives that writes changed records."""
    asked = vector.records()
    data = records.encode([change(record) for record in asked], codec=CODECS[asked[0].codec])
    return Reaction(0, Reply(Status.ANSWER, data), 0.0)


@pytest.mark.parametrize(
    ("milliseconds", "does"),
    [(1, "writes timestamps in seconds, not milliseconds"), (1000, "drops the milliseconds of timestamps")],
)
def test_what_an_encoder_always_does_is_named(milliseconds: int, does: str) -> None:
    def change(record: Record) -> Record:
        return record._replace(timestamp=record.timestamp // 1000 * milliseconds)

    asked = [vector for vector in encodable(golden.load()) if vector.format == "v2"][::SHARE]
    results = [judge_encode(vector, test_omissions.HELLO, "toy", written(vector, change)) for vector in asked]
    diagnosis = diagnose("toy", results, {vector.id: vector for vector in asked})
    (cause, *_) = diagnosis.causes
    assert (cause.does, cause.direction) == (does, Direction.ENCODE)
    assert {result.vector for result in results if result.path.endswith("timestamp")} <= {
        result.vector for result in cause.findings
    }
