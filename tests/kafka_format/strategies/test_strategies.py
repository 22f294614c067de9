"""The strategies reach the edges, find what they are for, and are reproducible."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy
from kafka_format import compression, strategies, structure
from kafka_format.errors import FormatError, LayoutError
from kafka_format.records import Record, decode, encode
from kafka_format.records.entries import split
from kafka_format.spec.layout import specification

DRAWS = settings(database=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def drawn(strategy: SearchStrategy[Any], number: int) -> list[Any]:
    """So many draws, the same in every run."""
    found = []

    @settings(DRAWS, max_examples=number)
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def drawn_until(is_enough: Callable[[Any], bool], strategy: SearchStrategy[Any], most: int, seed: int = 0) -> bool:
    """Draw until a draw is said to be enough, for each costs time; False if none is among so
    many."""
    seeded = settings(DRAWS, derandomize=False, max_examples=most)
    with suppress(NoSuchExample):
        return find(strategy.map(is_enough), bool, settings=seeded, random=Random(seed))  # noqa: S311 - the same each time
    return False


def test_numbers_reach_the_borders_between_varints() -> None:
    missing = {0, -1, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 2147483647, -2147483648, 2147483648}
    missing |= {(1 << 63) - 1, -(1 << 63), 1 << 62, (1 << 55) - 1}

    def is_last(number: int) -> bool:
        missing.discard(number)
        return not missing

    assert drawn_until(is_last, strategies.numbers(-(1 << 63), (1 << 63) - 1), 1500), missing


@pytest.mark.parametrize(
    ("lowest", "highest"), [(0, 0), (-1, 1), (5, 7), (100, 120), (0, 255), (-(1 << 31), (1 << 31) - 1)]
)
def test_numbers_stay_in_their_range(lowest: int, highest: int) -> None:
    values = drawn(strategies.numbers(lowest, highest), 200)
    assert (min(values), max(values)) == (lowest, highest)


@pytest.mark.parametrize("utf8", [False, True], ids=["bytes", "text"])
def test_contents_reach_the_borders_between_lengths(utf8: bool) -> None:
    missing = {0, 1, 63, 64, 8191, 8192}

    def is_last(content: bytes) -> bool:
        missing.discard(len(content))
        return not missing

    assert drawn_until(is_last, strategies.contents(utf8=utf8), 500), missing


def test_contents_of_a_text_are_utf8() -> None:
    values = drawn(strategies.contents(utf8=True), 300)
    assert all(content.decode().encode() == content for content in values)
    assert any(not content.isascii() for content in values)


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", sorted(specification().layouts))
def test_values_have_every_field_and_decode(name: str, pytestconfig: pytest.Config) -> None:
    kind = structure(name).type
    for value in drawn(strategies.values(name), 20 if pytestconfig.getoption("whole") else 7):
        assert type(value) is kind
        structure(name).decode(structure(name).encode(value))


REACHED: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "null key": ("record", lambda value: value.key is None),
    "empty key": ("record", lambda value: value.key == b""),
    "two-byte key length": ("record", lambda value: value.key is not None and len(value.key) == 64),
    "three-byte value length": ("record", lambda value: value.value is not None and len(value.value) == 8192),
    "many headers": ("record", lambda value: len(value.headers) >= 63),
    "null header value": ("record", lambda value: any(header.value is None for header in value.headers)),
    "ten-byte timestamp": ("record", lambda value: abs(value.timestamp_delta) > 1 << 62),
    "no records": ("record_batch", lambda value: not value.records),
    "many records": ("record_batch", lambda value: len(value.records) >= 63),
    "control bit": ("record_batch", lambda value: value.is_control),
    "delete horizon": ("record_batch", lambda value: value.has_delete_horizon),
    "append time": ("record_batch", lambda value: value.timestamp_type == "log_append_time"),
    "unused bits": ("record_batch", lambda value: value.attributes < 0),
    "last sequence": ("record_batch", lambda value: value.base_sequence == 2147483647),
    "own last offset delta": ("record_batch", lambda value: value.last_offset_delta is not None),
    **{
        f"records in {codec}": ("record_batch", lambda value, codec=codec: value.codec == codec and value.records)
        for codec in compression.NAMES
    },
    "v0": ("message_set_entry", lambda value: value.message.magic == 0),
    "v1": ("message_set_entry", lambda value: value.message.magic == 1),
}


@pytest.mark.parametrize("name", ["record", "record_batch", "message_set_entry"])
def test_values_reach(name: str) -> None:
    """Within so many draws, since the rarest come once in a hundred, and in bursts."""
    missing = {case: condition for case, (layout, condition) in REACHED.items() if layout == name}

    def is_last(value: Any) -> bool:
        for case in [case for case, condition in missing.items() if condition(value)]:
            del missing[case]
        return not missing

    assert drawn_until(is_last, strategies.values(name), 3000), set(missing)


def test_a_field_can_be_given() -> None:
    values = drawn(strategies.values("record", key=st.just(b"mine"), offset_delta=st.integers(5, 6)), 50)
    assert {value.key for value in values} == {b"mine"}
    assert {value.offset_delta for value in values} == {5, 6}


def test_a_field_that_is_not_there_cannot_be_given() -> None:
    with pytest.raises(KeyError, match="keys"):
        strategies.values("record", keys=st.none())


def test_a_layout_that_is_not_there() -> None:
    with pytest.raises(LayoutError, match=r"did you mean `record`"):
        strategies.values("recrod")


def outcome(name: str, data: bytes) -> str:
    """The rule that bytes of a layout break, or that they are accepted."""
    try:
        structure(name).decode(data)
    except FormatError as error:
        return error.rule
    return "accepted"


DEEP = {
    "record": {
        "field.truncated", "varint.minimal", "varint.range", "varint.length", "length.not-negative", "length.within",
        "v2.record.length.within", "v2.record.length.exact", "v2.header.count.not-negative", "v2.header.key.not-null",
        "v2.header.key.utf8",
    },
    "record_batch": {
        "v2.batch-length.minimum", "entry.size.within", "entry.magic.known", "v2.crc.covers-attributes-to-end",
        "v2.codec.known", "v2.record-count.not-negative", "v2.record-count.within", "field.truncated",
    },
    "message_set_entry": {
        "entry.size.minimum", "entry.size.within", "entry.magic.known", "legacy.crc.covers-magic-to-end",
        "legacy.codec.known", "legacy.message.fills-its-size", "length.not-negative", "length.within",
    },
}  # fmt: skip


# How soon all is drawn depends on what else is imported: Hypothesis draws constants of our code.
@pytest.mark.parametrize("name", ["record", pytest.param("record_batch", marks=pytest.mark.whole), "message_set_entry"])
def test_damage_goes_below_lengths_and_checksums(name: str) -> None:
    counts: Counter[str] = Counter()

    def is_last(data: bytes) -> bool:
        counts[outcome(name, data)] += 1
        return DEEP[name] <= set(counts) and counts.total() >= 200

    damaged = strategies.damaged(strategies.encoded(name), name)
    assert drawn_until(is_last, damaged, 2000, seed=1), DEEP[name] - set(counts)
    assert counts["accepted"] < 0.7 * counts.total()


def test_damage_of_plain_bytes() -> None:
    values = drawn(strategies.damaged(st.just(b"some bytes")), 300)
    assert {len(data) - 10 for data in values} > {-10, -1, 0, 1, 2, 3}
    assert len(set(values)) > 100
    assert all(type(data) is bytes for data in drawn(strategies.damaged(st.just(b"")), 50))


@pytest.mark.parametrize("magic", [0, 1, 2])
def test_records_can_be_written(magic: int) -> None:
    for records in drawn(strategies.records(magic), 50):
        assert all(type(record) is Record for record in records)
        assert decode(encode(records, magic=magic)) == records


def test_runs_of_entries_have_every_format_in_every_codec_and_may_be_cut() -> None:
    wanted = {(True, codec) for codec in range(4)} | {(False, codec) for codec in range(5)}
    kinds: set[tuple[bool, int]] = set()
    magics: set[int] = set()
    are_cut: list[bool] = []

    def is_last(data: bytes) -> bool:
        entries = list(split(data))
        kinds.update((record.timestamp_type == -1, record.codec) for record in decode(data))
        magics.update(entry.magic for entry in entries)
        are_cut.append(max((entry.end for entry in entries), default=0) != len(data))
        return kinds >= wanted and magics >= {0, 1, 2} and len(are_cut) >= 50

    assert drawn_until(is_last, strategies.entries(), 250), (wanted - kinds, magics)
    assert (kinds, magics) == (wanted, {0, 1, 2})
    assert 0.1 < sum(are_cut) / len(are_cut) < 0.9


@pytest.mark.parametrize(
    "strategy",
    [
        strategies.values("record_batch"),
        strategies.damaged(strategies.encoded("record"), "record"),
        strategies.entries(),
        strategies.records(),
    ],
    ids=["values", "damaged", "entries", "records"],
)
def test_what_is_drawn_is_the_same_again(strategy: SearchStrategy[Any]) -> None:
    assert drawn(strategy, 25) == drawn(strategy, 25)
