"""How long a task lasts."""

from collections.abc import Iterable, Iterator

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.scale import plan, work
from kafka_conformance.scale.plan import Chunk, RunSettings
from kafka_conformance.scale.work import ChunkRows, Job

from tests.kafka_conformance.scale.results.test_counts import PASSED, done

SETTINGS = RunSettings(("one",), 100, 7, "tiny", 10)
JOB = Job(SETTINGS, (), Limits())
CHUNKS = plan.chunks(SETTINGS)


GIVEN_UP: set[int] = set()
"""The chunks in which the target is given up."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time; every chunk takes two seconds."""
    now = [100.0]

    def check(_: Job, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
        for chunk in chunks:
            now[0] += 2
            yield ChunkRows([done("one", chunk, PASSED, problem="given up" if chunk.number in GIVEN_UP else "")], [])

    monkeypatch.setattr(work, "run_kept", check)
    monkeypatch.setattr(work, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(("seconds", "chunks"), [(0, 1), (1, 1), (5, 3), (6.5, 4), (100, 10)])
def test_task_does_one_chunk_and_what_there_is_time_for(clock: list[float], seconds: float, chunks: int) -> None:
    rows = work.for_a_while(JOB, CHUNKS, seconds)
    assert [row.done[0].chunk for row in rows] == list(range(chunks))
    assert clock == [100.0 + 2 * chunks]


@pytest.mark.usefixtures("clock")
def test_task_goes_on_to_its_end_once_a_target_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each task else would lose a minute to the same target again."""
    monkeypatch.setitem(globals(), "GIVEN_UP", range(2, 10))
    assert len(work.for_a_while(JOB, CHUNKS, 5)) == 10
