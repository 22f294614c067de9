"""Findings about producers as bugs: what is known of the library, then what each does wrong.

Of batches and requests the place of a difference says what a producer does. What is left is about
the records in them, and is diagnosed like the findings of an encoder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

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
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in results:
        group = None if result.vector in known else _group_of(result)
        if group is not None:
            groups[group].append(result)
    causes = tuple(_cause(group, found, vectors) for group, found in groups.items())
    told = {result.vector for found in groups.values() for result in found}
    rest = [result for result in results if result.vector not in told]
    pool = signatures_of_clients(target, vectors.values())
    return merge([Diagnosis(causes), diagnose(target, rest, vectors, pool, hello.fields)])


def _known(target: str, results: Sequence[Result]) -> frozenset[str]:
    """Return the findings that what is known of the library explains."""
    failed = {result.vector: symptom(result) for result in results if result.is_finding}
    bugs = known_matches([*client_signatures(), *signatures()], failed, target.partition("@")[0])
    return frozenset[str]().union(*(match.exact for bug in bugs for match in bug))


def _cause(group: FindingGroup, found: Sequence[Result], vectors: Mapping[str, Vector]) -> Cause:
    return replace(cause_of_group(group, found, vectors, ()), direction=Direction.ENCODE)


def _group_of(result: Result) -> FindingGroup | None:
    """Return what a producer does that fails so; None if its records say more."""
    if result.outcome is not Outcome.WRONG_ANSWER:
        return None
    words = _REQUESTS if result.path == "requests" else _PLACES.get(result.path.rpartition(".")[2])
    found = words(result) if words is not None else None
    return None if found is None else FindingGroup(f"producer/{found[0]}", found[1])


_Named = tuple[str, str]
"""The name of a cause, and what a producer does."""


def _number(text: str) -> int | None:
    return int(text) if text.lstrip("-").isdigit() else None


def _sequence(result: Result) -> _Named:
    due, got = _number(result.expected), _number(result.got)
    if due is None or got is None:
        return "sequence", "writes wrong sequence numbers"
    if due == 0:
        return f"sequence-begins-at-{got}", f"begins its sequence numbers at {got}, not at 0"
    if got == 0:
        return "sequence-always-0", "begins its sequence numbers at 0 again in a later batch"
    by = got - due
    return "sequence-moved", f"writes sequence numbers that are {abs(by)} too {'high' if by > 0 else 'low'}"


def _id(result: Result) -> _Named:
    if result.expected == "-1":
        return "id-unasked", "writes a producer id though nobody asked for an idempotent producer"
    return "no-id", "writes no producer id, -1, though it is to be idempotent"


def _bit(result: Result) -> _Named:
    if result.expected == str(True):
        return "not-transactional", "writes batches of a transaction without the bit that says so"
    return "transactional-unasked", "writes batches as those of a transaction where there is none"


def _last_delta(result: Result) -> _Named:
    due, got = _number(result.expected), _number(result.got)
    by = "" if due is None or got is None else f": it is {abs(got - due)} too {'high' if got > due else 'low'}"
    return "last-offset-delta", f"writes a last offset delta that is not that of the last record{by}"


def _codec(result: Result) -> _Named:
    if result.got.startswith("zstd in"):
        return "zstd-in-old-produce", "compresses with zstd in a version of Produce that has none (KIP-110)"
    return "codec", f"compresses with {result.got} where {result.expected} was asked for"


def _magic(result: Result) -> _Named:
    return "format", f"writes entries of magic {result.got} where {result.expected} is due"


def _entries(result: Result) -> _Named | None:
    if not result.got.endswith(" entries"):
        return None
    return "several-batches", "writes several batches for a partition into a request, which may have one"


def _of_requests(result: Result) -> _Named | None:
    api, _, when = result.expected.partition(" ")
    if when == "before produce":
        return f"without-{api.replace('_', '-')}", f"produces in a transaction without {api} before"
    said = {
        "none": ("never-ends", "never ends a transaction that it was to commit"),
        "aborts": ("aborts", "aborts a transaction that it was to commit"),
    }
    return said.get(result.got, ("ends-otherwise", f"ends a transaction otherwise than with one commit: {result.got}"))


_REQUESTS: Final = _of_requests
_PLACES: Final[Mapping[str, Callable[[Result], _Named | None]]] = {
    "base_sequence": _sequence,
    "producer_id": _id,
    "is_transactional": _bit,
    "last_offset_delta": _last_delta,
    "offset_delta": lambda _: ("offset-deltas", "writes offset deltas that do not count up from 0"),
    "codec": _codec,
    "magic": _magic,
    "acks": lambda result: ("acks", f"asks for acks {result.got} where {result.expected} was asked for"),
    "transactional_id": lambda _: ("no-transactional-id", "produces in a transaction without its transactional id"),
    "records": _entries,
}
"""What a producer does, by the last word of where its answer differs."""
