import pytest
from kafka_format import protocol, records
from kafka_format.records import Record
from kafka_tools.server import BrokerSettings, Serving, Topic
from kafka_tools.server.handlers import HANDLERS
from kafka_tools.server.settings import ON_REQUEST, USUAL

from tests.kafka_tools.server.client import talking

LEADER = 1
BATCHES = [
    records.encode([Record(offset=first + delta, timestamp=5, timestamp_type=0, value=b"v") for delta in range(2)])
    for first in (10, 12)
]
LOG = b"".join(BATCHES)
ALL_VERSIONS = [(api, version) for api, (low, high) in USUAL.items() for version in range(low, high + 1)]


def test_it_says_that_it_has_what_it_can_answer_and_no_more():
    assert HANDLERS.keys() == {*USUAL, *ON_REQUEST}


ASKED = {
    "fetch": {"max_wait_ms": 0},
    "find_coordinator": {},
    "join_group": {"group_id": "g", "protocol_type": "consumer", "protocols": [{"name": "range", "metadata": b"m"}]},
    "sasl_handshake": {"mechanism": "PLAIN"},
    "produce": {"acks": 1},
}


def log(**more):
    return Topic("orders", LOG, 10, 14, **more)


@pytest.mark.parametrize(("api", "version"), ALL_VERSIONS)
def test_it_answers_every_version_that_it_says_it_has(api, version):
    with talking(log()) as (_, client):
        client.ask(api, version, ASKED.get(api, {}))


def test_a_client_reaches_the_topic_by_the_metadata():
    with talking(log()) as (here, client):
        for version in range(14):
            answer = client.ask("metadata", version, {"topics": [{"name": "orders"}, {"name": "other"}]})
            (broker,) = answer.brokers
            assert (broker.node_id, broker.host, broker.port) == (LEADER, here.host, here.port)
            known, unknown = answer.topics
            assert (known.error_code, known.name, known.partitions[0].leader_id) == (0, "orders", LEADER)
            assert (unknown.error_code, unknown.partitions) == (3, [])


def test_metadata_of_all_topics_is_asked_for_by_an_empty_list_in_version_0_and_by_null_later():
    with talking(log()) as (_, client):
        assert len(client.ask("metadata", 0, {"topics": []}).topics) == 1
        assert not client.ask("metadata", 1, {"topics": []}).topics
        assert len(client.ask("metadata", 1, {"topics": None}).topics) == 1


def test_topics_are_known_by_their_ids():
    topic = log()
    with talking(topic) as (_, client):
        (named,) = client.ask("metadata", 12, {"topics": [{"name": None, "topic_id": topic.topic_id}]}).topics
        (unknown,) = client.ask("metadata", 12, {"topics": [{"name": None, "topic_id": b"x" * 16}]}).topics
    assert (named.name, unknown.error_code) == ("orders", 100)


@pytest.mark.parametrize("version", range(19))
def test_the_bytes_of_a_topic_are_served_as_they_are(version):
    topic = Topic("rubbish", b"\xff" * 40, 0, 5, serving=Serving.ONCE)
    with talking(topic) as (_, client):
        first, second = client.fetched(topic, 0, version), client.fetched(topic, 3, version)
    assert (first.records, first.high_watermark) == (b"\xff" * 40, 5)
    assert (second.records, second.high_watermark) == (b"", 3)
    assert (topic.first_fetch.version, topic.next_offsets) == (version, [3])


@pytest.mark.parametrize(("offset", "expected"), [(10, LOG), (11, LOG), (12, BATCHES[1]), (13, BATCHES[1]), (14, b"")])
def test_a_log_is_served_from_the_entry_on_that_has_the_offset(offset, expected):
    topic = log()
    with talking(topic) as (_, client):
        got = client.fetched(topic, offset)
    assert (got.records, got.high_watermark, got.log_start_offset, got.last_stable_offset) == (expected, 14, 10, 14)


