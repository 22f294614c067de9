"""What a client dies of: not of what it has stood, and not of what it has hardly seen."""

from types import SimpleNamespace

import pytest
from kafka_conformance.kinds.consumer.traits import MOST, DeadlyTraits
from kafka_format.records import Header, Record

PLAIN, KEYLESS = {"key": b"k", "value": b"v"}, {"value": b"v"}
HEADERS = {"headers": (Header(b"h", b"v"),)}


def view(codec="none", **more):
    record = Record(offset=0, timestamp=1, timestamp_type=0, **more)
    return SimpleNamespace(records=[record], aborted=(), vector=SimpleNamespace(formats=("v2",), codecs=(codec,)))


def after(stood, deaths, count=MOST):
    seen = DeadlyTraits()
    for each in stood:
        seen.add(each, is_death=False)
    for each in deaths:
        for _ in range(count):
            seen.add(each, is_death=True)
    return seen


def test_all_that_has_it_is_not_asked():
    seen = after([view(**PLAIN)], [view(**PLAIN, **HEADERS)])
    assert "10 times at headers," in seen.reason(view(**PLAIN, **HEADERS))
    assert not seen.reason(view(**PLAIN))
    assert not seen.reason(view("lz4", **PLAIN))


@pytest.mark.parametrize(
    ("stood", "count"), [([], MOST), ([view(**PLAIN)], MOST - 1), ([view(**PLAIN), view(**PLAIN, **HEADERS)], MOST)]
)
def test_what_is_not_known_well_is_asked(stood, count):
    assert not after(stood, [view(**PLAIN, **HEADERS)], count).reason(view(**PLAIN, **HEADERS))


def test_what_it_has_besides_is_not_blamed():
    seen = after([view(**PLAIN)], [view(**KEYLESS, **HEADERS)])
    assert not seen.reason(view(**KEYLESS))
    assert not seen.reason(view(**PLAIN, **HEADERS))
    assert "headers, null keys" in seen.reason(view(**KEYLESS, **HEADERS))


def test_two_things_are_told_apart():
    seen = after([view(**PLAIN)], [view(**PLAIN, **HEADERS), view("lz4", **PLAIN)])
    assert "at headers," in seen.reason(view(**PLAIN, **HEADERS))
    assert "at lz4," in seen.reason(view("lz4", **PLAIN))
    assert not seen.reason(view("lz4", **PLAIN, **HEADERS))
