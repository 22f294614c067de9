"""How a release's word about a damaged message is compared with the reference's."""

import pytest
from kafka_conformance.protocol.messages import Reply, Status
from kafka_format.spec.releases import release

from tests.fuzz.message_differential import Asked, difference, inputs

HEARTBEAT = Asked("response", 12, 4, bytes.fromhex("00000007 00 00000000 0000 00"))
CUT = HEARTBEAT._replace(data=HEARTBEAT.data[:-1])
NEGATIVE_TAGS = HEARTBEAT._replace(data=HEARTBEAT.data[:-1] + bytes.fromhex("ffffffff0f"))


# BrokerHeartbeat 1 with tag 1, which version 2 has, and 3.9 has in no version.
LATER_TAG = Asked("request", 63, 1, bytes.fromhex("003f0001 00000007 ffff 00" + "00" * 22 + "01 01 01 00"))


@pytest.mark.parametrize(
    ("name", "asked", "reply", "told"),
    [
        ("4.4", HEARTBEAT, Reply(Status.ANSWER, HEARTBEAT.data), ""),
        ("4.4", HEARTBEAT, Reply(Status.ANSWER, b"other"), "written otherwise"),
        ("4.4", HEARTBEAT, Reply(Status.REFUSED, b"at 12"), "Kafka refuses, the reference does not: at N"),
        ("4.4", HEARTBEAT, Reply(Status.REFUSED, b"Invalid raw tag field list"), ""),
        ("4.4", CUT, Reply(Status.REFUSED, b"no"), ""),
        ("4.4", CUT, Reply(Status.ANSWER, b""), "Kafka accepts, the reference does not: field.truncated at body"),
        (
            "4.4",
            NEGATIVE_TAGS,
            Reply(Status.ANSWER, b""),
            "Kafka accepts, the reference does not: protocol.tags.count at body",
        ),
        ("3.9", NEGATIVE_TAGS, Reply(Status.ANSWER, HEARTBEAT.data), ""),
        ("3.9", NEGATIVE_TAGS, Reply(Status.REFUSED, b"no"), "Kafka refuses, the reference does not: no"),
        ("3.9", LATER_TAG, Reply(Status.ANSWER, LATER_TAG.data), ""),
        (
            "4.4",
            LATER_TAG,
            Reply(Status.ANSWER, LATER_TAG.data),
            "Kafka accepts, the reference does not: protocol.tag.version at body",
        ),
        ("3.9", HEARTBEAT, Reply(Status.UNSUPPORTED, b""), ""),
    ],
)
def test_what_differs(name: str, asked: Asked, reply: Reply, told: str) -> None:
    assert difference(release(name), asked, reply) == told


def test_the_same_seed_makes_the_same_inputs() -> None:
    first, again = inputs(3), inputs(3)
    assert [next(first) for _ in range(20)] == [next(again) for _ in range(20)]
