import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part
from kafka_generator.card.harms import harm_of


@pytest.mark.parametrize(
    ("outcomes", "direction", "harm"),
    [
        ([Outcome.REFUSED_VALID, Outcome.WRONG_ANSWER], Direction.DECODE, "wrong"),
        ([Outcome.WRONG_ANSWER], Direction.ENCODE, "written"),
        ([Outcome.REFUSED_VALID, Outcome.CRASHED], Direction.DECODE, "ends"),
        ([Outcome.HUNG], Direction.DECODE, "stops"),
        ([Outcome.PARTIAL_ANSWER], Direction.DECODE, "fails"),
        ([Outcome.ACCEPTED_INVALID], Direction.DECODE, "overlooked"),
        ([], Direction.DECODE, "unknown"),
        ([Outcome.PASSED], Direction.DECODE, "unknown"),
    ],
)
def test_the_worst_outcome_tells_the_harm(outcomes, direction, harm):
    assert harm_of(outcomes, direction, Part.DECODER) == harm


@pytest.mark.parametrize("part", [Part.CONSUMER, Part.PRODUCER])
def test_wrong_requests_in_a_conversation_are_no_lost_records(part):
    direction = Direction.ENCODE if part is Part.PRODUCER else Direction.DECODE
    assert harm_of([Outcome.WRONG_ANSWER], direction, part, in_requests=True) == "strays"
    assert harm_of([Outcome.WRONG_ANSWER], direction, part) in {"wrong", "written"}
    assert harm_of([Outcome.HUNG, Outcome.WRONG_ANSWER], direction, part, in_requests=True) == "stops"


def test_what_goes_wrong_in_requests_and_responses_is_no_lost_record():
    assert harm_of([Outcome.WRONG_ANSWER], Direction.DECODE, Part.MESSAGES) == "misread"
    assert harm_of([Outcome.WRONG_ANSWER], Direction.ENCODE, Part.MESSAGES) == "misread"
