"""Kafka's own classes read what we write and write the same: random values of every version."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from kafka_format import structure
from kafka_format.codec.readings import interpreter_only
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_generator.kafka_judge import Judge, Question, Reply, Status, missing
from kafka_generator.kafka_schemas import facts

from tests.kafka_format.codec.compiler import samples

Replies = Mapping[tuple[str, int, str], Reply]

JARS = Path(__file__).parents[3] / ".targets" / "kafka-schemas"
VALUES = 3
"""Values of each version; a whole run has 20."""
pytestmark = pytest.mark.skipif(bool(missing(JARS)), reason=missing(JARS))

KNOWN = {"4.4": 730, "3.9": 730, "2.8": 500}
"""Some number of versions that each release knows at least."""

NUMBERED = (4, 1)
"""From this release on the version of a coordinator's key is 0, and before the number of the
record."""


@pytest.fixture(scope="module", params=["4.4", pytest.param("3.9", marks=pytest.mark.whole), "2.8"])
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def judge(release: str, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(JARS, release, tmp_path_factory.mktemp(release))


def known(judge: Judge, release: str) -> Iterator[tuple[VersionedLayout, int, int]]:
    """Yield the layouts and versions that a release may know, with its own variants, and what it
    calls the version."""
    layouts = list(specification().versioned.values())
    number = facts.minor(release)
    for layout in layouts:
        if layout.variant_of or not judge.knows(layout.kafka):
            continue
        for version in layout.versions.numbers:
            theirs = layout.number if layout.kind == "record_key" and number < NUMBERED else version
            variants = [
                each_layout
                for each_layout in layouts
                if each_layout.variant_of == layout.name
                and version in each_layout.versions
                and facts.is_there(each_layout, version, number)
            ]
            yield (variants or [layout])[0], version, theirs or 0


def test_kafka_writes_what_it_read_of_us(judge: Judge, release: str, pytestconfig: pytest.Config) -> None:
    asked: list[tuple[str, int]] = []
    questions: list[Question] = []
    for layout, version, theirs in known(judge, release):
        for seed in range(20 if pytestconfig.getoption("whole") else VALUES):
            compiled, value = samples.of(layout.name, version, seed)
            asked.append((layout.name, version))
            questions.append(Question(layout.kafka, theirs, compiled.encode(value)))
    replies = judge.ask(questions)
    told = list(zip(asked, questions, replies, strict=True))
    wrong = [
        (pair, reply)
        for pair, question, reply in told
        if reply.status != Status.UNKNOWN and (reply.status, reply.content) != (Status.WRITTEN, question.content)
    ]
    assert wrong == []
    assert len({pair for pair, _, reply in told if reply.status == Status.WRITTEN}) >= KNOWN[release]


LENIENT = [
    # flag, layout, version, bytes: what Kafka reads although it breaks a rule of ours.
    ("boolean-of-any-byte", "metadata_request", 4, "00000000 02"),
    ("negative-length-is-null", "metadata_request", 1, "fffffffe"),
    ("invalid-utf8-is-replaced", "heartbeat_request", 4, "03 c328 00000000 01 00 00"),
    ("overlong-varint", "metadata_request", 9, "8000 01 00 00 00"),
]


STRICT = [
    ("metadata_request", 0, "ffffffff"),
    ("find_coordinator_request", 4, "00 00 00"),
    ("metadata_request", 1, "7fffffff"),
    ("heartbeat_request", 0, "0003 6162"),
    ("heartbeat_response", 0, "00"),
    ("find_coordinator_request", 4, "00 808080808001 00"),
]


@pytest.fixture(scope="module")
def replies(judge: Judge) -> Replies:
    """What a release says of all these bytes: each question by itself would start a Java of its
    own."""
    asked = [*(case[1:] for case in LENIENT), *STRICT]
    kafka = specification().versioned
    questions = [Question(kafka[name].kafka, version, bytes.fromhex(text)) for name, version, text in asked]
    return dict(zip(asked, judge.ask(questions), strict=True))


@pytest.mark.parametrize(("flag", "name", "version", "text"), LENIENT)
def test_where_kafka_is_looser_it_reads_as_the_flag_says(
    flag: str, name: str, version: int, text: str, replies: Replies
) -> None:
    data = bytes.fromhex(text)
    reply = replies[name, version, text]
    assert reply.status == Status.WRITTEN
    compiled = structure(name, version)
    with interpreter_only():
        assert compiled.encode(compiled.decode(data, flags=frozenset({flag}))) == reply.content


@pytest.mark.parametrize(("name", "version", "text"), STRICT)
def test_what_nobody_reads(name: str, version: int, text: str, replies: Replies) -> None:
    assert replies[name, version, text].status in (Status.NOT_READ, Status.UNKNOWN)
