"""A consumer or producer of the user's own, as `cmd:`: what its hello says it is, it is asked.

One that hangs, spins, dies, lies or loses its connection is located, and the run goes on.
"""

import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.producer import driver
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import folder
from kafka_conformance.reports.terminal import print_report
from kafka_conformance.run import questions, runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.run.smoke import smoke
from kafka_conformance.run.target import Standing
from kafka_conformance.targets import resolve
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import loader
from kafka_conformance.vectors.loader import Filters
from rich.console import Console

HERE = Path(__file__).parent
ABOUT = ("records",)
CHOSEN = Filters(("check/v*/twin", "v2/gzip/*"))
AT = "check/v2-gzip/twin"
ORDERS = Filters(("produce/v2/one/*", "produce/v2/many/none"))
ORDER = "produce/v2/one/none"


def candidate(program, *arguments):
    named = resolve.candidate(f"cmd:{sys.executable} {HERE / program} {' '.join(arguments)}")
    return questions.said_hello(named, Limits(seconds=60))


def run(target, chosen, seconds=60.0):
    vectors, _ = questions.load([target], ABOUT, chosen)
    return runner.run([target], vectors, RunOptions(limits=Limits(seconds=seconds), about=ABOUT))


def marked():
    return loader.find(AT).data.hex()


def test_a_hello_says_what_a_program_is():
    assert candidate("own_consumer.py").kind is TargetKind.CONSUMER
    assert candidate("own_producer.py").kind is TargetKind.PRODUCER


def test_a_sound_consumer_passes():
    done = run(candidate("own_consumer.py"), CHOSEN)
    assert not [(finding.vector, finding.detail) for finding in done.findings]
    assert {result.outcome for result in done.results} == {Outcome.PASSED, Outcome.UNSUPPORTED}
    assert done.counts(done.targets[0].name)[Outcome.PASSED] > 20


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        ("dies", Outcome.CRASHED, "SIGABRT"),
        ("hangs", Outcome.HUNG, "no reply for 2 s"),
        ("spins", Outcome.HUNG, "no reply for 2 s"),
        ("loses", Outcome.REFUSED_VALID, "the broker is gone"),
        ("lies", Outcome.WRONG_ANSWER, "records[0]"),
    ],
)
def test_a_consumer_with_a_fault_is_located_and_the_run_goes_on(fault, outcome, words):
    seconds = 2.0 if fault in {"hangs", "spins"} else 60.0  # who hangs is waited for
    done = run(candidate("own_consumer.py", fault, marked()), CHOSEN, seconds)
    assert [(finding.vector, finding.outcome) for finding in done.findings] == [(AT, outcome)]
    assert words in done.findings[0].detail
    assert done.counts(done.targets[0].name)[Outcome.PASSED] > 10


def test_every_report_says_what_a_consumer_that_is_given_up_was_not_asked(tmp_path):
    done = run(candidate("own_consumer.py", "dies"), Filters(("v2/*",)))
    (target,) = done.targets
    left = [result for result in done.results if result.outcome is Outcome.NOT_ASKED]
    assert target.standing is Standing.GIVEN_UP
    assert {result.detail for result in left} == {"not asked: given up after 4 losses without a single reply"}
    assert {result.vector for result in done.results} == {vector.id for vector in done.vectors}
    folder.write(done, tmp_path)
    document = json.loads((tmp_path / "report.json").read_text())
    assert document["summary"][0]["outcomes"]["not-asked"] == len(left)
    suites = ET.parse(tmp_path / "report.junit.xml").getroot()  # noqa: S314 - our own file
    cases = suites.findall(".//testcase[@classname='not-asked']")
    assert [case.get("name") for case in cases] == [f"{len(left)} vectors"]
    (page,) = (tmp_path / "html" / "targets").glob("*.html")
    assert f"{left[0].detail}" in page.read_text()
    assert f"{len(left)} questions not asked" in (tmp_path / "summary.md").read_text()
    print_report(done, Console(file=(terminal := io.StringIO()), width=200))
    assert f"{len(left)} questions not asked" in terminal.getvalue()


def test_a_sound_producer_passes():
    done = run(candidate("own_producer.py"), ORDERS)
    assert {result.outcome for result in done.results} == {Outcome.PASSED}


@pytest.mark.parametrize(
    ("fault", "outcome", "words"),
    [
        ("dies", Outcome.CRASHED, "SIGABRT"),
        ("hangs", Outcome.HUNG, "no reply for 2 s"),
        ("loses", Outcome.REFUSED_VALID, "the broker is gone"),
        ("lies", Outcome.WRONG_ANSWER, "616e6f74686572"),
    ],
)
def test_a_producer_with_a_fault_is_located_and_the_run_goes_on(fault, outcome, words, monkeypatch):
    monkeypatch.setattr(driver, "SECONDS", 2.0 if fault == "hangs" else driver.SECONDS)
    done = run(candidate("own_producer.py", fault, ORDER.replace("/", "-")), ORDERS)
    assert [(finding.vector, finding.outcome) for finding in done.findings] == [(ORDER, outcome)]
    assert words in done.findings[0].detail
    assert done.counts(done.targets[0].name)[Outcome.PASSED] == len(done.results) - 1


@pytest.mark.parametrize("program", ["own_consumer.py", "own_producer.py"])
def test_a_first_look_at_a_sound_client(program):
    steps = list(smoke(candidate(program), Limits(seconds=60)))
    kind = program.removeprefix("own_").removesuffix(".py")
    names = ("hello", "one question", "and again", "end")
    assert [step.name for step in steps] == [f"{kind}: {name}" for name in names]
    assert all(step.passed for step in steps)


def test_a_first_look_at_a_producer_that_dies():
    last = list(smoke(candidate("own_producer.py", "dies", "produce-v2-one-none"), Limits(seconds=60)))[-1]
    assert (last.name, last.passed) == ("producer: one question", False)
    assert "SIGABRT" in last.words
