"""How many batches the sampler makes while Hypothesis makes one, side by side in one run.

Both make encoded record batches (v2, no codec): Hypothesis from the strategies of
`kafka_format.strategies`, without database and shrinking; the sampler with the answers too. Rounds
alternate, and the median of their ratios counts, so that what else the machine does falls on both.
Then the speed of every profile, and of a batch made alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median
from time import perf_counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from kafka_format import sampler, strategies, structure

ROUNDS = 5
EXAMPLES = 100
BLOCK = 2048
BLOCKS = 8
SEED = 1


@dataclass(frozen=True)
class FaultyBytes:
    """What one round made, and how fast."""

    rate: float
    records: float
    size: float


def batches(most: int) -> SearchStrategy[bytes]:
    """Draw encoded batches of 1 to `most` records with short contents, as the sampler's have."""
    short = st.none() | st.binary(max_size=24)
    header = strategies.values("header", key=st.text(max_size=8).map(str.encode), value=short)
    record = strategies.values("record", key=short, value=short, headers=st.lists(header, max_size=2))
    records = st.lists(record, min_size=1, max_size=most)
    return strategies.encoded("record_batch", attributes=st.just(0), records=records)


def hypothesis(strategy: SearchStrategy[bytes]) -> FaultyBytes:
    """Let Hypothesis make batches."""
    inputs: list[bytes] = []
    quiet = settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    @quiet
    @given(strategy)
    def run(batch: bytes) -> None:
        inputs.append(batch)

    return made(run, lambda: inputs)


def sampled(profile: str) -> FaultyBytes:
    """Let the sampler make batches."""
    blocks: list[sampler.Block] = []

    def run() -> None:
        blocks.extend(sampler.block(SEED, block * BLOCK, BLOCK, profile) for block in range(BLOCKS))

    return made(run, lambda: [block.input(index) for block in blocks for index in range(BLOCK)])


def made(run: Callable[[], None], result: Callable[[], list[bytes]]) -> FaultyBytes:
    """Time a run, then look at what it made."""
    began = perf_counter()
    run()
    seconds = perf_counter() - began
    data = result()
    read = structure("record_batch").decode
    return FaultyBytes(len(data) / seconds, mean(len(read(content).records) for content in data), mean(map(len, data)))


def compare(title: str, most: int, profile: str) -> None:
    """Print the ratios for one shape of batches."""
    strategy = batches(most)
    sides: dict[str, Callable[[], FaultyBytes]] = {
        "Hypothesis": lambda: hypothesis(strategy),
        "sampler": lambda: sampled(profile),
    }
    sampled(profile)  # builds the pool of contents and the plans
    rounds = [{name: side() for name, side in sides.items()} for _ in range(ROUNDS)]
    print(f"{title}:")
    for name in sides:
        rate, records, size = (
            median(getattr(timing[name], what) for timing in rounds) for what in ("rate", "records", "size")
        )
        ratio = median(timing[name].rate / timing["Hypothesis"].rate for timing in rounds)
        print(f"  {name:10} {rate:11,.0f} batches/s of {records:.1f} records and {size:,.0f} bytes: {ratio:,.0f} to 1")


def show_profiles() -> None:
    """Print the speed of every profile, with answers, and what a batch alone takes."""
    print("profiles, with answers, batches a second:")
    for name, profile in sampler.PROFILES.items():
        print(f"  {name:10} {profile.block / seconds(name):,.0f}; {alone(name):.1f} ms alone")


def seconds(profile: str) -> float:
    """Return how long a block of a profile takes."""
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        sampler.block(SEED, 0, sampler.PROFILES[profile].block, profile)
        times.append(perf_counter() - began)
    return median(times)


def alone(profile: str) -> float:
    """Return the milliseconds that one batch takes on its own."""
    began = perf_counter()
    for index in range(20):
        sampler.single(SEED, index, profile)
    return (perf_counter() - began) / 20 * 1000


if __name__ == "__main__":
    compare("1 to 20 records", 20, "mixed")
    compare("1 small record", 1, "tiny")
    show_profiles()
