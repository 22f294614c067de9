"""Findings about readers of log directories: about targets and vectors that there are."""

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.findings import catalogue
from kafka_conformance.findings.catalogue import Part
from kafka_conformance.kinds.log_reader import runs
from kafka_conformance.kinds.log_reader.questions import questions
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.target_kind import TargetKind

KNOWN = catalogue.about(Part.LOG_READER)
VECTORS = {question.vector["id"] for question in questions()}


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_the_version_that_is_known(target: str) -> None:
    known = manifest.load_all()[target]
    assert known.kind is TargetKind.LOG_READER
    assert KNOWN[target].version in known.all_versions


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_vectors_that_there_are(target: str) -> None:
    assert {vector for finding in KNOWN[target].findings for vector in finding.vectors} <= VECTORS


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_seen_where_the_reader_is_installed(target: str) -> None:
    command = resolve.contestant(target).command
    if command is None:
        pytest.skip(f"kafka-conformance targets --install {target}")
    findings = KNOWN[target].findings
    asked = [
        question for question in questions() if question.vector["id"] in {finding.smallest for finding in findings}
    ]
    seen = {(each.question.vector["id"], each.outcome) for each in runs.run(target, command, asked, Limits()).results}
    assert {(finding.smallest, finding.outcomes[0]) for finding in findings} <= seen
