"""The oracle for the sampler's batches: Kafka's own classes, as for the targets' tests."""

from collections.abc import Iterator

import pytest

from tests.kafka_conformance.targets.adapter_client import Adapter
from tests.kafka_conformance.targets.conftest import ORACLE, built, pytest_configure

__all__ = ["pytest_configure"]  # which makes the marker `oracle` known


@pytest.fixture(scope="module", params=ORACLE.all_versions)
def kafka(request: pytest.FixtureRequest) -> Iterator[Adapter]:
    with Adapter(built(request.param)) as adapter:
        yield adapter


@pytest.fixture(scope="module")
def newest_kafka() -> Iterator[Adapter]:
    with Adapter(built(ORACLE.all_versions[0])) as adapter:
        yield adapter
