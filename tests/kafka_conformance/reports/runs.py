"""A run made by hand: three targets, every outcome, and bytes that are real.

`sound` gets everything right, `careless` gets each vector wrong in another way, and `missing` never
came up.
"""

from dataclasses import replace

from kafka_conformance.diagnosis.cause import Cause, Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.run.comparison import CaseChange, Change, Comparison
from kafka_conformance.run.header import Footer, RunHeader
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Reach, Refusal, Vector, Verdict
from kafka_format import records
from kafka_format.records import Header as RecordHeader
from kafka_format.records import Record

RECORDS = [
    Record(100, timestamp=1_700_000_000_000, key=b"first", value=b"one", headers=(RecordHeader(b"h", None),)),
    Record(101, timestamp=1_700_000_000_007, key=None, value=b"two"),
]
PLAIN = records.encode(RECORDS, magic=2)


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def vector(vector_id: str, data: bytes, **fields: object) -> Vector:
    plain = {
        "title": f"What {vector_id} is about.",
        "format": "v2",
        "family": vector_id.split("/")[1],
        "formats": ("v2",),
        "codecs": ("none",),
        "rules": ("v2.offset",),
        "verdict": Verdict.VALID,
        "answer": tuple(json_answers.to_json(RECORDS)),
    }
    return Vector(id=vector_id, data=data, **{**plain, **fields})


def invalid(vector_id: str, data: bytes, rule: str, stage: str, offset: int) -> Vector:
    fault = Refusal(stage=stage, rule=rule, offset=offset)
    return vector(vector_id, data, verdict=Verdict.INVALID, answer=None, fault=fault, rules=(rule,))


WRONG_ANSWER = vector("v2/plain/two-records", PLAIN, rules=("v2.offset", "v2.timestamp.create"), canonical=True)
ACCEPTED = invalid(
    "v2/checksum/flipped", flipped(PLAIN, len(PLAIN) - 1), "v2.crc.covers-attributes-to-end", "checksum", 17
)
CRASHED = invalid(
    "v2/length/below", b"\0" * 11 + b"\x01" + b"\0" * 4 + b"\x02", "v2.batch-length.minimum", "framing", 8
)
GZIP = vector("v2/gzip/two-records", records.encode(RECORDS, magic=2, codec="gzip"), codecs=("gzip",))
WRAPPER = vector("v1/gzip/wrapper", records.encode(RECORDS[1:], magic=1, codec="gzip"), format="v1", formats=("v1",))
CUT = vector("v2/cut/tail", PLAIN + PLAIN[:20], rules=("entry.cut",))
EMPTY = vector("v2/empty/nothing", b"", answer=(), rules=())
LENIENT = vector("v2/lenient/flag", PLAIN, verdict=Verdict.LENIENT, flag="overlong-varint")
GAP = vector("v2/zstd/two-records", PLAIN, codecs=("zstd",), rules=("v2.codec.known",))
VECTORS = (WRONG_ANSWER, ACCEPTED, CRASHED, GZIP, WRAPPER, CUT, EMPTY, LENIENT, GAP)

HELLO = Hello(
    name="sound-kafka",
    version="1.2.3",
    language="Rust",
    formats=("v0", "v1", "v2"),
    codecs=("none", "gzip"),
    fields=("offset", "timestamp", "timestamp_type", "key", "value", "headers", "control"),
    checks_crc=True,
    directions=(Direction.DECODE, Direction.ENCODE),
    url="https://example.com/sound",
)
SOUND = Target("sound", HELLO, issues="https://example.com/sound/issues")
CARELESS = Target("careless", replace(HELLO, name="careless-kafka", version="0.0.1"), notes=("it crashed once",))
MISSING = Target("missing", None, Standing.DID_NOT_COME_UP, "it exited with status 3")


def result(of: Vector, outcome: Outcome, target: str = "careless", **fields: object) -> Result:
    return Result(of.id, target, outcome, seconds=0.001, **fields)


CARELESS_RESULTS = (
    result(
        WRONG_ANSWER,
        Outcome.WRONG_ANSWER,
        path="records[1].timestamp",
        expected="1700000000007",
        got="7",
        detail="records[1].timestamp is 7, not 1700000000007",
    ),
    result(
        ACCEPTED,
        Outcome.ACCEPTED_INVALID,
        expected="refused, because of v2.crc.covers-attributes-to-end",
        got="2 records",
    ),
    result(CRASHED, Outcome.CRASHED, detail="was killed by SIGSEGV (Segmentation fault)"),
    result(GZIP, Outcome.HUNG, detail="gave no reply for 10 s"),
    result(WRAPPER, Outcome.OUT_OF_MEMORY, detail="took more than 1024 MiB"),
    result(CUT, Outcome.REFUSED_VALID, detail="CorruptRecordException: <b>short</b> & wrong"),
    result(EMPTY, Outcome.BROKEN_PROTOCOL, detail="wrote text to standard output"),
    result(LENIENT, Outcome.WRONG_ANSWER, path="records", expected="2 records", got="3 records", known="issue 17"),
    result(GAP, Outcome.UNSUPPORTED, detail="does not declare codec zstd"),
    result(WRONG_ANSWER, Outcome.REFUSED_VALID, direction=Direction.ENCODE, detail="cannot write headers"),
)
SOUND_RESULTS = (
    *(result(of, Outcome.PASSED, "sound") for of in VECTORS[:-1]),
    result(GAP, Outcome.UNSUPPORTED, "sound", detail="does not declare codec zstd"),
    result(WRONG_ANSWER, Outcome.PASSED, "sound", direction=Direction.ENCODE),
)

