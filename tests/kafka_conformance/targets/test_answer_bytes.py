"""The quick way to write answers gives the bytes of the layout `answer`, or raises."""

import struct
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.scale.ask.isolated_target import MACHINE
from kafka_conformance.serving.isolated_loop import FOLDER
from kafka_format.records import Header, Record

OCTETS = st.none() | st.binary(max_size=6)
RECORDS = st.builds(
    Record,
    offset=st.integers(-(2**63), 2**63 - 1),
    timestamp=st.integers(-(2**63), 2**63 - 1),
    timestamp_type=st.integers(-1, 1),
    key=OCTETS,
    value=OCTETS | st.just(bytes(5000)),
    headers=st.lists(st.builds(Header, st.binary(max_size=4), OCTETS), max_size=3).map(tuple),
    producer_id=st.integers(-(2**63), 2**63 - 1),
    producer_epoch=st.integers(-(2**15), 2**15 - 1),
    sequence=st.integers(-(2**31), 2**31 - 1),
    transactional=st.booleans(),
    control=st.booleans(),
    codec=st.integers(0, 4),
)
ZERO = Record(0, 0, 0, None, None, (), 0, 0, 0, transactional=False, control=False, codec=0)
STATE = (7, 8, -1, 100, True, False, 3)
ROW = (100, 5, 1, b"k", None, ())
RECORD = Record(100, 5, 1, b"k", None, (), 7, 8, -1, transactional=True, codec=3)
"""What the two make together."""


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    yield import_module("answer_bytes")
    sys.path.remove(str(FOLDER))


Write = Callable[..., bytes]


@pytest.fixture(scope="module", params=["machine", "python"])
def write(request: pytest.FixtureRequest, module: ModuleType) -> Write:
    """Each way to write answers; here, what the machine does not take is not left to Python."""
    if request.param == "python":
        return lambda runs, has_text=False: module.answer(runs, str.encode if has_text else bytes)
    native = pytest.importorskip("kafka_format_native", reason="the layout machine is not built here")
    return lambda runs, has_text=False: native.write_answer(runs, has_text)


@given(st.lists(RECORDS, max_size=4), st.sets(st.sampled_from(FIELDS)))
def test_records_of_which_some_fields_are_declared(
    module: ModuleType, write: Write, records: list[Record], fields: set[str]
) -> None:
    columns = {field: [getattr(record, field) for record in records] for field in fields}
    expected = [ZERO._replace(**{field: getattr(record, field) for field in fields}) for record in records]
    assert write(module.runs(columns, len(records))) == answers.to_bytes(expected)


def test_records_of_batches_have_in_common_what_the_batch_says(write: Write) -> None:
    assert write([(STATE, [ROW]), (STATE, [ROW])]) == answers.to_bytes([RECORD] * 2)


@pytest.mark.parametrize(
    ("base", "offset", "sequence"), [(0, 100, 0), (5, 103, 8), (2**31 - 1, 101, 0), (2**31 - 2, 101, 2**31 - 1)]
)
def test_sequences_count_up_with_the_offsets_and_go_on_at_0(
    write: Write, base: int, offset: int, sequence: int
) -> None:
    state, row = (*STATE[:2], base, *STATE[3:]), (offset, *ROW[1:])
    [found] = answers.from_bytes(write([(state, [row])]))
    assert (found.offset, found.sequence) == (offset, sequence)


def test_keys_of_headers_may_be_text(write: Write) -> None:
    row = (*ROW[:5], [("\u20ac", b"v"), ("", None)])
    [found] = answers.from_bytes(write([(STATE, [row])], has_text=True))
    assert found.headers == (Header("\u20ac".encode(), b"v"), Header(b"", None))


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 1 << 63), (0, None), (1, 1.5), (2, 128), (3, "text"), (4, 5), (5, 5), (5, [("text", b"")]), (5, [b"xyz"])],
)
def test_values_that_do_not_fit_raise(write: Write, place: int, value: Any) -> None:
    row = (*ROW[:place], value, *ROW[place + 1 :])
    with pytest.raises((struct.error, TypeError, ValueError)):
        write([(STATE, [row])])


@pytest.mark.parametrize("runs", [5, [5], [(STATE,)], [(STATE, 5)], [(STATE[:6], [ROW])], [(STATE, [ROW[:5]])]])
def test_what_is_no_answer_raises(write: Write, runs: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        write(runs)


def test_the_machine_is_loaded_by_its_file(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not take is left to Python, which says what is wrong."""
    native = pytest.importorskip("kafka_format_native", reason="the layout machine is not built here")
    monkeypatch.setenv(MACHINE, native.__file__)
    write = module.writer(has_text=True)
    monkeypatch.setattr(module, "answer", lambda *_given: b"by Python")
    assert write([(STATE, [ROW])]) == answers.to_bytes([RECORD])
    assert write([(STATE, [(None, *ROW[1:])])]) == b"by Python"


def test_without_the_machine_python_writes(module: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(MACHINE, str(tmp_path / "no machine.so"))
    assert module.writer(has_text=False)([(STATE, [ROW])]) == module.answer([(STATE, [ROW])])
