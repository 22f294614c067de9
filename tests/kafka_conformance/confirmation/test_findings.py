"""Findings about other people's decoders: the data, the scripts, and whether they are still
true."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.findings import command
from kafka_conformance.confirmation import confirmation, record_lines
from kafka_conformance.confirmation.confirmation import Confirmation
from kafka_conformance.errors import NotReadyError
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run import runner
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.catalogue import Finding, FindingKind, Findings, Part
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.vectors.vector import Vector
from kafka_format.spec.rules import rules
from kafka_generator import findings_page
from kafka_tools.errors import UsageError

from tests import shipped
from tests.sampling import Share

KNOWN = catalogue.about(Part.DECODER)
VECTORS = shipped.vectors()
ROOT = Path(__file__).parents[3]
WHOLE = (
    "afkak",
    "aiokafka",
    "aiokafka-pure",
    "brod",
    "kafka-python",
    "kafka-python-2",
    "kafka-ts",
    "kio",
    "pykafka",
    "samsa",
    "segmentio-kafka-go",
)
"""Targets of which all that they get wrong on valid vectors is told by a finding."""

LOST = {Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY}

FAILURE = "import sys; sys.stderr.write('because\\n'); sys.exit(3)"

TEXT = """target: aiokafka
version: "1.0"
calls: nothing
findings:
  - {id: a, title: does, kind: reachable, vectors: [run/empty], outcome: wrong-answer, upstream: null,
     reachable: By all., kafka: Does not., gives: [a]}
