"""A mutant of the protocol is killed by what it reads or writes wrong, and by nothing else."""

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.codec.interpreter import Reader, writer
from kafka_generator.mutants.kills import right
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.protocol import questions as asking
from kafka_generator.mutants.protocol.questions import REFUSED, Questions
from kafka_generator.mutants.questions import REFUSED as NOTHING
from kafka_tools.errors import UsageError

VECTORS = protocol.load(families=("vote", "frames"))


@pytest.fixture(scope="module")
def questions():
    found = Questions(VECTORS)
    found.learn(VECTORS)
    return found


def mutant(change, direction="decode-protocol"):
    return Mutant("toy/mutant", "Does something wrong.", direction, "toy", ("mutation",), change)


def raising(error):
    def wrong(*_args, **_kwargs):
        raise error

    return wrong


def test_the_right_reference_survives(questions):
    with right():
        assert [vector.id for vector in VECTORS if questions.is_read_wrong(vector, asking.decode(vector))] == []
        written = [(vector.id, questions.encode(vector) == vector.data) for vector in VECTORS if vector.canonical]
    assert [name for name, is_same in written if not is_same] == []


def test_what_is_expected_is_what_the_vector_says_of_refusals(questions):
    for vector in VECTORS:
        assert questions.is_read_wrong(vector, REFUSED) == (vector.verdict.value == "valid"), vector.id
        assert questions.is_read_wrong(vector, "another value"), vector.id


def test_a_refusal_of_what_is_valid_kills_a_decoder_and_so_does_an_answer_to_what_is_not(questions):
    smallest = min(
        (vector for vector in VECTORS if vector.verdict.value == "valid"),
        key=lambda sample: (len(sample.data), sample.id),
    )
    refusing = mutant(lambda patch: patch.replace(Reader._structure, raising(ZeroDivisionError)))
    assert questions.first_kill(refusing) == smallest.id
    taking_all = mutant(lambda patch: patch.replace(Reader._structure, lambda self, *at: ({}, len(self.data))))
    assert questions.by_id[questions.first_kill(taking_all)].verdict.value == "invalid"


def test_other_bytes_kill_an_encoder_and_a_decoder_does_not_see_them(questions):
    def change(patch):
        patch.wrap(writer._scalar, lambda right, *at: right(*at)[::-1])

    assert questions.by_id[questions.first_kill(mutant(change, "encode-protocol"))].canonical
    assert questions.first_kill(mutant(change)) == ""


def test_a_mutant_that_does_not_run_kills_nothing(questions):
    change = mutant(lambda patch: patch.replace(Reader._structure, raising(NameError("no_such_name"))))
    with pytest.raises(UsageError, match="toy/mutant does not run: NameError"):
        questions.first_kill(change)


def test_a_refusal_is_the_same_in_all_directions():
    assert REFUSED is NOTHING
