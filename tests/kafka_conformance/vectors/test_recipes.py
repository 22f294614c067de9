"""Recipes: what they describe is what they make, and nothing else passes for it."""

import hashlib
from typing import Any

import pytest
from kafka_conformance.vectors import json_answers, recipes
from kafka_format import records
from kafka_tools.errors import UsageError

from tests import shipped

RECORD: dict[str, Any] = {"offset": "7", "key": None, "value": "00", "headers": [["68", None]]}


def recipe(*parts: dict[str, Any], data: bytes) -> dict[str, Any]:
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "parts": list(parts)}


def test_the_three_kinds_of_parts() -> None:
    counted = {"before": "aa", "varints_from": 63, "times": 2, "after": "bb"}
    data = bytes.fromhex("0102" + "6161" * 3 + "aa7ebb" + "aa8001bb")
    parts = ({"hex": "0102"}, {"repeat": "6161", "times": 3}, counted)
    assert recipes.expand(recipe(*parts, data=data)) == data
    assert recipes.describe(parts) == recipe(*parts, data=data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"size": 4}, "another size or digest"),
        ({"sha256": "0" * 64}, "another size or digest"),
        ({"parts": [{"hex": "0g"}]}, "cannot be followed"),
        ({"parts": [{"repeat": "00"}]}, "cannot be followed"),
        ({"parts": [{}]}, "cannot be followed"),
        ({"parts": None}, "cannot be followed"),
    ],
)
def test_a_wrong_recipe_is_refused(change: dict[str, Any], words: str) -> None:
    good = recipe({"hex": "0102"}, data=b"\1\2")
    with pytest.raises(UsageError, match=words):
        recipes.expand({**good, **change})


def test_bytes_become_parts_and_bytes_again() -> None:
    data = b"head" + b"\x02h" * 5000 + b"tail"
    parts = recipes.parts_of(data, b"\x02h")
    assert [part.get("times") for part in parts] == [None, 5000, None]
    assert recipes.expand(recipes.describe(parts)) == data
    assert recipes.parts_of(b"none", b"x") == [{"hex": b"none".hex()}]


@pytest.mark.parametrize(
    "answer",
    [
        [{**RECORD, "value": "61" * 5000}],
        [{**RECORD, "headers": [["68", "61" * 5000], ["", None]]}],
        [{**RECORD, "headers": [["68", "76"]] * 5000}],
        [{**RECORD, "offset": str(7 + index)} for index in range(5000)],
    ],
    ids=["value", "header", "headers", "records"],
)
def test_an_answer_is_folded_and_unfolded(answer: list[dict[str, Any]]) -> None:
    folded = recipes.fold(answer)
    assert len(str(folded)) < 300
    unfolded = recipes.Unfolded(folded)
    assert (list(unfolded), len(unfolded), unfolded[-1], unfolded[:1]) == (
        answer,
        len(answer),
        answer[-1],
        tuple(answer[:1]),
    )


def test_records_of_a_folded_answer_are_those_of_the_answer() -> None:
    one = json_answers.to_json(
        [records.Record(7, 5, 0, b"k", None, (records.Header(b"h", b"v"),), producer_id=3, codec=2)]
    )[0]
    answer = [{**one, "offset": str(7 + index)} for index in range(1000)]
    folded = recipes.Unfolded([*recipes.fold(answer), one])
    assert len(folded.runs) == 2
    assert json_answers.from_json(folded) == json_answers.from_json([*answer, one])


def test_what_does_not_repeat_is_left_as_it_is() -> None:
    other = [{**RECORD, "offset": str(index * index)} for index in range(2000)]
    assert recipes.fold(other) == other


def test_the_large_vectors_are_loaded_whole() -> None:
    found = {vector.id: vector for vector in shipped.vectors().values() if vector.is_large}
    assert len(found["large/v2/records-100000"].answer or ()) == 100_000
    assert len((found["large/v2/headers-65536"].answer or ())[0]["headers"]) == 65_536
    assert records.decode(found["large/v2/value-1-mib"].data)[0].value == b"a" * (1 << 20)
    assert all(len(record.value or b"") == 1 << 20 for record in records.decode(found["large/v2/snappy-1-mib"].data))
