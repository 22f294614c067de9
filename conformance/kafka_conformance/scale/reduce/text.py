"""Reduced findings in words: what is wrong and why, the bytes, and commands to reproduce it."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kafka_format.explain.lines import Explanation, explain, explain_v07
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.records import Record
from kafka_format.spec.rules import rules
from kafka_tools.show import hexdump
from kafka_tools.text import one_line

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction.judged_bytes import JudgedBytes
from kafka_conformance.reduction.tree import describe
from kafka_conformance.scale.plan import MESSAGES
from kafka_conformance.scale.reduce.rule_proposals import judged_minimum, proposed_rules
from kafka_conformance.scale.results.causes import CauseGroup, groups
from kafka_conformance.scale.results.reductions import GeneratedBatch, Reduced, Reductions
from kafka_conformance.vectors.vector import Verdict

SHOWN: Final = 6
"""Causes of each target on the screen; the page has all."""

DUMPED: Final = 2
"""Causes of each target whose bytes are on the screen."""

ALSO: Final = 8
"""Further symptoms of a cause on the screen."""

_BIT: Final = re.compile(r"(?<=attributes)\.\w+$")
_LONGEST_HEX: Final = 2000
_LONGER: Final = 600
"""Seconds that are proposed where time ran out."""

_RECORDS: Final = 2
_BYTES: Final = 16


def lines(reductions: Reductions, folder: str) -> Iterator[str]:
    """Return lines about the reduced findings of a run, for the screen."""
    places: Counter[str] = Counter()
    hidden = []
    for group in groups(reductions.reduced):
        target = group.main.batch.target
        places[target] += 1
        if places[target] > SHOWN:
            hidden.append(group)
            continue
        yield ""
        yield from _full(group, with_bytes=places[target] <= DUMPED)
    if hidden:
        yield ""
        yield f"And {len(hidden)} more, which summary.html shows:"
        yield from (f"  finding {group.number}: {headline(group.main)}{_counts(group)}" for group in hidden)
    yield from reductions.problems
    if unended := unfinished_note(reductions):
        yield ""
        yield f"{unended}; to go on: {more(folder)}"


def alone(finding: Reduced) -> Iterator[str]:
    """Return lines about a single batch that the user asked for."""
    if not finding.is_finding:
        yield one_line(f"{finding.batch.target}, {_where(finding.batch)}: {finding.outcome.words}")
        return
    yield headline(finding)
    yield from facts(finding)
    yield from dump(finding)
    if not finding.effort.finished:
        yield f"to go on: {again(finding)} --reduce-seconds {_LONGER}"
    yield from explain_command(finding)


def headline(finding: Reduced) -> str:
    """Return the headline: which target did what."""
    batch = finding.batch
    if not finding.is_finding and batch.outcome:
        before = f"{batch.target} {Outcome(batch.outcome).words}: {batch.symptom}"
        return one_line(f"{before}; but not again, when it was asked alone", 300)
    return one_line(f"{batch.target} {finding.outcome.words}: {finding.failure.detail}", 300)


def facts(finding: Reduced) -> Iterator[str]:
    """Return lines: where it was found, why the target fails, what is expected, and the rule."""
    yield story(finding)
    if not finding.is_finding:
        return
    failure, parts = finding.failure, finding.cause.parts
    yield one_line(f"{'cause' if parts or finding.effort.finished else 'what matters'}: {_cause(finding)}", 400)
    if finding.batch.profile in MESSAGES:
        yield one_line(f"expected: {failure.expected or 'the value, as the layout has it'}", 300)
        yield one_line(f"got: {failure.got}", 300)
        return
    asked = judged_minimum(finding)
    if not failure.path or asked.verdict is not Verdict.VALID:
        yield one_line(f"expected: {expectation(asked)}", 300)
    if not failure.path and failure.got != failure.detail:
        yield one_line(f"got: {failure.got}", 300)
    if parts or asked.fault:
        rule = proposed_rules(finding)[0]
        yield one_line(f"rule: {rule}: {rules()[rule].sentence}", 300)


def story(finding: Reduced) -> str:
    """Return a line: where it was found, and how far it was reduced."""
    batch, effort = finding.batch, finding.effort
    if not finding.is_finding:
        return _where(batch)
    asked = (
        f"{_count(effort.questions, 'question')}, {effort.seconds:.1f} s{'' if effort.finished else '; time ran out'}"
    )
    return f"{_where(batch)}: {batch.size:,} bytes, of which {finding.minimal.size:,} are left ({asked})"


def dump(finding: Reduced) -> Sequence[str]:
    """Return the bytes field by field, with a mark at the cause."""
    if finding.batch.profile in MESSAGES:
        return list(hexdump.text_lines(hexdump.rows(_message(finding))))
    minimal = finding.minimal
    explained = explain_v07(minimal.data) if minimal.format == "v07" else explain(minimal.data)
    several = any(part.startswith(("[", "entries")) for part in minimal.parts)
    names = [part.partition(" = ")[0] for part in finding.cause.parts]
    marked = {place for name in names for place in (name, _BIT.sub("", name), f"{name}.length")}

    def is_cause(row: hexdump.Row) -> bool:
        return bool(row.path) and (f"[{row.entry}].{row.path}" if several else row.path) in marked

    rows = [replace(row, value=f"{row.value}  <- cause") if is_cause(row) else row for row in hexdump.rows(explained)]
    return list(hexdump.text_lines(rows))


def symptom(finding: Reduced) -> str:
    """A further symptom of a cause: what the target does, and what else the batch needs for it."""
    needed = _rest(finding)
    needs = one_line(f"[with {needed}]", 160) if needed else ""
    return f"{one_line(f'{finding.outcome.words}: {finding.failure.detail}', 160)}  {needs}".rstrip()


def again(finding: Reduced) -> str:
    """Return the command that reduces the batch again."""
    batch = finding.batch
    options = f"--seed {batch.seed} --profile {batch.profile} --index {batch.index}"
    return f"kafka-conformance scale {shlex.quote(batch.target)} {options}"


def explain_command(finding: Reduced) -> Iterator[str]:
    """Return the command that explains the bytes, unless they are too long for a command."""
    minimal = finding.minimal
    if finding.batch.profile in MESSAGES and len(minimal.hex) <= _LONGEST_HEX:
        api, number = minimal.codec.split()
        yield f"kafka-format explain --{minimal.format} --api {api} --version {number} --hex {minimal.hex}"
    elif len(minimal.hex) <= _LONGEST_HEX:
        yield f"kafka-format explain{' --v07' if minimal.format == 'v07' else ''} --hex {minimal.hex}"


def unfinished_note(reductions: Reductions) -> str:
    """Return a note about findings that were not reduced for lack of time; empty if all were."""
    cut = sum(not finding.effort.finished for finding in reductions.reduced)
    parts = [f"time ran out for {cut} of these findings before nothing was left to try"] if cut else []
    if reductions.left:
        kinds = "1 kind of findings was" if reductions.left == 1 else f"{reductions.left} kinds of findings were"
        parts.append(f"{kinds} not reduced at all, for lack of time")
    return "; ".join(parts)


def more(folder: str) -> str:
    """Return the command that reduces the other findings of a run."""
    return f"kafka-conformance scale --reduce --reduce-seconds {_LONGER} --out {shlex.quote(folder)}"


def expectation(asked: JudgedBytes) -> str:
    """Return a text about the expected result of bytes."""
    answer = _records(asked.answer)
    if asked.verdict is Verdict.VALID:
        return answer
    refused = f"refused, because of {asked.fault.rule}" if asked.fault else "refused"
    return refused if asked.verdict is Verdict.INVALID else f"{refused}; or, with {asked.flag}, {answer}"


def what_came(result: Result) -> str:
    """Return a text about the target's result: its records, or its error."""
    if result.outcome is Outcome.ACCEPTED_INVALID and result.answer is not None:
        return _records(result.answer)
    return result.detail


