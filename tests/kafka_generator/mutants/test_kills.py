"""A mutant is killed by what its wrong reference gives, never because it does not run."""

import pytest
from kafka_format import protocol, records, structure
from kafka_format.codec.compiler import Structure
from kafka_format.protocol import schemas
from kafka_format.records import control, decoding
from kafka_generator.mutants.kills import first_kill, kills, right
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.protocol.versions import Interpreted
from kafka_generator.mutants.questions import Question
from kafka_tools.errors import UsageError

BATCH = structure("record_batch").encode({"base_offset": 7, "records": [{"value": b"a"}]})


def question(name):
    return Question(name, len(BATCH), lambda _: records.decode(BATCH), lambda got: got != records.decode(BATCH))


def mutant(change):
    return Mutant("toy/mutant", "Does something wrong.", "decode", "toy", ("mutation",), change)


def raising(error):
    def wrong(*_args, **_kwargs):
        raise error

    return mutant(lambda patch: patch.replace(decoding._record, wrong))


@pytest.mark.parametrize(
    "wrong", [mutant(lambda patch: patch.result(decoding._records, lambda found: [])), raising(ZeroDivisionError)]
)
def test_a_wrong_answer_and_an_exception_kill(wrong):
    assert kills(wrong, [question("toy"), question("other")]) == ["toy", "other"]
    assert first_kill(wrong, [question("toy"), question("other")]) == "toy"


def test_what_does_not_get_to_the_change_is_not_asked():
    asked = []
    here = Question("toy", 0, lambda _: asked.append(records.decode(BATCH)), lambda got: got is not None)
    assert kills(mutant(lambda patch: patch.result(control.read, lambda told: told)), [here]) == []
    assert len(asked) == 1  # to see how far the right reference gets
    assert kills(mutant(lambda patch: patch.result(decoding._record, lambda record: record)), [here]) == []
    assert len(asked) == 2


def test_a_first_kill_may_be_far_behind():
    wrong = mutant(lambda patch: patch.result(decoding._records, lambda found: []))
    idle = Question("idle", 0, lambda _: None, lambda got: got is not None)
    assert first_kill(wrong, [idle] * 100 + [question("toy")]) == "toy"
    assert first_kill(wrong, [idle] * 100) == ""


def test_a_mutant_that_does_not_run_kills_nothing():
    for ask in (kills, first_kill):
        with pytest.raises(UsageError, match="toy/mutant does not run: NameError"):
            ask(raising(NameError("no_such_name")), [question("toy")])


def test_nothing_that_only_mutants_need_outlives_them() -> None:
    with right():
        interpreted = type(schemas.response("heartbeat", 4))
        protocol.decode_response(bytes.fromhex("00000001 00 00000000 0000 00"), "heartbeat", 4)
    assert interpreted is Interpreted
    assert type(schemas.response("heartbeat", 4)) is Structure
    assert protocol.decode_response(bytes.fromhex("00000001 00 00000000 0000 00"), "heartbeat", 4).header
