"""The adapters of old releases agree with spec/releases.yaml, and answer over the protocol."""

from collections.abc import Iterator

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import manifest
from kafka_conformance.targets.resolve import installation
from kafka_format.spec.releases import Release, releases
from kafka_generator.oracle import fields_of, target_of

from tests.kafka_conformance.targets import sample_batches as samples
from tests.kafka_conformance.targets.adapter_client import Adapter

pytestmark = pytest.mark.oracle

TARGET = "kafka-clients-legacy"
OLD = [release for release in releases().values() if release.target == TARGET]


@pytest.fixture(params=OLD, ids=lambda release: release.name)
def old(request: pytest.FixtureRequest) -> Release:
    return request.param


@pytest.fixture
def adapter(old: Release) -> Iterator[Adapter]:
    installed = installation(target_of(old))
    try:
        installed.check()
    except NotReadyError as missing:
        pytest.skip(f"{installed.name}: {missing}")
    with Adapter(installed.command().arguments) as started:
        yield started


def test_every_version_of_the_target_is_a_release() -> None:
    assert sorted(manifest.load_all()[TARGET].all_versions) == sorted(release.version for release in OLD)


def test_hello_says_what_the_release_reads(adapter: Adapter, old: Release) -> None:
    hello = adapter.hello()
    assert (hello["name"], hello["version"], hello["directions"]) == ("kafka-clients", old.version, ["decode"])
    assert hello["formats"] == list(old.formats)
    assert hello["codecs"] == list(old.codecs)
    assert tuple(hello["fields"]) == fields_of(old)


def test_a_message_and_a_refusal(adapter: Adapter) -> None:
    good, bad = adapter.decode(samples.V0, samples.damaged(samples.V0))
    (record,) = good.answer
    assert (record.offset, record.key, record.value) == (0, samples.KEY, samples.VALUE)
    assert bad.status == 1
    assert "corrupt" in bad.text or "InvalidMessage" in bad.text


def test_what_is_no_request_ends_the_adapter_with_a_word(adapter: Adapter) -> None:
    status, output, log = adapter.finish(b"\0\0\0\1X")
    assert (status, output) == (2, b"")
    assert "unknown kind 88" in log
