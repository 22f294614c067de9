"""Findings about producers: each names an order or conversation, and producers here show it."""

import sys
from pathlib import Path

import pytest
from kafka_conformance.confirmation import record_lines
from kafka_conformance.confirmation.confirmation import Confirmation, confirm_producers, order_of, ordered_lines
from kafka_conformance.confirmation.programs import Program
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.errors import NotReadyError
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run import runner
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors import conversations, loader, orders
from kafka_conformance.vectors.patterns import Ids
from kafka_tools.errors import UsageError

ORDERS = {vector.id for vector in loader.of_family(orders.FAMILY)}
CONVERSATIONS = {vector.id for vector in loader.of_family(conversations.FAMILY)}
FAMILIES = (orders.FAMILY, conversations.FAMILY)
KNOWN = catalogue.about(Part.PRODUCER)
CARRIES = {"v0": range(2), "v1": range(2, 3), "v2": range(3, 14)}
"""The versions of Produce that carry each format (KIP-32, KIP-98)."""
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_names_what_there_is(about):
    assert about.version in manifest.load_all()[about.target].all_versions
    names = [finding.id for finding in about.findings]
    assert len(names) == len(set(names))
    for finding in about.findings:
        talks = finding.smallest in CONVERSATIONS
        assert finding.direction is (Direction.DECODE if talks else Direction.ENCODE)
        ids = Ids(CONVERSATIONS if talks else ORDERS)
        assert finding.smallest in (CONVERSATIONS if talks else ORDERS)
        assert [pattern for pattern in finding.vectors if not ids.count([pattern])] == []
        assert finding.gives or finding.unconfirmed or finding.kind is FindingKind.TOLERATED


@pytest.mark.sampled(3, of="findings")
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_the_library_alone_does_what_it_says(about):
    try:
        confirmations = list(confirm_producers(about))
    except NotReadyError as missing:
        pytest.skip(f"{about.target}: {missing}")
    assert [one.finding.id for one in confirmations if not one.is_confirmed] == []


@pytest.mark.sampled(3, of="findings")
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_is_still_true_in_the_suite_and_named_there(about):
    """Fails when a new release of the producer has mended it: then the finding goes."""
    target = resolve.candidate(f"{about.target}@{about.version}")
    if target.command is None:
        pytest.skip(target.problem)
    smallest = {finding.smallest: finding for finding in about.findings}
    found = [vector for family in FAMILIES for vector in loader.of_family(family, tuple(smallest))]
    asked = {vector.id: vector for vector in found}
    run = runner.run([target], list(asked.values()))
    outcomes = {result.vector: result.outcome for result in run.results}
    assert outcomes == {name: finding.outcomes[0] for name, finding in smallest.items()}
    causes = {cause.id: cause for cause in diagnose(about.target, run.results, asked).causes}
    names = {finding.id: f"{about.target}/{finding.bug or finding.id}" for finding in about.findings}
    assert causes.keys() == set(names.values())
    for finding in about.findings:
        is_harmless = causes[names[finding.id]].is_harmless
        assert is_harmless is (finding.kind is FindingKind.TOLERATED)


def test_order_that_is_not_there_is_told():
    with pytest.raises(UsageError, match=r"there is no order produce/v2/nothing"):
        order_of("produce/v2/nothing")


@pytest.mark.parametrize(
    ("version", "magic", "message", "record"),
    [
        (2, 1, "wire.message(1, b'v', timestamp=7)", "offset=0 timestamp=7 type=create_time"),
        (1, 0, "wire.message(0, b'v')", "offset=0 timestamp=-1 type=none"),
        (1, 1, "bytes(4) + wire.message(1, b'v', timestamp=7)[4:]", "a strict reader refuses them: "),
    ],
)
def test_what_arrives_is_told_with_its_request(version, magic, message, record):
    code = f"""
import socket, sys
from kafka_format import protocol
from tests.kafka_format import wire
partition = {{"index": 0, "records": wire.entry(0, {message})}}
body = {{"acks": 1, "timeout_ms": 100, "topic_data": [{{"name": sys.argv[2], "partition_data": [partition]}}]}}
request = protocol.encode_request("produce", {version}, body, client_id="it")
host, port = sys.argv[1].split(":")
with socket.create_connection((host, int(port))) as connection:
    connection.sendall(len(request).to_bytes(4, "big") + request)
    connection.recv(4)
print("error: so it goes")
"""
    told = ordered_lines(Program((sys.executable, "-c", code), folder=ROOT), order_of("produce/v2/one/none"))
    assert len(told) == 3
    assert told[0] == f"Produce {version} with records of v{magic}"
    assert told[1].startswith(record)
    assert told[2] == "error: so it goes"


@pytest.mark.parametrize(
    "finding",
    [finding for about in KNOWN.values() for finding in about.findings if finding.gives and finding.smallest in ORDERS],
    ids=lambda finding: f"{finding.target}/{finding.id}",
)
def test_what_a_sound_producer_sends_confirms_no_finding(finding):
    vector = order_of(finding.smallest).vector
    records = tuple(record_lines.kafka_lines({"format": vector.format, "answer": vector.answer}))
    for version in CARRIES[vector.format]:
        head = f"Produce {version} with records of {vector.format}"
        assert not Confirmation(finding, (head, *records)).is_confirmed
