"""No bytes of a message of the protocol give anything but an answer or a FormatError."""

import tracemalloc
from collections import Counter
from typing import Any

import pytest
from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.sampler import exchanges
from kafka_format.spec.flags import flags

from tests.fuzz import message_promises, messages
from tests.fuzz.message_promises import SUBJECTS
from tests.fuzz.promises import check

ALL = frozenset(flags())
INPUTS = {"structure": 600, "request": 120, "response": 120, "topic": 300, "stream": 6, "capture": 6}


@pytest.fixture(autouse=True)
def _without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the vectors out, which take long to load."""
    monkeypatch.setattr(message_promises, "_of_vectors", dict)
    for made in (message_promises._bodies, message_promises._of_topics):
        made.cache_clear()


@pytest.mark.parametrize("kind", SUBJECTS)
def test_every_promise_is_kept(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "SLOWEST", 60.0)  # a limit for what never ends; fuzzing alone measures
    done, whole_run = messages.run(0, [kind], inputs=INPUTS[kind], seconds=3600)
    assert whole_run == [], messages.text(done, whole_run)


def test_a_broken_promise_is_seen_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that forgets what JSON said, and one that raises what it should not."""
    heartbeat = message_promises.structure_subject("heartbeat_request", 4)
    good = protocol.request("heartbeat", 4).encode({"group_id": "g", "generation_id": 1})
    assert messages.tried(heartbeat, good, measured=True) == ""
    monkeypatch.setattr(protocol, "from_json", lambda compiled, _: compiled.type())
    assert messages.tried(heartbeat, good) == "JSON changes the value"

    def broken(*_: Any) -> Any:
        raise IndexError("index 77 of nothing")

    monkeypatch.setattr(protocol, "from_json", broken)
    told = messages.tried(heartbeat, good)
    assert told.startswith("IndexError at broken, line ")
    assert told.endswith("index N of nothing")
    text = messages.text(Counter(structure=9), [messages.Finding(told, heartbeat.name, good)])
    assert "1 x structure: IndexError" in text
    assert good.hex() in text


def test_a_reader_that_claims_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unruly:
        def decode(self, data: bytes, **_: Any) -> Any:
            raise FormatError("odd", rule="no.such.rule", stage="structure", offset=len(data) + 1, path=())

    monkeypatch.setattr(protocol, "schema", lambda *_: Unruly())
    assert "no.such.rule" in messages.tried(message_promises.structure_subject("heartbeat_request", 4), b"abc")


GREEDY = (b"\x7f\xff\xff\xff" * 4, b"\xff\xff\xff\xff\x07" * 4, b"\0" * 8 + b"\xff\xff\xff\xff\x07" * 3, b"\xff" * 20)
"""Lengths and counts of two billion, in bytes that have no place for them."""

MOST = 1 << 20
"""Bytes of memory that so short an input may take, with room for what is made once."""


@pytest.mark.parametrize("kind", ["request", "response"])
def test_memory_follows_from_the_size_of_the_input_and_not_from_what_it_claims(kind: exchanges.Kind) -> None:
    newest = dict(exchanges.pairs(kind))
    assert len(newest) == 95
    for api, version in newest.items():
        compiled = (protocol.request if kind == "request" else protocol.response)(api, version)
        for data in GREEDY:
            for allowed in (frozenset(), ALL):
                check(lambda data, flags, compiled=compiled, **_: compiled.decode(data, flags=flags), data, allowed)
        tracemalloc.start()
        try:
            for data in GREEDY:
                check(lambda data, flags, compiled=compiled, **_: compiled.decode(data, flags=flags), data, ALL)
            assert tracemalloc.get_traced_memory()[1] < MOST, (api, version)
        finally:
            tracemalloc.stop()
