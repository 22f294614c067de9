"""The report for build servers: JUnit XML, a suite a target, a case a finding, named by its cause.

What passed is a test case for each family and direction, and so is each gap, with the numbers in
their names. What was not asked, because the target was lost on others too often or for good, is a
skipped case of the class `not-asked`, with the reason.

A wrong answer of a target is a failure. One that gave none, because it crashed, hung, ran out of
memory or broke the protocol, is an error. Gaps and known failures are skipped, each with its
reason. A target that did not run to the end is an error of its own, so that a suite in which
nothing ran is not green; one that was not ready is skipped.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

from kafka_tools.text import one_line, plural, printable

from kafka_conformance.diagnosis.cause import Cause
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import causes
from kafka_conformance.reports.result_text import label, rerun, sentence
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Target
from kafka_conformance.vectors.vector import Vector

_NO_CAUSE = "no-cause"
_LONGEST_LINE = 300

_ERRORS = {Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY, Outcome.BROKEN_PROTOCOL}


def write(run: Run, file: Path) -> None:
    """Write a run as JUnit XML."""
    root = ET.Element("testsuites", name="kafka-format-conformance", time=f"{run.footer.seconds:.3f}")
    vectors = {vector.id: vector for vector in run.vectors}
    for target in run.targets:
        root.append(_suite(run, target, vectors))
    _count(root)
    ET.indent(root)
    ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def _suite(run: Run, target: Target, vectors: dict[str, Vector]) -> ET.Element:
    results = list(run.of(target.name))
    seconds = sum(result.seconds for result in results)
    suite = ET.Element("testsuite", name=one_line(target.name), timestamp=run.header.started, time=f"{seconds:.3f}")
    suite.append(_properties(run, target))
    if target.problem:
        case = ET.SubElement(suite, "testcase", name="the target runs to the end", classname="target")
        kind = "error" if target.standing.is_broken or target.standing.has_ended else "skipped"
        words = f"{target.standing.words}: {target.problem}"
        ET.SubElement(case, kind, message=one_line(words)).text = printable(words)
    names = {
        (finding.direction, finding.vector): cause.id for cause in _causes(run, target) for finding in cause.findings
    }
    examples = {(cause.direction, cause.example) for cause in _causes(run, target)}
    for result in results:
        if result.is_finding:
            place = result.direction, result.vector
            cause = names.get(place, _NO_CAUSE)
            is_told = cause == _NO_CAUSE or place in examples
            suite.append(_case(result, vectors[result.vector], cause, is_told=is_told))
    suite.extend(_count_cases(results, vectors))
    _count(suite)
    return suite


def _causes(run: Run, target: Target) -> Iterable[Cause]:
    """Return a target's causes, the worst last.

    A finding with two causes then goes by the worse.
    """
    return reversed(causes.diagnosis_of(run, target).causes)


def _count_cases(results: Iterable[Result], vectors: Mapping[str, Vector]) -> Iterator[ET.Element]:
    """Yield a case for each family and direction that passed, and a skipped one for each gap."""
    passed = Counter(
        (vectors[result.vector].family, result.direction) for result in results if result.outcome is Outcome.PASSED
    )
    for (family, direction), number in passed.items():
        yield ET.Element("testcase", name=f"{plural(number, 'vector')} ({direction})", classname=f"passed.{family}")
    gaps = Counter(
        (result.outcome, result.detail or "not supported") for result in results if not result.outcome.counts
    )
    for (outcome, reason), number in gaps.items():
        name = "gap" if outcome is Outcome.UNSUPPORTED else outcome.value
        case = ET.Element("testcase", name=plural(number, "vector"), classname=name)
        ET.SubElement(case, "skipped", message=one_line(reason))
        yield case


def _properties(run: Run, target: Target) -> ET.Element:
    properties = ET.Element("properties")
    diagnosis = causes.diagnosis_of(run, target)
    values = {
        "bugs": causes.sentence(diagnosis),
        "suite_version": run.header.suite_version,
        "platform": run.header.platform,
    }
    if target.hello is not None:
        hello = target.hello
        values |= {"library": hello.name, "version": hello.version, "language": hello.language}
    if run.footer.interrupted:
        values["interrupted"] = "true"
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=one_line(value))
    return properties


def _case(result: Result, vector: Vector, cause: str, *, is_told: bool) -> ET.Element:
    """Return the case of a finding; the example of a cause has the details."""
    classname = f"{vector.reach}.{cause.replace('.', '-').replace('/', '.')}"
    case = ET.Element("testcase", name=label(result), classname=classname, time=f"{result.seconds:.6f}")
    if result.known:
        ET.SubElement(case, "skipped", message=one_line(f"known failure: {result.known}: {sentence(result)}", 400))
    else:
        kind = "error" if result.outcome in _ERRORS else "failure"
        finding = ET.SubElement(case, kind, type=result.outcome, message=sentence(result))
        finding.text = _story(result, vector) if is_told else printable(vector.title, _LONGEST_LINE)
    return case


def _story(result: Result, vector: Vector) -> str:
    octets = f"bytes: {vector.data.hex()}" if vector.data else ""
    said = [vector.title, f"rules: {', '.join(vector.rules)}", octets, result.detail]
    lines = [line for line in (*said, f"again: {rerun(result)}") if line]
    return "\n".join(printable(line, _LONGEST_LINE) for line in lines)


def _count(element: ET.Element) -> None:
    """Fill in the numbers that JUnit wants beside the cases."""
    for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(1 for _ in element.iter(tag))))
