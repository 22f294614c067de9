"""What is left is what matters, in as few questions as can be, and in time."""

from collections.abc import Callable
from typing import Any

from kafka_conformance.reduction import shrink as steps
from kafka_conformance.reduction.shrink import OF_ENTRIES, OutOfBudgetError
from kafka_conformance.reduction.tree import Tree, parts


def shrink(tree: Tree, fails: Callable[[Tree], bool]) -> tuple[Tree, bool]:
    return steps.shrink(tree, fails, OF_ENTRIES)


def texts(tree: Tree) -> tuple[str, ...]:
    return tuple(part.text for part in parts(tree))


def batch(*records: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"base_offset": 77, "attributes": 0x1A, **values, "records": list(records)}


def record(**values: Any) -> dict[str, Any]:
    return {"attributes": -60, "offset_delta": 4, "key": b"key", "value": b"value", "headers": [], **values}


def test_all_goes_where_nothing_matters() -> None:
    tree, finished = shrink([batch(record()), batch(record())], lambda _: True)
    assert (tree, finished) == ([], True)


def test_one_record_of_many_is_found_in_few_questions() -> None:
    asked = []

    def fails(tree: list[dict[str, Any]]) -> bool:
        asked.append(tree)
        return any(one["key"] == b"bad" for entry in tree for one in entry["records"])

    tree, _ = shrink([batch(*(record(key=b"bad" if number == 700 else b"x") for number in range(1000)))], fails)
    assert texts(tree) == ("records[0].key = hex:626164",)
    assert len(asked) < 150


def test_a_border_is_found_exactly() -> None:
    tree, _ = shrink([batch(record(offset_delta=10**9))], lambda tree: _all(tree, "offset_delta", lambda n: n > 12345))
    assert texts(tree) == ("records[0].offset_delta = 12346",)


def test_single_bits_are_left_of_attributes() -> None:
    tree, _ = shrink([batch(record())], lambda tree: _all(tree, "attributes", lambda n: -128 <= n < 0))
    assert texts(tree) == ("records[0].attributes.bit_7 = 1",)


def test_when_the_budget_is_spent_the_best_so_far_is_the_result() -> None:
    left = [3]

    def fails(tree: list[dict[str, Any]]) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise OutOfBudgetError
        return len(tree) > 0

    tree, finished = shrink([batch(record()) for _ in range(8)], fails)
    assert not finished
    assert 0 < len(tree) < 8


def test_null_gives_way_to_no_bytes() -> None:
    tree, _ = shrink([batch(record(value=None))], lambda tree: _all(tree, "value", lambda value: not value))
    assert tree[0]["records"][0]["value"] == b""


def test_a_wrapper_in_a_wrapper_is_unwrapped_where_it_can_be() -> None:
    plain = {"message": {"magic": 1, "attributes": 0, "payload": b"x"}}
    inner = {"message": {"magic": 1, "attributes": 1}, "inner": [plain]}
    outer = {"message": {"magic": 1, "attributes": 2}, "inner": [inner]}
    tree, _ = shrink([outer], lambda tree: any(one["message"]["attributes"] == 1 and "inner" in one for one in tree))
    assert texts(tree) == ("message.attributes.codec = gzip",)


def _all(tree: list[dict[str, Any]], name: str, test: Any) -> bool:
    found = [one[name] for entry in tree for one in entry["records"]]
    return bool(found) and all(map(test, found))
