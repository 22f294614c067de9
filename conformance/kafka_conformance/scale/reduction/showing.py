"""Reduced findings for people: what is wrong and why, with which bytes, and the commands that show it again."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kafka_format import sampler
from kafka_format.explain.lines import explain, explain_v07
from kafka_format.spec.rules import rules

from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import hexdump
from kafka_conformance.reports.safe_text import one_line
from kafka_conformance.scale.reduction import describing
from kafka_conformance.scale.reduction.grouping import Cause, causes
from kafka_conformance.scale.reduction.proposing import judged, proposed
from kafka_conformance.scale.reduction.reduced import Reduced, Reductions
from kafka_conformance.vectors.golden import Verdict

SHOWN: Final = 6
"""Causes of each target that the screen shows; the page has all."""

DUMPED: Final = 2
"""Causes of each target that are shown with their bytes on the screen."""

ALSO: Final = 8
"""Further symptoms of a cause that the screen shows."""

_FAULTS: Final = {fault.name: fault for fault in sampler.FAULTS}
_BIT: Final = re.compile(r"(?<=attributes)\.\w+$")
_LONGEST_HEX: Final = 2000
_LONGER: Final = 600
"""Seconds that are proposed where time ran out."""


def lines(reductions: Reductions, folder: str) -> Iterator[str]:
    """What the screen shows below the counts."""
    places: Counter[str] = Counter()
    hidden = []
    for cause in causes(reductions.reduced):
        places[cause.main.target] += 1
        if places[cause.main.target] > SHOWN:
            hidden.append(cause)
            continue
        yield ""
        yield from _full(cause, folder, with_bytes=places[cause.main.target] <= DUMPED)
    if hidden:
        yield ""
        yield f"And {len(hidden)} more, which summary.html shows:"
        yield from (f"  finding {one.number}: {headline(one.main)}{_counted(one)}" for one in hidden)
    yield from reductions.problems
    if unended := unfinished(reductions):
        yield ""
        yield f"{unended}; to go on: {more(folder)}"


def _full(cause: Cause, folder: str, *, with_bytes: bool) -> Iterator[str]:
    yield f"Finding {cause.number}: {headline(cause.main)}{_counted(cause)}"
    told = [*facts(cause.main), *(dump(cause.main) if with_bytes else ()), *_also(cause)]
    yield from (f"  {line}" for line in told)
    yield f"  again: {again(cause.main)}"
    if cause.main.is_finding:
        yield f"  keep:  kafka-conformance scale --promote {cause.number} --out {shlex.quote(folder)}"


def alone(one: Reduced) -> Iterator[str]:
    """What is shown of a batch that was asked for."""
    if not one.is_finding:
        yield one_line(f"{one.target}, {_found(one)}: {Outcome(one.outcome).words}")
        return
    yield headline(one)
    yield from facts(one)
    yield from dump(one)
    if not one.finished:
        yield f"to go on: {again(one)} --reduce-seconds {_LONGER}"
    yield from explained(one)


def headline(one: Reduced) -> str:
    """Who did what."""
    if not one.is_finding and one.found:
        return one_line(
            f"{one.target} {Outcome(one.found).words}: {one.symptom}; but not again, when it was asked alone", 300
        )
    return one_line(f"{one.target} {Outcome(one.outcome).words}: {one.detail}", 300)


def facts(one: Reduced) -> Iterator[str]:
    """Where it was found, why the target fails, and what is due."""
    yield story(one)
    if not one.is_finding:
        return
    yield one_line(f"{'cause' if one.cause or one.finished else 'what matters'}: {_cause(one)}", 400)
    vector = judged(one)
    if not one.path or vector.verdict is not Verdict.VALID:
        yield one_line(f"due: {describing.due(vector)}", 300)
    if not one.path and one.got != one.detail:
        yield one_line(f"it gave: {one.got}", 300)
    for rule in proposed(one)[:1] if one.cause or vector.fault else ():
        yield one_line(f"rule: {rule}: {rules()[rule].sentence}", 300)


def story(one: Reduced) -> str:
    """Where it was found, and how far it was reduced."""
    if not one.is_finding:
        return _found(one)
    ended = "" if one.finished else "; time ran out"
    asked = f"{one.calls:,} question{'' if one.calls == 1 else 's'}, {one.seconds:.1f} s{ended}"
    return f"{_found(one)}: {one.size:,} bytes, of which {one.reduced_size:,} are left ({asked})"


def dump(one: Reduced) -> Sequence[str]:
    """The bytes, field by field, with a mark where the cause stands."""
    explained = explain_v07(one.data) if one.format == "v07" else explain(one.data)
    named = [part.partition(" = ")[0] for part in one.cause]
    marked = {place for part in named for place in (part, _BIT.sub("", part), f"{part}.length")}
    rows = [
        replace(row, value=f"{row.value}  <- cause") if _place(one, row) in marked and row.path else row
        for row in hexdump.rows(explained)
    ]
    return list(hexdump.plain(rows))


def _place(one: Reduced, row: hexdump.Row) -> str:
    """The path as parts have it: with the number of the entry, where there are several."""
    several = any(part.startswith(("[", "entries")) for part in one.telling)
    return f"[{row.entry}].{row.path}" if several else row.path


def symptom(one: Reduced) -> str:
    """A further symptom of a cause: what the target does, and what the batch needs for it."""
    needed = [part for part in one.telling if part not in one.cause]
    given = one_line(f"[with {', '.join(needed)}]", 160) if needed else ""
    return f"{one_line(f'{Outcome(one.outcome).words}: {one.detail}', 160)}  {given}".rstrip()


def again(one: Reduced) -> str:
    """The command that asks the target about the batch again, and reduces it."""
    named = shlex.quote(one.target)
    return f"kafka-conformance scale {named} --seed {one.seed} --profile {one.profile} --index {one.index}"


def explained(one: Reduced) -> Iterator[str]:
    """The command that shows the bytes, unless they are too many for a command."""
    old = " --v07" if one.format == "v07" else ""
    if len(one.hex) <= _LONGEST_HEX:
        yield f"kafka-conformance explain{old} --hex {one.hex}"


def unfinished(reductions: Reductions) -> str:
    """Say what there was no time for; empty if there was for all."""
    cut = sum(not one.finished for one in reductions.reduced)
    parts = [f"time ran out for {cut} of these findings before nothing was left to try"] if cut else []
    if reductions.left:
        kinds = "1 kind of findings was" if reductions.left == 1 else f"{reductions.left} kinds of findings were"
        parts.append(f"{kinds} not reduced at all, for lack of time")
    return "; ".join(parts)


def more(folder: str) -> str:
    """The command that goes on; what is reduced as far as it goes is kept."""
    return f"kafka-conformance scale --reduce --reduce-seconds {_LONGER} --out {shlex.quote(folder)}"


def _found(one: Reduced) -> str:
    return f"batch {one.index} of seed {one.seed}, profile {one.profile}"


def _counted(cause: Cause) -> str:
    also = len(cause.findings) - 1
    symptoms = f"; {also} further symptom{'s' if also > 1 else ''}" if also else ""
    return f"  [{cause.batches:,} batch{'' if cause.batches == 1 else 'es'}{symptoms}]"


def _also(cause: Cause) -> Iterator[str]:
    """The other findings of the cause, with their numbers."""
    others = cause.findings[1:]
    if others:
        yield "other symptoms of it, with batches and number:"
    for number, one in others[:ALSO]:
        yield f"{one.batches:10,}  [{number}] {symptom(one)}"
    if len(others) > ALSO:
        yield f"{'':10}  and {len(others) - ALSO} more, which summary.html shows"


def _cause(one: Reduced) -> str:
    """What the target is right without; or what is known, if that is not."""
    if one.fault:
        return _of_fault(one)
    told = ", ".join(one.cause or one.telling) or "nothing in particular, default values will do"
    if not one.cause and one.parts:
        return f"time ran out; {one.parts:,} things are left that could: {told}"
    rest = ", ".join(part for part in one.telling if part not in one.cause)
    mended = "; without it the target is right" if one.mends else ""
    return f"{told}{mended}" + (f"; in this form with {rest}" if rest else "")


def _of_fault(one: Reduced) -> str:
    fault = f"{_FAULTS[one.fault].doc} ({one.fault})"
    if not one.redone:
        return f"{fault}; done anew to other bytes it did not show, so the batch is as it was"
    rest = f", done to a batch with {', '.join(one.telling)}" if one.telling else ""
    if not one.cause:
        return f"time ran out; it may be that {fault}{rest}"
    return f"{fault}{rest}; without it the target {'is right' if one.mends else 'fails in another way'}"