def test_the_limits_of_a_fetch_cut_the_bytes_but_since_version_3_not_the_first_entry():
    topic = log()
    size = len(BATCHES[0])
    with talking(topic) as (_, client):
        assert client.fetched(topic, 10, 2, partition_max_bytes=size - 1).records == LOG[: size - 1]
        assert client.fetched(topic, 10, 3, partition_max_bytes=1).records == BATCHES[0]
        assert client.fetched(topic, 10, 4, partition_max_bytes=size + 3).records == LOG[: size + 3]
        assert client.fetched(topic, 10, 4, max_bytes=0).records == BATCHES[0]


def test_aborted_transactions_are_told_to_who_reads_committed_alone():
    topic = log(aborted=((7, 10),), last_stable_offset=12)
    with talking(topic) as (_, client):
        committed = client.fetched(topic, 10, isolation_level=1)
        uncommitted = client.fetched(topic, 10, isolation_level=0)
    assert [(transaction.producer_id, transaction.first_offset) for transaction in committed.aborted_transactions] == [
        (7, 10)
    ]
    assert not uncommitted.aborted_transactions
    assert committed.last_stable_offset == 12


def test_what_is_not_there_is_an_error_of_the_partition():
    with talking(log()) as (_, client):
        assert client.fetched(Topic("other")).error_code == 3
        assert client.fetched(Topic("other"), version=13).error_code == 100


def test_one_answer_has_bytes_of_few_topics():
    topics = [Topic(f"t{number}", b"\0" * 20, serving=Serving.ONCE, end_offset=1) for number in range(5)]
    with talking(*topics, settings=BrokerSettings(topics_per_fetch=2)) as (_, client):
        partition = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 100}
        asked = {"max_wait_ms": 1, "topics": [{"topic": topic.name, "partitions": [partition]} for topic in topics]}
        sizes = [
            [len(response.partitions[0].records) for response in client.ask("fetch", 12, asked).responses]
            for _ in range(4)
        ]
    assert sizes == [[20, 20, 0, 0, 0], [0, 0, 20, 20, 0], [0, 0, 0, 0, 20], [0] * 5]


def test_a_session_remembers_the_partitions():
    topic = log()
    with talking(topic, settings=BrokerSettings(has_sessions=True)) as (_, client):
        first = client.fetch(topic, 10, session_epoch=0)
        second = client.ask("fetch", 12, {"max_wait_ms": 0, "session_id": first.session_id, "session_epoch": 1})
        forget = [{"topic": "orders", "partitions": [0]}]
        more = {"session_id": first.session_id, "session_epoch": 2, "forgotten_topics_data": forget}
        third = client.ask("fetch", 12, {"max_wait_ms": 0, **more})
        late = client.ask("fetch", 12, {"session_id": first.session_id, "session_epoch": 2})
        unknown = client.ask("fetch", 12, {"session_id": 99, "session_epoch": 2})
    assert first.session_id > 0
    assert second.responses[0].partitions[0].records == LOG
    assert not third.responses
    assert (late.error_code, unknown.error_code) == (71, 70)


def test_offsets_of_a_log():
    topic = log()
    with talking(topic) as (_, client):
        for version in range(12):
            asked = {"partition_index": 0, "timestamp": -2} | ({"max_num_offsets": 1} if version == 0 else {})
            body = {"topics": [{"name": "orders", "partitions": [asked, {**asked, "timestamp": -1}]}]}
            first, last = client.ask("list_offsets", version, body).topics[0].partitions
            got = [one.old_style_offsets[0] if version == 0 else one.offset for one in (first, last)]
            assert got == [10, 14]


def test_what_a_producer_sends_is_kept_as_it_came():
    with talking(settings=BrokerSettings(creates_topics=True)) as (here, client):
        for version in range(13):
            data = {"name": "new", "partition_data": [{"index": 0, "records": b"\xff%d" % version}]}
            answer = client.ask("produce", version, {"acks": 1, "topic_data": [data]})
            assert answer.responses[0].partition_responses[0].error_code == 0
    assert [(one.version, one.records) for one in here.state.produced_records] == [
        (v, b"\xff%d" % v) for v in range(13)
    ]


def test_acks_0_gets_no_answer():
    data = [{"name": "orders", "partition_data": [{"index": 0, "records": b"r"}]}]
    with talking(log()) as (here, client):
        client.send(protocol.encode_request("produce", 3, {"acks": 0, "topic_data": data}, correlation_id=1))
        client.ask("api_versions", 0, {}, correlation_id=2)
    assert here.state.produced_records[0].records == b"r"


