"""What is due as images: the same bytes as Python's own `marshal` makes of what Kafka's rules say, for every batch."""

import importlib
import marshal
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.scale import images
from kafka_conformance.serving import sharing
from kafka_format import sampler

from tests.kafka_conformance.scale.lies import KEY, LIES, OFFSET, OTHER_TYPES, Run
from tests.kafka_conformance.scale.wholes import run_of

pytestmark = pytest.mark.usefixtures("way")

COUNTS = {"tiny": 300, "mixed": 600, "large": 40, "compressed": 300}


@pytest.fixture(scope="module")
def shared() -> Iterator[ModuleType]:
    sys.path.insert(0, str(sharing.FOLDER))
    yield importlib.import_module("shared_images")
    sys.path.remove(str(sharing.FOLDER))


def runs_of(data: bytes, *, codec: bool = True) -> list[Any]:
    """Tell a v2 batch as a library does that reads batch by batch."""
    state, rows = run_of(data)
    return [(state if codec else (*state[:-1], 0), rows)]


def written(block: sampler.Block, fields: Sequence[str]) -> list[bytes]:
    found = images.written(block, fields)
    return [found.data[first:last].tobytes() for first, last in pairwise(found.bounds)]


@pytest.mark.parametrize("profile", COUNTS)
def test_images_are_what_marshal_writes(profile: str) -> None:
    block = sampler.block(5, 0, COUNTS[profile], profile)
    for fields in (FIELDS, [field for field in FIELDS if field != "codec"]):
        found = written(block, fields)
        for place in range(len(block)):
            assert found[place] == marshal.dumps(runs_of(block.input(place), codec="codec" in fields), 2)


@pytest.mark.parametrize(
    "number",
    [0, -1, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, 1 << 45, (1 << 60) - 1, -(1 << 60), -(1 << 63)],
)
def test_integers_of_every_size(number: int) -> None:
    block = sampler.block(5, 0, 20, "mixed")
    block.columns.numbers["timestamp"][:] = number
    loaded = [marshal.loads(image) for image in written(block, FIELDS)]  # noqa: S302 - ours
    rows = [row for ((_, rows),) in loaded for row in rows]
    assert rows
    assert {timestamp for _, timestamp, *_ in rows} == {number}


def test_block_holds_batches_and_images(shared: ModuleType) -> None:
    block = sampler.block(5, 7, 100, "mixed")
    due = shared.Images(b"".join(images.sections(block, FIELDS)))
    assert len(due) == 100
    assert due.inputs(0, 100) == [block.input(place) for place in range(100)]
    assert due.inputs(60, 61) == [block.input(60)]
    for place in range(60, 100):
        assert due.image(place, place + 1) == marshal.dumps(runs_of(block.input(place)), shared.VERSION)
    assert due.image(60, 100) == b"".join(due.image(place, place + 1) for place in range(60, 100))


@pytest.mark.parametrize("profile", COUNTS)
def test_groups_follow_one_another_to_the_end(shared: ModuleType, profile: str) -> None:
    block = sampler.block(3, 0, 150, profile)
    due, start = shared.Images(b"".join(images.sections(block, FIELDS))), 0
    while start < 150:
        end = due.group_end(start)
        assert start < end <= min(150, start + shared.GROUP_BATCHES)
        assert end == start + 1 or len(due.image(start, end)) <= shared.GROUP_BYTES
        larger = end < 150 and len(due.image(start, end + 1)) > shared.GROUP_BYTES
        assert larger or end in {150, start + shared.GROUP_BATCHES}
        start = end


class Comparison:
    """Compares what a library gave for some batches of a block with what is due."""

    def __init__(self, shared: ModuleType, count: int, profile: str = "mixed") -> None:
        block = sampler.block(3, 0, count, profile)
        self._shared = shared
        self._due = shared.Images(b"".join(images.sections(block, FIELDS)))
        self.batches = [[_lists(run) for run in runs_of(block.input(place))] for place in range(count)]

    def differing(self, left_out: Collection[int] = ()) -> list[int]:
        taken = self._shared.Taken(self._shared.Imaging(self._read, lambda runs: runs))
        places = [place for place in range(len(self.batches)) if place not in left_out]
        for place in places:
            taken.take(place.to_bytes(4))
        group = self._shared.ImageGroup(self._due, taken, places)
        differing = list(group.differing())
        assert [group.records(batch) for batch in differing] == [taken.runs[batch] for batch in differing]
        return [places[batch] for batch in differing]

    def _read(self, data: bytes) -> Iterator[Any]:
        return ((tuple(state), map(tuple, rows)) for state, rows in self.batches[int.from_bytes(data)])


