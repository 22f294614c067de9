"""Values that are made when they are first asked for, also where several threads ask at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest
from kafka_format.spec.layout.lazy_mappings import Deferred, Once

THREADS = 4


def test_a_value_is_made_once_though_threads_ask_at_once() -> None:
    """A layout that two threads loaded at once was said to contain itself."""
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        sleep(0.01)
        return name.upper()

    values: Deferred[str] = Deferred(lambda: ["a"], make)
    whole = Once(lambda: {"a": make("b")})
    start = Barrier(THREADS)

    def ask(_: int) -> tuple[str, str]:
        start.wait()
        return values["a"], whole["a"]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(ask, range(THREADS))) == [("A", "B")] * THREADS
    assert sorted(made) == ["a", "b"]


def test_a_value_may_be_made_of_others() -> None:
    values: Deferred[int] = Deferred(lambda: ["one", "two"], lambda name: 1 if name == "one" else 1 + values["one"])
    assert values["two"] == 2
    assert dict(values) == {"one": 1, "two": 2}


def test_what_cannot_be_made_is_no_key() -> None:
    values: Deferred[int] = Deferred(list, lambda _: None)
    with pytest.raises(KeyError):
        values["none"]
