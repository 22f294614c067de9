"""What a client asks is held against what its application has set."""

import pytest
from kafka_conformance.kinds.conversation import questions
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, RequestsSeen
from kafka_conformance.kinds.conversation.settings_asked import unasked_settings
from kafka_conformance.vectors import conversations, loader

LATEST, EARLIEST = -1, -2  # ListOffsetsRequest.LATEST_TIMESTAMP, EARLIEST_TIMESTAMP
COMMITTED, PLAIN = "transactions/latest-is-the-stable-offset", "limits/nothing-yet"
LIMITED = "limits/batch-larger-than-max-bytes"


def wrong(name, *asked):
    (vector,) = loader.of_family(conversations.FAMILY, [f"conversation/{name}"])
    requests = [
        ClientRequest(api, 4, 1, 1, 0.0, is_about=api == "fetch", offset=0, fields=fields) for api, fields in asked
    ]
    seen = RequestsSeen(requests=requests)
    return [(each.path, each.expected, each.got) for each in unasked_settings(questions.conversation(vector), seen)]


@pytest.mark.parametrize(
    ("name", "api", "fields", "found"),
    [
        (COMMITTED, "fetch", {"isolation_level": 0}, [("requests.fetch.isolation_level", "1", "0")]),
        (COMMITTED, "fetch", {"isolation_level": 1}, []),
        (COMMITTED, "fetch", {}, []),  # versions 0 to 3 have no isolation level
        (PLAIN, "fetch", {"isolation_level": 1}, [("requests.fetch.isolation_level", "0", "1")]),
        (
            COMMITTED,
            "list_offsets",
            {"isolation_level": 0, "timestamp": LATEST},
            [("requests.list_offsets.isolation_level", "1", "0")],
        ),
        (COMMITTED, "list_offsets", {"isolation_level": 0, "timestamp": EARLIEST}, []),
        (COMMITTED, "offset_fetch", {"isolation_level": 0}, []),
        (
            LIMITED,
            "fetch",
            {"partition_max_bytes": 1 << 20},
            [("requests.fetch.partition_max_bytes", "1024", "1048576")],
        ),
        (LIMITED, "fetch", {"partition_max_bytes": 1}, [("requests.fetch.partition_max_bytes", "1024", "1")]),
        (LIMITED, "fetch", {"partition_max_bytes": 1024 + 100}, []),
        (PLAIN, "fetch", {"partition_max_bytes": 7}, []),
    ],
)
def test_what_was_set_must_be_asked_for(name, api, fields, found):
    assert wrong(name, (api, fields)) == found


def test_a_limit_may_grow_once_it_was_asked_for():
    small, large = (("fetch", {"partition_max_bytes": most}) for most in (1024, 1 << 20))
    assert not wrong(LIMITED, small, large)
