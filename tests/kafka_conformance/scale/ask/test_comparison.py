"""Right replies are proven right, whatever is declared; all others are left to the judge."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.errors import ProtocolError
from kafka_conformance.judging.difference import first_difference, visible
from kafka_conformance.protocol import answers, messages
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.protocol.messages import BlockReply, Reply, Status
from kafka_conformance.scale.ask import block_frames
from kafka_conformance.scale.ask.comparison import Expected
from kafka_conformance.scale.batches import Batches
from kafka_format.records import Header, Record

from tests.kafka_conformance.scale.miniature_batches import MiniatureBlock, columns_of

OCTETS = st.none() | st.binary(max_size=6)
INT64 = st.integers(-(2**63), 2**63 - 1)
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
ZERO = Record(0, 0, 0, None, None, (), 0, 0, 0, transactional=False, control=False, codec=0)

ONE = Record(5, 6, 0, b"k", b"v", (Header(b"h", None),), 7, 8, 9, transactional=True, codec=1)
OTHER = Record(50, 60, 1, b"K", b"V", (Header(b"H", None),), 70, 80, 90, transactional=False, control=True, codec=2)


class JudgedBlock(MiniatureBlock):
    """Batches of which each has a verdict."""

    @property
    def verdicts(self) -> bytes:
        return self.data


def expected(block: Sequence[Sequence[Record]], fields: Iterable[str], verdicts: bytes = b"") -> Expected:
    bounds = np.arange(len(block) + 1)
    made = JudgedBlock(verdicts or bytes(len(block)), bounds, columns_of(block))
    return Expected(Batches(0, made), tuple(fields))


def results(replies: Iterable[Reply]) -> bytes:
    """As they stand in the reply to a block."""
    body = messages.block_reply(BlockReply(FrameKind.DECODE, 1, tuple(replies)))
    *_, start = block_frames.read_reply(body)
    return body[start:]


def answered(block: Iterable[Sequence[Record]]) -> list[Reply]:
    return [Reply(Status.ANSWER, answers.to_bytes(records)) for records in block]


def differing(due: Expected, replies: Sequence[Reply]) -> list[int]:
    some_results = due.differing(range(len(replies)), results(replies))
    assert all(replies[number] == reply for number, reply in some_results.items())
    return sorted(some_results)


def declared(records: Sequence[Record], fields: Iterable[str]) -> list[Record]:
    """Records as a target gives them that declares only these fields."""
    names = set(fields)
    return [ZERO._replace(**{name: getattr(record, name) for name in names}) for record in visible(records, names)]


def but(field: str) -> list[str]:
    return [name for name in FIELDS if name != field]


@given(BLOCKS, st.sets(st.sampled_from(FIELDS)))
def test_right_reply_is_right_whatever_is_declared(block: list[list[Record]], fields: set[str]) -> None:
    """Fields that are not declared are zero, null or without any item, as the protocol has it."""
    assert differing(expected(block, fields), answered(declared(records, fields) for records in block)) == []


@given(BLOCKS, st.sets(st.sampled_from(FIXED)))
def test_whatever_stands_in_fields_of_fixed_size_that_are_not_declared_is_right(
    block: list[list[Record]], undeclared: set[str]
) -> None:
    fields = set(FIELDS) - undeclared
    assert differing(expected(block, fields), answered(visible(records, fields) for records in block)) == []


@given(BLOCKS, BLOCKS, st.sets(st.sampled_from(FIXED)))
def test_answers_that_differ_in_what_is_declared_are_always_named(
    due: list[list[Record]], came: list[list[Record]], undeclared: set[str]
) -> None:
    """Against the comparison of records that the judge uses."""
    came = (came * len(due))[: len(due)]
    fields = [field for field in FIELDS if field not in undeclared]
    pairs = enumerate(zip((visible(records, fields) for records in due), came, strict=True))
    differ = [number for number, (left, right) in pairs if first_difference(left, right, fields)]
    assert differing(expected(due, fields), answered(came)) == differ


@pytest.mark.parametrize("undeclared", FIELDS)
def test_what_is_not_declared_hides_no_other_field(undeclared: str) -> None:
    """The wrong record is the second of the middle one of three batches, so places and numbers
    matter."""
    fields = but(undeclared)
    for field in FIXED:
        if (undeclared, field) != ("control", "control"):
            wrong = ONE._replace(**{field: getattr(OTHER, field)})
            replies = answered(declared(records, fields) for records in ([ONE, ONE], [ONE, wrong], [ONE, ONE]))
            assert differing(expected([[ONE, ONE]] * 3, fields), replies) == ([] if field == undeclared else [1])


@pytest.mark.parametrize("field", ["key", "value", "headers"])
def test_field_of_no_fixed_size_that_is_not_declared_and_came_is_left_to_the_judge(field: str) -> None:
    """It is not proven right, which is never wrong."""
    wrong = ONE._replace(**{field: getattr(OTHER, field)})
    for fields in (FIELDS, but(field)):
        replies = [*answered([declared([ONE], fields)]), *answered([[wrong]])]
        assert differing(expected([[ONE], [ONE]], fields), replies) == [1]


@pytest.mark.parametrize("fields", [FIELDS, but("codec"), but("key")])
def test_refusals_and_other_lengths_are_named_and_hide_no_neighbour(fields: list[str]) -> None:
    sound = answered([declared([ONE, ONE], fields)])[0]
    replies = [
        sound,
        Reply(Status.REFUSED, sound.content),
        *answered([declared([ONE], fields), declared([ONE, ONE._replace(offset=0)], fields)]),
        Reply(Status.UNSUPPORTED, b""),
        sound,
    ]
    assert differing(expected([[ONE, ONE]] * 6, fields), replies) == [1, 2, 3, 4]


def test_some_of_the_batches_are_compared_with_what_is_due_for_them() -> None:
    block = [[ONE._replace(offset=number)] for number in range(6)]
    due = expected(block, FIELDS)
    assert due.differing([0, 2, 5], results(answered([block[0], block[2], block[5]]))) == {}
    assert list(due.differing([0, 2, 5], results(answered([block[0], block[1], block[5]])))) == [2]
    assert due.differing(range(2, 5), results(answered(block[2:5]))) == {}


def test_verdicts_decide_which_refusals_are_right() -> None:
    """0 is valid, 1 invalid, 2 lenient."""
    (answer,), refusal, wrong = answered([[ONE]]), Reply(Status.REFUSED, b"no"), *answered([[OTHER]])
    verdicts = bytes([0, 0, 0, 1, 1, 1, 2, 2, 2])
    due = expected([[ONE]] * 9, FIELDS, verdicts)
    assert differing(due, [answer, refusal, wrong] * 3) == [1, 2, 3, 5, 8]
    partial = Reply(Status.PARTIAL, answer.content + b"no")
    assert differing(expected([[ONE]] * 3, FIELDS, bytes([0, 1, 2])), [partial] * 3) == [0]


def test_control_records_are_due_only_from_targets_that_declare_them() -> None:
    marker = ONE._replace(control=True)
    block = [[ONE], [marker], [marker, ONE], [ONE, ONE]]
    seen = [[ONE], [], [ONE], [ONE, ONE]]
    assert differing(expected(block, FIELDS), answered(block)) == []
    assert differing(expected(block, but("control")), answered(seen)) == []
    assert differing(expected(block, but("control")), answered(block)) == [1, 2]


@pytest.mark.parametrize("more", [b"x", b"\0\0\0\0\0"])
def test_bytes_behind_the_last_result_are_no_reply(more: bytes) -> None:
    with pytest.raises(ProtocolError, match=f"sent {len(more)} bytes after the last result"):
        expected([[ONE]], FIELDS).differing([0], results(answered([[ONE]])) + more)
