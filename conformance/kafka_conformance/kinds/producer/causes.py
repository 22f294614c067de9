"""Findings about producers as bugs: what is known of the library, then what each does wrong.

Of batches and requests the place of a difference says what a producer does. What is left is about
the records in them, and is diagnosed like the findings of an encoder.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_tools.text import too_text

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, merge
from kafka_conformance.diagnosis.diagnose import diagnose, signatures_of_clients
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.diagnosis.match import known_matches
from kafka_conformance.diagnosis.signature import client_signatures, signatures
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.vectors.vector import Vector


def diagnose_producer(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], hello: Hello) -> Diagnosis:
    """Return what the findings of a producer come from."""
    known = _known(target, results)
    named: dict[str, list[tuple[_Named, Result]]] = defaultdict(list)
    for result in results:
        name = None if result.vector in known else _name_of(result)
        if name is not None:
            named[name.id if name.id in _JOINED else name.does].append((name, result))
    groups = [(_group(names), [result for _, result in names]) for names in named.values()]
    causes = tuple(_cause(group, found, vectors) for group, found in groups)
    told = {result.vector for _, found in groups for result in found}
    rest = [result for result in results if result.vector not in told]
    pool = signatures_of_clients(target, vectors.values())
    compared = frozenset(hello.fields) - {"offset"}  # which brokers give
    return merge([Diagnosis(causes), diagnose(target, rest, vectors, pool, compared, fewest=1)])


def _known(target: str, results: Sequence[Result]) -> frozenset[str]:
    """Return the findings that what is known of the library explains."""
    failed = {result.vector: symptom(result) for result in results if result.is_finding}
    bugs = known_matches([*client_signatures(), *signatures()], failed, target.partition("@")[0])
    return frozenset[str]().union(*(match.exact for bug in bugs for match in bug))


def _cause(group: FindingGroup, found: Sequence[Result], vectors: Mapping[str, Vector]) -> Cause:
    return replace(cause_of_group(group, found, vectors, ()), direction=Direction.ENCODE)


class _Named(NamedTuple):
    """The name of a cause, and what a producer does."""

    id: str
    does: str


def _group(names: Sequence[tuple[_Named, Result]]) -> FindingGroup:
    """Return what findings have in common: one value for several settings, or what each says."""
    (id_, does), _ = names[0]
    asked, got = {result.expected for _, result in names}, {result.got for _, result in names}
    if id_ in _JOINED and (len(asked) > 1 or len(got) > 1):
        *most, last = sorted(asked)
        given = got.pop() if len(got) == 1 else "others"
        does = _JOINED[id_].format(given, f"{', '.join(most)} or {last}" if most else last)
    return FindingGroup(f"producer/{id_}", does)


_JOINED: Final = {
    "codec": "compresses with {} where {} was asked for",
    "acks": "asks for acks {} where {} was asked for",
    "not-compressed": "does not compress where {1} was asked for",
}
"""What a producer does for several settings, by the name of the cause."""


def _name_of(result: Result) -> _Named | None:
    """Return what a producer does that fails so; None if its records say more."""
    if result.outcome is not Outcome.WRONG_ANSWER or result.miswritten:
        return None
    words = _of_requests if result.path == "requests" else _PLACES.get(result.path.rpartition(".")[2])
    return words(result) if words is not None else None


def _number(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdigit() else None


def _sequence(result: Result) -> _Named:
    due, got = _number(result.expected), _number(result.got)
    if due is None or got is None:
        return _Named("sequence", "writes wrong sequence numbers")
    if due == 0:
        return _Named(f"sequence-begins-at-{got}", f"begins its sequence numbers at {got}, not at 0")
    if got == 0:
        return _Named("sequence-always-0", "begins its sequence numbers at 0 again in a later batch")
    return _Named("sequence-moved", f"writes sequence numbers that are {too_text(got - due)}")


def _id(result: Result) -> _Named:
    if result.expected == "-1":
        return _Named("id-unasked", "writes a producer id though nobody asked for an idempotent producer")
    if result.got == "-1":
        return _Named("no-id", "writes no producer id, -1, though it is to be idempotent")
    return _Named("other-id", f"writes {_own(result)} for the producer id, not the one that InitProducerId told")


def _own(result: Result) -> str:
    return result.got if result.got in {"0", "1"} else "another number"


def _epoch(result: Result) -> _Named:
    due, got = _number(result.expected), _number(result.got)
    by = "" if due is None or got is None else f": it is {too_text(got - due)}"
    return _Named("other-epoch", f"writes another producer epoch than InitProducerId told{by}")


def _bit(result: Result) -> _Named:
    if result.expected == str(True):
        return _Named("not-transactional", "writes batches of a transaction without the bit that says so")
    return _Named("transactional-unasked", "writes batches as those of a transaction where there is none")


def _last_delta(result: Result) -> _Named:
    due, got = _number(result.expected), _number(result.got)
    by = "" if due is None or got is None else f": it is {too_text(got - due)}"
    return _Named("last-offset-delta", f"writes a last offset delta that is not that of the last record{by}")


def _codec(result: Result) -> _Named:
    if result.got.startswith("zstd in"):
        return _Named("zstd-in-old-produce", "compresses with zstd in a version of Produce that has none (KIP-110)")
    if result.got == "none":
        return _Named("not-compressed", f"does not compress where {result.expected} was asked for")
    if result.expected == "none":
        return _Named("compressed-unasked", f"compresses with {result.got} where no compression was asked for")
    return _Named("codec", f"compresses with {result.got} where {result.expected} was asked for")


def _magic(result: Result) -> _Named:
    return _Named("format", f"writes entries of magic {result.got} where {result.expected} is due")


def _entries(result: Result) -> _Named | None:
    if not result.got.endswith(" entries"):
        return None
    return _Named("several-batches", "writes several batches for a partition into a request, which may have one")


def _greatest(result: Result) -> _Named:
    """Say which timestamp is written for the greatest of a batch."""
    times = [str(record.timestamp) for record in result.answer or ()]
    which = {"-1": "-1", "0": "0", **({times[-1]: "that of the last record"} if times else {})}
    which |= {times[0]: "that of the first record"} if times else {}
    said = which.get(result.got)
    return _Named("max-timestamp", f"writes a wrong max timestamp of batches{f': {said}' if said else ''}")


def _timestamp(result: Result) -> _Named | None:
    """Say that a producer writes the time at which it was asked; None if it writes another."""
    got = _number(result.got)
    if got is None or abs(got - time.time() * 1000) > _TODAY:
        return None
    return _Named("current-time", "writes the current time instead of the timestamp that it was given")


_TODAY: Final = 24 * 60 * 60 * 1000
"""So many milliseconds from now a timestamp is one of this run; orders have none of these."""


def _of_requests(result: Result) -> _Named | None:
    api, _, when = result.expected.partition(" ")
    name = api.replace("_", "-")
    if when == "before produce":
        return {
            "behind it": _Named(f"late-{name}", f"sends {api} only behind what it produces in a transaction"),
            "without the id": _Named(f"nameless-{name}", f"sends {api} without the id of its transaction"),
        }.get(result.got, _Named(f"without-{name}", f"produces in a transaction without {api} before"))
    if when == "behind produce":
        return _Named("ends-early", "ends a transaction before it produces what belongs to it")
    said = {
        "none": _Named("never-ends", "never ends a transaction that it was to commit"),
        "aborts": _Named("aborts", "aborts a transaction that it was to commit"),
        "commits, commits": _Named("ends-twice", "ends a transaction twice"),
    }
    return said.get(
        result.got, _Named("ends-otherwise", f"ends a transaction otherwise than with one commit: {result.got}")
    )


_PLACES: Final[Mapping[str, Callable[[Result], _Named | None]]] = {
    "base_sequence": _sequence,
    "producer_id": _id,
    "producer_epoch": _epoch,
    "max_timestamp": _greatest,
    "timestamp": _timestamp,
    "repeats": lambda _: _Named("twice", "sends a batch twice, though no answer was late or lost"),
    "partition": lambda result: _Named("partition", f"writes to partition {result.got}, not to 0"),
    "is_transactional": _bit,
    "is_control": lambda _: _Named("control", "writes batches as those of markers of transactions"),
    "is_append_time": lambda _: _Named("append-time", "writes batches whose timestamps are to be the broker's"),
    "last_offset_delta": _last_delta,
    "offset_delta": lambda _: _Named("offset-deltas", "writes offset deltas that do not count up from 0"),
    "codec": _codec,
    "magic": _magic,
    "acks": lambda result: _Named("acks", f"asks for acks {result.got} where {result.expected} was asked for"),
    "transactional_id": lambda _: _Named(
        "no-transactional-id", "produces in a transaction without its transactional id"
    ),
    "records": _entries,
}
"""What a producer does, by the last word of where its answer differs."""
