"""Vectors put to a fake broker, sound or wrong, and what comes of it."""

import json
import signal
import threading

import pytest
from click.testing import CliRunner
from kafka_conformance.child.launch import Limits
from kafka_conformance.cli import group
from kafka_conformance.kinds.broker import own_topics
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import folder, json_report
from kafka_conformance.run import runner
from kafka_conformance.run.target import Standing
from kafka_conformance.run.target_run import RunEvents
from kafka_conformance.targets import broker_address as address
from kafka_conformance.targets import resolve
from kafka_conformance.targets.broker_launch import RunningBroker
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import golden
from kafka_format import protocol
from kafka_tools.errors import UsageError

from tests.kafka_conformance.kinds.broker.fake_broker import BEFORE_CREATE_TOPICS, KAFKA_3, KAFKA_4, FakeBroker, running

PATIENT = Limits(seconds=60, start_seconds=60)
SOME = (
    "v2/record/*",
    "v2/key/*",
    "v1/key/*",
    "v1/wrapper/*",
    "v0/key/*",
    "v2/crc/*",
    "v2/producer/*",
    "v2/zstd/*",
)


def run(broker: FakeBroker, *patterns: str, limits: Limits = PATIENT, **options):
    candidate = Candidate("it", None, kind=TargetKind.BROKER, place=RunningBroker(broker.address, run="abc"))
    vectors = golden.load(patterns=patterns)
    assert vectors
    return runner.run([candidate], vectors, runner.RunOptions(limits=limits, **options))


def outcomes(found):
    return {result.vector: result.outcome for result in found.results}


def by_id(found, identity):
    return next(result for result in found.results if result.vector == identity)


@pytest.mark.parametrize("versions", [KAFKA_4, KAFKA_3], ids=["4.x", "3.x"])
def test_a_broker_that_does_as_kafka_does_has_no_findings(versions):
    with running(versions) as broker:
        whole_run = run(broker, *SOME)
    # It refuses what Kafka refuses; of errors it knows but one (test_known_errors.py).
    assert not [finding for finding in whole_run.findings if finding.path != "error_code"]
    assert whole_run.targets[0].standing is Standing.RAN
    asked = {result.vector for result in whole_run.results if result.outcome.was_asked}
    assert {"v2/key/null", "v2/crc/flipped-bit-in-value"} <= asked
    assert ("v1/key/null" in asked) == (versions is KAFKA_3)


def test_a_broker_without_create_topics_makes_them_when_it_is_asked_about_them():
    with running(BEFORE_CREATE_TOPICS) as broker:
        whole_run = run(broker, "v1/key/*", "v0/key/*", "v2/key/*")
    came = outcomes(whole_run)
    assert came["v2/key/null"] is Outcome.UNSUPPORTED
    assert came["v1/key/null"] is not Outcome.UNSUPPORTED
    assert "the broker has no DeleteTopics" in whole_run.targets[0].notes[0]


def test_only_topics_of_the_run_are_made_and_deleted():
    with running() as broker:
        run(broker, *SOME)
    assert broker.made == broker.deleted
    assert all(name.startswith("kafka-conformance-abc-") for name in broker.made)
    assert list(broker.topics) == ["orders"]


def test_topics_are_deleted_after_an_interrupt():
    def interrupt(_result):
        raise KeyboardInterrupt

    with running() as broker:
        candidate = Candidate("it", None, kind=TargetKind.BROKER, place=RunningBroker(broker.address, run="abc"))
        whole_run = runner.run(
            [candidate], golden.load(patterns=SOME), runner.RunOptions(limits=PATIENT), RunEvents(on_result=interrupt)
        )
    assert whole_run.footer.interrupted
    assert broker.made
    assert broker.made == broker.deleted


def test_topics_that_cannot_be_deleted_are_named():
    with running() as broker:
        broker.refuses_deletion = True
        whole_run = run(broker, "v2/key/*")
    (note,) = whole_run.targets[0].notes
    assert "kafka-conformance-abc-1" in note
    assert "TOPIC_AUTHORIZATION_FAILED" in note