"""


def write(folder: Path, text: str, name: str = "decoder.yaml") -> Path:
    """A file of findings in a folder as that of a library."""
    file = folder / "aiokafka" / "findings" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="ascii")
    return file


@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_names_what_there_is(about: Findings):
    assert about.version in manifest.load_all()[about.target].all_versions
    names = [finding.id for finding in about.findings]
    assert len(names) == len(set(names))
    for finding in about.findings:
        assert set(VECTORS[finding.smallest].rules) <= set(rules())
    confirmed = {finding.direction for finding in about.findings if finding.gives is not None}
    for direction in confirmed:
        assert len(list(about.script.parent.glob(f"{confirmation.SCRIPTS[direction]}.*"))) == 1
    assert bool(about.writes) == (Direction.ENCODE in confirmed)


@pytest.mark.sampled(3, of="findings")  # their releases are pinned: what changes is the suite, for all of them alike
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_is_still_true_in_the_suite(about: Findings):
    """Fails when a new release of the target has mended it: then the finding goes."""
    target = resolve.candidate(f"{about.target}@{about.version}")
    if target.command is None:
        pytest.skip(target.problem)
    slow = {Outcome.HUNG, Outcome.CRASHED, Outcome.OUT_OF_MEMORY, Outcome.FLAKY}  # those take their time
    wanted = [finding for finding in about.findings if slow.isdisjoint(finding.outcomes)]
    gaps = []
    for direction in Direction:
        expected = {finding.smallest: finding.outcomes for finding in wanted if finding.direction == direction}
        options = runner.RunOptions(limits=Limits(seconds=10), directions=frozenset({direction}))
        run = runner.run([target], [VECTORS[name] for name in expected], options) if expected else None
        got = {result.vector: result.outcome for result in run.results} if run else {}
        assert got.keys() == expected.keys()
        can = set(run.targets[0].hello.codecs) if run and run.targets[0].hello else set()
        others = {name for name in expected if got[name] not in expected[name]}
        missing = {name for name in others if not can.issuperset(VECTORS[name].codecs)}  # an older Node has no zstd
        assert {name: got[name] for name in others - missing} == {}
        assert {got[name] for name in missing} <= {Outcome.UNSUPPORTED}
        gaps += missing
    if gaps:
        pytest.skip(f"{about.target} has no codec here for {', '.join(gaps)}; all else is as told")


@pytest.mark.sampled(8, of="findings")
@pytest.mark.parametrize("about", [KNOWN[name] for name in WHOLE], ids=WHOLE)
def test_valid_vectors_that_go_wrong_are_those_of_the_findings(about: Findings, some: Share):
    """Fails for a finding that nobody has looked at, and for a pattern that takes in what the
    target gets right.

    A usual run has one valid vector in three decoded; all are encoded,
    since which vector stands for those of the same answer depends on all.
    """
    target = resolve.candidate(f"{about.target}@{about.version}")
    if target.command is None:
        pytest.skip(target.problem)
    valid = [vector for vector in VECTORS.values() if vector.verdict == "valid"]
    asked = {Direction.DECODE: some(valid, 3, of="vectors"), Direction.ENCODE: valid}
    results = [result for direction, vectors in asked.items() for result in _results(target, vectors, direction)]
    told = [result for result in results if any(_is_told(finding, result) for finding in about.findings)]
    assert [result for result in results if result.is_finding and result not in told] == []
    assert [one for one in told if one.outcome is Outcome.PASSED] == []


def _results(target: Candidate, vectors: list[Vector], direction: Direction) -> tuple[Result, ...]:
    return runner.run([target], vectors, runner.RunOptions(directions=frozenset({direction}))).results


def _is_told(finding: Finding, result: Result) -> bool:
    return finding.direction is result.direction and finding.is_about(result.vector)


@pytest.mark.parametrize(
    "finding", [finding for about in KNOWN.values() for finding in about.of_kind(FindingKind.HOSTILE)]
)
def test_hostile_finding_is_a_lost_process(finding: Finding):
    assert finding.outcomes[0] in LOST


@pytest.mark.parametrize("kind", [FindingKind.REACHABLE, FindingKind.LAX])
def test_a_bug_is_confirmed_or_says_why_not(kind: FindingKind):
    for about in KNOWN.values():
        for finding in about.of_kind(kind):
            assert (finding.gives is None) == bool(finding.unconfirmed)


def test_what_is_taken_for_good_bytes_gives_records_in_the_program():
    """An error in the program shows that the library does notice, if later."""
    for about in KNOWN.values():
        for finding in about.of_kind(FindingKind.LAX):
            assert not any(line.startswith("error") for line in finding.gives or ())


def test_confirming_through_the_library():
    """One of them, from the broker to the comparison; `kafka-conformance findings --confirm` does
    all."""
    about = KNOWN["aiokafka"]
    finding = about.findings[0]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            program = confirmation.program(about, Path(scratch))
        except NotReadyError as missing:
            pytest.skip(str(missing))
        assert Confirmation(finding, confirmation.lines(program, VECTORS[finding.smallest])).is_confirmed


def test_confirming_what_a_library_sends():
    about = KNOWN["kafka-python"]
    finding = next(finding for finding in about.findings if finding.direction is Direction.ENCODE)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            program = confirmation.program(about, Path(scratch), confirmation.SCRIPTS[Direction.ENCODE])
        except NotReadyError as missing:
            pytest.skip(str(missing))
        assert Confirmation(finding, confirmation.sent_lines(program, VECTORS[finding.smallest])).is_confirmed


@pytest.mark.parametrize(
    "finding",
    [
        finding
        for about in KNOWN.values()
        for finding in about.findings
        if finding.direction is Direction.ENCODE and finding.gives
    ],
    ids=lambda finding: f"{finding.target}/{finding.id}",
)
def test_what_kafka_writes_confirms_no_finding(finding: Finding):
    vector = VECTORS[finding.smallest]
    expected = tuple(record_lines.kafka_lines({"format": vector.format, "answer": vector.answer}))
    assert not Confirmation(finding, tuple(expected)).is_confirmed


@pytest.mark.parametrize(
    ("timestamp", "is_confirmed"), [("time.time_ns() // 10**6", True), ("1000", False), ("0", False)]
)
def test_only_the_time_of_writing_confirms_that_it_is_written(timestamp: str, *, is_confirmed: bool):
    finding = next(finding for finding in KNOWN["segmentio-kafka-go"].findings if finding.id == "wrapper-timestamp")
    inner = "wire.entry(0, wire.message(1, b'v', key=b'k'))"
    written = f"wire.wrapper(1, 0, {inner}, timestamp={timestamp})"
    code = f"import time; from tests.kafka_format import wire; print({written}.hex())"
    program = confirmation.Program((sys.executable, "-c", code), folder=ROOT)
    lines = confirmation.sent_lines(program, VECTORS[finding.smallest])
    assert Confirmation(finding, tuple(lines)).is_confirmed is is_confirmed


def test_signal_that_ends_a_script_is_a_line_of_what_it_gives():
    death = "import os, signal; print('offset=0', flush=True); os.kill(os.getpid(), signal.SIGSEGV)"
    lines = ("offset=0", "error: the program was killed by SIGSEGV (Segmentation fault)")
    program = confirmation.Program((sys.executable, "-c", death))
    assert confirmation.lines(program, VECTORS["run/empty"]) == lines
    assert confirmation.sent_lines(program, VECTORS["v1/timestamp/zero"]) == lines


@pytest.mark.parametrize("run", [confirmation.lines, confirmation.sent_lines])
def test_script_that_fails_by_itself_confirms_nothing(run: Callable[[confirmation.Program, Vector], object]):
    with pytest.raises(UsageError, match=r"exited with status 3\.\nbecause$"):
        run(confirmation.Program((sys.executable, "-c", FAILURE)), VECTORS["v1/timestamp/zero"])


def test_what_a_script_prints_counts_as_sent_where_nothing_was():
    vector = VECTORS["v1/timestamp/zero"]
    program = confirmation.Program((sys.executable, "-c", f"print({vector.data.hex()!r})"))
    assert confirmation.sent_lines(program, vector) == ("offset=0 timestamp=0 type=create_time key=null value=76",)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "kind: reachable",
            "kind: bad",
            "aiokafka/findings/decoder.yaml is wrong at $.findings[0].kind: 'bad' is not one of",
        ),
        (", gives: [a]", "", "aiokafka/findings/decoder.yaml is wrong at $.findings[0]"),
        ("gives: [a]", "gives: []", "aiokafka/findings/decoder.yaml is wrong at $.findings[0].gives: []"),
        ("kafka: Does not., ", "", "'kafka' is a required property"),
        (
            "outcome: wrong-answer",
            "outcome: [crashed, wrong-answer]",
            "aiokafka/findings/decoder.yaml is wrong at $.findings[0].outcome",
        ),
        (
            "outcome: wrong-answer",
            "outcome: [hung]",
            "aiokafka/findings/decoder.yaml is wrong at $.findings[0].outcome",
        ),
        ("target: aiokafka", "target: other", "decoder.yaml: $.target: 'other' is none of its targets"),
        ("target: aiokafka", "target: consumer-aiokafka", "'consumer-aiokafka' is none of its targets"),
        ("target: aiokafka", "target: [", "aiokafka/findings/decoder.yaml: cannot be read"),
    ],
)
def test_wrong_file_is_said_in_words(tmp_path: Path, old: str, new: str, words: str):
    file = write(tmp_path, TEXT.replace(old, new))
    with pytest.raises(UsageError) as caught:
        catalogue.load(file)
    assert words in str(caught.value)


def test_a_file_is_named_after_a_part(tmp_path: Path):
    with pytest.raises(UsageError, match=r"aiokafka/findings/encoder.yaml: its name begins with no part"):
        catalogue.load(write(tmp_path, TEXT, "encoder.yaml"))


def test_a_variant_has_a_file_of_its_own(tmp_path: Path):
    about = catalogue.load(
        write(tmp_path, TEXT.replace("target: aiokafka", "target: aiokafka-pure"), "decoder-pure.yaml")
    )
    assert (about.target, about.part) == ("aiokafka-pure", Part.DECODER)
    assert about.script == tmp_path / "aiokafka" / "confirm" / "main"


def test_no_file_of_findings_is_left_out():
    files = sum(1 for _ in TARGETS.glob("*/findings/*"))
    assert files == len(catalogue.load_all()) == sum(len(catalogue.about(part)) for part in Part)


@pytest.mark.parametrize("about", catalogue.load_all(), ids=lambda about: f"{about.target}-{about.part}")
def test_what_is_confirmed_has_a_program(about: Findings):
    """Findings of decoders may have another one, too, which writes."""
    if any(finding.gives is not None and finding.direction is Direction.DECODE for finding in about.findings):
        assert len(list(about.script.parent.glob(f"{about.script.name}.*"))) == 1


def test_outcomes_between_which_the_machine_decides(tmp_path: Path):
    file = write(tmp_path, TEXT.replace("outcome: wrong-answer", "outcome: [crashed, hung]"))
    [finding] = catalogue.load(file).findings
    assert finding.outcomes == (Outcome.CRASHED, Outcome.HUNG)


def test_page_refuses_a_vector_that_does_not_exist():
    with pytest.raises(UsageError, match=r"there is no vector"):
        findings_page.values([{"id": "run/empty"}])


@pytest.mark.parametrize(
    ("gives", "printed", "is_confirmed"),
    [
        (["offset=0 value=61"], ["offset=0 value=61"], True),
        (["error: Something [sic]"], ["error: Something [sic]"], True),
        (["offset=0 value=6*"], ["offset=0 value=61"], False),
        (["timestamp=now"], ["timestamp=1000"], False),
        (["offset=0"], ["offset=0", "offset=1"], False),
        (["offset=0", "offset=1"], ["offset=0"], False),
        (["offset=0"], [], False),
        (["a.c"], ["abc"], False),
    ],
)
def test_comparing_what_a_script_printed(tmp_path: Path, gives: list[str], printed: list[str], *, is_confirmed: bool):
    file = write(tmp_path, TEXT.replace("gives: [a]", f"gives: {gives!r}"))
    assert Confirmation(catalogue.load(file).findings[0], tuple(printed)).is_confirmed is is_confirmed


def test_listing():
    done = CliRunner().invoke(command, ["aiokafka"], standalone_mode=False)
    assert done.return_value == 0
    assert "mixed-formats (reachable, confirmed): cannot read a fetch" in done.output
    assert "run/v0-then-v2" in done.output


@pytest.mark.parametrize("target", ["krabka-log", "rivine", "log-kafka-python"])
def test_listing_of_a_log_reader(target: str):
    done = CliRunner().invoke(command, [target], standalone_mode=False)
    assert done.return_value == 0
    lines = done.output.splitlines()
    assert len(lines) == 1 + len(catalogue.about(Part.LOG_READER)[target].findings)
    assert lines[0].startswith(f"{target} ")


def test_what_no_program_can_confirm_is_said():
    done = CliRunner().invoke(command, ["--confirm", "rivine"], standalone_mode=False)
    assert done.return_value == 0
    assert "rivine: no program confirms these findings" in done.output


def test_unknown_target_is_said_in_words():
    done = CliRunner().invoke(command, ["nobody"], standalone_mode=False)
    assert isinstance(done.exception, UsageError)
    assert "there are no findings about 'nobody'" in str(done.exception)
