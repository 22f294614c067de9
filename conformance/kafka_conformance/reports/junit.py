"""The report for build servers: JUnit XML, a test suite a target and a test case a vector and direction.

A wrong word of a target is a failure. One that gave none, because it crashed, hung, ran out of memory or broke the
protocol, is an error. Gaps and known failures are skipped, each with its reason. A target that did not run to the end
is an error of its own, so that a suite in which nothing ran is not green; one that was not ready is skipped.
"""

from pathlib import Path
from xml.etree import ElementTree as ET

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports.wording import label, rerun, sentence
from kafka_conformance.runs.run import Run
from kafka_conformance.runs.target import Target
from kafka_conformance.text import one_line, shown
from kafka_conformance.vectors.golden import Vector

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
        ET.SubElement(case, kind, message=one_line(words)).text = shown(words)
    for result in results:
        suite.append(_case(result, vectors[result.vector]))
    _count(suite)
    return suite


def _properties(run: Run, target: Target) -> ET.Element:
    properties = ET.Element("properties")
    values = {"suite_version": run.header.suite_version, "platform": run.header.platform}
    if target.hello is not None:
        hello = target.hello
        values |= {"library": hello.name, "version": hello.version, "language": hello.language}
    if run.footer.interrupted:
        values["interrupted"] = "true"
    for name, value in values.items():
        ET.SubElement(properties, "property", name=name, value=one_line(value))
    return properties


def _case(result: Result, vector: Vector) -> ET.Element:
    case = ET.Element(
        "testcase", name=label(result), classname=f"vectors.{vector.family}", time=f"{result.seconds:.6f}"
    )
    if result.outcome is Outcome.UNSUPPORTED:
        ET.SubElement(case, "skipped", message=one_line(result.detail or "not supported"))
    elif result.known:
        ET.SubElement(case, "skipped", message=one_line(f"known failure: {result.known}: {sentence(result)}", 400))
    elif result.is_finding:
        kind = "error" if result.outcome in _ERRORS else "failure"
        finding = ET.SubElement(case, kind, type=result.outcome, message=sentence(result))
        finding.text = _story(result, vector)
    return case


def _story(result: Result, vector: Vector) -> str:
    lines = [vector.title, f"rules: {', '.join(vector.rules)}", f"bytes: {vector.data.hex()}", result.detail]
    return "\n".join(shown(line, 4_000) for line in [*lines, f"again: {rerun(result)}"] if line)


def _count(element: ET.Element) -> None:
    """Fill in the numbers that JUnit wants beside the cases."""
    for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(1 for _ in element.iter(tag))))
