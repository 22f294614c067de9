"""What is made of the records that came of a topic, and of where the client went on."""

import pytest
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.kinds.consumer.served_topic import ServedTopic
from kafka_conformance.protocol.messages import Status
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import records
from kafka_format.records import Record
from kafka_tools.server.topics import Fetch

DUE = [Record(offset=offset, timestamp=1, timestamp_type=0, value=b"v") for offset in (5, 6, 10)]


def reply(came, *next_offsets):
    common = {"format": "v2", "family": "x", "formats": ("v2",), "codecs": ("none",), "rules": ()}
    data = records.encode(DUE)
    vector = Vector(id="v", title="v", verdict=Verdict.VALID, data=data, answer=(), **common)
    view = views.view(vector)
    served = ServedTopic(0, view, view.topic("t"))
    served.got.records = list(came)
    for fetch in (Fetch(5, 12, len(data)), *(Fetch(offset, 12, 0) for offset in next_offsets)):
        served.topic.note(fetch)
    return served.reaction(0.0).reply


@pytest.mark.parametrize("next_offset", [7, 10])
def test_to_ask_again_for_records_that_did_not_come_is_to_refuse_them(next_offset):
    refusal = reply(DUE[:2], next_offset)
    assert refusal.status is Status.PARTIAL
    assert f"asks for {next_offset}, from where records did not come".encode() in refusal.content


@pytest.mark.parametrize(
    ("came", "next_offset"),
    [
        (DUE, 11),
        (DUE, 7),  # all came, and some will come again
        (DUE[:2], 11),  # the last one is lost
        (DUE[1:], 5),  # the first one is lost, or comes after those behind it
    ],
)
def test_other_records_than_are_due_are_an_answer(came, next_offset):
    assert reply(came, next_offset).status is Status.ANSWER
