"""Encoders are asked for what a producer could write, and judged by what comes back."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import encode_questions
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS, Direction
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.records import Header, Record

RECORDS = [Record(7, 5, 0, b"k", None), Record(9, 4, 0, b"", b"v")]

WRITER = """
import sys
from kafka_conformance.serving import loop, reference
from dataclasses import replace
from kafka_format import records, structure
def wrong_max_timestamp(magic, codec, answer):
    fields = structure("record_batch").decode(records.encode(answer))._asdict()
    return structure("record_batch").encode({**fields, "max_timestamp": 0, "crc": None})
def wrong_checksum(magic, codec, answer):
    data = records.encode(answer)
    return data[:17] + bytes(4) + data[21:]
def wrong_key(magic, codec, answer):
    return records.encode([record._replace(key=b"K") for record in answer])
def uncompressed(magic, codec, answer):
    return records.encode(answer)
def refuses(magic, codec, answer):
    raise ValueError("no")
served = replace(reference.reference(), encode=globals()[sys.argv[1]], refusals=(Exception,))
loop.serve_standard_streams(lambda: served)
"""


def vector(wanted: list[Record] = RECORDS, form: str = "v2", codec: str = "none", **fields: object) -> Vector:
    answer = tuple(json_answers.to_json(record._replace(codec=CODECS.index(codec)) for record in wanted))
    plain = {"formats": (form,), "codecs": (codec,), "rules": (), "format": form, "family": "toy"}
    described = {"verdict": Verdict.VALID, "data": b"", "answer": answer, **plain}
    return Vector("toy", "a toy", **{**described, **fields})


def encoded(writer: str, folder: Path, codec: str = "none") -> Result:
    script = folder / "writer.py"
    script.write_text(WRITER, encoding="ascii")
    target = resolve.candidate(f"cmd:{sys.executable} {script} {writer}")
    only = RunOptions(limits=Limits(), directions=frozenset({Direction.ENCODE}))
    [result] = runner.run([target], [vector(codec=codec)], only).results
    assert result.direction is Direction.ENCODE
    return result


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (vector(), True),
        (vector(codec="zstd"), True),
        (vector([Record(7, 5, 0, b"k")], form="v1", codec="gzip"), True),
        (vector(verdict=Verdict.LENIENT), False),
        (vector(verdict=Verdict.INVALID, answer=None), False),
        (vector([]), False),
        (vector(format="mixed"), False),
        (vector([Record(7, 5, 0, control=True)]), False),
        (vector([Record(7, 5, 0), Record(7, 6, 0)]), False),
        (vector([Record(7, 5, 0, producer_id=1, producer_epoch=0, sequence=0)]), True),
        (vector([Record(7, 5, 0, producer_id=1, producer_epoch=0)]), False),
        (vector([Record(7, 5, 0, producer_id=1), Record(8, 6, 0, producer_id=2)]), False),
        (vector([Record(7, 5, 0, headers=(Header(b"h", None),))], form="v1"), False),
        (vector(form="v1", codec="zstd"), False),
    ],
)
def test_only_what_a_producer_could_write_is_asked(asked: Vector, *, kept: bool) -> None:
    assert encode_questions.encodable([asked]) == [asked] * kept


def test_the_same_answer_is_asked_once() -> None:
    twice = [vector(), replace(vector(), id="other"), vector(codec="lz4")]
    assert [item.codecs for item in encode_questions.encodable(twice)] == [("none",), ("lz4",)]


@pytest.mark.parametrize(
    ("writer", "outcome", "path", "words"),
    [
        ("wrong_max_timestamp", Outcome.WRONG_ANSWER, "max_timestamp", "max_timestamp is 0, not 5"),
        ("wrong_checksum", Outcome.WRONG_ANSWER, "crc", "wrote bytes that break a rule: checksum error"),
        ("wrong_key", Outcome.WRONG_ANSWER, "records[0].key", "records[0].key is 4b, not 6b"),
        ("refuses", Outcome.REFUSED_VALID, "", "ValueError: no"),
    ],
)
def test_what_is_written_wrong_is_found(tmp_path: Path, writer: str, outcome: Outcome, path: str, words: str) -> None:
    result = encoded(writer, tmp_path)
    assert (result.outcome, result.path) == (outcome, path)
    assert words in result.detail


def test_batch_that_was_not_worth_compressing_is_no_finding(tmp_path: Path) -> None:
    assert encoded("uncompressed", tmp_path, codec="gzip").outcome is Outcome.PASSED


def test_question_holds_the_answer_in_its_canonical_bytes() -> None:
    asked = encode_questions.question(vector(codec="lz4"))
    assert (asked.magic, asked.codec) == (2, 3)
    assert json.dumps(json_answers.to_json(answers.from_bytes(asked.answer))) == json.dumps(vector(codec="lz4").answer)
