"""Patterns of vector ids."""

from fnmatch import fnmatchcase

import pytest
from kafka_conformance.vectors.patterns import Ids, fits_any

IDS = ["v2/crc/flipped", "v2/crc/flipped/", "V2/crc/flipped", "v2/crc", "a", "", "v1/a|b", "x\n", "wild/[1]"]


@pytest.mark.parametrize(
    "patterns", [(), ("*",), ("v2/*", "a"), ("v2/crc/*",), ("[av]?",), ("v1/a|b",), ("v2/crc", "x"), ("wild/[[]1]",)]
)
def test_an_id_fits_what_one_of_the_patterns_fits(patterns: tuple[str, ...]) -> None:
    for identity in IDS:
        assert fits_any(identity, patterns) == any(fnmatchcase(identity, pattern) for pattern in patterns), identity


@pytest.mark.parametrize("pattern", ["*", "v2/*", "v2/crc/*", "[av]?", "v1/a|b", "a", "*/flipped", "wild/[[]1]", "b*"])
def test_those_that_fit_are_the_same_among_ids_in_order(pattern: str) -> None:
    ids = Ids(IDS)
    assert sorted(ids.fitting(pattern)) == sorted(name for name in IDS if fnmatchcase(name, pattern))


def test_an_id_that_fits_twice_is_counted_once() -> None:
    assert Ids(IDS).count(["v2/*", "v2/crc/*", "a"]) == 4