def _message(finding: Reduced) -> Explanation:
    """Explain a request or response."""
    api, number = finding.minimal.codec.split()
    explain_one = explain_request if finding.minimal.format == "request" else explain_response
    return explain_one(finding.minimal.data, api, int(number)).explanation


def _full(group: CauseGroup, *, with_bytes: bool) -> Iterator[str]:
    main = group.main
    yield f"Finding {group.number}: {headline(main)}{_counts(group)}"
    yield from (f"  {line}" for line in (*facts(main), *(dump(main) if with_bytes else ()), *_also(group)))
    yield f"  again: {again(main)}"


def _also(group: CauseGroup) -> Iterator[str]:
    """The other findings with this cause, with their numbers."""
    others = group.findings[1:]
    if others:
        yield "other symptoms of it, with batches and number:"
    for number, finding in others[:ALSO]:
        yield f"{finding.batch.batches:10,}  [{number}] {symptom(finding)}"
    if len(others) > ALSO:
        yield f"{'':10}  and {len(others) - ALSO} more, which summary.html shows"


def _counts(group: CauseGroup) -> str:
    also = len(group.findings) - 1
    symptoms = f"; {_count(also, 'further symptom')}" if also else ""
    return f"  [{_count(group.batches, 'batch', 'es')}{symptoms}]"


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number:,} {noun}{'' if number == 1 else plural}"


