"""Reduced findings for people: what is wrong, with which bytes, and the commands that show it again."""

import shlex
from collections.abc import Iterator, Sequence

from kafka_format.explain import explain, explain_v07

from kafka_conformance import hexdump
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports.text import one_line
from kafka_conformance.scale.reduction.reducing import Reduced, Reductions
from kafka_conformance.scale.reduction.telling import fields

DUMPED = 4
"""Findings that are shown with bytes on the screen, each of another target or about other fields; the page has all."""

_LONGEST_HEX = 2000


def lines(reductions: Reductions, folder: str) -> Iterator[str]:
    """What the screen shows below the counts."""
    causes: set[tuple[str, tuple[str, ...]]] = set()
    for number, one in enumerate(reductions.reduced, 1):
        cause = one.target, fields(one.telling)
        yield ""
        yield f"Reduced finding {number}: {headline(one)}"
        yield f"  {story(one)}"
        yield from (f"  {line}" for line in matters(one))
        if cause not in causes and len(causes) < DUMPED:
            yield from (f"  {line}" for line in dump(one))
        causes.add(cause)
        yield f"  again: {again(one)}"
        if one.is_finding:
            yield f"  keep:  kafka-conformance scale --promote {number} --out {shlex.quote(folder)}"
    yield from reductions.problems
    if reductions.left:
        more = f"kafka-conformance scale --reduce --reduce-seconds 600 --out {shlex.quote(folder)}"
        yield f"{reductions.left} kinds of findings are not reduced; with more time: {more}"


def alone(one: Reduced) -> Iterator[str]:
    """What is shown of a batch that was asked for."""
    if not one.is_finding:
        yield one_line(f"{one.target}, {story(one)}: {Outcome(one.outcome).words}")
        return
    yield headline(one)
    yield story(one)
    yield from matters(one)
    yield from dump(one)
    yield explained(one)


def headline(one: Reduced) -> str:
    """Who did what."""
    told = one.detail if one.outcome != Outcome.PASSED else "not again, when it was asked about this batch alone"
    return one_line(f"{one.target} {Outcome(one.outcome).words}: {told}", 300)


def story(one: Reduced) -> str:
    """Where it was found, and how far it was reduced."""
    found = f"batch {one.index} of seed {one.seed}, profile {one.profile}"
    if not one.is_finding:
        return found
    ended = "" if one.finished else "; time ran out, so there may be less to it"
    asked = f"{one.calls} questions, {one.seconds:.1f} s{ended}"
    return f"{found}: {one.size:,} bytes, of which {one.reduced_size:,} are left ({asked})"


def matters(one: Reduced) -> Iterator[str]:
    """The fields without which the target would be right."""
    if one.telling:
        yield one_line(f"what matters: {', '.join(one.telling)}", 300)


def dump(one: Reduced) -> Sequence[str]:
    """The bytes, field by field."""
    explained = explain_v07(one.data) if one.format == "v07" else explain(one.data)
    return list(hexdump.plain(hexdump.rows(explained)))


def again(one: Reduced) -> str:
    """The command that asks the target about the batch again, and reduces it."""
    named = shlex.quote(one.target)
    return f"kafka-conformance scale {named} --seed {one.seed} --profile {one.profile} --index {one.index}"


def explained(one: Reduced) -> str:
    """The command that shows the bytes; empty where they are too many for a command."""
    old = " --v07" if one.format == "v07" else ""
    return f"kafka-conformance explain{old} --hex {one.hex}" if len(one.hex) <= _LONGEST_HEX else ""