def test_no_more_is_kept_than_the_settings_say():
    with talking(log(), settings=BrokerSettings(most_captured_bytes=10)) as (here, client):
        data = [{"name": "orders", "partition_data": [{"index": 0, "records": b"r" * 6}]}]
        codes = [
            client.ask("produce", 3, {"acks": 1, "topic_data": data}).responses[0].partition_responses[0].error_code
            for _ in range(2)
        ]
    assert codes == [0, 10]
    assert len(here.state.produced_records) == 1


def test_a_member_is_sent_back_with_an_id_and_then_leads():
    with talking(log()) as (_, client):
        first = client.ask("join_group", 5, ASKED["join_group"])
        second = client.ask("join_group", 5, {**ASKED["join_group"], "member_id": first.member_id})
        assignment = {"member_id": first.member_id, "assignment": b"mine"}
        synced = client.ask("sync_group", 3, {"member_id": first.member_id, "assignments": [assignment]})
    assert first.error_code == 79
    assert (second.error_code, second.leader, second.members[0].metadata) == (0, first.member_id, b"m")
    assert synced.assignment == b"mine"


@pytest.mark.parametrize("version", [1, 5, 7])
def test_committed_offsets_are_kept(version):
    with talking(log()) as (_, client):
        partition = {"partition_index": 0, "committed_offset": 12}
        topics = [{"name": "orders", "partitions": [partition]}]
        client.ask("offset_commit", 2, {"group_id": "g", "topics": topics})
        for group, expected in (("g", 12), ("other", -1)):
            asked = {"group_id": group, "topics": [{"name": "orders", "partition_indexes": [0]}]}
            (topic,) = client.ask("offset_fetch", version, asked).topics
            assert topic.partitions[0].committed_offset == expected


def test_committed_offsets_of_groups_by_name_and_by_id():
    topic = log()
    with talking(topic) as (here, client):
        here.state.groups.commit("g", "orders", 12)
        for version, named in ((8, {"name": "orders"}), (10, {"topic_id": topic.topic_id})):
            asked = {"groups": [{"group_id": "g", "topics": [{**named, "partition_indexes": [0]}]}]}
            (group,) = client.ask("offset_fetch", version, asked).groups
            assert group.topics[0].partitions[0].committed_offset == 12


def test_a_transaction_is_agreed_to():
    with talking(log()) as (_, client):
        given = client.ask("init_producer_id", 4, {"transactional_id": "t"})
        topics = [{"name": "orders", "partitions": [0]}]
        added = client.ask("add_partitions_to_txn", 3, {"v3_and_below_topics": topics})
        ended = client.ask("end_txn", 5, {"producer_id": given.producer_id, "producer_epoch": 0, "committed": True})
    (result,) = added.results_by_topic_v3_and_below
    assert (result.name, result.results_by_partition[0].partition_error_code) == ("orders", 0)
    assert (ended.error_code, ended.producer_id, ended.producer_epoch) == (0, given.producer_id, 1)


@pytest.mark.parametrize("name", [None, "t"])
def test_an_id_that_was_not_given_is_answered_with_a_new_one(name):
    """Some libraries ask with id 0 before they have one, which Kafka overlooks."""
    with talking(log()) as (_, client):
        asked = {"transactional_id": name, "producer_id": 0, "producer_epoch": 0}
        first = client.ask("init_producer_id", 4, asked)
        again = client.ask("init_producer_id", 4, {**asked, "producer_id": first.producer_id})
    assert (first.producer_id > 0, first.producer_epoch) == (True, 0)
    assert (again.producer_id == first.producer_id, again.producer_epoch) == ((True, 1) if name else (False, 0))


def test_sasl_tokens_come_without_a_header_after_a_handshake_of_version_0():
    with talking(log()) as (_, client):
        client.ask("sasl_handshake", 0, {"mechanism": "PLAIN"})
        client.send(b"\0name\0password")
        assert client.receive() == b""
        client.ask("metadata", 1, {"topics": None})
        assert client.ask("sasl_handshake", 1, {"mechanism": "GSSAPI"}).error_code == 33