def _lists(run: Any) -> Run:
    state, rows = run
    return list(state), [list(row) for row in rows]


@pytest.mark.parametrize("profile", COUNTS)
def test_right_batches_agree(shared: ModuleType, profile: str) -> None:
    compared = Comparison(shared, 60, profile)
    assert compared.differing() == []
    assert compared.differing(left_out=(0, 7, 8, 59)) == []
    assert compared.differing(left_out=range(60)) == []


@pytest.mark.parametrize("left_out", [(), (0, 6, 8, 33, 62)])
@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_found_where_it_is(shared: ModuleType, lie: str, left_out: Sequence[int]) -> None:
    compared = Comparison(shared, 64)
    told = [place for place in (1, 7, 31, 32, 63) if compared.batches[place][0][1]]
    assert len(told) > 3
    for place in told:
        LIES[lie](compared.batches[place][0])
    assert compared.differing(left_out) == told


def test_all_differ(shared: ModuleType) -> None:
    compared = Comparison(shared, 33, "tiny")
    for place, [run] in enumerate(compared.batches):
        list(LIES.values())[place % len(LIES)](run)
    assert compared.differing() == list(range(33))


@pytest.mark.parametrize("other", OTHER_TYPES)
def test_values_of_other_types_differ_even_if_they_are_equal(shared: ModuleType, other: str) -> None:
    compared = Comparison(shared, 40, "tiny")
    field, make = OTHER_TYPES[other]
    for place in (3, 39):
        row = compared.batches[place][0][1][0]
        row[field] = make(row[field])
    assert compared.differing() == [3, 39]


class _Text(str):
    __slots__ = ()


@pytest.mark.parametrize("value", [object(), _Text("k"), sys])
def test_values_that_no_image_holds_differ_alone(shared: ModuleType, value: object) -> None:
    compared = Comparison(shared, 40, "tiny")
    for place in (0, 3, 39):
        compared.batches[place][0][1][0][KEY] = value
    compared.batches[5][0][1][0][OFFSET] ^= 1
    assert compared.differing() == [0, 3, 5, 39]
    assert compared.differing(left_out=(3, 4)) == [0, 5, 39]


def test_batches_that_changed_places_both_differ(shared: ModuleType) -> None:
    """All of the memory is as it should be, but for where it is."""
    compared = Comparison(shared, 20, "tiny")
    batches = compared.batches
    batches[4], batches[5] = batches[5], batches[4]
    batches[9], batches[10] = [], [*batches[9], *batches[10]]
    assert compared.differing() == [4, 5, 9, 10]


def test_batch_that_the_library_gives_up_in_its_midst_leaves_nothing(shared: ModuleType) -> None:
    def read(data: bytes) -> Iterator[Any]:
        yield (), [data]
        if data == b"bad":
            raise ValueError(data)

    taken = shared.Taken(shared.Imaging(read, lambda runs: runs))
    taken.take(b"one")
    with pytest.raises(ValueError, match="bad"):
        taken.take(b"bad")
    taken.drop()
    taken.take(b"two")
    assert taken.runs == [[((), [b"one"])], [((), [b"two"])]]


def test_several_runs_for_a_batch_are_no_image(shared: ModuleType) -> None:
    """They may be right, and are answered."""
    compared = Comparison(shared, 40)
    several = [place for place, [(_, rows)] in enumerate(compared.batches) if len(rows) > 1]
    assert several
    for place in several:
        [(state, rows)] = compared.batches[place]
        compared.batches[place] = [(state, [row]) for row in rows]
    assert compared.differing() == several


@pytest.mark.usefixtures("shared")
def test_images_hold_what_adapters_give() -> None:
    """The field names stand on both sides, since neither can import the other."""
    adapters = {name: importlib.import_module(name) for name in ("batchwise", "kafka_python_family")}
    assert tuple(images.ROW) == adapters["batchwise"].FIELDS
    assert adapters["kafka_python_family"].State._fields == images.STATE


def test_python_that_writes_otherwise_is_noticed(shared: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shared.possible()
    monkeypatch.setattr(shared, "VERSION", 4)  # with references, and short forms of small values
    assert not shared.possible()
