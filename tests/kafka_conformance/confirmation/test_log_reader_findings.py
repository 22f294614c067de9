"""Findings about readers of log directories: about targets and vectors that there are."""

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.log_reader.questions import load
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.loader import EVERY

KNOWN = catalogue.about(Part.LOG_READER)
VECTORS = load(EVERY)
IDS = {vector.id.partition("@")[0] for vector in VECTORS}


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_the_version_that_is_known(target: str) -> None:
    known = manifest.load_all()[target]
    assert known.kind is TargetKind.LOG_READER
    assert KNOWN[target].version in known.all_versions


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_vectors_that_there_are(target: str) -> None:
    assert {vector for finding in KNOWN[target].findings for vector in finding.vectors} <= IDS


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_seen_where_the_reader_is_installed(target: str) -> None:
    candidate = resolve.candidate(target)
    if candidate.command is None:
        pytest.skip(f"kafka-conformance targets --install {target}")
    smallest = {finding.smallest for finding in KNOWN[target].findings}
    asked = [vector for vector in VECTORS if vector.id.partition("@")[0] in smallest]
    done = runner.run([candidate], asked, RunOptions(limits=Limits()))
    wrong = {
        result.vector.partition("@")[0]
        for result in done.results
        if result.is_finding or result.outcome is Outcome.OTHERWISE
    }
    assert smallest <= wrong
