"""When a target is given up, and how long it is waited for: arithmetic, without a clock."""

from itertools import pairwise

import pytest
from kafka_conformance.child.losses import (
    FEW,
    GIVE_UP,
    HANGS,
    HANGS_IN_A_ROW,
    JUMP,
    MOST_HANGS,
    SHORTEST,
    Losses,
    from_all_places,
    scattered,
)
from kafka_conformance.errors import GaveUpError


def put(losses: Losses, *rows: tuple[str, int]) -> Losses:
    for what, times in rows:
        for _ in range(times):
            losses.check()
            losses.answered() if what == "answer" else losses.add(is_hang=what == "hang")
    return losses


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("death", FEW)], f"after {FEW} losses without a single reply"),
        ([("hang", FEW)], f"after {FEW} losses without a single reply"),
        ([("answer", 1), ("death", GIVE_UP)], f"after {GIVE_UP} losses without a single reply"),
        ([("answer", 1000), ("hang", HANGS_IN_A_ROW)], f"after it hung {HANGS_IN_A_ROW} times in a row"),
        ([("answer", 2), ("hang", 1)] * HANGS, f"after it hung at {HANGS} of {3 * HANGS} questions"),
        ([("answer", 9), ("hang", 1)] * MOST_HANGS, f"after it hung at {MOST_HANGS} of {10 * MOST_HANGS} questions"),
    ],
)
def test_it_is_given_up(rows: list[tuple[str, int]], words: str) -> None:
    losses = put(Losses("reply"), *rows)
    with pytest.raises(GaveUpError) as raised:
        losses.check()
    assert str(raised.value) == f"given up {words}"


@pytest.mark.parametrize(
    "rows",
    [
        [("death", FEW - 1)],
        [("answer", 1), ("death", GIVE_UP - 1)],
        [("answer", 1), ("hang", HANGS_IN_A_ROW - 1)],
        [("answer", 8), ("hang", 1)] * (MOST_HANGS - 1),  # answers most of the time
        [("answer", 1), ("death", 1)] * 500,  # nobody waits for who dies
        [("answer", 200), ("hang", 9), ("answer", 1)] * 3,
    ],
)
def test_it_is_asked_on(rows: list[tuple[str, int]]) -> None:
    put(Losses("reply"), *rows).check()


def test_deaths_that_were_found_do_not_count_for_those_in_a_row() -> None:
    losses = put(Losses("reply"), ("answer", 1))
    for _ in range(GIVE_UP * 2):
        put(losses, ("death", 1)).forgive()
    losses.check()


@pytest.mark.parametrize(
    ("rows", "seconds"),
    [
        ([], [10.0, 5.0]),  # the limit of 10 s, and of 5 s
        ([("hang", 1)], [5.0, 2.5]),
        ([("hang", 2)], [2.5, SHORTEST]),
        ([("hang", 3)], [2.5, SHORTEST]),
        ([("answer", 1), ("hang", JUMP - 1)], [10.0, 5.0]),
        ([("answer", 50), ("hang", JUMP)], [2.5, SHORTEST]),
        ([("answer", 50), ("hang", JUMP), ("answer", 1)], [10.0, 5.0]),
        ([("answer", 50), ("hang", 1), ("answer", 1)] * (MOST_HANGS // 3), [2.5, SHORTEST]),
        ([("answer", 2), ("hang", 1)] * JUMP, [2.5, SHORTEST]),
    ],
)
def test_who_is_known_to_hang_is_waited_for_less(rows: list[tuple[str, int]], seconds: list[float]) -> None:
    losses = put(Losses("reply"), *rows)
    assert [losses.limit(limit) for limit in (10.0, 5.0)] == seconds
    assert losses.limit(0.5) == 0.5


def test_what_is_put_once_more_is_waited_for_half_as_long() -> None:
    losses = put(Losses("reply"), ("answer", 1))
    with losses.second_look():
        assert losses.limit(10.0) == 5.0
    assert losses.limit(10.0) == 10.0


def test_a_bad_end_is_waited_for_less_after_some() -> None:
    losses = Losses("reply")
    waits = []
    for _ in range(JUMP + 1):
        waits.append(losses.limit_of_end(10.0))
        losses.ended_badly()
    assert waits == [10.0] * JUMP + [SHORTEST]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 6, 7, 10, 100, 401, 4770])
def test_questions_of_one_place_do_not_come_in_a_row(count: int) -> None:
    order = scattered(count)
    assert sorted(order) == list(range(count))
    if count > 10:
        assert min(abs(here - there) for here, there in pairwise(order)) >= count // 4
    few = from_all_places(order)
    assert len(set(few)) == len(few) == min(FEW - 1, count)


def test_who_answers_most_of_the_time_is_waited_for_less_after_some_hangs() -> None:
    rows = ("answer", 100), ("hang", 2), ("answer", 1)
    assert put(Losses("reply", waits=2), *rows).limit(8.0) == SHORTEST
    assert put(Losses("reply", waits=3), *rows).limit(8.0) == 8.0