RUN = Run(
    header=RunHeader(
        "0.1.0", 1, "2026-01-02T03:04:05+00:00", "Linux x86_64, Python 3.11.2", "kafka-conformance run a b"
    ),
    targets=(SOUND, CARELESS, MISSING),
    vectors=VECTORS,
    results=(*SOUND_RESULTS, *CARELESS_RESULTS),
    footer=Footer("2026-01-02T03:05:05+00:00", 60.0),
    known_problems=("known.yaml: failures[0]: stale: v2/old/one passed; the entry says that it crashed",),
    comparison=Comparison(
        "2025-12-01T03:04:05+00:00",
        "0.0.9",
        versions=(("sound", "1.2.2", "1.2.3"),),
        only_then=("retired",),
        only_now=("careless-too",),
        cases=(
            CaseChange(Change.BROKE, "careless", GZIP.id, Direction.DECODE, Outcome.PASSED, Outcome.HUNG),
            CaseChange(Change.NEW, "careless", CUT.id, Direction.DECODE, None, Outcome.REFUSED_VALID),
            CaseChange(Change.NEW, "sound", CUT.id, Direction.DECODE, None, Outcome.PASSED),
            CaseChange(Change.FIXED, "sound", EMPTY.id, Direction.ENCODE, Outcome.FLAKY, Outcome.PASSED),
        ),
    ),
)


HUNG_THREE_TIMES = "not asked: it hung 3 times in a row at v2 with gzip where nothing is wrong"


def not_asked() -> Run:
    """The same run, with two vectors that one target was not asked."""
    spared = {GZIP.id, EMPTY.id}
    kept = [result(of, Outcome.NOT_ASKED, detail=HUNG_THREE_TIMES) for of in VECTORS if of.id in spared]
    others = [
        each_result
        for each_result in RUN.results
        if not (
            each_result.target == "careless"
            and each_result.vector in spared
            and each_result.direction is Direction.DECODE
        )
    ]
    return replace(RUN, results=(*others, *kept))


def cause(name: str, does: str, reach: Reach, *findings: Result) -> Cause:
    return Cause(name, does, findings[0].direction, findings, 0, reach, "v2.offset", ("timestamp",), ("o/r#1",))


def diagnosed() -> Run:
    """The same run, with causes."""
    causes = (
        cause("record/base", "adds nothing to the base timestamp", Reach.PRODUCER, CARELESS_RESULTS[0]),
        cause("encode/headers", "cannot write headers", Reach.BROKER, CARELESS_RESULTS[9]),
        cause("batch/crc", "does not look at checksums", Reach.CRAFTED, CARELESS_RESULTS[1]),
    )
    left = CARELESS_RESULTS[2:7]
    return replace(RUN, diagnoses={"careless": Diagnosis(causes, left, (Reach.CRAFTED,) * len(left))})


HOSTILE = (
    "</td><script>alert('1')</script><img src=x onerror=alert(2)> & \"'` | [x](y) [bold]\x1b[31m\x00\ud800\u202e\ufffe"
)
"""Markup of every kind, a terminal escape, a NUL, half of a surrogate pair, a mark that turns the
reading direction, and a character that XML forbids."""


def hostile() -> Run:
    """The same run, with a hostile target that puts the text wherever it has a say."""
    hello = replace(HELLO, name=HOSTILE, version=HOSTILE, language=HOSTILE, url=f"javascript:{HOSTILE}")
    target = Target(HOSTILE, hello, Standing.GIVEN_UP, HOSTILE, f"javascript:{HOSTILE}", (HOSTILE,))
    texts = {"detail": HOSTILE, "expected": HOSTILE, "got": HOSTILE, "known": HOSTILE}
    said = [replace(one, target=HOSTILE, **{**texts, "known": one.known and HOSTILE}) for one in CARELESS_RESULTS]
    return replace(
        RUN,
        targets=(SOUND, target),
        results=(*SOUND_RESULTS, *said),
        known_problems=(HOSTILE,),
        header=_header(),
        comparison=Comparison(HOSTILE, HOSTILE, ((HOSTILE,) * 3,), (HOSTILE,), (HOSTILE,), _changes()),
    )


def _changes() -> tuple[CaseChange, ...]:
    return tuple(CaseChange(kind, HOSTILE, GZIP.id, Direction.DECODE, None, Outcome.HUNG) for kind in Change)


def _header() -> RunHeader:
    return replace(RUN.header, platform=HOSTILE, command=HOSTILE)


def crc32c(data: bytes) -> int:
    """CRC-32C by its definition, bit by bit (RFC 3720, polynomial 0x1EDC6F41 reflected)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF
