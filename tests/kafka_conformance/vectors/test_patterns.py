"""Patterns of vector ids."""

from fnmatch import fnmatchcase

import pytest
from kafka_conformance.vectors.patterns import fits_any

IDS = ["v2/crc/flipped", "v2/crc/flipped/", "V2/crc/flipped", "v2/crc", "a", "", "v1/a|b", "x\n", "wild/[1]"]


@pytest.mark.parametrize(
    "patterns", [(), ("*",), ("v2/*", "a"), ("v2/crc/*",), ("[av]?",), ("v1/a|b",), ("v2/crc", "x"), ("wild/[[]1]",)]
)
def test_an_id_fits_what_one_of_the_patterns_fits(patterns: tuple[str, ...]) -> None:
    for identity in IDS:
        assert fits_any(identity, patterns) == any(fnmatchcase(identity, pattern) for pattern in patterns), identity
