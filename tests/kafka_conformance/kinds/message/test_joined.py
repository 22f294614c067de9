"""What is one fault in several places, or hides behind another, is one cause."""

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.joined import joined
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import protocol

VECTORS = {vector.id: vector for vector in message_vectors(list(in_versions(protocol.load(families=["produce"]))))}
UNREAD = "values/array-empty/`node_endpoints`-of-the-response-of-produce"
IN_IT = "produce-response/13/node-endpoints-0/host/length/null"
BESIDE = "produce-response/13/unknown-tagged-fields-0/size/one-more"
ELSEWHERE = "produce-response/13/throttle-time-ms/cut"


def ids(*causes):
    made = [
        cause_of_group(
            FindingGroup(name, "does"), [Result(each, "t", Outcome.ACCEPTED_INVALID) for each in found], VECTORS, ()
        )
        for name, found in causes
    ]
    return {cause.id: len(cause.findings) for cause in joined(Diagnosis(tuple(made)), VECTORS).causes}


@pytest.mark.parametrize("place", [IN_IT, BESIDE])
@pytest.mark.parametrize("first", [UNREAD, "layout/produce_response/node_endpoints/left-out"])
def test_who_does_not_read_a_field_cannot_see_what_is_wrong_in_it(first, place):
    found = ids((first, ["produce-response/13/typical"]), ("message/accepted/null", [place]))
    assert list(found.values()) == [2]


@pytest.mark.parametrize(
    ("first", "places"),
    [
        (UNREAD, [ELSEWHERE]),
        (UNREAD, [IN_IT, ELSEWHERE]),
        (UNREAD.replace("produce", "fetch"), [IN_IT]),
        (UNREAD.replace("node_endpoints", "node"), [IN_IT]),
        ("layout/produce_request/node_endpoints/left-out", [IN_IT]),
    ],
)
def test_what_is_wrong_elsewhere_is_a_cause_of_its_own(first, places):
    found = ids((first, ["produce-response/13/typical"]), ("message/accepted/null", places))
    assert found["message/accepted/null"] == len(places)
    assert len(found) == 2


HEADER = "message/request-header-without-tags"
MANY = [name for name in VECTORS if name not in {IN_IT, BESIDE}]


def test_a_header_that_is_read_wrong_hides_a_few_faults_by_chance():
    assert ids((HEADER, MANY), ("message/accepted/null", [IN_IT])) == {HEADER: len(MANY) + 1}


@pytest.mark.parametrize("name", ["message/accepted/null", "layout/produce_response/node_endpoints/left-out"])
def test_more_than_a_few_are_a_cause_of_their_own(name):
    places = MANY[::10] if name.startswith("message") else [IN_IT]
    assert ids((HEADER, MANY), (name, places))[name] == len(places)
