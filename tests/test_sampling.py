"""The sample: at least one of each, all of them in time, and never of a table of behaviours."""

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from tests import sampling
from tests.sampling import Sample


class Item:
    """As much of a collected test as the sample looks at."""

    def __init__(self, nodeid: str, parameter: object = None, /, *marks: pytest.MarkDecorator) -> None:
        self.nodeid = nodeid
        self.callspec = SimpleNamespace(params={"parameter": parameter})
        self._marks = {mark.name: mark.mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._marks.get(name)


def seeds(count: int, *marks: pytest.MarkDecorator) -> list[Any]:
    return [Item(f"test.py::test[{seed}]", seed, *marks) for seed in range(count)]


def ran(salt: str, items: list[Any], *, is_whole: bool = False) -> set[str]:
    return {item.nodeid for item in Sample(salt, is_whole=is_whole).cases(items)}


SAMPLED = pytest.mark.sampled(10, of="seeds")


@pytest.mark.parametrize("count", [1, 9, 10, 11, 95])
def test_a_share_runs_and_one_at_least_and_the_same_again(count: int) -> None:
    items = seeds(count, SAMPLED)
    for salt in ("a", "b", "c", "d"):
        assert max(count // 10, 1) <= len(ran(salt, items)) <= count // 10 + 1
        assert ran(salt, items) == ran(salt, items)


def test_commits_together_run_everything() -> None:
    items = seeds(95, SAMPLED)
    assert set[str]().union(*(ran(f"commit {number}", items) for number in range(100))) == ran("", items, is_whole=True)
    assert len(ran("", items, is_whole=True)) == 95


def test_a_test_without_a_mark_runs_and_a_long_one_does_in_whole_runs() -> None:
    plain, long = Item("test.py::plain"), Item("test.py::long", None, pytest.mark.whole)
    assert ran("a", [plain, long]) == {"test.py::plain"}
    assert ran("a", [plain, long], is_whole=True) == {"test.py::plain", "test.py::long"}


@pytest.mark.parametrize(
    "mark",
    [
        pytest.mark.sampled(3),
        pytest.mark.sampled(3, of="behaviours"),
        pytest.mark.sampled(of="seeds"),
        pytest.mark.sampled(1, of="seeds"),
    ],
    ids=["no kind", "unknown kind", "no share", "all"],
)
def test_a_mark_that_does_not_say_what_is_alike_is_refused(mark: pytest.MarkDecorator) -> None:
    with pytest.raises(pytest.UsageError, match=r"without saying what its cases are: write sampled\(3, of=layouts \|"):
        ran("a", seeds(5, mark))


@pytest.mark.parametrize("kind", sampling.KINDS)
def test_a_table_of_behaviours_is_not_sampled(kind: str) -> None:
    mark = pytest.mark.sampled(2, of=kind)
    table: list[Any] = [Item(f"test.py::test[{name}]", name, mark) for name in ("crashes", "hangs", "lies")]
    with pytest.raises(pytest.UsageError, match="a table of behaviours runs whole"):
        ran("a", table)


def test_the_summary_says_what_share_of_each_ran() -> None:
    sample = Sample("a", is_whole=False)
    sample.cases([*seeds(30, SAMPLED), Item("test.py::long", None, pytest.mark.whole)])
    assert sample.share("test.py::test_all[one]")(["a", "b", "c"], 3, of="vectors")
    assert [" ".join(line.split()) for line in sample.lines()] == [
        "1 of 3 vectors inside test.py::test_all",
        "0 of 1 whole runs test.py::long",
        "3 of 30 seeds test.py::test",
        "ran 1 of 3 vectors; 0 of 1 whole runs; 3 of 30 seeds",
    ]


def test_the_salt_is_the_commit_and_without_git_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout="831adaf1fb2c\n"))
    assert sampling.salt() == "831adaf1fb2c"

    def no_git(*_: object, **__: object) -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", no_git)
    assert sampling.salt() == sampling.version("kafka-format-conformance")