def _where(batch: GeneratedBatch) -> str:
    return f"batch {batch.index} of seed {batch.seed}, profile {batch.profile}"


def _cause(finding: Reduced) -> str:
    """What must be removed for the target to be right; or what is known, if that is not."""
    minimal, cause = finding.minimal, finding.cause
    if minimal.fault:
        return _cause_of_fault(finding)
    parts = ", ".join(cause.parts or minimal.parts) or "nothing in particular, default values will do"
    if not cause.parts and minimal.part_count:
        return f"time ran out; {minimal.part_count:,} things are left that could: {parts}"
    rest = _rest(finding)
    right = "; without it the target is right" if cause.proven else ""
    return f"{parts}{right}" + (f"; in this form with {rest}" if rest else "")


def _rest(finding: Reduced) -> str:
    return ", ".join(part for part in finding.minimal.parts if part not in finding.cause.parts)


def _cause_of_fault(finding: Reduced) -> str:
    minimal, cause = finding.minimal, finding.cause
    fault = f"{minimal.sampler_fault.doc} ({minimal.fault})"
    if not minimal.redone:
        return f"{fault}; done to other bytes it has no effect, so the batch was left as it is"
    rest = f", done to a batch with {', '.join(minimal.parts)}" if minimal.parts else ""
    if not cause.parts:
        return f"time ran out; it may be that {fault}{rest}"
    return f"{fault}{rest}; without it the target {'is right' if cause.proven else 'fails in another way'}"


def _records(records: Sequence[Record]) -> str:
    """The first records in short: `1 record: offset 0, key null, value hex:00`."""
    first = "; ".join(map(_record, records[:_RECORDS]))
    count = _count(len(records), "record") if records else "no records"
    return count + (f": {first}" if first else "") + ("; ..." if len(records) > _RECORDS else "")


def _record(record: Record) -> str:
    values = [f"offset {record.offset}"]
    values += [f"timestamp {record.timestamp}"] if record.timestamp != -1 else []
    values += [f"key {describe(record.key, _BYTES)}", f"value {describe(record.value, _BYTES)}"]
    values += [f"header {describe(key, _BYTES)}: {describe(value, _BYTES)}" for key, value in record.headers[:_RECORDS]]
    return ", ".join(values)
