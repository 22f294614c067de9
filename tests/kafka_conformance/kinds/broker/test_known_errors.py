"""The errors that releases of Kafka answered, and what is made of other ones."""

from dataclasses import replace

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis, merge
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker import known_errors as known_errors_module
from kafka_conformance.kinds.broker.causes import diagnose_appends
from kafka_conformance.kinds.broker.judge import judge_appends
from kafka_conformance.kinds.broker.known_errors import known_errors
from kafka_conformance.kinds.broker.questions import question
from kafka_conformance.kinds.broker.replies import Append, AppendReaction
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import APPEND, CODECS, FIELDS, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.reports.causes import harm
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Reach

CRC = "v2/crc/flipped-bit-in-crc"


def hello(name="it", version="1"):
    return Hello(name, version, "Java", ("v2",), CODECS, FIELDS, checks_crc=True, requests=(APPEND,), url="")


def judged(error, **named):
    (vector,) = golden.load(patterns=[CRC])
    word = AppendReaction(0, Reply(Status.REFUSED, b""), 0.0, appends=(Append(9, error=error),))
    return vector, judge_appends(question(vector), hello(**named), "it", word)


def test_what_logvalidator_answers_to_a_wrong_checksum():
    assert known_errors(CRC) == {"CORRUPT_MESSAGE"}
    assert known_errors(CRC, "broker-kafka", "4.4.0") == {"CORRUPT_MESSAGE"}
    assert not known_errors("v2/record/one")


def test_a_release_answers_its_own_errors_and_others_those_of_newer_ones(monkeypatch):
    told = {"a": {"NEW": ("4.4.0", "2.8.2"), "OLD": ("1.1.1",)}, "b": {"OLD": ("0.11.0.3", "1.1.1")}}
    monkeypatch.setattr(known_errors_module, "_errors", lambda: told)
    assert known_errors("a") == {"NEW"}
    assert known_errors("b") == {"OLD"}
    assert known_errors("a", "broker-kafka-legacy", "1.1.1") == {"OLD"}
    assert known_errors("a", "broker-kfake", "1.1.1") == {"NEW"}


@pytest.mark.parametrize(("error", "outcome"), [(2, Outcome.PASSED), (87, Outcome.WRONG_ANSWER)])
def test_a_refusal_is_held_against_them(error, outcome):
    assert judged(error)[1].outcome is outcome


def test_another_error_is_a_cause_of_its_own():
    vector, result = judged(-1)
    (cause,) = diagnose_appends([result], {vector.id: vector}).causes
    assert cause.does == "refuses with UNKNOWN_SERVER_ERROR, where Kafka answers CORRUPT_MESSAGE"


def test_another_error_is_told_as_no_loss_of_records():
    vector, result = judged(87)
    (cause,) = diagnose_appends([result], {vector.id: vector}).causes
    assert harm(cause) == "refused, with an error that is not Kafka's"


def test_what_a_broker_stores_comes_before_its_error_codes():
    vector, code = judged(-1)
    other = next(each for each in golden.load(patterns=["v2/crc/*"]) if each.id != CRC)
    stored = Result(other.id, "it", Outcome.WRONG_ANSWER, path="entries[0].attributes", expected="0", got="1")
    often = replace(vector, reach=Reach.BROKER)
    found = diagnose_appends([code, stored], {vector.id: often, other.id: replace(other, reach=Reach.CRAFTED)})
    assert [cause.id for cause in found.causes] == ["keeps/attributes", "answers/UNKNOWN_SERVER_ERROR/CORRUPT_MESSAGE"]
    assert merge([found, Diagnosis()]).causes == found.causes


def test_a_broker_that_hangs_up_breaks_no_protocol_of_adapters():
    vector, result = judged(87)
    lost = replace(result, outcome=Outcome.BROKEN_PROTOCOL, path="")
    (cause,) = diagnose_appends([lost], {vector.id: vector}).causes
    assert cause.does == "hangs up or breaks the protocol where Kafka answers"
    assert harm(cause) == "no answer that can be trusted"
