"""What is right is known as right, what differs is named, and what is not declared is not looked at."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.judging.difference import first_difference, visible
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import FIELDS, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.scale import frames
from kafka_conformance.scale.expected import Expected
from kafka_conformance.scale.mask import find_records
from kafka_format.records import Header, Record

INT64 = st.integers(-(2**63), 2**63 - 1)
OCTETS = st.none() | st.binary(max_size=9)
RECORDS = st.builds(
    Record,
    offset=INT64,
    timestamp=INT64,
    timestamp_type=st.integers(-1, 1),
    key=OCTETS,
    value=OCTETS,
    headers=st.lists(st.builds(Header, st.binary(max_size=4), OCTETS), max_size=3).map(tuple),
    producer_id=INT64,
    producer_epoch=st.integers(-(2**15), 2**15 - 1),
    sequence=st.integers(-(2**31), 2**31 - 1),
    transactional=st.booleans(),
    control=st.booleans(),
    codec=st.integers(0, 4),
)
BLOCKS = st.lists(st.lists(RECORDS, max_size=4), min_size=1, max_size=6)
FIXED = [field for field in FIELDS if field not in {"key", "value", "headers"}]

ONE = Record(5, 6, 0, b"k", b"v", (Header(b"h", None),), 7, 8, 9, transactional=True, codec=1)
OTHER = Record(50, 60, 1, b"K", b"V", (Header(b"H", None),), 70, 80, 90, transactional=False, control=True, codec=2)


def hello(fields: Iterable[str]) -> Hello:
    return Hello("toy", "1", "Python", ("v2",), ("none",), tuple(fields), checks_crc=True)


def but(field: str) -> list[str]:
    return [name for name in FIELDS if name != field]


def expected(contents: list[bytes], fields: Iterable[str]) -> Expected:
    return Expected(4, contents, hello(fields))


def replies(contents: Iterable[bytes]) -> list[Reply]:
    return [Reply(Status.ANSWER, content) for content in contents]


@given(BLOCKS, st.sets(st.sampled_from(FIELDS)))
def test_right_reply_is_right_whatever_is_declared(block: list[list[Record]], fields: set[str]) -> None:
    due = expected([answers.to_bytes(records) for records in block], fields)
    seen = [answers.to_bytes(visible(records, fields)) for records in block]
    assert due.equals(frames.answers_reply(4, seen))
    assert due.differing(replies(seen)) == []


@pytest.mark.parametrize("field", FIXED)
def test_field_counts_only_if_it_is_declared(field: str) -> None:
    """The wrong record is the second of the middle one of three batches, so places and numbers matter."""
    sound = answers.to_bytes([ONE, ONE])
    wrong = answers.to_bytes([ONE, ONE._replace(**{field: getattr(OTHER, field)})])
    came = [sound, wrong, sound]
    strict, mild = expected([sound] * 3, FIELDS), expected([sound] * 3, but(field))
    assert not strict.equals(frames.answers_reply(4, came))
    assert strict.differing(replies(came)) == [1]
    assert mild.equals(frames.answers_reply(4, came))
    assert mild.differing(replies(came)) == []


@pytest.mark.parametrize("undeclared", FIXED)
def test_what_is_not_declared_hides_no_other_field(undeclared: str) -> None:
    sound = answers.to_bytes([ONE, ONE])
    due = expected([sound] * 3, but(undeclared))
    for field in FIXED:
        came = [sound, answers.to_bytes([ONE, ONE._replace(**{field: getattr(OTHER, field)})]), sound]
        assert due.differing(replies(came)) == ([] if field == undeclared else [1])


@pytest.mark.parametrize("field", ["key", "value", "headers"])
def test_field_of_no_fixed_width_is_left_to_the_judge(field: str) -> None:
    """It is not proven right, which is never wrong."""
    sound, wrong = answers.to_bytes([ONE]), answers.to_bytes([ONE._replace(**{field: getattr(OTHER, field)})])
    for fields in (FIELDS, but(field)):
        due = expected([sound, sound], fields)
        assert not due.equals(frames.answers_reply(4, [sound, wrong]))
        assert due.differing(replies([sound, wrong])) == [1]


@given(BLOCKS, BLOCKS, st.sets(st.sampled_from(FIXED)))
def test_answers_that_differ_in_what_is_declared_are_always_named(
    due: list[list[Record]], came: list[list[Record]], undeclared: set[str]
) -> None:
    """Against the comparison of records that the judge uses."""
    came = (came * len(due))[: len(due)]
    fields = [field for field in FIELDS if field not in undeclared]
    visible = [visible(records, fields) for records in due]
    pairs = enumerate(zip(visible, came, strict=True))
    differ = [number for number, (left, right) in pairs if first_difference(left, right, fields)]
    one = expected([answers.to_bytes(records) for records in due], fields)
    contents = [answers.to_bytes(records) for records in came]
    assert one.differing(replies(contents)) == differ
    assert not (differ and one.equals(frames.answers_reply(4, contents)))


@pytest.mark.parametrize("fields", [FIELDS, but("codec"), but("key")])
def test_refusals_and_other_lengths_are_named_and_hide_no_neighbour(fields: list[str]) -> None:
    sound = answers.to_bytes([ONE, ONE])
    came = [
        Reply(Status.ANSWER, sound),
        Reply(Status.REFUSED, sound),
        Reply(Status.ANSWER, answers.to_bytes([ONE])),
        Reply(Status.ANSWER, answers.to_bytes([ONE, ONE._replace(offset=0)])),
        Reply(Status.UNSUPPORTED, b""),
        Reply(Status.ANSWER, sound),
    ]
    assert expected([sound] * 6, fields).differing(came) == [1, 2, 3, 4]


@pytest.mark.parametrize("fields", [FIELDS, but("codec")])
def test_difference_in_the_first_or_last_byte_belongs_to_its_own_answer(fields: list[str]) -> None:
    sound = answers.to_bytes([ONE._replace(codec=0), ONE._replace(key=None, value=None)])
    first = bytes([sound[0] ^ 0x80]) + sound[1:]
    last_that_counts = sound[:-2] + bytes([sound[-2] ^ 1]) + sound[-1:]
    assert expected([sound] * 3, fields).differing(replies([sound, first, sound])) == [1]
    assert expected([sound] * 3, fields).differing(replies([sound, last_that_counts, sound])) == [1]


def test_reply_to_another_block_is_not_right() -> None:
    contents = [answers.to_bytes([ONE])]
    for fields in (FIELDS, but("codec")):
        assert not expected(contents, fields).equals(frames.answers_reply(5, contents))


def test_control_records_are_due_only_from_targets_that_declare_them() -> None:
    marker = ONE._replace(control=True)
    contents = [answers.to_bytes(records) for records in ([ONE], [marker], [marker, ONE], [ONE, ONE])]
    seen = [answers.to_bytes(records) for records in ([ONE], [], [ONE], [ONE, ONE])]
    assert expected(contents, FIELDS).differing(replies(contents)) == []
    due = expected(contents, but("control"))
    assert due.equals(frames.answers_reply(4, seen))
    assert due.differing(replies(contents)) == [1, 2]


@given(BLOCKS)
def test_records_are_found_where_they_are(block: list[list[Record]]) -> None:
    """A record's size is that of its answer alone, without the count."""
    contents = [answers.to_bytes(records) for records in block]
    body = frames.answers_reply(4, contents)
    places = find_records(body, frames.answer_starts(contents))
    due = set()
    for number, (start, records) in enumerate(zip(frames.answer_starts(contents), block, strict=True)):
        at = start + 4
        for record in records:
            size = len(answers.to_bytes([record])) - 4
            due.add((number, at, at + size - 16))
            at += size
    found = zip(places.batch.tolist(), places.start.tolist(), places.tail.tolist(), strict=True)
    assert set(found) == due
