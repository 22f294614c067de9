"""Orders put to a producer: a sound one passes, and each fault is found."""

import sys
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import loader, orders

PROGRAM = Path(__file__).with_name("reference_producer.py")
MANIFEST = """\
library: reference
language: Python
url: https://kafka.apache.org
issues: https://issues.apache.org/jira/projects/KAFKA
version: "0"
producer:
  calls: Nothing.
  run: [nothing]
  claims: {formats: [v0, v1, v2], codecs: [none], can: [headers]}
"""


@pytest.fixture
def run(tmp_path):
    library = tmp_path / "reference"
    library.mkdir()
    (library / "manifest.yaml").write_text(MANIFEST)

    def run(patterns, *arguments):
        program = TARGETS / "common" / "python" / "producer_bridge.py"
        bridge = (sys.executable, str(program), str(library), "producer-reference", "0")
        command = Command((*bridge, sys.executable, str(PROGRAM), *arguments))
        return runner.run(
            [Candidate("it", command, kind=TargetKind.PRODUCER)], loader.of_family(orders.FAMILY, patterns)
        )

    return run


def test_a_sound_producer_passes(run):
    done = run(["produce/v2/*", "produce/v1/*", "produce/v0/*"])
    assert not [(finding.vector, finding.outcome, finding.detail) for finding in done.findings]
    counts = done.counts("it")
    assert counts[Outcome.PASSED] >= 30
    assert counts[Outcome.UNSUPPORTED] + counts[Outcome.PASSED] == len(loader.of_family(orders.FAMILY))


@pytest.mark.parametrize(
    ("fault", "order", "outcome", "path"),
    [
        ("drops", "produce/v2/many/none", Outcome.WRONG_ANSWER, "records"),
        ("crc", "produce/v2/one/none", Outcome.WRONG_ANSWER, "crc"),
        ("magic", "produce/v2/one/none", Outcome.WRONG_ANSWER, "produce[0].records[0].magic"),
        ("max-timestamp", "produce/v2/one/none", Outcome.WRONG_ANSWER, "produce[0].records[0].max_timestamp"),
        ("silent", "produce/v2/one/none", Outcome.REFUSED_VALID, ""),
        ("dies", "produce/v2/one/none", Outcome.CRASHED, ""),
    ],
)
def test_a_fault_is_found(run, fault, order, outcome, path):
    (result,) = run([order], fault).results
    assert (result.outcome, result.path) == (outcome, path)


def test_what_a_producer_cannot_do_is_a_gap(run):
    (result,) = run(["produce/v2/transaction/none"]).results
    assert (result.outcome, result.detail) == (
        Outcome.UNSUPPORTED,
        "cannot be asked for idempotent, transactional",
    )
