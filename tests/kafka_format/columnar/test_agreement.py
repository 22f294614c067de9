"""The columnar decoder agrees with the scalar one: on vectors, strategies, samples, damaged
ones."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import sampler, strategies
from kafka_format.spec.flags import flags

from tests.fuzz.mutator import Mutator
from tests.fuzz.seeds import seeds
from tests.kafka_format.columnar.agreement import alone, disagreements, scalar, vectors_by_flag
from tests.kafka_format.examples import examples
from tests.sampling import Share

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

ALL = frozenset(flags())
VECTORS = seeds(("v0", "v1", "v2"))
BATCHES = {"tiny": 3000, "mixed": 2000, "large": 60, "compressed": 700, "legacy": 700}


def test_the_vectors_are_there() -> None:
    some = VECTORS[::5]
    refused = [data for data in some if not isinstance(scalar(data), list)]
    assert len(refused) > 100
    assert len(some) - len(refused) > 100


@pytest.mark.parametrize("allowed", [frozenset(), ALL], ids=["strict", "all flags"])
def test_of_all_vectors_at_once(allowed: frozenset[str]) -> None:
    assert disagreements(VECTORS, flags=allowed) == []


def test_of_lenient_vectors_with_their_flag() -> None:
    lenient = vectors_by_flag()
    assert len(lenient) > 10
    wrong = {flag: disagreements(data, flags=frozenset({flag})) for flag, data in lenient.items()}
    assert [flag for flag, found in wrong.items() if found] == []


def test_of_vectors_by_themselves(some: Share) -> None:
    assert [data.hex() for data in some(VECTORS, 21, of="vectors") if alone(data) != scalar(data)] == []


def test_of_runs_of_vectors() -> None:
    chance = random.Random(1)  # noqa: S311 - chance, not secrets
    runs = [b"".join(chance.choices(VECTORS, k=3)) for _ in range(300)]
    assert disagreements(runs) == []
    assert disagreements(runs, flags=ALL) == []


def test_these_are_all_profiles_but_that_of_0_7() -> None:
    assert [*BATCHES, "v07", "hostile"] == list(sampler.PROFILES)


def test_of_batches_with_faults(pytestconfig: pytest.Config) -> None:
    block = sampler.block(42, 0, 3000 if pytestconfig.getoption("whole") else 1000, "hostile")
    inputs = [block.input(index) for index in range(len(block))]
    assert disagreements(inputs) == []
    assert disagreements(inputs, flags=ALL) == []


@pytest.mark.parametrize("profile", BATCHES)
def test_of_sampled_batches(profile: str, pytestconfig: pytest.Config) -> None:
    block = sampler.block(40, 0, BATCHES[profile] // (1 if pytestconfig.getoption("whole") else 3), profile)
    inputs = [block.input(index) for index in range(len(block))]
    assert disagreements(inputs) == []
    run = inputs[: len(inputs) // 4]
    assert alone(b"".join(run)) == [record for data in run for record in scalar(data)]


@examples(40)
@given(st.lists(strategies.entries(), min_size=1, max_size=2))
def test_of_right_runs(runs: list[bytes]) -> None:
    assert disagreements(runs) == []
    assert alone(runs[0]) == scalar(runs[0])


DAMAGED = strategies.damaged(strategies.encoded("record_batch"), "record_batch")


@examples(100)
@given(st.lists(DAMAGED | strategies.damaged(strategies.entries()), min_size=1, max_size=3))
def test_of_damaged_runs(runs: list[bytes]) -> None:
    assert disagreements(runs) == []
    assert disagreements([b"".join(runs)], flags=ALL) == []


LIMITS = st.fixed_dictionaries(
    {"limit": st.sampled_from([0, 40, 200, 1000, 1 << 20]), "max_records": st.integers(0, 6)}
)


@given(st.integers(0, 2**32), st.sets(st.sampled_from(sorted(ALL))), LIMITS)
def test_of_mutated_vectors_with_flags_and_limits(number: int, allowed: set[str], limits: dict[str, int]) -> None:
    inputs = list(islice(iter(Mutator(VECTORS, number).next, None), 24))
    runs = [b"".join(inputs[at : at + 3]) for at in range(0, len(inputs), 3)] if number % 2 else inputs
    assert disagreements(runs, flags=frozenset(allowed), **limits) == []
