from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.result_text import label, rerun, sentence


def result(**fields: object) -> Result:
    return Result(**{"vector": "v2/a/b", "target": "t", "outcome": Outcome.CRASHED, **fields})


def test_sentence_of_a_wrong_answer_names_the_field() -> None:
    wrong = result(outcome=Outcome.WRONG_ANSWER, path="records[0].key", expected="null", got="empty", detail="long")
    assert sentence(wrong) == "gave a wrong answer: records[0].key: expected null, got empty"


def test_sentence_of_a_crash_tells_how() -> None:
    assert sentence(result(detail="was killed by SIGSEGV")) == "crashed: was killed by SIGSEGV"
    assert sentence(result()) == "crashed"


def test_rerun_survives_a_shell() -> None:
    asked = result(target="cmd:./decode 'x'; rm", vector="v2/a b")
    assert rerun(asked) == """kafka-conformance run 'cmd:./decode '"'"'x'"'"'; rm' --vectors 'v2/a b'"""


def test_label_names_the_direction_unless_it_is_decoding() -> None:
    assert label(result()) == "v2/a/b"
    assert label(result(direction=Direction.ENCODE)) == "v2/a/b (encode)"
