"""Planted consumers: the cause that fits comes first, and there are few others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer import questions
from kafka_conformance.kinds.consumer.causes import diagnose_consumer
from kafka_conformance.kinds.consumer.driver import Got
from kafka_conformance.kinds.consumer.judge import judge_delivery
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.served_topic import ServedTopic
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello, parse_hello
from kafka_conformance.vectors import directions, loader
from kafka_conformance.vectors.vector import Vector

from tests import shipped
from tests.kafka_conformance.kinds.consumer.fresh_consumers import C1, C2, C3, C4, C5, C6, FreshConsumer
from tests.kafka_conformance.kinds.consumer.planted_consumers import NEW, PLANTS, SECOND, Plant, PlantedConsumer, right

DECLARED = {
    "protocol": 1,
    "name": "planted",
    "version": "0",
    "language": "Python",
    "formats": ["v0", "v1", "v2"],
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
    "checks_crc": True,
    "directions": ["decode"],
    "requests": ["deliver"],
    "partial": True,
}
HELLO: Hello = parse_hello(b"H" + json.dumps(DECLARED).encode())
ONE_IN = 5
"""Of the vectors of records, which are many of a kind; those about consumers are all asked."""

MOST_CAUSES = 3
FAMILIES = ("record-batch", "message-set", "control", "run", "deliver")


@pytest.fixture(scope="module")
def views() -> list[View]:
    vectors = [vector for vector in shipped.vectors().values() if not vector.is_large and vector.format != "v07"]
    chosen = [each for at, each in enumerate(vectors) if each.family in FAMILIES or at % ONE_IN == 0]
    asked = questions.questions([*chosen, *loader.of_family(directions.DELIVER)])
    return [view for view in asked if not questions.gap(view, HELLO) and view.vector.data]


def consume(views: list[View], plant: Plant) -> Iterator[Result]:
    """Yield what comes of views that a planted consumer is served."""
    for view in views:
        took = plant(view)
        served = ServedTopic(0, view, view.topic("t"), Got(list(took.records), [str(took.error)] if took.error else []))
        stays = took.next_offset == view.fetch_offset
        served.topic.next_offsets += [took.next_offset] * (3 if stays else 1)
        yield judge_delivery(view, HELLO, "planted", served.reaction(0.0))


def diagnose(views: list[View], plant: Plant, target: str = "planted") -> Diagnosis:
    vectors: dict[str, Vector] = {view.vector.id: view.vector for view in views}
    own = {vector.id: vector for vector in [*shipped.vectors().values(), *loader.of_family(directions.DELIVER)]}
    return diagnose_consumer(target, list(consume(views, plant)), {name: own[name] for name in vectors}, HELLO)


def test_a_right_consumer_has_no_cause(views: list[View]) -> None:
    assert diagnose(views, right) == Diagnosis()


@pytest.mark.sampled(8, of="mutants")
@pytest.mark.parametrize("plant", [*PLANTS, *NEW, *SECOND], ids=str)
def test_the_right_cause_comes_first(views: list[View], plant: PlantedConsumer) -> None:
    found = diagnose(views, plant.change).causes
    assert plant.cause in found[0].ids, [(each.id, len(each.findings)) for each in found]
    assert len(found) <= MOST_CAUSES, [(each.id, len(each.findings)) for each in found]


NOT_SHOWN = frozenset({
    "aborted list unsorted", "unknown magic ends quietly", "wrong checksum ends quietly", "lower leader epoch skipped",
    "keys without case", "transactional lost with read_uncommitted", "headers without case",
    "tombstones of committed lost", "older producer epoch lost",
})  # fmt: skip
"""Fresh faults that no view shows."""

NOT_TOLD = frozenset({
    "append time ignored", "to offset 0 after an error", "offsets from the fetch offset", "append type is create",
    "stops at headers", "duplicates by value lost", "keys as latin-1", "v0 lost", "aborted delivered if compressed",
})  # fmt: skip
"""Fresh faults of which another cause comes first, or one of another name."""


@pytest.mark.sampled(10, of="mutants")
@pytest.mark.parametrize(
    "plant", [plant for plant in (*C1, *C2, *C3, *C4, *C5, *C6) if plant.name not in NOT_SHOWN | NOT_TOLD], ids=str
)
def test_the_cause_of_a_fresh_fault_comes_first(views: list[View], plant: FreshConsumer) -> None:
    found = diagnose(views, plant.change).causes
    assert found, "no view shows it"
    assert re.search(plant.cause, found[0].id), [(each.id, len(each.findings)) for each in found]


def test_markers_are_shown_by_those_of_a_coordinator(views: list[View]) -> None:
    plant = next(each for each in PLANTS if each.name == "markers delivered")
    assert diagnose(views, plant.change).causes[0].example.startswith(("v2/control/commit", "v2/control/abort"))


def test_what_a_known_bug_does_is_that_bug_wherever_it_shows(views: list[View]) -> None:
    """A finding lists some vectors. What goes wrong in the same way with others is no second
    cause."""
    plant = next(each for each in PLANTS if each.name == "markers delivered")
    known = diagnose(views, plant.change, "consumer-segmentio-kafka-go").causes
    ids = [cause.id for cause in known]
    assert ids[0] == "consumer-segmentio-kafka-go/control-records"
    assert not {"consumer/markers-delivered", "segmentio-kafka-go/control-records"} & set(ids)
    unknown = diagnose(views, plant.change).causes
    assert len(known[0].findings) > 0.9 * len(unknown[0].findings)  # the rest is of other bugs that are known


CONVERSATIONS = {vector.id: vector for vector in loader.of_family("conversation")}


@pytest.mark.parametrize(
    ("name", "outcome", "cause"),
    [
        ("offsets/below-log-start-none", Outcome.ACCEPTED_INVALID, "consumer/reset-none-ignored"),
        ("offsets/below-log-start-latest", Outcome.WRONG_ANSWER, "consumer/reset-not-latest"),
        ("offsets/below-log-start-earliest", Outcome.WRONG_ANSWER, "consumer/reset-not-earliest"),
        ("errors/error-of-a-later-release", Outcome.ACCEPTED_INVALID, "consumer/error-swallowed"),
        ("errors/storage", Outcome.HUNG, "consumer/error-not-retried"),
        ("leaders/truncated-log", Outcome.WRONG_ANSWER, "consumer/log-truncation"),
        ("sessions/lost", Outcome.HUNG, "consumer/fetch-session"),
        ("frames/wrong-correlation-id", Outcome.WRONG_ANSWER, "consumer/correlation-id"),
        ("frames/in-pieces", Outcome.REFUSED_VALID, "consumer/answer-in-pieces"),
        ("frames/body-too-short", Outcome.WRONG_ANSWER, "consumer/body-too-short"),
        ("limits/batch-larger-than-max-bytes", Outcome.REFUSED_VALID, "consumer/large-batch"),
        ("limits/batch-cut-at-the-end", Outcome.REFUSED_VALID, "consumer/cut-entry-refused"),
        ("limits/batch-cut-at-the-end", Outcome.WRONG_ANSWER, "consumer/cut-entry"),
    ],
)
def test_a_conversation_that_goes_wrong_has_a_cause_of_its_own(name: str, outcome: Outcome, cause: str) -> None:
    results = [
        Result(each, "planted", outcome if each == f"conversation/{name}" else Outcome.PASSED) for each in CONVERSATIONS
    ]
    assert [each.id for each in diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes] == [cause]


HUNG, WRONG, REFUSED, SILENT = Outcome.HUNG, Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID, Outcome.ACCEPTED_INVALID
LATEST, ISOLATION = "auto.offset.reset is latest", "requests.fetch.isolation_level"
BEGAN = "consumer/begins-again-connected"


@pytest.mark.parametrize(
    ("cause", "said", "found"),
    [
        ("consumer/isolation-not-asked-of-fetch", "asks Fetch for read_uncommitted",
         {"transactions/open-then-aborted": (ISOLATION, "1", "0"), "transactions/only-aborted": (ISOLATION, "1", "0")}),
        ("consumer/isolation-not-asked-of-fetch", "for read_committed, where its application has set read_uncommitted",
         {"transactions/open-and-uncommitted": (ISOLATION, "0", "1"), "frames/cut": (ISOLATION, "0", "1")}),
        ("consumer/isolation-not-asked-of-list_offsets", "asks ListOffsets for read_uncommitted",
         {"transactions/latest-is-the-stable-offset": ("requests.list_offsets.isolation_level", "1", "0")}),
        ("consumer/partition_max_bytes-not-asked", "1048576, not 1024",
         {"limits/batch-larger-than-max-bytes": ("requests.fetch.partition_max_bytes", "1024", "1048576")}),
        ("consumer/leader-epoch-kept", "in the leader epoch that it knew first",
         {"leaders/moved": ("requests.fetch.current_leader_epoch", "1", "0"),
          "sessions/loses-a-partition": ("requests.fetch.current_leader_epoch", "1", "0")}),
        ("consumer/replica", "from the replica that the leader names",
         {"followers/read-from": ("steps[0].next.node", "2", "1"),
          "followers/out-of-range-and-reset": ("steps[1].next.node", "2", "1"),
          "followers/replica-hangs-up": ("steps[1].next.node", "2", "1")}),
        ("consumer/replica-out-of-range", "does not ask the leader",
         {"followers/out-of-range-and-reset": ("steps[2].next.offset", "3", "5"),
          "followers/out-of-range-of-the-replica": ("steps[2].next.offset", "3", "0")}),
        (BEGAN, "when a connection broke",
         {"frames/hang-up": ("steps[1].next.offset", "3", "0"), "frames/twice": ("records[3].offset", "3", "0"),
          "followers/replica-hangs-up": ("steps[2].next.offset", "3", "0")}),
        ("consumer/begins-again-after-error", "KAFKA_STORAGE_ERROR",
         {"errors/storage": ("steps[1].next.offset", "3", "0")}),
        ("consumer/reset-not-latest", LATEST,
         {"transactions/latest-is-the-stable-offset": ("steps[0].next.offset", "13", "10"),
          "offsets/below-log-start-latest": ("position", "15", "10")}),
        ("consumer/again-before-error", "delivers again",
         {"progress/wrong-checksum-in-a-long-answer": ("steps[0].next.offset", "3 or 6 or 8", "0")}),
        ("consumer/position-moved-by-error", "goes on 1 offset too far after an error code",
         {"errors/storage": ("steps[1].next.offset", "3", "4"),
          "errors/offset-not-available": ("steps[1].next.offset", "3", "4")}),
        ("consumer/position-moved-by-connection", "goes on 2 offsets too near when a connection broke",
         {"frames/hang-up": ("steps[1].next.offset", "3", "1"), "frames/cut": ("steps[1].next.offset", "3", "1")}),
        ("consumer/correlation-id", "`offset` is 3, not 0",
         {"frames/wrong-correlation-id": ("steps[0].next.offset", "0", "3")}),
        ("consumer/reset-swapped", "goes to the latest offset where auto.offset.reset is earliest",
         {"offsets/below-log-start-earliest": ("records", "5 records", "0 records"),
          "offsets/beyond-the-end-earliest": ("records", "5 records", "0 records"),
          "offsets/log-start-moves-between": ("steps[1].next.offset", "6", "10"),
          "groups/first-time": ("records", "4 records", "0 records"),
          "rebalances/leaves": ("records", "5 records", "0 records"),
          "offsets/below-log-start-latest": ("position", "15", "10")}),
        ("consumer/reset-not-earliest", "gets nothing where auto.offset.reset is earliest",
         {"offsets/below-log-start-earliest": ("records", "5 records", "0 records"),
          "offsets/beyond-the-end-earliest": ("records", "5 records", "0 records"),
          "groups/first-time": ("records", "4 records", "0 records")}),
        ("consumer/fetch-session", "`session_epoch` is 1, not 2",
         {"sessions/lost": ("steps[1].next.session_epoch", "2", "1")}),
        ("consumer/log-truncation", "`offset` is 5, not 3",
         {"leaders/truncated-log": ("steps[1].next.offset", "3", "5")}),
    ],
)  # fmt: skip
def test_what_differs_names_the_cause_whatever_the_conversation_is_about(
    cause: str, said: str, found: dict[str, tuple[str, str, str]]
) -> None:
    results = [Result(name, "planted", Outcome.PASSED) for name in CONVERSATIONS]
    for name, (path, due, got) in found.items():
        results.append(Result(f"conversation/{name}", "planted", WRONG, path=path, expected=due, got=got))
    (only,) = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    assert (only.id, len(only.findings)) == (cause, len(found))
    assert said in only.does


@pytest.mark.parametrize("name", ["conversation/frames/in-pieces", "conversation/limits/batch-larger-than-max-bytes"])
def test_what_a_conversation_shows_of_the_size_of_answers_explains_large_vectors(name: str) -> None:
    large = {vector.id: vector for vector in shipped.vectors().values() if vector.family == "large"}
    asked = {**CONVERSATIONS, **large}
    failed = {name, "large/v2/value-1-mib", "large/v1/value-1-mib"}
    results = [Result(each, "planted", REFUSED if each in failed else Outcome.PASSED) for each in asked]
    results.append(Result("large/v2/last-byte", "planted", SILENT))  # of which the size is no matter
    cause, other = diagnose_consumer("planted", results, asked, HELLO).causes
    assert {result.vector for result in cause.findings} == failed
    assert [result.vector for result in other.findings] == ["large/v2/last-byte"]


def test_an_error_that_is_not_told_is_no_matter_of_where_a_group_begins() -> None:
    nothing = [
        *("offsets/below-log-start-earliest", "offsets/beyond-the-end-earliest", "groups/first-time"),
        *("groups/goes-on", "groups/not-authorized"),  # what was committed is there; and a group that none may join
    ]
    failed = {f"conversation/{name}" for name in nothing}
    results = [Result(name, "planted", WRONG if name in failed else Outcome.PASSED) for name in CONVERSATIONS]
    causes = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    (reset,) = (cause for cause in causes if cause.id == "consumer/reset-not-earliest")
    assert {result.vector for result in reset.findings} == {f"conversation/{name}" for name in nothing[:3]}


def test_who_is_given_up_without_a_reply_has_one_cause() -> None:
    lost = {"conversation/errors/storage": HUNG, "conversation/frames/cut": Outcome.CRASHED}
    results = [Result(name, "planted", lost.get(name, Outcome.NOT_ASKED)) for name in CONVERSATIONS]
    (only,) = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    assert (only.id, len(only.findings)) == ("consumer/no-reply", len(lost))
    passed = [Result("conversation/frames/hang-up", "planted", Outcome.PASSED), *results]
    ids = {each.id for each in diagnose_consumer("planted", passed, CONVERSATIONS, HELLO).causes}
    assert "consumer/no-reply" not in ids


def test_an_error_code_is_named_at_which_a_client_stops() -> None:
    results = [Result("conversation/errors/storage", "planted", HUNG)]
    (only,) = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    assert only.does.endswith("(KAFKA_STORAGE_ERROR)")


@pytest.mark.parametrize(
    ("found", "codes"),
    [
        ({"leaders/fenced-epoch": "a"}, "tells FENCED_LEADER_EPOCH as"),
        ({"errors/unknown-topic": "a"}, "tells UNKNOWN_TOPIC_OR_PARTITION as"),
        ({"leaders/moved": "a", "errors/storage": "b"}, "tells NOT_LEADER_OR_FOLLOWER and KAFKA_STORAGE_ERROR as"),
    ],
)
def test_error_codes_that_are_told_are_named(found: dict[str, str], codes: str) -> None:
    results = [Result(f"conversation/{name}", "planted", REFUSED, got=got) for name, got in found.items()]
    (only,) = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    assert (only.id, codes in only.does) == ("consumer/error-told", True), only.does


def test_every_conversation_has_a_cause_if_it_goes_wrong() -> None:
    results = [Result(name, "planted", Outcome.HUNG) for name in CONVERSATIONS]
    found = diagnose_consumer("planted", results, CONVERSATIONS, HELLO)
    assert not found.unexplained
    assert all(cause.id.startswith(("consumer/", "producer/")) for cause in found.causes)


@pytest.mark.parametrize(
    ("fault", "failed", "cause"),
    [
        (
            "gives up at the first error code",
            {"errors/[su]*": REFUSED, "errors/*-available": REFUSED, "leaders/[mnfu]*": REFUSED,
             "groups/*-loading": REFUSED, "groups/coordinator-*": REFUSED, "groups/join-elsewhere": REFUSED,
             "offsets/offset-not-*": REFUSED, "groups/unstable-offset": REFUSED, "groups/commits-again": REFUSED,
             "followers/no-*": REFUSED},
            "consumer/no-retry",
        ),
        ("tells no error of damage, either", {"errors/not-*": SILENT, "progress/wrong-*": SILENT,
                                              "offsets/*-none": SILENT}, "consumer/error-swallowed"),
        ("tells no error", {"errors/not-*": SILENT, "errors/error-*": SILENT, "groups/not-*": SILENT,
                            "groups/too-*": SILENT, "groups/protocols-*": SILENT, "offsets/*-none": SILENT},
         "consumer/error-swallowed"),
        ("never resets", {"offsets/below-*": HUNG, "offsets/beyond-*": HUNG, "offsets/log-start-moves-*": HUNG},
         "consumer/out-of-range"),
        ("always resets to the earliest", {"offsets/*-latest": WRONG, "offsets/*-none": WRONG}, "consumer/reset-"),
        ("always resets to the latest", {"offsets/*-earliest": WRONG, "offsets/log-start-moves-*": WRONG,
                                         "groups/committed-is-gone": WRONG}, "consumer/reset-not-earliest"),
        ("does not connect again", {"frames/hang-up": HUNG, "frames/cut*": HUNG, "leaders/moved*": HUNG,
                                    "followers/replica-hangs-up": HUNG}, "consumer/connection-lost"),
        ("has no timeout", {"frames/later-than-the-timeout": HUNG}, "consumer/request-timeout"),
        ("stays with the leader", {"followers/read-from": HUNG, "followers/behind": HUNG}, "consumer/replica"),
        ("does not validate its epoch", {"leaders/truncated-log": WRONG}, "consumer/log-truncation"),
        ("does not join again", {"groups/heartbeat-rebalance": HUNG, "groups/sync-rebalances": HUNG},
         "consumer/rebalance"),
        ("does not take its assignment", {"groups/follower-of-the-group": HUNG}, "consumer/rebalance"),
        ("does not look for the coordinator", {"groups/*-elsewhere": HUNG}, "consumer/coordinator"),
        ("takes no large batch", {"limits/batch-larger-*": HUNG}, "consumer/large-batch"),
        ("trusts sizes", {"frames/negative-size": HUNG, "frames/size-*": HUNG, "frames/huge-size": HUNG},
         "consumer/frame-size"),
        ("stops at an empty batch", {"progress/empty-*": HUNG}, "consumer/empty-batch-stops"),
        ("stops at a marker", {"progress/control-*": HUNG, "transactions/marker-alone": HUNG},
         "consumer/control-batch-stops"),
        ("goes on behind the last record", {"progress/gap-*": WRONG}, "consumer/position-behind-last-record"),
    ],
)  # fmt: skip
def test_one_fault_in_many_conversations_is_one_cause(fault: str, failed: dict[str, Outcome], cause: str) -> None:
    results = []
    for name in CONVERSATIONS:
        short = name.removeprefix("conversation/")
        outcome = next((outcome for pattern, outcome in failed.items() if fnmatchcase(short, pattern)), Outcome.PASSED)
        results.append(Result(name, "planted", outcome))
    found = diagnose_consumer("planted", results, CONVERSATIONS, HELLO).causes
    assert cause in found[0].id, (fault, [(each.id, len(each.findings)) for each in found])
    assert len(found) <= MOST_CAUSES, (fault, [(each.id, len(each.findings)) for each in found])