def test_a_topic_of_somebody_else_with_the_same_name_is_left_alone():
    def taken(api, version, body, answer):
        if api != "create_topics":
            return answer
        make = protocol.response(api, version)
        row = make.types["creatable_topic_result"](name=body.topics[0].name, error_code=36)
        return answer[:5] + make.encode(make.type(topics=[row]))

    with running(meddle=taken) as broker:
        whole_run = run(broker, "v2/key/*")
    assert whole_run.targets[0].standing is Standing.GIVEN_UP
    assert "TOPIC_ALREADY_EXISTS" in whole_run.targets[0].problem
    assert not broker.deleted


def test_a_broker_that_is_none_of_the_nodes_that_it_names_is_asked_nothing_more():
    with running(node_port=1) as broker:
        whole_run = run(broker, "v2/key/*")
    assert "name one of 127.0.0.1:1" in whole_run.targets[0].problem
    assert not broker.made


def test_a_broker_that_is_not_there_did_not_come_up():
    place = RunningBroker(address.Address("127.0.0.1", 1), run="abc")
    whole_run = runner.run(
        [Candidate("it", None, kind=TargetKind.BROKER, place=place)], golden.load(patterns=["v2/key/*"])
    )
    assert whole_run.targets[0].standing is Standing.DID_NOT_COME_UP
    assert "127.0.0.1:1" in whole_run.targets[0].problem


def meddling(wrong, *, api="produce", value=b"v2/key"):
    """Return what goes wrong with one request: the one whose records have a certain CRC."""

    def meddle(name, _version, body, answer):
        if name != api:
            return answer
        sent = body.topic_data[0].partition_data[0].records if name == "produce" else b""
        return wrong(answer) if bytes(sent or b"")[17:21] == value else answer

    return meddle


NULL_KEY = golden.load(patterns=["v2/key/null"])[0].data[17:21]


