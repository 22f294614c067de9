"""Quick reading and the interpreter give the same records, bytes and errors."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from kafka_format import compression, strategies, structure
from kafka_format.codec.readings import REFUSED, interpreter_only
from kafka_format.errors import EncodeError, FormatError
from kafka_format.records import Header, Record, decode, encode, iterate, quick
from kafka_format.records.budget import Budget
from kafka_format.spec.layout import specification

from tests.kafka_format.examples import examples
from tests.kafka_format.wire import EMPTY, OVERFLOW, RECORD, THREE, V0, V1, V2, batch, gzip, record

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

LIMIT, MOST = 1 << 27, 1 << 16  # a strategy may give 65 records of 65 headers of 16 KiB
NONE: frozenset[str] = frozenset()
ALL = frozenset(specification().flags.values())
DELTAS = strategies.numbers(-(1 << 63), (1 << 63) - 1)


def outcome(run: Callable[..., Any], *given: Any, **words: Any) -> Any:
    """What comes back, with the types, for True is equal to 1; or all that an error says."""
    try:
        whole_run = run(*given, **words)
    except FormatError as error:
        return str(error), error.rule, error.offset, error.path, error.entry
    except EncodeError as error:
        return str(error), error.path
    return whole_run, [[*map(type, one), *map(type, one.headers)] for one in whole_run if isinstance(one, Record)]


def interpreted(run: Callable[..., Any], *given: Any, **words: Any) -> Any:
    """The same by the interpreter alone."""
    with interpreter_only():
        return outcome(run, *given, **words)


def one_by_one(run: bytes, flags: frozenset[str]) -> list[Any]:
    """What `iterate` gives, the error last."""
    found: list[Any] = []
    try:
        found.extend(iterate(run, flags=flags))
    except FormatError as error:
        found.append(str(error))
    return found


def same(run: bytes) -> tuple[int, int]:
    """Read a run both ways, strictly and with flags; tell how far the quick one gets, by how many
    batches."""
    for flags in NONE, ALL:
        assert outcome(decode, run, flags=flags) == interpreted(decode, run, flags=flags)
        assert outcome(one_by_one, run, flags) == interpreted(one_by_one, run, flags)
    _, position, batches = quick.decode(run, 0, len(run), Budget(LIMIT, MOST), read_control=False)
    return position, batches


@given(run=strategies.encoded("record_batch"))
@examples(100)
def test_any_batch(run: bytes) -> None:
    assert same(run) == (len(run), 1)


@given(run=strategies.entries())
@examples(100)
def test_any_run(run: bytes) -> None:
    same(run)


@given(run=strategies.damaged(strategies.entries()))
@examples(100)
def test_damaged_runs(run: bytes) -> None:
    same(run)


@given(base_timestamp=DELTAS, base_offset=DELTAS, delta=DELTAS)
@examples(200)
def test_sums_of_more_than_64_bits_wrap(base_timestamp: int, base_offset: int, delta: int) -> None:
    item = {"timestamp_delta": delta, "offset_delta": delta % (1 << 31)}
    head = {"base_timestamp": base_timestamp, "base_offset": base_offset}
    run = structure("record_batch").encode(head | {"records": [item]})
    assert same(run) == (len(run), 1)
    (decoded,) = decode(run)
    assert decoded.offset == (base_offset + item["offset_delta"] + (1 << 63)) % (1 << 64) - (1 << 63)
    assert decoded.timestamp == (base_timestamp + delta + (1 << 63)) % (1 << 64) - (1 << 63)


DOUBTS = {
    "a record too few": batch(RECORD * 2, count=1),
    "a record too many": batch(RECORD, count=2),
    "-1 records": batch(b"", count=-1),
    "a record too few of gzip": batch(gzip(RECORD * 2), attributes=1),
    "no record of gzip, but bytes": batch(gzip(RECORD), attributes=1, count=0),
    "-1 headers": batch(record("00 00 00 01 01 01"), count=1),
    "checksum": V2[:20] + b"\0" + V2[21:],
    "cut": V2[:-1],
    "v0": V0,
    "v1": V1,
    "filler": OVERFLOW,
}


@pytest.mark.parametrize("case", DOUBTS)
@pytest.mark.parametrize("before", [b"", THREE, THREE + EMPTY], ids=["first", "second", "third"])
def test_what_is_in_doubt_is_left_to_the_interpreter(before: bytes, case: str) -> None:
    assert same(before + DOUBTS[case]) == (len(before), (b"", THREE, THREE + EMPTY).index(before))


def test_limits_are_shared_and_what_goes_beyond_them_is_in_doubt() -> None:
    packed = batch(gzip(RECORD * 3), attributes=1, count=3)
    for limit, most, read in ((6 * len(RECORD), 6, 2), (6 * len(RECORD) - 1, 6, 1), (LIMIT, 5, 1), (LIMIT, 2, 0)):
        budget = Budget(limit, most)
        assert quick.decode(packed * 2, 0, 2 * len(packed), budget, read_control=False)[1:] == (
            read * len(packed),
            read,
        )
        assert (budget.limit, budget.records) == (limit - read * 3 * len(RECORD), most - read * 3)
        limits = {"limit": limit, "max_records": most}
        assert outcome(decode, packed * 2, **limits) == interpreted(decode, packed * 2, **limits)


@pytest.mark.parametrize("codec", compression.NAMES)
@given(records=strategies.records())
@examples(60)
def test_any_records_are_written_alike(codec: str, records: list[Record]) -> None:
    assert outcome(encode, records, codec=codec) == interpreted(encode, records, codec=codec)


CHANGES: dict[str, list[Any]] = {
    "offset": [0, -5, 1 << 40, 1 << 63, 2.5, None],
    "timestamp": [0, 1 << 62, -(1 << 63), 1 << 63, None, "1"],
    "timestamp_type": [-1, 1, True],
    "key": [b"", None, "text", bytearray(b"k")],
    "value": [b"v" * 70_000, None, 1],
    "headers": [(Header(b"a", None),), [(b"a", b"b")], ((b"a",),), ((None, b""),), (Header(b"\xff", b""),), None],
    "producer_id": [7, 1 << 63],
    "producer_epoch": [-1, 1 << 15],
    "sequence": [0, 1, 5, (1 << 31) - 1, -2],
    "transactional": [True, 1, 0, None],
    "control": [True],
    "codec": [4],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, some in CHANGES.items() for value in some])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_does_not_fit_is_told_alike(field: str, value: object, place: int) -> None:
    """A value of another kind, or one that the others of the batch do not have, in each record."""
    records = [Record(100 + number, 1000, 0, b"k", b"v", (), 3, 1, number) for number in range(3)]
    records[place] = records[place]._replace(**{field: value})
    assert outcome(encode, records) == interpreted(encode, records)


@pytest.mark.parametrize("record", [tuple(Record(1)), None, b"record"])
def test_what_is_no_record_is_refused_at_once(record: object) -> None:
    with pytest.raises(REFUSED):
        quick.encode([Record(0), record], 0, "none")


def test_the_quick_reading_is_what_is_used() -> None:
    """Else all above compares the interpreter with itself."""
    records = decode(THREE)
    with patch("kafka_format.records.decoding.by_entry", side_effect=AssertionError):
        assert len(decode(THREE + EMPTY)) == 3
    with patch("kafka_format.records.decoding._batch", side_effect=AssertionError):
        assert len(list(iterate(THREE + EMPTY, flags=ALL))) == 3
    with patch("kafka_format.records.encoding._batch", side_effect=AssertionError):
        assert encode(records) == THREE
