"""Findings about readers of keys and values: about vectors that there are, and still seen."""

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.serde.questions import load
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.loader import EVERY
from kafka_conformance.vectors.patterns import fits_any

KNOWN = catalogue.about(Part.SERDE)
VECTORS = load(EVERY)


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_the_version_that_is_known(target: str) -> None:
    known = manifest.load_all()[target]
    assert known.kind is TargetKind.SERDE
    assert KNOWN[target].version in known.all_versions


@pytest.mark.parametrize("target", KNOWN)
def test_each_is_about_vectors_that_there_are(target: str) -> None:
    patterns = [pattern for finding in KNOWN[target].findings for pattern in finding.vectors]
    assert [pattern for pattern in patterns if not any(fits_any(vector.id, (pattern,)) for vector in VECTORS)] == []
    assert {finding.smallest for finding in KNOWN[target].findings} <= {vector.id for vector in VECTORS}


@pytest.mark.parametrize("target", KNOWN)
def test_all_that_is_found_is_known_where_the_reader_is_installed(target: str) -> None:
    """Every finding of a run belongs to one of these, and the smallest vector shows each."""
    name = f"{target}@{KNOWN[target].version}"
    candidate = resolve.candidate(name if "@" in name else target)
    if candidate.command is None:
        pytest.skip(f"kafka-conformance targets --install {target}")
    done = runner.run([candidate], VECTORS, RunOptions(limits=Limits()))
    found = {result.vector for result in done.results if result.is_finding}
    findings = KNOWN[target].findings
    assert {vector for vector in found if not any(finding.is_about(vector) for finding in findings)} == set()
    assert {finding.smallest for finding in findings} <= found