WRONG = {
    "hangs up": (lambda _: None, Outcome.BROKEN_PROTOCOL, "hung up on Produce 3"),
    "another correlation id": (lambda answer: b"\0\0\0\x63" + answer[4:], Outcome.BROKEN_PROTOCOL, "correlation id 99"),
    "cut": (lambda answer: answer[:-3], Outcome.BROKEN_PROTOCOL, "breaks a rule"),
    "longer": (lambda answer: answer + b"\0", Outcome.BROKEN_PROTOCOL, "breaks a rule"),
    "nothing": (lambda _: b"", Outcome.BROKEN_PROTOCOL, "a frame of 0 bytes"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_a_broker_goes_wrong_on_is_found_and_the_run_goes_on(wrong):
    meddle, outcome, words = WRONG[wrong]
    versions = {**KAFKA_4, "produce": (3, 4)}
    with running(versions, meddle=meddling(meddle, value=NULL_KEY)) as broker:
        whole_run = run(broker, "v2/key/*")
    result = by_id(whole_run, "v2/key/null")
    assert result.outcome is outcome
    assert words in result.detail
    others = [came for vector, came in outcomes(whole_run).items() if vector != "v2/key/null"]
    assert others
    assert not any(came.is_finding for came in others)
    assert broker.made == broker.deleted


def test_a_broker_that_hangs_is_found():
    """It is sound at first, so that neither side has anything to load when time is short."""
    versions, is_over = {**KAFKA_4, "produce": (3, 3)}, threading.Event()
    with running(versions) as broker:
        run(broker, "v2/key/null")

    def hangs(_answer):
        is_over.wait()

    with running(versions, meddle=meddling(hangs, value=NULL_KEY)) as broker:
        whole_run = run(broker, "v2/key/null", limits=Limits(seconds=2, start_seconds=60))
        is_over.set()
    result = by_id(whole_run, "v2/key/null")
    assert result.outcome is Outcome.HUNG
    assert "gave no response to Produce 3 in 2 s" in result.detail


def test_a_broker_that_changes_a_field_gives_a_wrong_answer():
    def other_epoch(name, _version, _body, answer):
        return answer.replace(NULL_KEY, NULL_KEY[::-1]) if name == "fetch" else answer

    with running(meddle=other_epoch) as broker:
        whole_run = run(broker, "v2/key/null")
    result = by_id(whole_run, "v2/key/null")
    assert (result.outcome, result.path) == (Outcome.WRONG_ANSWER, "crc")


def test_a_broker_that_refuses_what_is_sound_is_told_with_the_name_of_its_error():
    with running() as broker:
        append = broker._append
        broker._append = lambda version, log, data: (2, -1) if data[17:21] == NULL_KEY else append(version, log, data)
        whole_run = run(broker, "v2/key/null")
    assert whole_run.targets[0].standing is Standing.RAN
    assert "CORRUPT_MESSAGE" in by_id(whole_run, "v2/key/null").detail


def test_a_batch_that_comes_again_must_not_be_appended_again():
    with running() as broker:
        append = broker._append

        def forgetful(version, log, data):
            log.producers.clear()
            return append(version, log, data)

        broker._append = forgetful
        whole_run = run(broker, "v2/producer/*")
    wrong = [result for result in whole_run.results if result.path == "base_offset"]
    assert wrong
    assert "once more" in wrong[0].detail


@pytest.mark.parametrize("text", ["broker:", "broker:9092", "broker:host:", "broker:host:0", "broker:host:65536"])
def test_what_names_no_broker_is_wrong_usage(text):
    with pytest.raises(UsageError, match="is not broker:HOST:PORT"):
        resolve.candidates([text])


def test_a_broker_of_ip_6_is_named_in_brackets():
    assert address.parse("broker:[::1]:9092") == ("::1", 9092)


def test_the_command_says_before_what_it_makes():
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with running() as broker:
        done = CliRunner().invoke(group, ["run", f"broker:{broker.address}", "--vectors", "v2/key/*"])
    assert done.exit_code == 0, done.output
    assert own_topics.PREFIX in done.output
    assert done.output.index("makes topics and groups named") < done.output.index("passed")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_a_version_whose_responses_are_broken_is_put_with_one_vector():
    def longer(name, version, _body, answer):
        return answer + b"\0" if (name, version) == ("produce", 5) else answer

    with running(meddle=longer) as broker:
        whole_run = run(broker, "v2/key/*")
    wrong = [result for result in whole_run.results if result.is_finding]
    assert [result.outcome for result in wrong] == [Outcome.BROKEN_PROTOCOL]
    assert any("only one vector was put in Produce 5" in note for note in whole_run.targets[0].notes)


def test_what_is_wrong_with_metadata_is_noted_and_overlooked():
    with running(meddle=lambda name, _version, _body, answer: answer + b"\0" * (name == "metadata")) as broker:
        whole_run = run(broker, "v2/key/*")
    assert not whole_run.findings
    (note,) = whole_run.targets[0].notes
    assert note.startswith("it answered Metadata 13 with a response that breaks a rule")


def test_findings_are_grouped_by_what_the_broker_does():
    with running() as broker:
        append = broker._append
        broker._append = lambda version, log, data: (2, -1) if data[17:21] == NULL_KEY else append(version, log, data)
        whole_run = run(broker, "v2/key/*")
    assert {cause.id for cause in whole_run.diagnoses["it"].causes} == {"refuses/CORRUPT_MESSAGE"}


def test_a_report_tells_what_a_broker_did_with_every_vector(tmp_path):
    with running() as broker:
        whole_run = run(broker, "v2/key/*", "v2/crc/*")
    folder.write(whole_run, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "appends.jsonl").read_text().splitlines()]
    assert [line["vector"] for line in lines] == [result.vector for result in whole_run.results]
    details = {line["vector"]: line["detail"] for line in lines}
    assert details["v2/key/null"] == "Produce 3 to 13: appended, partition_leader_epoch changed"
    assert "refused with INVALID_RECORD" in details["v2/crc/flipped-bit-in-value"]
    errors = {line["vector"]: line["errors"] for line in lines}
    assert errors["v2/key/null"] == []
    assert "INVALID_RECORD" in errors["v2/crc/flipped-bit-in-value"]
    assert json_report.load(tmp_path / "report.json")


def test_a_broker_that_hangs_up_on_every_vector_and_lives_is_asked_all():
    def hang_up(api, _version, body, answer):
        if api != "produce":
            return answer
        sent = bytes(body.topic_data[0].partition_data[0].records or b"")
        return answer if b"key" in sent and b"value" in sent else None

    with running({**KAFKA_4, "produce": (9, 9)}, meddle=hang_up) as broker:
        whole_run = run(broker, "v2/gzip/*", "v2/lz4/*", "v2/snappy/*")
    assert whole_run.targets[0].standing is Standing.RAN
    assert whole_run.counts("it")[Outcome.BROKEN_PROTOCOL] > 40
