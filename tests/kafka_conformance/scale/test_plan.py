"""Batches are cut so that each is in exactly one chunk, and each chunk in exactly one task."""

from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.scale.plan import (
    FIRST,
    TASK,
    TASKS_A_CORE,
    Chunk,
    RunSettings,
    chunks,
    first_tasks,
    tasks,
    usual_chunk,
)


def cut(batches: int, chunk: int) -> tuple[Chunk, ...]:
    return chunks(RunSettings(("t",), batches, 0, "mixed", chunk))


@given(st.integers(1, 10**6), st.integers(997, 10**6))
def test_chunks_cover_every_batch_once(batches: int, chunk: int) -> None:
    end = 0
    for number, chunk_row in enumerate(cut(batches, chunk)):
        assert (chunk_row.number, chunk_row.start) == (number, end)
        assert 1 <= chunk_row.count <= chunk
        end += chunk_row.count
    assert end == batches


def test_only_the_last_chunk_is_short() -> None:
    assert cut(25, 10) == (Chunk(0, 0, 10), Chunk(1, 10, 10), Chunk(2, 20, 5))


@given(st.integers(1, 2000), st.integers(1, 64), st.floats(0.1, 1e6), st.data())
def test_tasks_hold_every_chunk_once_in_order(count: int, cores: int, most: float, data: st.DataObject) -> None:
    """Also when some are done already, so that what is left has holes."""
    keep = data.draw(st.sets(st.integers(0, count - 1)))
    todo = [chunk for chunk in cut(count * 10, 10) if chunk.number in keep]
    made = tasks(todo, cores, most)
    assert [chunk for task in made for chunk in task] == todo
    assert all(made)


def test_tasks_are_large_at_first_and_single_chunks_in_the_end() -> None:
    sizes = [len(task) for task in tasks(cut(10_000_000, 10_000), 2, TASK)]
    assert sizes[0] * 10_000 == TASK
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-TASKS_A_CORE * 2 :] == [1] * (TASKS_A_CORE * 2)
    assert [len(task) for task in tasks(cut(96_000, 3000), 2, TASK)][:3] == [8, 6, 4]


def test_long_run_begins_with_one_task_a_core() -> None:
    assert [len(task) for task in first_tasks(cut(100 * TASK, TASK // 10), 4)] == [10] * 4
    short = cut(FIRST * TASK // 2, TASK // 10)
    assert first_tasks(short, 4) == tasks(short, 4, TASK)


def test_usual_chunk_gives_a_small_run_many_chunks_and_a_large_one_no_more_than_it_needs() -> None:
    assert usual_chunk(10) == 500
    assert usual_chunk(100_000) == 3125
    assert usual_chunk(10**9) == 16_384
